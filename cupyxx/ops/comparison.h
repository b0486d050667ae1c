// SPDX-License-Identifier: MIT
// Device-safe. Comparisons, logic, and the larger or smaller of two.
#pragma once

#include "cupyxx/ops/prelude.h"

namespace cupyxx::ops {

struct Greater : OpBase {
  static constexpr const char* name = "greater";
  static constexpr const char* doc = "x > y.";
  static constexpr bool compares = true;
  using loops = AllLoops<Bool2>;
  template <class T>
  CUPYXX_FN static bool apply(T x, T y) { return x > y; }
};

struct GreaterEqual : OpBase {
  static constexpr const char* name = "greater_equal";
  static constexpr const char* doc = "x >= y.";
  static constexpr bool compares = true;
  using loops = AllLoops<Bool2>;
  template <class T>
  CUPYXX_FN static bool apply(T x, T y) { return x >= y; }
};

struct Less : OpBase {
  static constexpr const char* name = "less";
  static constexpr const char* doc = "x < y.";
  static constexpr bool compares = true;
  using loops = AllLoops<Bool2>;
  template <class T>
  CUPYXX_FN static bool apply(T x, T y) { return x < y; }
};

struct LessEqual : OpBase {
  static constexpr const char* name = "less_equal";
  static constexpr const char* doc = "x <= y.";
  static constexpr bool compares = true;
  using loops = AllLoops<Bool2>;
  template <class T>
  CUPYXX_FN static bool apply(T x, T y) { return x <= y; }
};

struct Equal : OpBase {
  static constexpr const char* name = "equal";
  static constexpr const char* doc = "x == y.";
  static constexpr bool compares = true;
  using loops = AllLoops<Bool2>;
  template <class T>
  CUPYXX_FN static bool apply(T x, T y) { return x == y; }
};

struct NotEqual : OpBase {
  static constexpr const char* name = "not_equal";
  static constexpr const char* doc = "x != y.";
  static constexpr bool compares = true;
  using loops = AllLoops<Bool2>;
  template <class T>
  CUPYXX_FN static bool apply(T x, T y) { return x != y; }
};

struct LogicalAnd : OpBase {
  static constexpr const char* name = "logical_and";
  static constexpr const char* doc = "Whether both are nonzero.";
  using loops = AllLoops<Bool2>;
  template <class T>
  CUPYXX_FN static bool apply(T x, T y) { return (x != 0) && (y != 0); }
};

struct LogicalOr : OpBase {
  static constexpr const char* name = "logical_or";
  static constexpr const char* doc = "Whether either is nonzero.";
  using loops = AllLoops<Bool2>;
  template <class T>
  CUPYXX_FN static bool apply(T x, T y) { return (x != 0) || (y != 0); }
};

struct LogicalXor : OpBase {
  static constexpr const char* name = "logical_xor";
  static constexpr const char* doc = "Whether exactly one is nonzero.";
  using loops = AllLoops<Bool2>;
  template <class T>
  CUPYXX_FN static bool apply(T x, T y) { return (x != 0) != (y != 0); }
};

struct LogicalNot : OpBase {
  static constexpr const char* name = "logical_not";
  static constexpr const char* doc = "Whether x is zero.";
  using loops = AllLoops<Bool1>;
  template <class T>
  CUPYXX_FN static bool apply(T x) { return x == 0; }
};

struct Maximum : OpBase {
  static constexpr const char* name = "maximum";
  static constexpr const char* doc = "The larger; NaN if either is.";
  using loops = AllLoops<Same2>;
  template <class T>
  CUPYXX_FN static T apply(T x, T y) { return x >= y || x != x ? x : y; }
};

struct Minimum : OpBase {
  static constexpr const char* name = "minimum";
  static constexpr const char* doc = "The smaller; NaN if either is.";
  using loops = AllLoops<Same2>;
  template <class T>
  CUPYXX_FN static T apply(T x, T y) { return x <= y || x != x ? x : y; }
};

struct Fmax : OpBase {
  static constexpr const char* name = "fmax";
  static constexpr const char* doc = "The larger, ignoring NaN.";
  using loops = AllLoops<Same2>;
  template <class T>
  CUPYXX_FN static T apply(T x, T y) { return x >= y || y != y ? x : y; }
};

struct Fmin : OpBase {
  static constexpr const char* name = "fmin";
  static constexpr const char* doc = "The smaller, ignoring NaN.";
  using loops = AllLoops<Same2>;
  template <class T>
  CUPYXX_FN static T apply(T x, T y) { return x <= y || y != y ? x : y; }
};

using ComparisonOps = OpList<Greater, GreaterEqual, Less, LessEqual, Equal, NotEqual, LogicalAnd, LogicalOr,
                             LogicalXor, LogicalNot, Maximum, Minimum, Fmax, Fmin>;

}  // namespace cupyxx::ops
