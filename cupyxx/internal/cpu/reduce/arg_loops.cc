// SPDX-License-Identifier: MIT
#include "cupyxx/internal/cpu/reduce/families.h"
#include "cupyxx/internal/cpu/reduce/lanes.h"

namespace {

template <int kSize>
struct SignedOf {
  using type = i8;
};
template <>
struct SignedOf<2> {
  using type = i16;
};
template <>
struct SignedOf<4> {
  using type = i32;
};
template <>
struct SignedOf<8> {
  using type = i64;
};

/// Accumulators are n values, then n indices.
template <class Op, class Extreme, class In>
struct ArgLoops {
  using T = Value<In>;
  using A = Located<T, i64>;

  static T* values(void* acc) { return static_cast<T*>(acc); }
  static const T* values(const void* acc) { return static_cast<const T*>(acc); }
  // Rounded up, so that indices are aligned.
  static std::int64_t index_offset(std::int64_t n) {
    return (n * static_cast<std::int64_t>(sizeof(T)) + 7) / 8 * 8;
  }
  static i64* indices(void* acc, std::int64_t n) {
    return reinterpret_cast<i64*>(static_cast<char*>(acc) + index_offset(n));
  }
  static const i64* indices(const void* acc, std::int64_t n) {
    return reinterpret_cast<const i64*>(static_cast<const char*>(acc) + index_offset(n));
  }

  static void start(void* acc, std::int64_t n) {
    const A identity = Op::template identity<A>();
    for (std::int64_t i = 0; i < n; ++i) values(acc)[i] = identity.value;
    for (std::int64_t i = 0; i < n; ++i) indices(acc, n)[i] = identity.index;
  }

  /// Where the first element is that equals `best`, or is NaN like it; there is one.
  static std::int64_t place_of(T best, const T* x) {
    std::int64_t i = 0;
    if (best != best) {
      while (x[i] == x[i]) ++i;
    } else {
      while (x[i] != best) ++i;
    }
    return i;
  }

  /// The same, whole blocks at a time; the last one overlaps those before.
  static std::int64_t place_in(T best, const T* x, std::int64_t n) {
    constexpr int kBlock = 64;
    using Number = typename SignedOf<sizeof(T)>::type;  // as wide as the values, to fit the vectors
    if (n < kBlock || best != best) return place_of(best, x);
#if defined(__AVX512F__)
    if constexpr (is_float<T>) return place_by_masks(best, x, n);
#endif
    for (std::int64_t i = 0;; i = i + 2 * kBlock <= n ? i + kBlock : n - kBlock) {
      Number found = 0;
      for (int k = 0; k < kBlock; ++k) {
        found = static_cast<Number>(found | (x[i + k] == best ? -1 : 0));
      }
      if (found == 0) continue;
      Number first = kBlock;
      for (int k = 0; k < kBlock; ++k) {
        const auto place = static_cast<Number>(x[i + k] == best ? k : kBlock);
        first = place < first ? place : first;
      }
      return i + first;
    }
  }

#if defined(__AVX512F__)
  /// Compilers make the mask of a comparison into a vector, and that into a mask.
  static Vector<T> better(const Vector<T>& next, const Vector<T>& best) {
    constexpr bool kLargest = __is_same(Op, Argmax);
    if constexpr (sizeof(T) == 8) {
      return kLargest ? _mm512_max_pd(next, best) : _mm512_min_pd(next, best);
    } else {
      return kLargest ? _mm512_max_ps(next, best) : _mm512_min_ps(next, best);
    }
  }
  static T best_lane(const Vector<T>& x) {
    constexpr bool kLargest = __is_same(Op, Argmax);
    if constexpr (sizeof(T) == 8) {
      return kLargest ? _mm512_reduce_max_pd(x) : _mm512_reduce_min_pd(x);
    } else {
      return kLargest ? _mm512_reduce_max_ps(x) : _mm512_reduce_min_ps(x);
    }
  }
  static unsigned has_nan(const Vector<T>& x, const Vector<T>& y) {
    if constexpr (sizeof(T) == 8) {
      return _mm512_cmp_pd_mask(x, y, _CMP_UNORD_Q);
    } else {
      return _mm512_cmp_ps_mask(x, y, _CMP_UNORD_Q);
    }
  }

