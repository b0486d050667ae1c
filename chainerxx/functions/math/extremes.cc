// SPDX-License-Identifier: MIT
#include "chainerxx/functions/math/extremes.h"

#include "chainerxx/internal/gradient_row.h"
#include "chainerxx/internal/masked.h"
#include "chainerxx/internal/same_shape.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/math.h"
#include "typecheck/expect.h"

namespace chainerxx::functions {
namespace {

/// The gradients of two inputs of these shapes.
std::vector<ndarray> divide(const ndarray& to_first, const ndarray& gy, const cupyxx::Shape& first,
                            const cupyxx::Shape& second) {
  const ndarray zero = cupyxx::zeros({}, gy.dtype());
  return {internal::summed_to(cupyxx::where(to_first, gy, zero), first),
          internal::summed_to(cupyxx::where(to_first, zero, gy), second)};
}

std::vector<Variable> divide(const ndarray& to_first, const Variable& gy, VariableSpan in) {
  return {internal::summed_to(internal::masked(to_first, gy), in[0].shape()),
          internal::summed_to(internal::masked(cupyxx::logical_not(to_first), gy), in[1].shape())};
}

constexpr internal::UnaryRow kSqrt{
    "sqrt", [](const auto& x) { return cupyxx::sqrt(x); },
    [](const auto&, const auto& y, const auto& gy) { return gy / (y * 2); },
    internal::Keep::output};

constexpr internal::UnaryRow kSquare{
    "square", [](const auto& x) { return x * x; },
    [](const auto& x, const auto&, const auto& gy) { return x * gy * 2; }, internal::Keep::inputs};

}  // namespace

void Maximum::check_type_forward(const typecheck::TypeInfos& in) const {
  internal::expect_operands(in);
}

std::vector<ndarray> Maximum::forward(ArraySpan in) { return {cupyxx::maximum(in[0], in[1])}; }

std::vector<ndarray> Maximum::backward(ArraySpan in, ArraySpan gy) {
  return divide(in[0] >= in[1], gy[0], in[0].shape(), in[1].shape());
}

std::vector<Variable> Maximum::backward_variables(VariableSpan in, VariableSpan gy) {
  return divide(in[0].data() >= in[1].data(), gy[0], in);
}

void Minimum::check_type_forward(const typecheck::TypeInfos& in) const {
  internal::expect_operands(in);
}

std::vector<ndarray> Minimum::forward(ArraySpan in) { return {cupyxx::minimum(in[0], in[1])}; }

std::vector<ndarray> Minimum::backward(ArraySpan in, ArraySpan gy) {
  return divide(in[0] <= in[1], gy[0], in[0].shape(), in[1].shape());
}

std::vector<Variable> Minimum::backward_variables(VariableSpan in, VariableSpan gy) {
  return divide(in[0].data() <= in[1].data(), gy[0], in);
}

Clip::Clip(double x_min, double x_max) : min_(x_min), max_(x_max) {
  if (x_min < x_max) return;
  throw cupyxx::ValueError(cupyxx::message("clip: x_min is not below x_max; ",
                                           cupyxx::Scalar(x_min), " and ", cupyxx::Scalar(x_max)));
}

void Clip::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 1, in[0].dtype().kind() == 'f');
}

std::vector<ndarray> Clip::forward(ArraySpan x) { return {x[0].clip(min_, max_)}; }

std::vector<ndarray> Clip::backward(ArraySpan x, ArraySpan gy) {
  const ndarray inside = cupyxx::logical_and(x[0] >= min_, x[0] <= max_);
  return {cupyxx::where(inside, gy[0], cupyxx::zeros({}, gy[0].dtype()))};
}

std::vector<Variable> Clip::backward_variables(VariableSpan x, VariableSpan gy) {
  const ndarray& a = x[0].data();
  return {internal::masked(cupyxx::logical_and(a >= min_, a <= max_), gy[0])};
}

Variable maximum(const Variable& x, const Variable& y) { return Maximum()(x, y); }
Variable minimum(const Variable& x, const Variable& y) { return Minimum()(x, y); }
Variable maximum(const Variable& x, const cupyxx::Scalar& y) {
  internal::refuse_none("maximum", {&x});
  return maximum(x, cupyxx::full_like(x.data(), y));
}
Variable minimum(const Variable& x, const cupyxx::Scalar& y) {
  internal::refuse_none("minimum", {&x});
  return minimum(x, cupyxx::full_like(x.data(), y));
}
Variable clip(const Variable& x, double x_min, double x_max) { return Clip(x_min, x_max)(x); }
Variable sqrt(const Variable& x) { return internal::apply_row(kSqrt, x); }
Variable square(const Variable& x) { return internal::apply_row(kSquare, x); }

}  // namespace chainerxx::functions
