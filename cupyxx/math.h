// SPDX-License-Identifier: MIT
// The elementwise operations, as objects that are called like functions: `cupyxx::exp(a)`.
// All broadcast, work on every device and take `out`, `where`, `casting` and `dtype`.
#pragma once

#include <concepts>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <type_traits>

#include "cupyxx/core/array_like.h"
#include "cupyxx/core/array_operands.h"
#include "cupyxx/core/comparison.h"
#include "cupyxx/core/number_argument.h"
#include "cupyxx/ndarray.h"
#include "cupyxx/ufunc.h"

namespace cupyxx {

namespace ops {
struct Add;
struct Subtract;
struct Multiply;
struct TrueDivide;
struct LogAddExp;
struct LogAddExp2;
struct FloorDivide;
struct Negative;
struct Positive;
struct Power;
struct Remainder;
struct Fmod;
struct DivMod;
struct Absolute;
struct Rint;
struct Sign;
struct Square;
struct Sqrt;
struct Cbrt;
struct Reciprocal;
struct Conjugate;
struct Exp;
struct Exp2;
struct Expm1;
struct Log;
struct Log2;
struct Log10;
struct Log1p;
struct Sin;
struct Cos;
struct Tan;
struct Arcsin;
struct Arccos;
struct Arctan;
struct Arctan2;
struct Hypot;
struct Sinh;
struct Cosh;
struct Tanh;
struct Arcsinh;
struct Arccosh;
struct Arctanh;
struct Deg2rad;
struct Rad2deg;
struct BitwiseAnd;
struct BitwiseOr;
struct BitwiseXor;
struct Invert;
struct LeftShift;
struct RightShift;
struct Greater;
struct GreaterEqual;
struct Less;
struct LessEqual;
struct Equal;
struct NotEqual;
struct LogicalAnd;
struct LogicalOr;
struct LogicalXor;
struct LogicalNot;
struct Maximum;
struct Minimum;
struct Fmax;
struct Fmin;
struct IsFinite;
struct IsInf;
struct IsNan;
struct Signbit;
struct Copysign;
struct Nextafter;
struct Modf;
struct Ldexp;
struct Frexp;
struct Floor;
struct Ceil;
struct Trunc;
struct Gcd;
struct Lcm;
struct Fabs;
struct Heaviside;
struct FloatPower;
}  // namespace ops

// Math operations.
/// x + y; logical or for bool.
inline constexpr Ufunc<ops::Add, 2> add{};
/// x - y; not for bool.
inline constexpr Ufunc<ops::Subtract, 2> subtract{};
/// x * y; logical and for bool.
inline constexpr Ufunc<ops::Multiply, 2> multiply{};
/// x / y in floating point.
inline constexpr Ufunc<ops::TrueDivide, 2> true_divide{};
/// Same as true_divide.
inline constexpr Ufunc<ops::TrueDivide, 2> divide{};
/// log(exp(x) + exp(y)) without overflow.
inline constexpr Ufunc<ops::LogAddExp, 2> logaddexp{};
/// log2(2**x + 2**y) without overflow.
inline constexpr Ufunc<ops::LogAddExp2, 2> logaddexp2{};
/// Largest integer not above x / y; integer division by zero gives 0.
inline constexpr Ufunc<ops::FloorDivide, 2> floor_divide{};
/// -x; not for bool.
inline constexpr Ufunc<ops::Negative> negative{};
/// +x; not for bool.
inline constexpr Ufunc<ops::Positive> positive{};
/// x ** y; negative integer exponents are an error.
inline constexpr Ufunc<ops::Power, 2> power{};
/// x - floor_divide(x, y) * y, with the sign of y.
inline constexpr Ufunc<ops::Remainder, 2> remainder{};
/// Same as remainder.
inline constexpr Ufunc<ops::Remainder, 2> mod{};
/// C's remainder, with the sign of x.
inline constexpr Ufunc<ops::Fmod, 2> fmod{};
/// Quotient and remainder of floor division.
inline constexpr Ufunc<ops::DivMod, 2, 2> divmod{};
/// Magnitude.
inline constexpr Ufunc<ops::Absolute> absolute{};
/// Same as absolute.
inline constexpr Ufunc<ops::Absolute> abs{};
/// Nearest integer, ties to even.
inline constexpr Ufunc<ops::Rint> rint{};
/// -1, 0 or 1; NaN for NaN; of the real part, or else of the imaginary one; not for bool.
inline constexpr Ufunc<ops::Sign> sign{};
/// x * x.
inline constexpr Ufunc<ops::Square> square{};
/// Non-negative square root.
inline constexpr Ufunc<ops::Sqrt> sqrt{};
/// Cube root.
inline constexpr Ufunc<ops::Cbrt> cbrt{};
/// 1 / x.
inline constexpr Ufunc<ops::Reciprocal> reciprocal{};
/// The complex conjugate; x itself where it is real.
inline constexpr Ufunc<ops::Conjugate> conjugate{};
/// Same as conjugate.
inline constexpr Ufunc<ops::Conjugate> conj{};

// Exponents and logarithms.
/// e ** x.
inline constexpr Ufunc<ops::Exp> exp{};
/// 2 ** x.
inline constexpr Ufunc<ops::Exp2> exp2{};
/// exp(x) - 1, accurate near zero.
inline constexpr Ufunc<ops::Expm1> expm1{};
/// Natural logarithm.
inline constexpr Ufunc<ops::Log> log{};
/// Logarithm of base 2.
inline constexpr Ufunc<ops::Log2> log2{};
/// Logarithm of base 10.
inline constexpr Ufunc<ops::Log10> log10{};
/// log(1 + x), accurate near zero.
inline constexpr Ufunc<ops::Log1p> log1p{};

// Trigonometric and hyperbolic functions.
/// Sine of radians.
inline constexpr Ufunc<ops::Sin> sin{};
/// Cosine of radians.
inline constexpr Ufunc<ops::Cos> cos{};
/// Tangent of radians.
inline constexpr Ufunc<ops::Tan> tan{};
/// Inverse sine in [-pi/2, pi/2].
inline constexpr Ufunc<ops::Arcsin> arcsin{};
/// Inverse cosine in [0, pi].
inline constexpr Ufunc<ops::Arccos> arccos{};
/// Inverse tangent in [-pi/2, pi/2].
inline constexpr Ufunc<ops::Arctan> arctan{};
/// Angle of the point (y, x), in [-pi, pi].
inline constexpr Ufunc<ops::Arctan2, 2> arctan2{};
/// sqrt(x**2 + y**2) without overflow.
inline constexpr Ufunc<ops::Hypot, 2> hypot{};
/// Hyperbolic sine.
inline constexpr Ufunc<ops::Sinh> sinh{};
/// Hyperbolic cosine.
inline constexpr Ufunc<ops::Cosh> cosh{};
/// Hyperbolic tangent.
inline constexpr Ufunc<ops::Tanh> tanh{};
/// Inverse hyperbolic sine.
inline constexpr Ufunc<ops::Arcsinh> arcsinh{};
/// Inverse hyperbolic cosine.
inline constexpr Ufunc<ops::Arccosh> arccosh{};
/// Inverse hyperbolic tangent.
inline constexpr Ufunc<ops::Arctanh> arctanh{};
/// Degrees to radians.
inline constexpr Ufunc<ops::Deg2rad> deg2rad{};
/// Same as deg2rad.
inline constexpr Ufunc<ops::Deg2rad> radians{};
/// Radians to degrees.
inline constexpr Ufunc<ops::Rad2deg> rad2deg{};
/// Same as rad2deg.
inline constexpr Ufunc<ops::Rad2deg> degrees{};

// Bit operations.
/// x & y.
inline constexpr Ufunc<ops::BitwiseAnd, 2> bitwise_and{};
/// x | y.
inline constexpr Ufunc<ops::BitwiseOr, 2> bitwise_or{};
/// x ^ y.
inline constexpr Ufunc<ops::BitwiseXor, 2> bitwise_xor{};
/// ~x; logical not for bool.
inline constexpr Ufunc<ops::Invert> invert{};
/// Same as invert.
inline constexpr Ufunc<ops::Invert> bitwise_not{};
/// x << y; 0 for shifts by the width or more.
inline constexpr Ufunc<ops::LeftShift, 2> left_shift{};
/// x >> y; 0 or -1 for shifts by the width or more.
inline constexpr Ufunc<ops::RightShift, 2> right_shift{};

// Comparison and logic.
/// x > y.
inline constexpr Ufunc<ops::Greater, 2> greater{};
/// x >= y.
inline constexpr Ufunc<ops::GreaterEqual, 2> greater_equal{};
/// x < y.
inline constexpr Ufunc<ops::Less, 2> less{};
/// x <= y.
inline constexpr Ufunc<ops::LessEqual, 2> less_equal{};
/// x == y.
inline constexpr Ufunc<ops::Equal, 2> equal{};
/// x != y.
inline constexpr Ufunc<ops::NotEqual, 2> not_equal{};
/// Whether both are nonzero.
inline constexpr Ufunc<ops::LogicalAnd, 2> logical_and{};
/// Whether either is nonzero.
inline constexpr Ufunc<ops::LogicalOr, 2> logical_or{};
/// Whether exactly one is nonzero.
inline constexpr Ufunc<ops::LogicalXor, 2> logical_xor{};
/// Whether x is zero.
inline constexpr Ufunc<ops::LogicalNot> logical_not{};
/// The larger; NaN if either is.
inline constexpr Ufunc<ops::Maximum, 2> maximum{};
/// The smaller; NaN if either is.
inline constexpr Ufunc<ops::Minimum, 2> minimum{};
/// The larger, ignoring NaN.
inline constexpr Ufunc<ops::Fmax, 2> fmax{};
/// The smaller, ignoring NaN.
inline constexpr Ufunc<ops::Fmin, 2> fmin{};

// Floating values.
/// Neither infinite nor NaN.
inline constexpr Ufunc<ops::IsFinite> isfinite{};
/// Infinite.
inline constexpr Ufunc<ops::IsInf> isinf{};
/// Not a number.
inline constexpr Ufunc<ops::IsNan> isnan{};
/// Whether the sign bit is set.
inline constexpr Ufunc<ops::Signbit> signbit{};
/// Magnitude of x with the sign of y.
inline constexpr Ufunc<ops::Copysign, 2> copysign{};
/// The next representable value after x towards y.
inline constexpr Ufunc<ops::Nextafter, 2> nextafter{};
/// Fractional and integral parts.
inline constexpr Ufunc<ops::Modf, 1, 2> modf{};
/// x * 2**y.
inline constexpr Ufunc<ops::Ldexp, 2> ldexp{};
/// Mantissa in [0.5, 1) and exponent.
inline constexpr Ufunc<ops::Frexp, 1, 2> frexp{};
/// Largest integer not above x.
inline constexpr Ufunc<ops::Floor> floor{};
/// Smallest integer not below x.
inline constexpr Ufunc<ops::Ceil> ceil{};
/// x without its fraction.
inline constexpr Ufunc<ops::Trunc> trunc{};

// Divisors, steps and powers.
/// Greatest common divisor of |x| and |y|.
inline constexpr Ufunc<ops::Gcd, 2> gcd{};
/// Lowest common multiple of |x| and |y|.
inline constexpr Ufunc<ops::Lcm, 2> lcm{};
/// Magnitude, in floating point.
inline constexpr Ufunc<ops::Fabs> fabs{};
/// 0 for x < 0, y for x = 0, 1 for x > 0.
inline constexpr Ufunc<ops::Heaviside, 2> heaviside{};
/// x ** y in float64.
inline constexpr Ufunc<ops::FloatPower, 2> float_power{};

namespace internal {
/// An option that is a number or NumPy's None.
template <class T>
concept NumberOrNone = std::is_arithmetic_v<T> || std::same_as<T, None>;
}  // namespace internal

// Operators. They take their operands as they are, so that what C++ does with numbers is no better
// match for a Scalar.
template <class X, class Y>
requires internal::ArrayOperands<X, Y> ndarray operator+(const X& x, const Y& y) {
  return add(x, y);
}
template <class X, class Y>
requires internal::ArrayOperands<X, Y> ndarray operator-(const X& x, const Y& y) {
  return subtract(x, y);
}
template <class X, class Y>
requires internal::ArrayOperands<X, Y> ndarray operator*(const X& x, const Y& y) {
  return multiply(x, y);
}
template <class X, class Y>
requires internal::ArrayOperands<X, Y> ndarray operator/(const X& x, const Y& y) {
  return true_divide(x, y);
}
template <class X, class Y>
requires internal::ArrayOperands<X, Y> ndarray operator%(const X& x, const Y& y) {
  return remainder(x, y);
}
template <class X, class Y>
requires internal::ArrayOperands<X, Y> ndarray operator<<(const X& x, const Y& y) {
  return left_shift(x, y);
}
template <class X, class Y>
requires internal::ArrayOperands<X, Y> ndarray operator>>(const X& x, const Y& y) {
  return right_shift(x, y);
}
template <class X, class Y>
requires internal::OrderedOperands<X, Y> ndarray operator&(X&& x, Y&& y) {
  internal::look_for_comparison<X, Y>("bitwise_and", x, y);
  return bitwise_and(x, y);
}
template <class X, class Y>
requires internal::OrderedOperands<X, Y> ndarray operator|(X&& x, Y&& y) {
  internal::look_for_comparison<X, Y>("bitwise_or", x, y);
  return bitwise_or(x, y);
}
template <class X, class Y>
requires internal::OrderedOperands<X, Y> ndarray operator^(X&& x, Y&& y) {
  internal::look_for_comparison<X, Y>("bitwise_xor", x, y);
  return bitwise_xor(x, y);
}
template <class X, class Y>
requires internal::OrderedOperands<X, Y> ndarray operator<(X&& x, Y&& y) {
  internal::look_for_chain<X, Y>("less", x, y);
  return internal::compared(less(x, y));
}
template <class X, class Y>
requires internal::OrderedOperands<X, Y> ndarray operator<=(X&& x, Y&& y) {
  internal::look_for_chain<X, Y>("less_equal", x, y);
  return internal::compared(less_equal(x, y));
}
template <class X, class Y>
requires internal::OrderedOperands<X, Y> ndarray operator>(X&& x, Y&& y) {
  internal::look_for_chain<X, Y>("greater", x, y);
  return internal::compared(greater(x, y));
}
template <class X, class Y>
requires internal::OrderedOperands<X, Y> ndarray operator>=(X&& x, Y&& y) {
  internal::look_for_chain<X, Y>("greater_equal", x, y);
  return internal::compared(greater_equal(x, y));
}
template <class X, class Y>
requires internal::ArrayOperands<X, Y> ndarray operator==(const X& x, const Y& y) {
  return equal(x, y);
}
template <class X, class Y>
requires internal::ArrayOperands<X, Y> ndarray operator!=(const X& x, const Y& y) {
  return not_equal(x, y);
}
template <std::convertible_to<std::string_view> T>
bool operator==(const ndarray& x, const T& an_array_has_no_texts) = delete;
inline ndarray operator-(const ndarray& x) { return negative(x); }

// Of temporaries, `a + b * 2`: the result lies in the memory of one of them where nobody else has
// it. Of `std::move(a) + b` too, after which `a` is as it was, or None.
#define CUPYXX_OPERATOR_OF_TEMPORARIES(op, Op)                                       \
  template <std::same_as<ndarray> X, internal::BesideTemporary Y>                    \
  requires internal::ArrayOperands<X, Y> ndarray operator op(X&& x, const Y& y) {    \
    return internal::call2_ending(internal::ufunc_of<ops::Op>(), x, y, &x, nullptr); \
  }                                                                                  \
  template <internal::BesideTemporary X, std::same_as<ndarray> Y>                    \
  requires internal::ArrayOperands<X, Y> ndarray operator op(const X& x, Y&& y) {    \
    return internal::call2_ending(internal::ufunc_of<ops::Op>(), x, y, nullptr, &y); \
  }                                                                                  \
  template <std::same_as<ndarray> X, std::same_as<ndarray> Y>                        \
  ndarray operator op(X&& x, Y&& y) {                                                \
    return internal::call2_ending(internal::ufunc_of<ops::Op>(), x, y, &x, &y);      \
  }
CUPYXX_OPERATOR_OF_TEMPORARIES(+, Add)
CUPYXX_OPERATOR_OF_TEMPORARIES(-, Subtract)
CUPYXX_OPERATOR_OF_TEMPORARIES(*, Multiply)
CUPYXX_OPERATOR_OF_TEMPORARIES(/, TrueDivide)
#undef CUPYXX_OPERATOR_OF_TEMPORARIES
template <std::same_as<ndarray> X>
ndarray operator-(X&& x) {
  return internal::call1_ending(internal::ufunc_of<ops::Negative>(), x);
}
inline ndarray operator+(const ndarray& x) { return positive(x); }
inline ndarray operator~(const ndarray& x) { return invert(x); }

/// Limits values to [min, max]; with min > max all become max, as in NumPy. One of the limits may
/// be `none`; throws ValueError for both.
CUPYXX_API ndarray clip(const ndarray& a, const Operand& min, const Operand& max,
                        const ndarray& out = {});
CUPYXX_API ndarray clip(const ndarray& a, const Operand& min, const Operand& max,
                        const UfuncOptions& options);
/// Of a list: `clip({1, 2, 3}, 0, 2)`.
CUPYXX_API ndarray clip(const ArrayLike& a, const Operand& min, const Operand& max);
template <internal::ListNumber T>
void clip(const ArrayLike& a, T write_both_limits_or_none) = delete;
/// Of a number: `clip(1.5, 0, 1)` is 0-d.
template <class = void>
ndarray clip(const internal::NumberArgument& x, const Operand& min, const Operand& max) {
  return clip(internal::as_array(x), min, max);
}
/// Options of clip alone: `clip(a, {.min = 1})`.
struct ClipOptions {
  std::optional<Scalar> min = {};
  std::optional<Scalar> max = {};
  ndarray out = {};
};
template <std::same_as<ClipOptions> O = ClipOptions>
ndarray clip(const ArrayLike& a, const O& options) {
  return clip(a.array(), options.min ? Operand(*options.min) : Operand(),
              options.max ? Operand(*options.max) : Operand(), options.out);
}
template <std::same_as<ClipOptions> O>
ndarray ndarray::clip(const O& options) const {
  return cupyxx::clip(*this, options);
}

/// Rounded to a number of decimals, halves to even. Negative numbers of decimals round to tens,
/// hundreds, ...; bool becomes float16.
CUPYXX_API ndarray around(const ndarray& a, internal::Int decimals = 0, const ndarray& out = {});
/// Same as around.
inline ndarray round(const ndarray& a, internal::Int decimals = 0, const ndarray& out = {}) {
  return around(a, decimals, out);
}
/// Of lists and numbers: `around({0.37, 1.64}, 1)`, `round(2.567, 2)`.
CUPYXX_API ndarray around(const Operand& a, internal::Int decimals = 0);
CUPYXX_API ndarray round(const Operand& a, internal::Int decimals = 0);
/// Options of around and round.
struct AroundOptions {
  int decimals = 0;
  ndarray out = {};
};
template <std::same_as<AroundOptions> O = AroundOptions>
ndarray around(const Operand& a, const O& options) {
  return around(internal::as_array(a), options.decimals, options.out);
}
template <std::same_as<AroundOptions> O = AroundOptions>
ndarray round(const Operand& a, const O& options) {
  return around(a, options);
}
/// Rounded towards zero.
CUPYXX_API ndarray fix(const ndarray& a, const ndarray& out = {});
inline ndarray fix(const Operand& a) { return fix(internal::as_array(a)); }
/// Options of fix.
struct FixOptions {
  ndarray out = {};
};
template <std::same_as<FixOptions> O = FixOptions>
ndarray fix(const ndarray& a, const O& options) {
  return fix(a, options.out);
}

// ---- Parts and properties of complex arrays. NumPy's chapters "Handling complex numbers" and
// "Array type testing".

/// A view of the real parts; of a real array itself.
CUPYXX_API ndarray real(const ndarray& a);
/// A view of the imaginary parts; of a real array new read-only zeros.
CUPYXX_API ndarray imag(const ndarray& a);
/// The angle of each element in radians, or in degrees; float64 for integers.
CUPYXX_API ndarray angle(const ndarray& a, bool deg = false);
/// Options of angle.
struct AngleOptions {
  bool deg = false;
};
template <std::same_as<AngleOptions> O = AngleOptions>
ndarray angle(const Operand& a, const O& options) {
  return angle(internal::as_array(a), options.deg);
}
/// The real parts where all imaginary ones are within `tol` of 0 (in units of the dtype's epsilon
/// for tol > 1), else `a` itself. Synchronises for complex arrays.
CUPYXX_API ndarray real_if_close(const ndarray& a, double tol = 100);

/// Where the imaginary part is not zero, and where it is.
CUPYXX_API ndarray iscomplex(const ndarray& a);
CUPYXX_API ndarray isreal(const ndarray& a);
/// Whether the dtype is complex; the elements do not matter.
CUPYXX_API bool iscomplexobj(const ndarray& a);
CUPYXX_API bool isrealobj(const ndarray& a);

/// The same of lists and numbers: `real(z)`, `angle({1, -1})`.
inline ndarray real(const Operand& a) { return real(internal::as_array(a)); }
inline ndarray imag(const Operand& a) { return imag(internal::as_array(a)); }
inline ndarray angle(const Operand& a, bool deg = false) {
  return angle(internal::as_array(a), deg);
}
inline ndarray real_if_close(const Operand& a, double tol = 100) {
  return real_if_close(internal::as_array(a), tol);
}
/// Options of real_if_close.
struct RealIfCloseOptions {
  double tol = 100;
};
template <std::same_as<RealIfCloseOptions> O = RealIfCloseOptions>
ndarray real_if_close(const Operand& a, const O& options) {
  return real_if_close(internal::as_array(a), options.tol);
}
inline ndarray iscomplex(const Operand& a) { return iscomplex(internal::as_array(a)); }
inline ndarray isreal(const Operand& a) { return isreal(internal::as_array(a)); }
inline bool iscomplexobj(const Operand& a) { return iscomplexobj(internal::as_array(a)); }
inline bool isrealobj(const Operand& a) { return isrealobj(internal::as_array(a)); }

}  // namespace cupyxx

#include "cupyxx/numerics.h"
#include "cupyxx/standard_functions.h"
