// SPDX-License-Identifier: MIT
// Device-safe. Comparisons, logic, and the larger or smaller of two.
#pragma once

#include "cupyxx/ops/prelude.h"

namespace cupyxx::ops {

/// The order of two numbers. Signed beside unsigned integers compare as what they are: their
/// common type, float64, would not hold them.
template <class T>
CUPYXX_FN bool is_less(T x, T y) {
  return x < y;
}
CUPYXX_FN bool is_less(i64 x, u64 y) { return x < 0 || static_cast<u64>(x) < y; }
CUPYXX_FN bool is_less(u64 x, i64 y) { return y > 0 && x < static_cast<u64>(y); }

template <class T>
CUPYXX_FN bool is_at_most(T x, T y) {
  return x <= y;
}
CUPYXX_FN bool is_at_most(i64 x, u64 y) { return !is_less(y, x); }
CUPYXX_FN bool is_at_most(u64 x, i64 y) { return !is_less(y, x); }

template <class T>
CUPYXX_FN bool is_same_value(T x, T y) {
  return x == y;
}
CUPYXX_FN bool is_same_value(i64 x, u64 y) { return x >= 0 && static_cast<u64>(x) == y; }
CUPYXX_FN bool is_same_value(u64 x, i64 y) { return is_same_value(y, x); }

using CompareLoops = Loops<bool(bool, bool), bool(i8, i8), bool(u8, u8), bool(i16, i16),
                           bool(u16, u16), bool(i32, i32), bool(u32, u32), bool(i64, i64),
                           bool(u64, u64), bool(i64, u64), bool(u64, i64), bool(half, half),
                           bool(bfloat16, bfloat16), bool(float, float), bool(double, double)>;

struct Comparison : OpBase {
  static constexpr bool compares = true;
  using loops = CompareLoops;
  using complex_loops = ComplexLoops<Bool2>;
};

struct Greater : Comparison {
  static constexpr const char* name = "greater";
  static constexpr const char* doc = "x > y.";
  template <class T, class U>
  CUPYXX_FN static bool apply(T x, U y) {
    return is_less(y, x);
  }
};

struct GreaterEqual : Comparison {
  static constexpr const char* name = "greater_equal";
  static constexpr const char* doc = "x >= y.";
  template <class T, class U>
  CUPYXX_FN static bool apply(T x, U y) {
    return is_at_most(y, x);
  }
};

struct Less : Comparison {
  static constexpr const char* name = "less";
  static constexpr const char* doc = "x < y.";
  template <class T, class U>
  CUPYXX_FN static bool apply(T x, U y) {
    return is_less(x, y);
  }
};

struct LessEqual : Comparison {
  static constexpr const char* name = "less_equal";
  static constexpr const char* doc = "x <= y.";
  template <class T, class U>
  CUPYXX_FN static bool apply(T x, U y) {
    return is_at_most(x, y);
  }
};

struct Equal : Comparison {
  static constexpr const char* name = "equal";
  static constexpr const char* doc = "x == y.";
  static constexpr unsigned bundled = kEveryday | kTruth;
  template <class T, class U>
  CUPYXX_FN static bool apply(T x, U y) {
    return is_same_value(x, y);
  }
};

struct NotEqual : Comparison {
  static constexpr const char* name = "not_equal";
  static constexpr const char* doc = "x != y.";
  static constexpr unsigned bundled = kEveryday | kTruth;
  template <class T, class U>
  CUPYXX_FN static bool apply(T x, U y) {
    return !is_same_value(x, y);
  }
};

struct LogicalAnd : OpBase {
  static constexpr const char* name = "logical_and";
  static constexpr const char* doc = "Whether both are nonzero.";
  static constexpr bool reorderable = true;
  static constexpr Identity identity = Identity::one;
  static constexpr Fold fold = Fold::all;
  static constexpr unsigned bundled = kEveryday | kTruth;
  static constexpr bool reads_truth = true;
  using loops = AllLoops<Bool2>;
  using complex_loops = ComplexLoops<Bool2>;
  template <class T>
  CUPYXX_FN static bool apply(T x, T y) {
    return (x != 0) & (y != 0);  // both are looked at: no branch
  }
};

struct LogicalOr : OpBase {
  static constexpr const char* name = "logical_or";
  static constexpr const char* doc = "Whether either is nonzero.";
  static constexpr bool reorderable = true;
  static constexpr Identity identity = Identity::zero;
  static constexpr Fold fold = Fold::any;
  static constexpr unsigned bundled = kEveryday | kTruth;
  static constexpr bool reads_truth = true;
  using loops = AllLoops<Bool2>;
  using complex_loops = ComplexLoops<Bool2>;
  template <class T>
  CUPYXX_FN static bool apply(T x, T y) {
    return !((x == 0) & (y == 0));  // both are looked at: no branch
  }
};

struct LogicalXor : OpBase {
  static constexpr const char* name = "logical_xor";
  static constexpr const char* doc = "Whether exactly one is nonzero.";
  static constexpr bool reorderable = true;
  static constexpr Identity identity = Identity::zero;
  static constexpr unsigned bundled = kEveryday | kTruth;
  static constexpr bool reads_truth = true;
  using loops = AllLoops<Bool2>;
  using complex_loops = ComplexLoops<Bool2>;
  template <class T>
  CUPYXX_FN static bool apply(T x, T y) {
    return (x != 0) != (y != 0);
  }
};

struct LogicalNot : OpBase {
  static constexpr const char* name = "logical_not";
  static constexpr const char* doc = "Whether x is zero.";
  static constexpr unsigned bundled = kEveryday | kTruth;
  using loops = AllLoops<Bool1>;
  using complex_loops = ComplexLoops<Bool1>;
  template <class T>
  CUPYXX_FN static bool apply(T x) {
    return x == 0;
  }
};

template <class T>
CUPYXX_FN bool is_nan(T x) {
  return x != x;
}
CUPYXX_FN bool is_nan(half x) { return (x.bits & 0x7fff) > 0x7c00; }

/// One of two; halves as integers, so that loops vectorise.
template <class T>
CUPYXX_FN T choose(bool first, T x, T y) {
  return first ? x : y;
}
CUPYXX_FN half choose(bool first, half x, half y) {
  x.bits = first ? x.bits : y.bits;
  return x;
}

/// Halves in order, as integers; both zeros are 0.
CUPYXX_FN short order_of(half x) {
  const auto magnitude = static_cast<short>(x.bits & 0x7fff);
  const auto negated = static_cast<short>(-magnitude);
  return static_cast<short>(x.bits) < 0 ? negated : magnitude;
}

/// Whether x is the one to take of x and y; never when either is NaN. Of two zeros NumPy takes the
/// second, as the processor's instructions do, but the first where they are halves or complex.
template <class T>
CUPYXX_FN bool is_larger(T x, T y) {
  return x > y;
}
CUPYXX_FN bool is_larger(half x, half y) {
  return (order_of(x) >= order_of(y)) & !is_nan(x) & !is_nan(y);
}
template <class T>
CUPYXX_FN bool is_larger(complex<T> x, complex<T> y) {
  return x >= y;
}
template <class T>
CUPYXX_FN bool is_smaller(complex<T> x, complex<T> y) {
  return x <= y;
}
template <class T>
CUPYXX_FN bool is_smaller(T x, T y) {
  return x < y;
}
CUPYXX_FN bool is_smaller(half x, half y) {
  return (order_of(x) <= order_of(y)) & !is_nan(x) & !is_nan(y);
}

struct Maximum : OpBase {
  static constexpr const char* name = "maximum";
  static constexpr const char* doc = "The larger; NaN if either is.";
  static constexpr bool reorderable = true;
  static constexpr Fold fold = Fold::amax;
  static constexpr unsigned bundled = kEveryday | kBroadcasts | kPlaces;
  static constexpr bool native_half = true;
  using loops = AllLoops<Same2>;
  using complex_loops = ComplexLoops<Same2>;
  template <class T>
  CUPYXX_FN static T apply(T x, T y) {
    return choose(is_larger(x, y) || is_nan(x), x, y);
  }
};

struct Minimum : OpBase {
  static constexpr const char* name = "minimum";
  static constexpr const char* doc = "The smaller; NaN if either is.";
  static constexpr bool reorderable = true;
  static constexpr Fold fold = Fold::amin;
  static constexpr unsigned bundled = kEveryday | kBroadcasts | kPlaces;
  static constexpr bool native_half = true;
  using loops = AllLoops<Same2>;
  using complex_loops = ComplexLoops<Same2>;
  template <class T>
  CUPYXX_FN static T apply(T x, T y) {
    return choose(is_smaller(x, y) || is_nan(x), x, y);
  }
};

struct Fmax : OpBase {
  static constexpr const char* name = "fmax";
  static constexpr const char* doc = "The larger, ignoring NaN.";
  static constexpr bool reorderable = true;
  static constexpr bool native_half = true;
  using loops = AllLoops<Same2>;
  using complex_loops = ComplexLoops<Same2>;
  template <class T>
  CUPYXX_FN static T apply(T x, T y) {
    return choose(is_larger(x, y) || is_nan(y), x, y);
  }
};

struct Fmin : OpBase {
  static constexpr const char* name = "fmin";
  static constexpr const char* doc = "The smaller, ignoring NaN.";
  static constexpr bool reorderable = true;
  static constexpr bool native_half = true;
  using loops = AllLoops<Same2>;
  using complex_loops = ComplexLoops<Same2>;
  template <class T>
  CUPYXX_FN static T apply(T x, T y) {
    return choose(is_smaller(x, y) || is_nan(y), x, y);
  }
};

using ComparisonOps = OpList<Greater, GreaterEqual, Less, LessEqual, Equal, NotEqual, LogicalAnd,
                             LogicalOr, LogicalXor, LogicalNot, Maximum, Minimum, Fmax, Fmin>;

}  // namespace cupyxx::ops
