// SPDX-License-Identifier: MIT
// Rows of the driver test for complex loops: the C library's functions in extended precision, and
// NumPy's definitions where it has its own.
#pragma once

#include <complex>

#include "cupyxx/ops/arithmetic.h"
#include "cupyxx/ops/case.h"
#include "cupyxx/ops/comparison.h"
#include "cupyxx/ops/exp_log.h"
#include "cupyxx/ops/floating.h"
#include "cupyxx/ops/numeric.h"
#include "cupyxx/ops/selection.h"
#include "cupyxx/ops/trigonometric.h"

namespace cupyxx::ops {

using Wide = std::complex<Real>;

/// Operands of a complex loop, the condition of `where` as a number.
struct Wides {
  Wide x, y, z;
};

struct ComplexResult {
  ComplexResult(Wide result) : value(result) {}                // NOLINT
  ComplexResult(Real result) : value(result) {}                // NOLINT
  ComplexResult(bool result) : value(result ? 1.0L : 0.0L) {}  // NOLINT
  static ComplexResult any() {
    ComplexResult result(false);
    result.is_defined = false;
    return result;
  }

  Wide value;
  bool is_defined = true;  // else NumPy's own formula decides, which the reference cases hold
};

/// One row. A part may be off by so many units in the last place of the larger part.
struct ComplexCase {
  ComplexResult (*value)(const Wides&) = nullptr;
  double ulp = 0;
  Range x = {-20, 20};
  Range y = {-20, 20};
};

template <class Op>
constexpr ComplexCase missing_complex_case() {
  static_assert(MissingCase<Op>::value, "every complex operation needs a row in complex_cases.h");
  return {};
}
template <class Op>
inline constexpr ComplexCase kComplexCase = missing_complex_case<Op>();

inline bool is_finite(const Wide& z) { return std::isfinite(z.real()) && std::isfinite(z.imag()); }
inline bool has_nan(const Wide& z) { return std::isnan(z.real()) || std::isnan(z.imag()); }
inline bool is_zero(const Wide& z) { return z == Wide(0); }

/// By the real parts, then by the imaginary ones.
inline bool is_before(const Wide& x, const Wide& y) {
  if (x.real() == y.real()) return x.imag() < y.imag();
  return x.real() < y.real() && !std::isnan(x.imag()) && !std::isnan(y.imag());
}
inline bool is_not_after(const Wide& x, const Wide& y) {
  if (x.real() == y.real()) return x.imag() <= y.imag();
  return is_before(x, y);
}

/// std::complex multiplies by the rules of C for infinities, NumPy does not.
inline Wide plain_product(const Wide& x, const Wide& y) {
  return {x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real()};
}

template <Wide (*kFunction)(const Wide&)>
ComplexResult complex_library(const Wides& a) {
  return kFunction(a.x);
}
template <Wide (*kFunction)(const Wide&)>
ComplexResult finite_library(const Wides& a) {
  return is_finite(a.x) ? ComplexResult(kFunction(a.x)) : ComplexResult::any();
}

template <>
inline constexpr ComplexCase kComplexCase<Add>{
    [](const Wides& a) -> ComplexResult { return a.x + a.y; }, 0.5};
template <>
inline constexpr ComplexCase kComplexCase<Subtract>{
    [](const Wides& a) -> ComplexResult { return a.x - a.y; }, 0.5};
template <>
inline constexpr ComplexCase kComplexCase<Multiply>{
    [](const Wides& a) -> ComplexResult { return plain_product(a.x, a.y); }, 2};
template <>
inline constexpr ComplexCase kComplexCase<TrueDivide>{
    [](const Wides& a) -> ComplexResult {
      if (!is_finite(a.x) || !is_finite(a.y) || is_zero(a.y)) return ComplexResult::any();
      return plain_product(a.x, std::conj(a.y)) / std::norm(a.y);
    },
    6};
template <>
inline constexpr ComplexCase kComplexCase<Negative>{
    [](const Wides& a) -> ComplexResult { return -a.x; }};
template <>
inline constexpr ComplexCase kComplexCase<Positive>{
    [](const Wides& a) -> ComplexResult { return a.x; }};
template <>
inline constexpr ComplexCase kComplexCase<Conjugate>{
    [](const Wides& a) -> ComplexResult { return std::conj(a.x); }};
template <>
inline constexpr ComplexCase kComplexCase<Power>{
    [](const Wides& a) -> ComplexResult {
      if (is_zero(a.y)) return Wide(1);
      if (!is_finite(a.x) || !is_finite(a.y) || is_zero(a.x)) return ComplexResult::any();
      return std::exp(a.y * std::log(a.x));
    },
    80,  // the error of an angle of 20
    {-20, 20},
    {-3, 3}};
template <>
inline constexpr ComplexCase kComplexCase<FloatPower> = kComplexCase<Power>;
template <>
inline constexpr ComplexCase kComplexCase<Absolute>{
    // CUDA's hypot has up to 2.
    [](const Wides& a) -> ComplexResult { return hypotl(a.x.real(), a.x.imag()); }, 2};
template <>
inline constexpr ComplexCase kComplexCase<Rint>{
    [](const Wides& a) -> ComplexResult { return Wide(rintl(a.x.real()), rintl(a.x.imag())); }};
template <>
inline constexpr ComplexCase kComplexCase<Sign>{[](const Wides& a) -> ComplexResult {
  if (has_nan(a.x)) return Wide(NAN, 0);
  const Real part = a.x.real() != 0 ? a.x.real() : a.x.imag();
  return Wide(part > 0 ? 1 : part < 0 ? -1 : 0, 0);
}};
template <>
inline constexpr ComplexCase kComplexCase<Square>{
    [](const Wides& a) -> ComplexResult { return plain_product(a.x, a.x); }, 2};
template <>
inline constexpr ComplexCase kComplexCase<Sqrt>{complex_library<std::sqrt>, 3};
template <>
inline constexpr ComplexCase kComplexCase<Reciprocal>{[](const Wides& a) -> ComplexResult {
                                                        if (!is_finite(a.x) || is_zero(a.x))
                                                          return ComplexResult::any();
                                                        return std::conj(a.x) / std::norm(a.x);
                                                      },
                                                      6};

template <>
inline constexpr ComplexCase kComplexCase<Exp>{complex_library<std::exp>, 3};
template <>
inline constexpr ComplexCase kComplexCase<Exp2>{
    [](const Wides& a) -> ComplexResult {
      return is_finite(a.x) ? ComplexResult(std::exp(a.x * logl(2))) : ComplexResult::any();
    },
    20};
template <>
inline constexpr ComplexCase kComplexCase<Expm1>{
    [](const Wides& a) -> ComplexResult {
      return is_finite(a.x) ? ComplexResult(std::exp(a.x) - Wide(1)) : ComplexResult::any();
    },
    4};
template <>
inline constexpr ComplexCase kComplexCase<Log>{complex_library<std::log>, 3};
template <>
inline constexpr ComplexCase kComplexCase<Log2>{
    [](const Wides& a) -> ComplexResult {
      const bool is_defined = is_finite(a.x) && !is_zero(a.x);
      return is_defined ? ComplexResult(std::log(a.x) / logl(2)) : ComplexResult::any();
    },
    4};
template <>
inline constexpr ComplexCase kComplexCase<Log10>{
    [](const Wides& a) -> ComplexResult {
      const bool is_defined = is_finite(a.x) && !is_zero(a.x);
      return is_defined ? ComplexResult(std::log(a.x) / logl(10)) : ComplexResult::any();
    },
    4};
template <>
inline constexpr ComplexCase kComplexCase<Log1p>{
    [](const Wides& a) -> ComplexResult {
      const bool is_defined = is_finite(a.x) && a.x != Wide(-1);
      return is_defined ? ComplexResult(std::log(Wide(1 + a.x.real(), a.x.imag())))
                        : ComplexResult::any();
    },
    4};

template <>
inline constexpr ComplexCase kComplexCase<Sin>{complex_library<std::sin>, 4};
template <>
inline constexpr ComplexCase kComplexCase<Cos>{complex_library<std::cos>, 4};
template <>
inline constexpr ComplexCase kComplexCase<Tan>{finite_library<std::tan>, 8};
template <>
inline constexpr ComplexCase kComplexCase<Arcsin>{complex_library<std::asin>, 4};
template <>
inline constexpr ComplexCase kComplexCase<Arccos>{complex_library<std::acos>, 4};
template <>
inline constexpr ComplexCase kComplexCase<Arctan>{complex_library<std::atan>, 4};
template <>
inline constexpr ComplexCase kComplexCase<Sinh>{complex_library<std::sinh>, 4};
template <>
inline constexpr ComplexCase kComplexCase<Cosh>{complex_library<std::cosh>, 4};
template <>
inline constexpr ComplexCase kComplexCase<Tanh>{finite_library<std::tanh>, 8};
template <>
inline constexpr ComplexCase kComplexCase<Arcsinh>{complex_library<std::asinh>, 4};
template <>
inline constexpr ComplexCase kComplexCase<Arccosh>{complex_library<std::acosh>, 4};
template <>
inline constexpr ComplexCase kComplexCase<Arctanh>{complex_library<std::atanh>, 4};

template <>
inline constexpr ComplexCase kComplexCase<Greater>{
    [](const Wides& a) -> ComplexResult { return is_before(a.y, a.x); }};
template <>
inline constexpr ComplexCase kComplexCase<GreaterEqual>{
    [](const Wides& a) -> ComplexResult { return is_not_after(a.y, a.x); }};
template <>
inline constexpr ComplexCase kComplexCase<Less>{
    [](const Wides& a) -> ComplexResult { return is_before(a.x, a.y); }};
template <>
inline constexpr ComplexCase kComplexCase<LessEqual>{
    [](const Wides& a) -> ComplexResult { return is_not_after(a.x, a.y); }};
template <>
inline constexpr ComplexCase kComplexCase<Equal>{
    [](const Wides& a) -> ComplexResult { return a.x == a.y; }};
template <>
inline constexpr ComplexCase kComplexCase<NotEqual>{
    [](const Wides& a) -> ComplexResult { return a.x != a.y; }};
template <>
inline constexpr ComplexCase kComplexCase<LogicalAnd>{
    [](const Wides& a) -> ComplexResult { return !is_zero(a.x) && !is_zero(a.y); }};
template <>
inline constexpr ComplexCase kComplexCase<LogicalOr>{
    [](const Wides& a) -> ComplexResult { return !is_zero(a.x) || !is_zero(a.y); }};
template <>
inline constexpr ComplexCase kComplexCase<LogicalXor>{
    [](const Wides& a) -> ComplexResult { return is_zero(a.x) != is_zero(a.y); }};
template <>
inline constexpr ComplexCase kComplexCase<LogicalNot>{
    [](const Wides& a) -> ComplexResult { return is_zero(a.x); }};

inline Wide larger(const Wide& x, const Wide& y) {
  return has_nan(x) ? x : has_nan(y) ? y : is_before(x, y) ? y : x;
}
inline Wide smaller(const Wide& x, const Wide& y) {
  return has_nan(x) ? x : has_nan(y) ? y : is_before(y, x) ? y : x;
}
template <>
inline constexpr ComplexCase kComplexCase<Maximum>{
    [](const Wides& a) -> ComplexResult { return larger(a.x, a.y); }};
template <>
inline constexpr ComplexCase kComplexCase<Minimum>{
    [](const Wides& a) -> ComplexResult { return smaller(a.x, a.y); }};
template <>
inline constexpr ComplexCase kComplexCase<Fmax>{[](const Wides& a) -> ComplexResult {
  return has_nan(a.y) ? a.x : has_nan(a.x) ? a.y : larger(a.x, a.y);
}};
template <>
inline constexpr ComplexCase kComplexCase<Fmin>{[](const Wides& a) -> ComplexResult {
  return has_nan(a.y) ? a.x : has_nan(a.x) ? a.y : smaller(a.x, a.y);
}};

template <>
inline constexpr ComplexCase kComplexCase<IsFinite>{
    [](const Wides& a) -> ComplexResult { return is_finite(a.x); }};
template <>
inline constexpr ComplexCase kComplexCase<IsInf>{[](const Wides& a) -> ComplexResult {
  return std::isinf(a.x.real()) || std::isinf(a.x.imag());
}};
template <>
inline constexpr ComplexCase kComplexCase<IsNan>{
    [](const Wides& a) -> ComplexResult { return has_nan(a.x); }};

template <>
inline constexpr ComplexCase kComplexCase<Where>{
    [](const Wides& a) -> ComplexResult { return is_zero(a.x) ? a.z : a.y; }};
template <>
inline constexpr ComplexCase kComplexCase<Clip>{
    [](const Wides& a) -> ComplexResult { return smaller(larger(a.x, a.y), a.z); }};
template <>
inline constexpr ComplexCase kComplexCase<Copy>{
    [](const Wides& a) -> ComplexResult { return a.x; }};

}  // namespace cupyxx::ops
