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
  // Compilers make the mask of a comparison into a vector, and that into a mask.
  using Places = Vector<typename SignedOf<sizeof(T)>::type>;
  static unsigned beats(const Vector<T>& next, const Vector<T>& best) {
    constexpr int kOrder = __is_same(Op, Argmax) ? _CMP_GT_OQ : _CMP_LT_OQ;
    if constexpr (sizeof(T) == 8) {
      return _mm512_cmp_pd_mask(next, best, kOrder);
    } else {
      return _mm512_cmp_ps_mask(next, best, kOrder);
    }
  }
  static unsigned equal(const Vector<T>& x, const Vector<T>& y) {
    if constexpr (sizeof(T) == 8) {
      return _mm512_cmp_pd_mask(x, y, _CMP_EQ_OQ);
    } else {
      return _mm512_cmp_ps_mask(x, y, _CMP_EQ_OQ);
    }
  }
  static unsigned has_nan(const Vector<T>& x, const Vector<T>& y) {
    if constexpr (sizeof(T) == 8) {
      return _mm512_cmp_pd_mask(x, y, _CMP_UNORD_Q);
    } else {
      return _mm512_cmp_ps_mask(x, y, _CMP_UNORD_Q);
    }
  }
  /// The lanes of `next` where the mask says so.
  template <class V>
  static V select(const V& old, unsigned mask, const V& next) {
    const auto before = reinterpret_cast<__m512i>(old), after = reinterpret_cast<__m512i>(next);
    return reinterpret_cast<V>(
        sizeof(T) == 8 ? _mm512_mask_mov_epi64(before, static_cast<__mmask8>(mask), after)
                       : _mm512_mask_mov_epi32(before, static_cast<__mmask16>(mask), after));
  }

  static constexpr int kPerVector = kVectorBytes / static_cast<int>(sizeof(T)), kAtOnce = 4;

  /// The first extreme of n floating numbers, at most 65536 bytes, and its place; false where there
  /// are NaNs or few numbers. Each lane keeps its first extreme and the step that had it. What is
  /// left of whole steps is in the last one, which overlaps those before.
  static bool find_both(const T* x, std::int64_t n, T& best, std::int64_t& place) {
    using Number = typename SignedOf<sizeof(T)>::type;
    constexpr int kStep = kAtOnce * kPerVector;
    if (n < kStep) return false;
    Vector<T> v[kAtOnce];
    Places begin[kAtOnce] = {};  // of the step in which a lane has found its extreme
#pragma GCC unroll 4
    for (int k = 0; k < kAtOnce; ++k) v[k] = load(x + k * kPerVector);
    unsigned nan = has_nan(v[0], v[1]) | has_nan(v[2], v[3]);
    const auto step = [&](std::int64_t i) {
      const Places now = static_cast<Number>(i) - Places{};
      Vector<T> next[kAtOnce];
#pragma GCC unroll 4
      for (int k = 0; k < kAtOnce; ++k) next[k] = load(x + i + k * kPerVector);
#pragma GCC unroll 4
      for (int k = 0; k < kAtOnce; ++k) {
        const unsigned better = beats(next[k], v[k]);
        v[k] = select(v[k], better, next[k]);
        begin[k] = select(begin[k], better, now);
      }
      nan |= has_nan(next[0], next[1]) | has_nan(next[2], next[3]);
    };
    for (std::int64_t i = kStep; i + kStep <= n; i += kStep) {
#pragma GCC unroll 4
      for (int k = 0; k < kAtOnce; ++k) prefetch(x + i + k * kPerVector, kAhead);
      step(i);
    }
    step(n - kStep);
    if (nan != 0) return false;
    const auto further = [](const Vector<T>& p, const Vector<T>& q) {
      return select(q, beats(p, q), p);
    };
    T lanes[kPerVector];
    const Vector<T> last = further(further(v[0], v[1]), further(v[2], v[3]));
    std::memcpy(lanes, &last, sizeof(lanes));
    best = fold<Extreme>(lanes, kPerVector);
    // The first of the places that have it.
    place = n;
    const Vector<T> wanted = best - Vector<T>{};
    for (int k = 0; k < kAtOnce; ++k) {
      Number at[kPerVector];
      std::memcpy(at, &begin[k], sizeof(at));
      for (unsigned found = equal(v[k], wanted); found != 0; found &= found - 1) {
        const int lane = __builtin_ctz(found);
        const std::int64_t where = at[lane] + k * kPerVector + lane;
        place = where < place ? where : place;
      }
    }
    return true;
  }

