// SPDX-License-Identifier: MIT
// A C++ number on its way into an operation.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

#include "cupyxx/dtype.h"
#include "cupyxx/export.h"

namespace cupyxx {

/// A number. Built from a C++ arithmetic value it is weak: it takes the dtype of the arrays beside
/// it within its kind (NEP 50). Built with a dtype it is strong and promotes like a 0-d array.
class Scalar {
 public:
  enum class Kind : std::uint8_t { boolean, integer, unsigned_integer, floating };

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
  Scalar(half value) : Scalar(static_cast<float>(value)) {}  // NOLINT(google-explicit-constructor)
  template <class T>
    requires std::is_arithmetic_v<T>
  constexpr Scalar(T value, cupyxx::dtype type) : Scalar(value) {
    dtype_ = type;
  }

  constexpr Kind kind() const { return kind_; }
  /// The dtype it was given, or unspecified for a weak scalar.
  constexpr cupyxx::dtype dtype() const { return dtype_; }
  /// The dtype it has on its own: bool_, int64, uint64 or float64, or the one it was given.
  CUPYXX_API cupyxx::dtype own_dtype() const;

  /// The value as a double; integers round to nearest.
  constexpr double as_double() const {
    if (kind_ == Kind::floating) return floating_;
    if (kind_ == Kind::unsigned_integer) {
      return static_cast<double>(static_cast<std::uint64_t>(integer_));
    }
    return static_cast<double>(integer_);
  }
  /// The value as an integer; floating values truncate.
  constexpr std::int64_t as_int64() const {
    return kind_ == Kind::floating ? static_cast<std::int64_t>(floating_) : integer_;
  }
  constexpr bool is_true() const {
    return kind_ == Kind::floating ? floating_ != 0 : integer_ != 0;
  }

  /// Whether an integer value is representable in `type`; floating values always are.
  CUPYXX_API bool fits(cupyxx::dtype type) const;
  /// Writes the value as one element of `type`; throws OverflowError, naming `operation`, when an
  /// integer does not fit.
  CUPYXX_API void store(const char* operation, cupyxx::dtype type, void* element) const;
  /// The number as Python prints it.
  CUPYXX_API std::string str() const;

 private:
  Kind kind_;
  cupyxx::dtype dtype_;
  union {
    std::int64_t integer_;
    double floating_;
  };
};

}  // namespace cupyxx
