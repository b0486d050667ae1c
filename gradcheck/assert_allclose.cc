// SPDX-License-Identifier: MIT
#include "gradcheck/assert_allclose.h"

#include <complex>
#include <optional>
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

bool is_complex(const cupyxx::Operand& x) {
  return (x.is_array() ? x.array().dtype() : x.scalar().own_dtype()).is_complex();
}

/// The elements as T, double or std::complex<double>.
template <class T>
std::vector<T> elements(const cupyxx::Operand& x, const cupyxx::Shape& shape) {
  if (x.is_array()) return x.array().to_vector<T>();
  return std::vector<T>(static_cast<std::size_t>(shape.element_count()), x.scalar().to<T>());
}

template <class T>
std::optional<Mismatch::Element> find_worst(const cupyxx::Operand& x, const cupyxx::Operand& y,
                                            const cupyxx::Shape& shape, double atol, double rtol) {
  return internal::find_worst(elements<T>(x, shape), elements<T>(y, shape), shape, atol, rtol);
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
  const auto worst = is_complex(x) || is_complex(y)
                         ? find_worst<std::complex<double>>(x, y, shape, atol, rtol)
                         : find_worst<double>(x, y, shape, atol, rtol);
  if (!worst) return;
  std::string text = "assert_allclose: " + internal::describe(*worst, shape);
  if (verbose) text += "\nx: " + text_of(x) + "\ny: " + text_of(y);
  throw Mismatch(text, *worst);
}

}  // namespace gradcheck
