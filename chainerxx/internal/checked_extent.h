// SPDX-License-Identifier: MIT
// Extents that are computed of what a user gives, which may be any numbers.
#pragma once

#include <cstdint>

#include "cupyxx/error.h"

namespace chainerxx::internal {

/// a * b + c. Throws ValueError, which begins with `operation`, where 64 bits do not hold it.
inline std::int64_t product_plus(const char* operation, std::int64_t a, std::int64_t b,
                                 std::int64_t c) {
  std::int64_t product, sum;
  if (!__builtin_mul_overflow(a, b, &product) && !__builtin_add_overflow(product, c, &sum)) {
    return sum;
  }
  throw cupyxx::ValueError(
      cupyxx::message(operation, ": the extent exceeds 64 bits; ", a, " * ", b, " + ", c));
}

/// a * b, as above.
inline std::int64_t times(const char* operation, std::int64_t a, std::int64_t b) {
  std::int64_t product;
  if (!__builtin_mul_overflow(a, b, &product)) return product;
  throw cupyxx::ValueError(
      cupyxx::message(operation, ": the extent exceeds 64 bits; ", a, " * ", b));
}

}  // namespace chainerxx::internal
