// SPDX-License-Identifier: MIT
#include "chainerxx/functions/math/arithmetic.h"

#include <cmath>

#include "chainerxx/internal/gradient_row.h"

namespace chainerxx::functions {
namespace {

using cupyxx::Scalar;
using internal::apply_row;
using internal::BinaryRow;
using internal::ConstantRow;
using internal::Gradients;
using internal::Keep;
using internal::UnaryRow;
namespace math = internal::math;

constexpr UnaryRow kNeg{"__neg__", [](const auto& x) { return -x; },
                        [](const auto&, const auto&, const auto& gy) { return -gy; },
                        Keep::nothing};

constexpr UnaryRow kAbsolute{
    "|_|", [](const auto& x) { return math::abs(x); },
    [](const auto& x, const auto&, const auto& gy) { return math::sign(x) * gy; }, Keep::inputs};

constexpr BinaryRow kAdd{"_ + _", [](const auto& x, const auto& y) { return x + y; },
                         [](const auto&, const auto&, const auto&, const auto& gz) {
                           return Gradients{gz, gz};
                         },
                         Keep::nothing};

constexpr ConstantRow kAddConstant{
    "_ + ", "", [](const auto& x, const Scalar& c) { return x + c; },
    [](const auto&, const Scalar&, const auto&, const auto& gy) { return gy; }, Keep::nothing};

constexpr BinaryRow kSub{"_ - _", [](const auto& x, const auto& y) { return x - y; },
                         [](const auto&, const auto&, const auto&, const auto& gz) {
                           return Gradients{gz, -gz};
                         },
                         Keep::nothing};

constexpr ConstantRow kSubFromConstant{
    "", " - _", [](const auto& x, const Scalar& c) { return c - x; },
    [](const auto&, const Scalar&, const auto&, const auto& gy) { return -gy; }, Keep::nothing};

constexpr BinaryRow kMul{"_ * _", [](const auto& x, const auto& y) { return x * y; },
                         [](const auto& x, const auto& y, const auto&, const auto& gz) {
                           return Gradients{y * gz, x * gz};
                         },
                         Keep::inputs};

constexpr ConstantRow kMulConstant{
    "_ * ", "", [](const auto& x, const Scalar& c) { return x * c; },
    [](const auto&, const Scalar& c, const auto&, const auto& gy) { return gy * c; },
    Keep::nothing};

constexpr BinaryRow kDiv{"_ / _", [](const auto& x, const auto& y) { return x / y; },
                         [](const auto&, const auto& y, const auto& z, const auto& gz) {
                           const auto gx = gz / y;
                           return Gradients{gx, -(gx * z)};
                         },
                         Keep::all};

constexpr ConstantRow kDivFromConstant{
    "", " / _", [](const auto& x, const Scalar& c) { return c / x; },
    [](const auto& x, const Scalar&, const auto& y, const auto& gy) { return -(gy * y / x); },
    Keep::all};

constexpr BinaryRow kPow{"_ ** _", [](const auto& x, const auto& y) { return math::pow(x, y); },
                         [](const auto& x, const auto& y, const auto& z, const auto& gz) {
                           return Gradients{y * math::pow(x, y - 1) * gz, math::log(x) * z * gz};
                         },
                         Keep::all};

constexpr ConstantRow kPowConstant{"_ ** ", "",
                                   [](const auto& x, const Scalar& c) { return math::pow(x, c); },
                                   [](const auto& x, const Scalar& c, const auto&, const auto& gy) {
                                     if (c.as_double() == 0) return gy * 0;  // also for x = 0
                                     return math::pow(x, math::minus_one(c)) * c * gy;
                                   },
                                   Keep::inputs};

constexpr ConstantRow kConstantPow{"", " ** _",
                                   [](const auto& x, const Scalar& c) { return math::pow(c, x); },
                                   [](const auto&, const Scalar& c, const auto& y, const auto& gy) {
                                     return y * Scalar(std::log(c.as_double())) * gy;
                                   },
                                   Keep::output};

/// -c in the same kind; the smallest integer becomes floating.
Scalar negative(const Scalar& c) {
  if (c.kind() == Scalar::Kind::floating || c.as_int64() == INT64_MIN ||
      c.kind() == Scalar::Kind::unsigned_integer) {
    return -c.as_double();
  }
  return -c.as_int64();
}

}  // namespace

Variable neg(const Variable& x) { return apply_row(kNeg, x); }
Variable absolute(const Variable& x) { return apply_row(kAbsolute, x); }
Variable add(const Variable& x, const Variable& y) { return apply_row(kAdd, x, y); }
Variable add(const Variable& x, const Scalar& y) { return apply_row(kAddConstant, x, y); }
Variable add(const Scalar& x, const Variable& y) { return apply_row(kAddConstant, y, x); }
Variable sub(const Variable& x, const Variable& y) { return apply_row(kSub, x, y); }
Variable sub(const Variable& x, const Scalar& y) { return apply_row(kAddConstant, x, negative(y)); }
Variable sub(const Scalar& x, const Variable& y) { return apply_row(kSubFromConstant, y, x); }
Variable mul(const Variable& x, const Variable& y) { return apply_row(kMul, x, y); }
Variable mul(const Variable& x, const Scalar& y) { return apply_row(kMulConstant, x, y); }
Variable mul(const Scalar& x, const Variable& y) { return apply_row(kMulConstant, y, x); }
Variable div(const Variable& x, const Variable& y) { return apply_row(kDiv, x, y); }
Variable div(const Variable& x, const Scalar& y) {
  return apply_row(kMulConstant, x, Scalar(1 / y.as_double()));
}
Variable div(const Scalar& x, const Variable& y) { return apply_row(kDivFromConstant, y, x); }
Variable pow(const Variable& x, const Variable& y) { return apply_row(kPow, x, y); }
Variable pow(const Variable& x, const Scalar& y) { return apply_row(kPowConstant, x, y); }
Variable pow(const Scalar& x, const Variable& y) { return apply_row(kConstantPow, y, x); }

Variable rsub(const Variable& x, const Variable& y) { return sub(y, x); }
Variable rsub(const Variable& x, const Scalar& y) { return sub(y, x); }
Variable rdiv(const Variable& x, const Variable& y) { return div(y, x); }
Variable rdiv(const Variable& x, const Scalar& y) { return div(y, x); }
Variable rpow(const Variable& x, const Variable& y) { return pow(y, x); }
Variable rpow(const Variable& x, const Scalar& y) { return pow(y, x); }

}  // namespace chainerxx::functions
