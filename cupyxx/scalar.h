// SPDX-License-Identifier: MIT
// A C++ number on its way into an operation.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <type_traits>

#include "cupyxx/dtype.h"
#include "cupyxx/export.h"

namespace cupyxx {

/// A number. Built from a C++ arithmetic value it is weak: it takes the dtype of the arrays beside
/// it within its kind (NEP 50). Built with a dtype it is strong and promotes like a 0-d array.
class Scalar {
 public:
  enum class Kind : std::uint8_t {
    boolean,
    integer,
    unsigned_integer,
    floating,
    complex_floating,
  };

  constexpr Scalar() : Scalar(0) {}

  template <class T>
  requires std::is_arithmetic_v<T>
  constexpr Scalar(T value) {  // NOLINT(google-explicit-constructor)
    if constexpr (std::is_same_v<T, bool>) {
      kind_ = Kind::boolean;
      integer_ = value;
    } else if constexpr (std::is_floating_point_v<T>) {
      kind_ = Kind::floating;
      floating_ = static_cast<double>(value);
    } else if constexpr (std::is_signed_v<T>) {
      kind_ = Kind::integer;
      integer_ = value;
    } else {
      const auto wide = static_cast<std::uint64_t>(value);
      kind_ = wide > INT64_MAX ? Kind::unsigned_integer : Kind::integer;
      integer_ = static_cast<std::int64_t>(wide);
    }
  }
  /// half, bfloat16.
  template <class T>
  requires(std::is_same_v<T, half> || std::is_same_v<T, bfloat16>)
      Scalar(T value)  // NOLINT(google-explicit-constructor)
      : Scalar(static_cast<float>(value)) {}
  /// complex<T>, std::complex<T>.
  template <class T>
  requires internal::ComplexLike<T>
  constexpr Scalar(const T& value)  // NOLINT(google-explicit-constructor)
      : kind_(Kind::complex_floating),
        floating_(static_cast<double>(value.real())),
        imaginary_(static_cast<double>(value.imag())) {}
  template <class T>
  requires(std::is_arithmetic_v<T> || internal::ComplexLike<T>) constexpr Scalar(T value,
                                                                                 cupyxx::dtype type)
      : Scalar(value) {
    dtype_ = type;
  }

  constexpr Kind kind() const { return kind_; }
  /// The dtype it was given, or unspecified for a weak scalar.
  constexpr cupyxx::dtype dtype() const { return dtype_; }
  /// The dtype it has on its own: bool_, int64, uint64, float64 or complex128,
  /// or the one it was given.
  CUPYXX_API cupyxx::dtype own_dtype() const;

  /// Whether the value is a float or a complex number.
  constexpr bool is_inexact() const { return kind_ >= Kind::floating; }

  /// The value as a double; integers round to nearest, of complex numbers it is the real part.
  constexpr double as_double() const {
    if (is_inexact()) return floating_;
    if (kind_ == Kind::unsigned_integer) {
      return static_cast<double>(static_cast<std::uint64_t>(integer_));
    }
    return static_cast<double>(integer_);
  }
  /// The value as an integer; floating values truncate, saturate beyond 64 bits, and NaN gives 0.
  constexpr std::int64_t as_int64() const {
    if (!is_inexact()) return integer_;
    if (floating_ != floating_) return 0;
    if (floating_ >= 0x1p63) return INT64_MAX;
    return floating_ <= -0x1p63 ? INT64_MIN : static_cast<std::int64_t>(floating_);
  }
  /// The value as T, which holds it: integers are exact. Throws TypeError for a complex number as a
  /// real one, ValueError for a fraction or NaN as an integer, OverflowError for an integer out of
  /// T's range. As bool it is the truth value.
  template <class T>
  requires(std::is_arithmetic_v<T> || internal::ComplexLike<T>) operator T()
      const {  // NOLINT(google-explicit-constructor)
    return as<T>(false);
  }
  /// The same with fractions cut off, as Python's int() does.
  template <class T>
  T to() const {
    return as<T>(true);
  }

  /// The value with both parts.
  constexpr complex<double> as_complex() const { return {as_double(), imaginary_}; }
  constexpr bool is_true() const {
    return is_inexact() ? floating_ != 0 || imaginary_ != 0 : integer_ != 0;
  }

  /// Whether an integer value is within the range of the integer type `type`. Floating and bool
  /// values always are, and every value is where `type` is bool (as a truth value) or floating.
  CUPYXX_API bool fits(cupyxx::dtype type) const;
  /// Writes the value as one element of `type`; throws OverflowError, naming `operation`, when an
  /// integer does not fit. Floating values become integers by truncation, saturate at the ends of
  /// the range, and NaN becomes 0. Throws DtypeError for float8, TypeError for a complex number
  /// where `type` is real.
  CUPYXX_API void store(const char* operation, cupyxx::dtype type, void* element) const;
  /// The number as Python prints it.
  CUPYXX_API std::string str() const;

 private:
  template <class T>
  T as(bool truncate) const {
    if constexpr (internal::ComplexLike<T>) {
      using Part = typename T::value_type;
      return T(static_cast<Part>(as_double()), static_cast<Part>(imaginary_));
    } else if constexpr (std::is_same_v<T, bool>) {
      return is_true();
    } else if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(checked_integer(dtype_of<T>(), truncate));
    } else {
      check_real();
      return static_cast<T>(as_double());
    }
  }
  CUPYXX_API void check_real() const;
  /// The bits of the integer of type `type`; for uint64 those of the unsigned one.
  CUPYXX_API std::int64_t checked_integer(cupyxx::dtype type, bool truncate) const;

  Kind kind_;
  cupyxx::dtype dtype_;
  union {
    std::int64_t integer_;
    double floating_;
  };
  double imaginary_ = 0;
};

/// Prints the number as Python does.
CUPYXX_API std::ostream& operator<<(std::ostream& os, const Scalar& value);

}  // namespace cupyxx
