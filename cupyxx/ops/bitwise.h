// SPDX-License-Identifier: MIT
// Device-safe. Bits of integers.
#pragma once

#include "cupyxx/ops/prelude.h"

namespace cupyxx::ops {

struct BitwiseAnd : OpBase {
  static constexpr const char* name = "bitwise_and";
  static constexpr const char* doc = "x & y.";
  static constexpr bool reorderable = true;
  static constexpr Identity identity = Identity::all_bits;
  static constexpr unsigned bundled = kEveryday | kTruth;
  using loops = BoolIntLoops<Same2>;
  template <class T>
  CUPYXX_FN static T apply(T x, T y) {
    return static_cast<T>(x & y);
  }
};

struct BitwiseOr : OpBase {
  static constexpr const char* name = "bitwise_or";
  static constexpr const char* doc = "x | y.";
  static constexpr bool reorderable = true;
  static constexpr Identity identity = Identity::zero;
  static constexpr unsigned bundled = kEveryday | kTruth;
  using loops = BoolIntLoops<Same2>;
  template <class T>
  CUPYXX_FN static T apply(T x, T y) {
    return static_cast<T>(x | y);
  }
};

struct BitwiseXor : OpBase {
  static constexpr const char* name = "bitwise_xor";
  static constexpr const char* doc = "x ^ y.";
  static constexpr bool reorderable = true;
  static constexpr Identity identity = Identity::zero;
  static constexpr unsigned bundled = kEveryday | kTruth;
  using loops = BoolIntLoops<Same2>;
  template <class T>
  CUPYXX_FN static T apply(T x, T y) {
    return static_cast<T>(x ^ y);
  }
};

struct Invert : OpBase {
  static constexpr const char* name = "invert";
  static constexpr const char* doc = "~x; logical not for bool.";
  static constexpr unsigned bundled = kEveryday | kTruth;
  using loops = BoolIntLoops<Same1>;
  template <class T>
  CUPYXX_FN static T apply(T x) {
    if constexpr (is_bool<T>) {
      return !x;
    } else {
      return static_cast<T>(~x);
    }
  }
};

struct LeftShift : OpBase {
  static constexpr const char* name = "left_shift";
  static constexpr const char* doc = "x << y; 0 for shifts by the width or more.";
  using loops = IntLoops<Same2>;
  template <class T>
  CUPYXX_FN static T apply(T x, T y) {
    // A negative distance is a huge unsigned one.
    return static_cast<u64>(y) < 8 * sizeof(T) ? static_cast<T>(Wrap<T>(x) << y) : T(0);
  }
};

struct RightShift : OpBase {
  static constexpr const char* name = "right_shift";
  static constexpr const char* doc = "x >> y; 0 or -1 for shifts by the width or more.";
  using loops = IntLoops<Same2>;
  template <class T>
  CUPYXX_FN static T apply(T x, T y) {
    if (static_cast<u64>(y) < 8 * sizeof(T)) return static_cast<T>(x >> y);
    if constexpr (is_signed<T>) {
      return x < 0 ? T(-1) : T(0);
    } else {
      return 0;
    }
  }
};

using BitwiseOps = OpList<BitwiseAnd, BitwiseOr, BitwiseXor, Invert, LeftShift, RightShift>;

}  // namespace cupyxx::ops
