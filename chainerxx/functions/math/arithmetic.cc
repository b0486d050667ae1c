// SPDX-License-Identifier: MIT
#include "chainerxx/functions/math/arithmetic.h"

#include <algorithm>
#include <cmath>

#include "chainerxx/internal/gradient_row.h"
#include "chainerxx/internal/graph.h"
#include "chainerxx/internal/narrow_types.h"
#include "cupyxx/error.h"

namespace chainerxx {

void internal::expect_operands(const typecheck::TypeInfos& in) {
  typecheck::expect(in.size() == 2, in[0].dtype().kind() == 'f', in[0].dtype() == in[1].dtype());
  const cupyxx::Shape &a = in.types()[0].shape(), &b = in.types()[1].shape();
  for (int back = 1; back <= std::min(a.ndim(), b.ndim()); ++back) {
    const std::int64_t m = a[a.ndim() - back], n = b[b.ndim() - back];
    if (m != n && m != 1 && n != 1) typecheck::expect(in[0].shape() == in[1].shape());
  }
}

namespace functions {
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

/// An array beside a variable takes its dtype, as in Chainer: it is a constant.
Variable constant_as(const Variable& x, const Variable& beside) {
  if (x.node()->role != internal::Role::constant || x.dtype() == beside.dtype()) return x;
  const char kind = x.dtype().kind();
  const bool is_real =
      kind == 'f' || kind == 'i' || kind == 'u' || kind == 'b' || x.dtype() == cupyxx::bfloat16_;
  if (!is_real || beside.node()->role == internal::Role::constant) return x;
  return x.data().astype(beside.dtype());
}

/// In a PrecisionScope of 16 bits products are of its type, and what stands beside them may be
/// float32: the result is then float32, as NumPy's.
Variable beside_wide(const Variable& x, const Variable& beside) {
  return beside.dtype() == cupyxx::float32 ? internal::widened(x) : x;
}

template <class V, class G>
Variable operate(const BinaryRow<V, G>& row, const Variable& x, const Variable& y) {
  if (x.is_none() || y.is_none()) return apply_row(row, x, y);  // which refuses it
  const Variable a = constant_as(x, y), b = constant_as(y, x);
  return apply_row(row, beside_wide(a, b), beside_wide(b, a));
}

/// `loss = loss + y` of a sum that has not begun.
void refuse_none_before(const char* operation, const Variable& x, const Variable& y) {
  if (!x.is_none() || y.is_none()) return;
  throw cupyxx::TypeError(cupyxx::message(
      operation, ": input 0 is None; a sum that begins as 0 or None grows by += and -="));
}

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
Variable pos(const Variable& x) {
  if (x.is_none()) throw cupyxx::TypeError("__pos__: input 0 is None");
  return x;
}
Variable absolute(const Variable& x) { return apply_row(kAbsolute, x); }
Variable abs(const Variable& x) { return absolute(x); }
Variable add(const Variable& x, const Variable& y) {
  refuse_none_before("_ + _", x, y);
  return operate(kAdd, x, y);
}
Variable add(const Variable& x, const Scalar& y) { return apply_row(kAddConstant, x, y); }
Variable add(const Scalar& x, const Variable& y) { return apply_row(kAddConstant, y, x); }
Variable sub(const Variable& x, const Variable& y) {
  refuse_none_before("_ - _", x, y);
  return operate(kSub, x, y);
}
Variable sub(const Variable& x, const Scalar& y) { return apply_row(kAddConstant, x, negative(y)); }
Variable sub(const Scalar& x, const Variable& y) { return apply_row(kSubFromConstant, y, x); }
Variable mul(const Variable& x, const Variable& y) { return operate(kMul, x, y); }
Variable mul(const Variable& x, const Scalar& y) { return apply_row(kMulConstant, x, y); }
Variable mul(const Scalar& x, const Variable& y) { return apply_row(kMulConstant, y, x); }
Variable div(const Variable& x, const Variable& y) { return operate(kDiv, x, y); }
Variable div(const Variable& x, const Scalar& y) {
  return apply_row(kMulConstant, x, Scalar(1 / y.as_double()));
}
Variable div(const Scalar& x, const Variable& y) { return apply_row(kDivFromConstant, y, x); }
Variable pow(const Variable& x, const Variable& y) { return operate(kPow, x, y); }
Variable pow(const Variable& x, const Scalar& y) { return apply_row(kPowConstant, x, y); }
Variable pow(const Scalar& x, const Variable& y) { return apply_row(kConstantPow, y, x); }

Variable rsub(const Variable& x, const Variable& y) { return sub(y, x); }
Variable rsub(const Variable& x, const Scalar& y) { return sub(y, x); }
Variable rdiv(const Variable& x, const Variable& y) { return div(y, x); }
Variable rdiv(const Variable& x, const Scalar& y) { return div(y, x); }
Variable rpow(const Variable& x, const Variable& y) { return pow(y, x); }
Variable rpow(const Variable& x, const Scalar& y) { return pow(y, x); }

}  // namespace functions
}  // namespace chainerxx
