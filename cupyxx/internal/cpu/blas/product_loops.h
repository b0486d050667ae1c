// SPDX-License-Identifier: MIT
// The inner loops of products, compiled once per instruction set.
#pragma once

#include <cstdint>

#include "cupyxx/complex.h"
#include "cupyxx/half.h"
#include "cupyxx/internal/op_info.h"

namespace cupyxx::internal::cpu {

inline constexpr std::int64_t kProductRows = 4;       // rows of C that share a pass over B
inline constexpr std::int64_t kProductColumns = 256;  // columns of C in the first-level cache

/// Sum of products for numbers ...
struct ProductSums {
  template <class A>
  CUPYXX_FN static A step(A sum, A x, A y) {
    return static_cast<A>(sum + x * y);
  }
  template <class A>
  CUPYXX_FN static A join(A x, A y) {
    return static_cast<A>(x + y);
  }
};
/// ... and "or" of "and"s for bool.
struct ProductTruth {
  template <class A>
  CUPYXX_FN static A step(A sum, A x, A y) {
    return static_cast<A>(sum | (x & y));
  }
  template <class A>
  CUPYXX_FN static A join(A x, A y) {
    return static_cast<A>(x | y);
  }
};

/// Defined for ProductTruth of uint8, and ProductSums of uint32, uint64, float, double and complex
/// numbers.
template <Arch kArch, class Rule, class A>
struct ProductLoops {
  static A dot(const A* x, const A* y, std::int64_t k);
  /// Adds products of k columns of kProductRows rows of A, which lie `x_stride` apart, and k rows
  /// of B to as many rows of `columns` sums, which lie kProductColumns apart.
  static void add_rows(A* sums, const A* x, std::int64_t x_stride, const A* b, std::int64_t ldb,
                       std::int64_t k, std::int64_t columns);
};

}  // namespace cupyxx::internal::cpu