#else
  using Number = typename SignedOf<sizeof(T)>::type;
  using Places = Vector<Number>;

  /// The first extreme of n floating numbers, at most 65536 bytes, and its place; false where not
  /// all are finite or there are few. Each lane keeps the first step that had its extreme, among
  /// four vectors; the place is looked for in the first of these steps. What is left of whole steps
  /// is in the last one, which overlaps those before.
  static bool find_both(const T* x, std::int64_t n, T& best, std::int64_t& place) {
    constexpr int kPerVector = kVectorBytes / static_cast<int>(sizeof(T));
    constexpr std::int64_t kStep = 4 * kPerVector;
    if (n < kStep) return false;
    const auto further = [](const Vector<T>& p, const Vector<T>& q) {
      return beyond(p, q) ? p : q;
    };
    Vector<T> top = load(x), zero = {};  // zero times a sum says whether its numbers are finite
    Places begin = {};
    const auto step = [&](std::int64_t i) {
      const Vector<T> a = load(x + i), b = load(x + i + kPerVector);
      const Vector<T> c = load(x + i + 2 * kPerVector), d = load(x + i + 3 * kPerVector);
      const Vector<T> next = further(further(a, b), further(c, d));
      const auto better = beyond(next, top);
      top = better ? next : top;
      begin = better ? static_cast<Number>(i) - Places{} : begin;
      zero += ((a + b) + (c + d)) * T(0);
    };
    for (std::int64_t i = 0; i + kStep <= n; i += kStep) {
#pragma GCC unroll 4
      for (int k = 0; k < 4; ++k) prefetch(x + i + k * kPerVector, kAhead);
      step(i);
    }
    step(n - kStep);
    T lanes[kPerVector];
    std::memcpy(lanes, &zero, sizeof(lanes));
    if (fold<Sum>(lanes, kPerVector) != 0) return false;
    std::memcpy(lanes, &top, sizeof(lanes));
    best = fold<Extreme>(lanes, kPerVector);
    Number first[kPerVector];
    std::memcpy(first, &begin, sizeof(first));
    std::int64_t from = n;
    for (int k = 0; k < kPerVector; ++k) {
      if (lanes[k] == best && first[k] < from) from = first[k];
    }
    place = from + place_of(best, x + from);
    return true;
  }
#endif

  static void row(void* acc, const void* x, std::int64_t n, std::int64_t index) {
    constexpr std::int64_t kBlock = 65536 / sizeof(T);  // is still in the caches for its place
    for (std::int64_t i = 0; i < n; i += kBlock) {
      add_block(acc, static_cast<const T*>(x) + i, n - i < kBlock ? n - i : kBlock, index + i);
    }
  }

  /// Where the first true value is, or of minima the first false one; -1 where there is none.
  static std::int64_t truth_in(const T* x, std::int64_t n, T& best) {
    best = __is_same(Op, Argmax) ? 1 : 0;
    const void* found = std::memchr(x, best, static_cast<std::size_t>(n));
    return found == nullptr ? -1 : static_cast<const T*>(found) - x;
  }

  /// Finds the block's extreme first, and its place only when it beats what there was.
  static void add_block(void* acc, const T* x, std::int64_t n, std::int64_t index) {
    T best{};
    std::int64_t place = -1;  // where it is known
    if constexpr (is_float<T>) {
      if (!find_both(x, n, best, place)) best = fold<Extreme>(x, n);
    } else {
      if constexpr (__is_same(In, bool)) place = truth_in(x, n, best);
      if (place < 0) {
        best = Extreme::template identity<T>();
        for (std::int64_t i = 0; i < n; ++i) best = Extreme::combine(best, x[i]);
      }
    }
    const A old{*values(acc), *indices(acc, 1)};
    // With the lowest index an equal value would replace the old one: blocks come in order.
    const A found = Op::combine(old, A{best, old.index});
    const bool unset = old.index == Op::template identity<A>().index;
    const bool changed = found.value != old.value && !(old.value != old.value);
    if (!unset && !changed) return;
    *values(acc) = best;
    *indices(acc, 1) = index + (place >= 0 ? place : place_in(best, x, n));
  }

  /// Compares in batches of rows, with the number of the row kept in an integer as wide as the
  /// values, so that both fit the same vectors.
  static void columns(void* acc, const void* const* rows, int count, std::int64_t n,
                      std::int64_t index) {
    T* __restrict best = values(acc);
    i64* __restrict at = indices(acc, n);
    constexpr std::int64_t kPiece = 128, kColumns = kVectorBytes / sizeof(T);
    using Number = typename SignedOf<sizeof(T)>::type;
    for (std::int64_t first = 0; first < n; first += kPiece) {
      const std::int64_t width = n - first < kPiece ? n - first : kPiece;
      T top[kPiece];
      Number place[kPiece] = {};
      const auto at_row = [=](int k) { return static_cast<const T*>(rows[k]) + first; };
      // Rows come in order, so that an equal value never wins.
      std::int64_t i = 0;
      for (; i + kColumns <= width; i += kColumns) {
        Vector<T> most = load(at_row(0) + i);
        Vector<Number> from = {};
        for (int k = 1; k < count; ++k) {
          const Vector<T> next = load(at_row(k) + i);
          const Vector<Number> number = static_cast<Number>(k) - Vector<Number>{};
#if defined(__AVX512F__)
          if constexpr (is_float<T>) {
            const unsigned take = beats(next, most) | (has_nan(next, next) & ~has_nan(most, most));
            most = select(most, take, next);
            from = select(from, take, number);
            continue;
          }
#endif
          const auto take = beyond(next, most) | ((next != next) & (most == most));
          most = take ? next : most;
          from = take ? number : from;
        }
        std::memcpy(top + i, &most, sizeof(most));
        std::memcpy(place + i, &from, sizeof(from));
      }
      for (; i < width; ++i) {
        top[i] = at_row(0)[i];
        for (int k = 1; k < count; ++k) {
          const T old = top[i], next = at_row(k)[i];
          if (!(beyond(next, old) | ((next != next) & (old == old)))) continue;
          top[i] = next;
          place[i] = static_cast<Number>(k);
        }
      }
      for (i = 0; i < width; ++i) {
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
