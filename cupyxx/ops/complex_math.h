// SPDX-License-Identifier: MIT
// Device-safe. Elementary functions of complex numbers, with the special values and branch cuts of
// C's Annex G. complex<float> is computed in double and rounded once, so that its intermediate
// values neither overflow nor cancel.
#pragma once

#include "cupyxx/ops/prelude.h"

namespace cupyxx::ops::m {

#if defined(__CUDACC__)
#define CUPYXX_LONG_FN __device__ inline
CUPYXX_FN double multiply_add(double x, double y, double z) { return ::fma(x, y, z); }
#else
// Not shared between files that are compiled for different instruction sets.
#define CUPYXX_LONG_FN static inline
CUPYXX_FN double multiply_add(double x, double y, double z) { return __builtin_fma(x, y, z); }
#endif

using Complex = complex<double>;

inline constexpr double kPi = 3.14159265358979323846;
inline constexpr double kHalfPi = 1.57079632679489661923;
inline constexpr double kLn2 = 0.693147180559945309417;
inline constexpr double kHuge = 1.7976931348623157e308;

CUPYXX_FN double infinity() { return static_cast<double>(internal::bits_float(0x7f800000u)); }
CUPYXX_FN double not_a_number() { return static_cast<double>(internal::bits_float(0x7fc00000u)); }
CUPYXX_FN bool is_finite(double x) { return x - x == 0; }
/// i z turned into a number whose function of the other family is wanted: both parts change places.
CUPYXX_FN Complex swapped(const Complex& z) { return {z.im, z.re}; }

/// e**x * factor, |factor| <= 1, where e**x alone may overflow.
CUPYXX_LONG_FN double exp_times(double x, double factor) {
  if (x <= 709) return m::exp(x) * factor;
  const double root = m::exp(x * 0.5);
  return root * factor * root;
}

/// Half of it; the halved factor could underflow, the whole power overflow.
CUPYXX_LONG_FN double half_exp_times(double x, double factor) {
  if (x <= 709) return m::exp(x) * factor * 0.5;
  const double root = m::exp(x * 0.5);
  return root * factor * (root * 0.5);
}

CUPYXX_LONG_FN Complex exp(const Complex& z) {
  if (z.im == 0) return {m::exp(z.re), z.im};
  if (!is_finite(z.im)) {
    if (z.re == -infinity()) return {0.0, z.im == z.im ? m::copysign(0.0, z.im) : 0.0};
    return {z.re == infinity() ? z.re : not_a_number(), not_a_number()};
  }
  return {exp_times(z.re, m::cos(z.im)), exp_times(z.re, m::sin(z.im))};
}

CUPYXX_LONG_FN Complex exp2(const Complex& z) {
  if (!is_finite(z.re) || !is_finite(z.im) || m::fabs(z.re) > 1000) {
    return m::exp(Complex(z.re * kLn2, z.im * kLn2));
  }
  const double size = m::exp2(z.re), angle = z.im * kLn2;
  return {size * m::cos(angle), z.im == 0 ? z.im : size * m::sin(angle)};
}

CUPYXX_LONG_FN Complex expm1(const Complex& z) {
  const double half_sine = m::sin(z.im * 0.5);
  return {m::expm1(z.re) * m::cos(z.im) - 2 * half_sine * half_sine, exp_times(z.re, m::sin(z.im))};
}

/// x + y = sum + rest exactly (Knuth).
CUPYXX_FN double exact_sum(double x, double y, double& rest) {
  const double sum = x + y;
  const double part = sum - x;
  rest = (x - (sum - part)) + (y - part);
  return sum;
}

/// log(|x + iy|). Near |z| = 1 from |z|**2 - 1 with twice the digits, else through hypot.
CUPYXX_LONG_FN double log_abs(double x, double y) {
  double large = m::fabs(x), small = m::fabs(y);
  if (large == infinity() || small == infinity()) return infinity();
  if (large < small) {
    const double other = large;
    large = small;
    small = other;
  }
  if (large >= 0.5 && large < 2) {
    const double square = large * large, second = small * small;
    double rest, other_rest;
    const double beyond = exact_sum(exact_sum(square, -1.0, rest), second, other_rest);
    rest += other_rest;
    rest += multiply_add(large, large, -square) + multiply_add(small, small, -second);
    return 0.5 * m::log1p(beyond + rest);
  }
  if (large > kHuge / 4) return m::log(m::hypot(large * 0.25, small * 0.25)) + 2 * kLn2;
  if (large < 1e-290 && large > 0) {
    constexpr double kScale = 1.2676506002282294e30;  // 2**100
    return m::log(m::hypot(large * kScale, small * kScale)) - 100 * kLn2;
  }
  return m::log(m::hypot(large, small));
}

CUPYXX_LONG_FN Complex log(const Complex& z) { return {log_abs(z.re, z.im), m::atan2(z.im, z.re)}; }
CUPYXX_LONG_FN Complex log2(const Complex& z) {
  constexpr double kLog2e = 1.44269504088896340736;
  const Complex w = m::log(z);
  return {w.re * kLog2e, w.im * kLog2e};
}
CUPYXX_LONG_FN Complex log10(const Complex& z) {
  constexpr double kLog10e = 0.434294481903251827651;
  const Complex w = m::log(z);
  return {w.re * kLog10e, w.im * kLog10e};
}
CUPYXX_LONG_FN Complex log1p(const Complex& z) {
  const double angle = m::atan2(z.im, z.re + 1);
  if (m::fabs(z.re) < 0.5 && m::fabs(z.im) < 0.5) {
    return {0.5 * m::log1p(z.re * (2 + z.re) + z.im * z.im), angle};
  }
  return {log_abs(z.re + 1, z.im), angle};
}

CUPYXX_LONG_FN Complex sqrt(const Complex& z) {
  double x = z.re, y = z.im;
  if (x == 0 && y == 0) return {0.0, y};
  if (m::fabs(y) == infinity()) return {infinity(), y};
  if (x != x) return {x, x};
  if (m::fabs(x) == infinity()) {
    const double other = y != y ? y : 0.0;
    if (x > 0) return {x, m::copysign(other, y)};
    return {other, m::copysign(infinity(), y)};
  }
  // Scaled by a power of four where hypot or its sum would overflow or lose digits.
  const double size = m::fabs(x) > m::fabs(y) ? m::fabs(x) : m::fabs(y);
  double back = 1;
  if (size > kHuge / 4) {
    x *= 0.0625;
    y *= 0.0625;
    back = 4;
  } else if (size < 1e-290) {
    x *= 1.2676506002282294e30;
    y *= 1.2676506002282294e30;
    back = 8.8817841970012523e-16;  // 2**-50
  }
  const double root = m::sqrt((m::fabs(x) + m::hypot(x, y)) * 0.5);
  const double other = y / (2 * root);
  if (x >= 0) return {root * back, other * back};
  return {m::fabs(other) * back, m::copysign(root, y) * back};
}

CUPYXX_LONG_FN Complex sinh(const Complex& z) {
  const double x = z.re, y = z.im;
  if (y == 0) return {m::sinh(x), y};
  if (!is_finite(y)) {
    if (x == 0) return {x, not_a_number()};
    return {m::fabs(x) == infinity() ? infinity() : not_a_number(), not_a_number()};
  }
  if (m::fabs(x) > 700) {
    const double away = half_exp_times(m::fabs(x), m::cos(y));
    return {x > 0 ? away : -away, half_exp_times(m::fabs(x), m::sin(y))};
  }
  return {(x == 0 ? x : m::sinh(x)) * m::cos(y), m::cosh(x) * m::sin(y)};
}

CUPYXX_LONG_FN Complex cosh(const Complex& z) {
  const double x = z.re, y = z.im;
  if (y == 0) return {m::cosh(x), x == x ? m::copysign(1.0, x) * y : y};
  if (!is_finite(y)) {
    if (x == 0) return {not_a_number(), 0.0};
    return {m::fabs(x) == infinity() ? infinity() : not_a_number(), not_a_number()};
  }
  if (m::fabs(x) > 700) {
    const double across = half_exp_times(m::fabs(x), m::sin(y));
    return {half_exp_times(m::fabs(x), m::cos(y)), x > 0 ? across : -across};
  }
  return {m::cosh(x) * m::cos(y), x == 0 ? x * m::sin(y) : m::sinh(x) * m::sin(y)};
}

/// W. Kahan, "Branch cuts for complex elementary functions" (1987).
CUPYXX_LONG_FN Complex tanh(const Complex& z) {
  const double x = z.re, y = z.im;
  if (!is_finite(x)) {
    if (x != x) return {x, y == 0 ? y : x};
    const double turn = is_finite(y) ? m::sin(y) * m::cos(y) : y != y ? 0.0 : y;
    return {m::copysign(1.0, x), m::copysign(0.0, turn)};
  }
  if (!is_finite(y)) return {x == 0 ? x : not_a_number(), not_a_number()};
  if (m::fabs(x) > 22) {
    const double decay = m::exp(-m::fabs(x));
    return {m::copysign(1.0, x), 4 * m::sin(y) * m::cos(y) * decay * decay};
  }
  const double tangent = m::tan(y);
  const double beta = 1 + tangent * tangent;
  const double s = m::sinh(x);
  const double rho = m::sqrt(1 + s * s);
  const double scale = 1 + beta * s * s;
  return {beta * rho * s / scale, tangent / scale};
}

CUPYXX_LONG_FN Complex sin(const Complex& z) { return swapped(m::sinh(swapped(z))); }
CUPYXX_LONG_FN Complex cos(const Complex& z) { return m::cosh(Complex(-z.im, z.re)); }
CUPYXX_LONG_FN Complex tan(const Complex& z) { return swapped(m::tanh(swapped(z))); }

/// Arc sine (or cosine) of x + iy in the first quadrant: the real part, and the size of the
/// imaginary part, which both share. T. E. Hull, T. F. Fairgrieve, P. T. P. Tang, "Implementing the
/// complex arcsine and arccosine functions using exception handling" (1997).
CUPYXX_LONG_FN Complex first_quadrant_arc(double x, double y, bool cosine) {
  constexpr double kCrossA = 1.5, kCrossB = 0.6417, kEpsilon = 2.220446049250313e-16;
  constexpr double kLargest = 1.6759759912428244e153;    // sqrt(max) / 8
  constexpr double kSmallest = 5.9666725849601654e-154;  // 4 * sqrt(min)
  const double above = x + 1, below = x - 1;
  double angle, size;
  if (x < kLargest && x > kSmallest && y < kLargest && y > kSmallest) {
    const double r = m::hypot(above, y), s = m::hypot(below, y);
    const double a = 0.5 * (r + s), b = x / a;
    if (b <= kCrossB) {
      angle = cosine ? m::acos(b) : m::asin(b);
    } else if (x <= 1) {
      const double height = m::sqrt(0.5 * (a + x) * (y * y / (r + above) + (s - below)));
      angle = cosine ? m::atan(height / x) : m::atan(x / height);
    } else {
      const double sum = a + x;
      const double height = y * m::sqrt(0.5 * (sum / (r + above) + sum / (s + below)));
      angle = cosine ? m::atan(height / x) : m::atan(x / height);
    }
    if (a <= kCrossA) {
      const double beyond = x < 1 ? 0.5 * (y * y / (r + above) + y * y / (s - below))
                                  : 0.5 * (y * y / (r + above) + (s + below));
      size = m::log1p(beyond + m::sqrt(beyond * (a + 1)));
    } else {
      size = m::log(a + m::sqrt(a * a - 1));
    }
    return {angle, size};
  }
  if (x != 1 && y <= kEpsilon * m::fabs(below)) {  // beside the real axis
    if (x < 1) {
      return {cosine ? m::acos(x) : m::asin(x), y / m::sqrt(above * (1 - x))};
    }
    const bool product_fits = kHuge / above > below;
    size = product_fits ? m::log1p(below + m::sqrt(above * below)) : kLn2 + m::log(x);
    if (!cosine) return {kHalfPi, size};
    return {product_fits ? y / m::sqrt(below * above) : y / x, size};
  }
  if (y <= kSmallest) {  // x is 1
    const double root = m::sqrt(y);
    return {cosine ? root : kHalfPi - root, root};
  }
  if (kEpsilon * y - 1 >= x) {
    return {cosine ? kHalfPi : x / y, kLn2 + m::log(y)};
  }
  if (x > 1) {
    const double slope = x / y;
    return {cosine ? m::atan(y / x) : m::atan(slope),
            kLn2 + m::log(y) + 0.5 * m::log1p(slope * slope)};
  }
  const double a = m::sqrt(1 + y * y);
  return {cosine ? kHalfPi : x / a, 0.5 * m::log1p(2 * y * (y + a))};
}

CUPYXX_LONG_FN Complex acos(const Complex& z) {
  const double x = z.re, y = z.im;
  if (x != x || y != y) {
    if (m::fabs(x) == infinity()) return {not_a_number(), -infinity()};
    if (m::fabs(y) == infinity()) return {not_a_number(), -y};
    return {x == 0 ? kHalfPi : not_a_number(), not_a_number()};
  }
  if (!is_finite(x) || !is_finite(y)) {
    const double angle = is_finite(x)   ? kHalfPi
                         : is_finite(y) ? (x > 0 ? 0.0 : kPi)
                                        : (x > 0 ? 0.25 * kPi : 0.75 * kPi);
    return {angle, m::signbit(y) ? infinity() : -infinity()};
  }
  const Complex arc = first_quadrant_arc(m::fabs(x), m::fabs(y), true);
  return {m::signbit(x) ? kPi - arc.re : arc.re, m::signbit(y) ? arc.im : -arc.im};
}

CUPYXX_LONG_FN Complex asin(const Complex& z) {
  const double x = z.re, y = z.im;
  if (x != x || y != y) {
    if (m::fabs(y) == infinity()) return {not_a_number(), y};
    if (m::fabs(x) == infinity()) return {not_a_number(), infinity()};
    return {x == 0 ? x : not_a_number(), not_a_number()};
  }
  if (!is_finite(x) || !is_finite(y)) {
    const double angle = is_finite(x) ? 0.0 : is_finite(y) ? kHalfPi : 0.25 * kPi;
    return {m::copysign(angle, x), m::copysign(infinity(), y)};
  }
  const Complex arc = first_quadrant_arc(m::fabs(x), m::fabs(y), false);
  return {m::copysign(arc.re, x), m::copysign(arc.im, y)};
}

CUPYXX_LONG_FN Complex asinh(const Complex& z) {
  if (z.re != z.re && z.im == 0) return z;
  return swapped(m::asin(swapped(z)));
}

CUPYXX_LONG_FN Complex acosh(const Complex& z) {
  const Complex w = m::acos(z);
  return {m::fabs(w.im), m::copysign(w.re, z.im)};
}

CUPYXX_LONG_FN Complex atanh(const Complex& z) {
  const double x = m::fabs(z.re), y = m::fabs(z.im);
  if (x != x)
    return {y == infinity() ? m::copysign(0.0, z.re) : x,
            y == infinity() ? m::copysign(kHalfPi, z.im) : x};
  if (y != y) return {x == 0 || x == infinity() ? m::copysign(0.0, z.re) : y, y};
  double size, angle;
  if (x > 1e150 || y > 1e150) {
    // 1/z has the real part that is left.
    const double length = m::hypot(x * 0.25, y * 0.25);
    size = is_finite(x) && is_finite(y) ? x * 0.25 / length / length * 0.25 : 0.0;
    angle = kHalfPi;
  } else if (x == 1 && y < 1e-150) {
    size = y == 0 ? infinity() : 0.5 * (kLn2 - m::log(y));
    angle = y == 0 ? 0.0 : 0.25 * kPi;
  } else {
    size = 0.25 * m::log1p(4 * x / ((1 - x) * (1 - x) + y * y));
    angle = 0.5 * m::atan2(2 * y, (1 - x) * (1 + x) - y * y);
  }
  return {m::copysign(size, z.re), m::copysign(angle, z.im)};
}

CUPYXX_LONG_FN Complex atan(const Complex& z) { return swapped(m::atanh(swapped(z))); }

#define CUPYXX_NARROW_COMPLEX(name)                             \
  CUPYXX_LONG_FN complex<float> name(const complex<float>& z) { \
    return complex<float>(m::name(Complex(z)));                 \
  }

CUPYXX_NARROW_COMPLEX(exp)
CUPYXX_NARROW_COMPLEX(exp2)
CUPYXX_NARROW_COMPLEX(expm1)
CUPYXX_NARROW_COMPLEX(log)
CUPYXX_NARROW_COMPLEX(log2)
CUPYXX_NARROW_COMPLEX(log10)
CUPYXX_NARROW_COMPLEX(log1p)
CUPYXX_NARROW_COMPLEX(sqrt)
CUPYXX_NARROW_COMPLEX(sin)
CUPYXX_NARROW_COMPLEX(cos)
CUPYXX_NARROW_COMPLEX(tan)
CUPYXX_NARROW_COMPLEX(asin)
CUPYXX_NARROW_COMPLEX(acos)
CUPYXX_NARROW_COMPLEX(atan)
CUPYXX_NARROW_COMPLEX(sinh)
CUPYXX_NARROW_COMPLEX(cosh)
CUPYXX_NARROW_COMPLEX(tanh)
CUPYXX_NARROW_COMPLEX(asinh)
CUPYXX_NARROW_COMPLEX(acosh)
CUPYXX_NARROW_COMPLEX(atanh)

#undef CUPYXX_NARROW_COMPLEX

/// x ** n by squaring, for |n| < 100.
template <class T>
CUPYXX_LONG_FN complex<T> integer_power(const complex<T>& x, int n) {
  if (n == 1) return x;
  if (n == 2) return x * x;
  if (n == 3) return x * (x * x);
  complex<T> result(1), factor = x;
  for (int rest = n < 0 ? -n : n;;) {
    if ((rest & 1) != 0) result = result * factor;
    rest >>= 1;
    if (rest == 0) break;
    factor = factor * factor;
  }
  return n < 0 ? complex<T>(1) / result : result;
}

/// x y by the rules of C's Annex G: infinite where one of them is and the other is not zero.
CUPYXX_LONG_FN Complex infinite_product(Complex x, Complex y) {
  const Complex plain = x * y;
  if (plain.re == plain.re || plain.im == plain.im) return plain;
  const auto is_infinite = [](const Complex& z) { return m::isinf(z.re) || m::isinf(z.im); };
  const auto to_unit = [](double part) { return m::copysign(m::isinf(part) ? 1.0 : 0.0, part); };
  const auto without_nan = [](double part) { return part == part ? part : m::copysign(0.0, part); };
  bool is_known = false;
  if (is_infinite(x)) {
    x = {to_unit(x.re), to_unit(x.im)};
    y = {without_nan(y.re), without_nan(y.im)};
    is_known = true;
  }
  if (is_infinite(y)) {
    y = {to_unit(y.re), to_unit(y.im)};
    x = {without_nan(x.re), without_nan(x.im)};
    is_known = true;
  }
  if (!is_known) return plain;
  const Complex direction = x * y;
  return {infinity() * direction.re, infinity() * direction.im};
}

/// NumPy's rules for zeros; small integer exponents multiply.
template <class T>
CUPYXX_LONG_FN complex<T> pow(const complex<T>& x, const complex<T>& y) {
  if (y.re == 0 && y.im == 0) return complex<T>(1);
  if (x.re == 0 && x.im == 0) {
    if (y.re > 0 && y.im == 0) return complex<T>(0);
    const T nan = static_cast<T>(not_a_number());
    return {nan, nan};
  }
  if (y.im == 0 && y.re > -100 && y.re < 100) {
    const int n = static_cast<int>(y.re);
    if (static_cast<T>(n) == y.re) return integer_power(x, n);
  }
  return complex<T>(m::exp(infinite_product(Complex(y), m::log(Complex(x)))));
}

template <class T>
CUPYXX_FN T fabs(const complex<T>& z) {
  return m::hypot(z.re, z.im);
}
template <class T>
CUPYXX_FN complex<T> rint(const complex<T>& z) {
  return {m::rint(z.re), m::rint(z.im)};
}
template <class T>
CUPYXX_FN bool isinf(const complex<T>& z) {
  return m::isinf(z.re) || m::isinf(z.im);
}

}  // namespace cupyxx::ops::m
