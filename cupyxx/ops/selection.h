// SPDX-License-Identifier: MIT
// Device-safe. Operations with a condition or limits, and plain copies. Not NumPy ufuncs; they run
// through the same loops.
#pragma once

#include "cupyxx/ops/prelude.h"

namespace cupyxx::ops {

template <class T>
struct Where3 {
  using type = T(bool, T, T);
};

struct Where : OpBase {
  static constexpr const char* name = "where";
  static constexpr const char* doc = "x where the condition holds, y elsewhere.";
  static constexpr bool native_half = true;
  static constexpr bool native_bfloat16 = true;
  using loops = AllLoops<Where3>;
  using complex_loops = ComplexLoops<Where3>;
  template <class T>
  CUPYXX_FN static T apply(bool condition, T x, T y) {
    return condition ? x : y;
  }
};

struct Clip : OpBase {
  static constexpr const char* name = "clip";
  static constexpr const char* doc = "x limited to [low, high]; NaN stays.";
  using loops = AllLoops<Same3>;
  using complex_loops = ComplexLoops<Same3>;
  template <class T>
  CUPYXX_FN static T apply(T x, T low, T high) {
    const T raised = x >= low || x != x ? x : low;
    return raised <= high || raised != raised ? raised : high;
  }
};

/// What nan_to_num puts in the place of NaN and of the infinities.
struct NanToNum : OpBase {
  static constexpr const char* name = "nan_to_num";
  static constexpr const char* doc = "x, with numbers in the place of NaN, inf and -inf.";
  static constexpr int parameters = 3;
  static constexpr unsigned bundled = kPlain;
  using loops = FloatLoops<Same4>;
  template <class T>
  CUPYXX_FN static T apply(T x, T nan, T highest, T lowest) {
    const T number = x != x ? nan : x;
    return m::isinf(x) ? (x > 0 ? highest : lowest) : number;
  }
};

/// Copies; the loops that read one dtype and write another come from the cast of their operands.
struct Copy : OpBase {
  static constexpr const char* name = "copy";
  static constexpr const char* doc = "x itself.";
  static constexpr bool copies = true;
  static constexpr bool native_half = true;
  static constexpr bool native_bfloat16 = true;
  using loops = AllLoops<Same1>;
  using complex_loops = ComplexLoops<Same1>;
  template <class T>
  CUPYXX_FN static T apply(T x) {
    return x;
  }
};

using SelectionOps = OpList<Where, Clip, NanToNum, Copy>;

}  // namespace cupyxx::ops
