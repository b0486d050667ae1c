// SPDX-License-Identifier: MIT
// Integers in argument lists: counts, axes, shifts, decimals. A plain `int` would cut 1.5 to 1
// without a word.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>

#include "cupyxx/export.h"

namespace cupyxx::internal {

/// A C++ integer that may stand for an extent or an axis.
template <class T>
concept AxisNumber = std::integral<T> && !std::same_as<T, bool> && !std::same_as<T, char>;
template <class T>
concept Enumerator = std::is_enum_v<T> && std::convertible_to<T, std::int64_t>;
template <class T>
struct OneOf {
  T value[1];
};
/// A class that becomes an integer by itself and loses nothing, as an array of one element does.
template <class T>
concept IntegerClass = std::is_class_v<T> && requires(const T& value) {
  OneOf<std::int64_t>{{value}};
};
/// What would lose its fraction, and truth values, characters and texts, which stand in the wrong
/// place.
template <class T>
concept NoInteger = (std::is_arithmetic_v<T> && !AxisNumber<T>) || std::same_as<T, const char*>;

[[noreturn]] CUPYXX_API void throw_not_held(std::int64_t value);

/// An integer in an argument list. Floating numbers and truth values do not compile: `roll(a, 1.5)`
/// is a TypeError in NumPy. Throws OverflowError for what T does not hold: more than 32 bits where
/// it has so many, a negative seed.
template <class T>
class Integer {
 public:
  // Templates for the reason given at Shape.
  template <class I>
  requires(AxisNumber<I> || Enumerator<I>) constexpr Integer(I value)  // NOLINT
      : value_(static_cast<T>(value)) {
    // An unsigned difference that is negative is one of 64 bits: `roll(a, v.size() - 4)`.
    const auto wide = static_cast<std::int64_t>(value);
    if constexpr (std::is_unsigned_v<T>) {
      if (std::is_signed_v<I> && wide < 0) throw_not_held(wide);
    } else if constexpr (sizeof(T) < sizeof(wide)) {
      if (value_ != wide) throw_not_held(wide);
    }
  }
  template <IntegerClass C>
  Integer(const C& value)  // NOLINT(google-explicit-constructor)
      : Integer(OneOf<std::int64_t>{{value}}.value[0]) {}
  template <NoInteger F>
  Integer(F an_integer_stands_here) = delete;  // NOLINT(google-explicit-constructor)

  constexpr operator T() const { return value_; }  // NOLINT(google-explicit-constructor)
  std::string str() const { return std::to_string(value_); }

 private:
  T value_;
};
using Int = Integer<int>;
using Int64 = Integer<std::int64_t>;
using UInt64 = Integer<std::uint64_t>;

template <class T>
inline constexpr bool kInteger = false;
template <class T>
inline constexpr bool kInteger<Integer<T>> = true;

/// What may stand for an extent or an axis among others.
template <class T>
concept ExtentNumber = AxisNumber<T> || Enumerator<T> || kInteger<T>;

}  // namespace cupyxx::internal
