// SPDX-License-Identifier: MIT
// Device-safe. Operations that op_test adds to those of cupyxx.
#pragma once

#include "cupyxx/ops/prelude.h"

namespace cupyxx::testing {

struct Cubic : ops::OpBase {
  static constexpr const char* name = "cubic";
  static constexpr const char* doc = "((a x + b) x + c) x.";
  using loops = ops::FloatLoops<ops::Same4>;
  template <class T>
  CUPYXX_FN static T apply(T x, T a, T b, T c) {
    return ((a * x + b) * x + c) * x;
  }
};

/// The larger magnitude, with its sign; of equal ones the first.
struct Dominant : ops::OpBase {
  static constexpr const char* name = "dominant";
  static constexpr const char* doc = "The number of larger magnitude.";
  static constexpr bool reorderable = true;
  static constexpr ops::Identity identity = ops::Identity::zero;
  using loops = ops::PerType<ops::Same2, ops::i32, ops::i64, float, double>;
  template <class T>
  CUPYXX_FN static T apply(T x, T y) {
    return (y < T(0) ? -y : y) > (x < T(0) ? -x : x) ? y : x;
  }
};

struct Ends : ops::OpBase {
  static constexpr const char* name = "ends";
  static constexpr const char* doc = "x - 1 and x + 1.";
  using loops = ops::PerType<ops::PairOf1, float, double>;
  template <class T>
  CUPYXX_FN static ops::Pair<T, T> apply(T x) {
    return {x - 1, x + 1};
  }
};

using PolyOps = ops::OpList<Cubic, Dominant, Ends>;

}  // namespace cupyxx::testing