  static unsigned equal(const Vector<T>& x, const Vector<T>& y) {
    if constexpr (sizeof(T) == 8) {
      return _mm512_cmp_pd_mask(x, y, _CMP_EQ_OQ);
    } else {
      return _mm512_cmp_ps_mask(x, y, _CMP_EQ_OQ);
    }
  }
  /// As place_in: the masks tell the place, where compilers compute it in vectors of integers.
  static std::int64_t place_by_masks(T best, const T* x, std::int64_t n) {
    constexpr int kPerVector = kVectorBytes / static_cast<int>(sizeof(T)), kStep = 4 * kPerVector;
    const Vector<T> wanted = best - Vector<T>{};
    for (std::int64_t i = 0;; i = i + 2 * kStep <= n ? i + kStep : n - kStep) {
      const auto at = [&](int k) { return equal(load(x + i + k * kPerVector), wanted); };
      const unsigned a = at(0), b = at(1), c = at(2), d = at(3);
      if ((a | b | c | d) == 0) continue;
      const auto low = static_cast<std::uint64_t>(a | b << kPerVector);
      const auto high = static_cast<std::uint64_t>(c | d << kPerVector);
      return i + __builtin_ctzll(low | high << 2 * kPerVector);
    }
  }

  /// The extreme of n floating numbers. What is left of whole steps is in the last one, which
  /// overlaps those before.
  static T extreme(const T* x, std::int64_t n) {
    constexpr int kPerVector = kVectorBytes / static_cast<int>(sizeof(T)), kStep = 4 * kPerVector;
    if (n < kStep) return fold<Extreme>(x, n);
    const auto at = [x](std::int64_t i) { return load(x + i); };
    Vector<T> a = at(0), b = at(kPerVector), c = at(2 * kPerVector), d = at(3 * kPerVector);
    unsigned nan = has_nan(a, b) | has_nan(c, d);
    const auto step = [&](std::int64_t i) {
      const Vector<T> p = at(i), q = at(i + kPerVector), r = at(i + 2 * kPerVector),
                      s = at(i + 3 * kPerVector);
      a = better(p, a);
      b = better(q, b);
      c = better(r, c);
      d = better(s, d);
      nan |= has_nan(p, q) | has_nan(r, s);
    };
    for (std::int64_t i = kStep; i + kStep <= n; i += kStep) {
#pragma GCC unroll 4
      for (int k = 0; k < 4; ++k) prefetch(x + i + k * kPerVector, kAhead);
      step(i);
    }
    step(n - kStep);
    if (nan != 0) return fold<Extreme>(x, n);
    return best_lane(better(better(a, b), better(c, d)));
  }
#else
  /// The extreme of n floating numbers. What is left of whole vectors is in the last one, which
  /// overlaps those before. Sums of zeros say whether all are finite; if not, NaNs count.
  static T extreme(const T* x, std::int64_t n) {
    constexpr int kVectors = 4, kPerVector = kVectorBytes / static_cast<int>(sizeof(T));
    if (n < kPerVector) return fold<Extreme>(x, n);
    Vector<T> best[kVectors], zero[kVectors] = {};
    for (Vector<T>& some : best) some = load(x);
    const auto add = [&](int k, const T* from) {
      const Vector<T> next = load(from);
      best[k] = beyond(next, best[k]) ? next : best[k];
      zero[k] += next * T(0);
    };
    std::int64_t i = 0;
    for (; i + kVectors * kPerVector <= n; i += kVectors * kPerVector) {
#pragma GCC unroll 4
      for (int k = 0; k < kVectors; ++k) {
        prefetch(x + i + k * kPerVector, kAhead);
        add(k, x + i + k * kPerVector);
      }
    }
    for (; i + kPerVector <= n; i += kPerVector) add(0, x + i);
    add(1, x + n - kPerVector);
    T lanes[kPerVector];
    zero[0] = (zero[0] + zero[1]) + (zero[2] + zero[3]);
    std::memcpy(lanes, zero, sizeof(lanes));
    if (fold<Sum>(lanes, kPerVector) != 0) return fold<Extreme>(x, n);
    for (int k = 1; k < kVectors; ++k) best[0] = beyond(best[k], best[0]) ? best[k] : best[0];
    std::memcpy(lanes, best, sizeof(lanes));
    return fold<Extreme>(lanes, kPerVector);
  }
#endif

