// SPDX-License-Identifier: MIT
// Device-safe: read by the host compiler and, embedded as text, by NVRTC. Complex numbers as plain
// data, with NumPy's arithmetic.
#pragma once

#include "cupyxx/half.h"

namespace cupyxx {

/// A complex number: the elements of complex64 (T float) and complex128 (T double). Its bytes are
/// those of std::complex<T>. Arithmetic, division by zero and infinities follow NumPy, and the
/// order compares real parts first, then imaginary ones.
template <class T>
struct complex {
  using value_type = T;

  T re, im;

  complex() = default;
  CUPYXX_FN constexpr complex(T real_part, T imaginary_part = T(0))  // NOLINT
      : re(real_part), im(imaginary_part) {}
  /// Another type with both parts: complex<U> or std::complex<U>; explicit where it rounds.
  template <class C>
  requires requires(const C& z) {
    typename C::value_type;
    z.real();
    z.imag();
  }
  CUPYXX_FN constexpr explicit(sizeof(typename C::value_type) > sizeof(T)) complex(const C& z)
      : re(static_cast<T>(z.real())), im(static_cast<T>(z.imag())) {}

  CUPYXX_FN constexpr T real() const { return re; }
  CUPYXX_FN constexpr T imag() const { return im; }

  CUPYXX_FN friend constexpr complex operator+(const complex& x) { return x; }
  CUPYXX_FN friend constexpr complex operator-(const complex& x) { return {-x.re, -x.im}; }
  CUPYXX_FN friend constexpr complex operator+(const complex& x, const complex& y) {
    return {x.re + y.re, x.im + y.im};
  }
  CUPYXX_FN friend constexpr complex operator-(const complex& x, const complex& y) {
    return {x.re - y.re, x.im - y.im};
  }
  CUPYXX_FN friend constexpr complex operator*(const complex& x, const complex& y) {
    return {x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
  }
  /// By the smaller part over the larger one, so that nothing overflows early (R. L. Smith, 1962).
  CUPYXX_FN friend constexpr complex operator/(const complex& x, const complex& y) {
    const T width = y.re < 0 ? -y.re : y.re, height = y.im < 0 ? -y.im : y.im;
    if (width >= height) {
      if (width == 0 && height == 0) return {x.re / width, x.im / width};
      const T ratio = y.im / y.re;
      const T scale = T(1) / (y.re + y.im * ratio);
      return {(x.re + x.im * ratio) * scale, (x.im - x.re * ratio) * scale};
    }
    const T ratio = y.re / y.im;
    const T scale = T(1) / (y.im + y.re * ratio);
    return {(x.re * ratio + x.im) * scale, (x.im * ratio - x.re) * scale};
  }
  CUPYXX_FN constexpr complex& operator+=(const complex& y) { return *this = *this + y; }
  CUPYXX_FN constexpr complex& operator-=(const complex& y) { return *this = *this - y; }
  CUPYXX_FN constexpr complex& operator*=(const complex& y) { return *this = *this * y; }
  CUPYXX_FN constexpr complex& operator/=(const complex& y) { return *this = *this / y; }

  CUPYXX_FN friend constexpr bool operator==(const complex& x, const complex& y) {
    return x.re == y.re && x.im == y.im;
  }
  CUPYXX_FN friend constexpr bool operator!=(const complex& x, const complex& y) {
    return x.re != y.re || x.im != y.im;
  }
  CUPYXX_FN friend constexpr bool operator<(const complex& x, const complex& y) {
    return (x.re < y.re && x.im == x.im && y.im == y.im) || (x.re == y.re && x.im < y.im);
  }
  CUPYXX_FN friend constexpr bool operator<=(const complex& x, const complex& y) {
    return (x.re < y.re && x.im == x.im && y.im == y.im) || (x.re == y.re && x.im <= y.im);
  }
  CUPYXX_FN friend constexpr bool operator>(const complex& x, const complex& y) { return y < x; }
  CUPYXX_FN friend constexpr bool operator>=(const complex& x, const complex& y) { return y <= x; }
};

/// Whether T is complex<float> or complex<double>.
template <class T>
inline constexpr bool is_complex = false;
template <class T>
inline constexpr bool is_complex<complex<T>> = true;

/// The type of the parts of a complex type; another type itself.
template <class T>
struct RealPart {
  using type = T;
};
template <class T>
struct RealPart<complex<T>> {
  using type = T;
};
/// The type of the real part: float of complex<float>, and of float itself.
template <class T>
using RealOf = typename RealPart<T>::type;

#if !defined(__CUDACC__)

/// `2.0_j` is Python's `2j`, after `using namespace cupyxx::literals`.
namespace literals {
/// An imaginary number.
constexpr complex<double> operator""_j(long double x) { return {0, static_cast<double>(x)}; }
/// The same of an integer.
constexpr complex<double> operator""_j(unsigned long long x) { return {0, static_cast<double>(x)}; }
}  // namespace literals

#endif

}  // namespace cupyxx
