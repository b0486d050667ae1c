// SPDX-License-Identifier: MIT
#include "gradcheck/assert_allclose.h"

#include <vector>

#include "cupyxx/error.h"
#include "cupyxx/printing.h"
#include "gradcheck/internal/compare.h"

namespace gradcheck {

namespace {

const cupyxx::ndarray* array_of(const cupyxx::Operand& x) {
  if (!x.is_array()) return nullptr;
  if (x.array().is_none()) {
    throw cupyxx::TypeError("assert_allclose: an array is missing; None");
  }
  return &x.array();
}

std::vector<double> elements(const cupyxx::Operand& x, const cupyxx::Shape& shape) {
  if (x.is_array()) return x.array().to_vector<double>();
  return std::vector<double>(static_cast<std::size_t>(shape.element_count()),
                             x.scalar().as_double());
}

std::string text_of(const cupyxx::Operand& x) {
  return x.is_array() ? cupyxx::array_str(x.array()) : x.scalar().str();
}

}  // namespace

void assert_allclose(const cupyxx::Operand& x, const cupyxx::Operand& y, double atol, double rtol,
                     bool verbose) {
  const cupyxx::ndarray* const a = array_of(x);
  const cupyxx::ndarray* const b = array_of(y);
  const cupyxx::Shape shape = a != nullptr   ? a->shape()
                              : b != nullptr ? b->shape()
                                             : cupyxx::Shape{};
  if (a != nullptr && b != nullptr && !(shape == b->shape())) {
    throw Mismatch(
        cupyxx::message("assert_allclose: the shapes differ; ", shape, " and ", b->shape()));
  }
  const auto worst =
      internal::find_worst(elements(x, shape), elements(y, shape), shape, atol, rtol);
  if (!worst) return;
  std::string text = "assert_allclose: " + internal::describe(*worst, shape);
  if (verbose) text += "\nx: " + text_of(x) + "\ny: " + text_of(y);
  throw Mismatch(text, *worst);
}

}  // namespace gradcheck