  static void row(void* acc, const void* x, std::int64_t n, std::int64_t index) {
    constexpr std::int64_t kBlock = 65536 / sizeof(T);  // is still in the caches for its place
    for (std::int64_t i = 0; i < n; i += kBlock) {
      add_block(acc, static_cast<const T*>(x) + i, n - i < kBlock ? n - i : kBlock, index + i);
    }
  }

  /// Finds the block's extreme first, and its place only when it beats what there was.
  static void add_block(void* acc, const T* x, std::int64_t n, std::int64_t index) {
    T best;
    if constexpr (is_float<T>) {
      best = extreme(x, n);
    } else {
      best = Extreme::template identity<T>();
      for (std::int64_t i = 0; i < n; ++i) best = Extreme::combine(best, x[i]);
    }
    const A old{*values(acc), *indices(acc, 1)};
    // With the lowest index an equal value would replace the old one: blocks come in order.
    const A found = Op::combine(old, A{best, old.index});
    const bool unset = old.index == Op::template identity<A>().index;
    const bool changed = found.value != old.value && !(old.value != old.value);
    if (!unset && !changed) return;
    *values(acc) = best;
    *indices(acc, 1) = index + place_in(best, x, n);
  }

  /// Compares in batches of rows, with the number of the row kept in an integer as wide as the
  /// values, so that both fit the same vectors.
  static void columns(void* acc, const void* const* rows, int count, std::int64_t n,
                      std::int64_t index) {
    T* __restrict best = values(acc);
    i64* __restrict at = indices(acc, n);
    constexpr std::int64_t kPiece = 128;
    using Number = typename SignedOf<sizeof(T)>::type;
    for (std::int64_t first = 0; first < n; first += kPiece) {
      const std::int64_t width = n - first < kPiece ? n - first : kPiece;
      T top[kPiece];
      Number place[kPiece] = {};
      std::memcpy(top, static_cast<const T*>(rows[0]) + first,
                  static_cast<std::size_t>(width) * sizeof(T));
      for (int k = 1; k < count; ++k) {
        const T* __restrict x = static_cast<const T*>(rows[k]) + first;
        for (std::int64_t i = 0; i < width; ++i) {
          // Rows come in order, so that an equal value never wins.
          const bool take = beyond(x[i], top[i]) | ((x[i] != x[i]) & (top[i] == top[i]));
          top[i] = take ? x[i] : top[i];
          place[i] = take ? static_cast<Number>(k) : place[i];
        }
      }
      for (std::int64_t i = 0; i < width; ++i) {
        const T old = best[first + i];
        const i64 old_at = at[first + i];
        const bool take = beyond(top[i], old) | ((top[i] != top[i]) & (old == old)) |
                          (old_at == Limits<i64>::highest());
        best[first + i] = take ? top[i] : old;
        at[first + i] = take ? index + place[i] : old_at;
      }
    }
  }

  template <class V>
  static auto beyond(V x, V y) {
    if constexpr (__is_same(Op, Argmax)) {
      return x > y;
    } else {
      return x < y;
    }
  }

  static void merge(void* acc, const void* other, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) {
      const A a = Op::combine(A{values(acc)[i], indices(acc, n)[i]},
                              A{values(other)[i], indices(other, n)[i]});
      values(acc)[i] = a.value;
      indices(acc, n)[i] = a.index;
    }
  }

  static void finish(const void* acc, std::int64_t n, char* out, std::int64_t out_stride,
                     const Finish&) {
    for (std::int64_t i = 0; i < n; ++i) {
      std::memcpy(out + i * out_stride, &indices(acc, n)[i], sizeof(i64));
    }
  }
};

template <class In>
using Maxima = ArgLoops<Argmax, Amax, In>;
template <class In>
using Minima = ArgLoops<Argmin, Amin, In>;

}  // namespace

namespace cupyxx::internal::cpu::CUPYXX_ARCH {

const ReduceLoops* arg_loops(ReduceOp op, dtype in) {
  return op == ReduceOp::argmax ? TypeTable<Maxima>::find(in) : TypeTable<Minima>::find(in);
}

}  // namespace cupyxx::internal::cpu::CUPYXX_ARCH
