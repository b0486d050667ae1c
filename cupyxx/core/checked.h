// SPDX-License-Identifier: MIT
// Arithmetic on extents that a caller gave, which may be anything.
#pragma once

#include <cstdint>
#include <exception>
#include <new>
#include <type_traits>

#include "cupyxx/error.h"

namespace cupyxx::internal {

/// a + b; throws ValueError, which begins with `operation`, where it does not fit 64 bits.
inline std::int64_t added(const char* operation, std::int64_t a, std::int64_t b) {
  std::int64_t sum;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  throw ValueError(message(operation, ": the extent exceeds 64 bits; ", a, " + ", b));
}

/// a * b, as above.
inline std::int64_t multiplied(const char* operation, std::int64_t a, std::int64_t b) {
  std::int64_t product;
  if (!__builtin_mul_overflow(a, b, &product)) return product;
  throw ValueError(message(operation, ": the extent exceeds 64 bits; ", a, " * ", b));
}

/// Throws ValueError, which begins with `operation`, for a mode that does not exist: a number cast
/// to the enumeration, whose last name is `last`.
template <class Enum>
void check_mode(const char* operation, std::type_identity_t<Enum> mode, Enum last) {
  if (mode >= Enum{} && mode <= last) return;
  throw ValueError(message(operation, ": there is no mode ", static_cast<int>(mode)));
}

/// A standard container of `count` elements; throws OutOfMemoryError, which begins with
/// `operation`, where there is no room for them.
template <class Container>
Container room_for(const char* operation, std::int64_t count) {
  try {
    return Container(static_cast<std::size_t>(count), typename Container::value_type());
  } catch (const std::exception&) {  // bad_alloc or length_error
    throw OutOfMemoryError(message(operation, ": there is no room for ", count, " elements of ",
                                   sizeof(typename Container::value_type), " bytes"));
  }
}

/// Reserves room for `count` elements in a standard container, as above.
template <class Container>
void make_room(const char* operation, Container& container, std::int64_t count) {
  try {
    container.reserve(static_cast<std::size_t>(count));
  } catch (const std::exception&) {  // bad_alloc or length_error
    throw OutOfMemoryError(message(operation, ": there is no room for ", count, " elements of ",
                                   sizeof(typename Container::value_type), " bytes"));
  }
}

}  // namespace cupyxx::internal
