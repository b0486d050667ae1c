// SPDX-License-Identifier: MIT
// Included by the files that are compiled once per instruction set. Folds on 256 bytes of lanes, 64
// for few elements: element i goes to lane i modulo the number of lanes, then the upper half of the
// lanes is combined with the lower half until one is left. Each instruction set gives the same
// bits.
#pragma once

#if defined(__AVX512F__)
// GCC 12 warns of what its own header leaves undefined on purpose.
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#pragma GCC diagnostic ignored "-Wuninitialized"
#include <immintrin.h>
#elif defined(__AVX2__)
#include <immintrin.h>
#endif

#include <cstdint>
#include <cstring>

#include "cupyxx/internal/cpu/reduce/loops.h"
#include "cupyxx/internal/element_types.h"
#include "cupyxx/ops/reductions.h"

// Everything below is local to the file, so that the linker cannot take code made for a newer
// processor for that of an older one.
namespace {

using namespace cupyxx;       // NOLINT(google-build-using-namespace)
using namespace cupyxx::ops;  // NOLINT(google-build-using-namespace)

#if defined(__AVX512F__)
constexpr int kVectorBytes = 64;
#elif defined(__AVX2__)
constexpr int kVectorBytes = 32;
#else
constexpr int kVectorBytes = 16;
#endif

template <class T>
struct VectorOf {
  // GCC takes no dependent size behind `using`.
  typedef T type __attribute__((vector_size(kVectorBytes)));  // NOLINT(modernize-use-using)
};
template <class T>
using Vector = typename VectorOf<T>::type;

template <class T>
inline Vector<T> load(const T* x) {
  Vector<T> v;
  std::memcpy(&v, x, sizeof(v));
  return v;
}

// Processors do not look beyond a page of 4 KiB by themselves, and the next one is late.
constexpr int kAhead = 2048;

/// Asks for the line `bytes` behind x, which may lie outside of the array.
inline void prefetch(const void* x, std::int64_t bytes) {
  const auto at = reinterpret_cast<std::intptr_t>(x) + bytes;
  __builtin_prefetch(reinterpret_cast<const void*>(at), 0, 2);
}

/// Combines the first `count` lanes, not all of them, with term(x[i]).
template <class Op, class T, class Term>
inline Vector<T> combine_some(Vector<T> v, const T* x, int count, Term term) {
#if defined(__AVX512F__)
  static_assert(sizeof(T) == 4 || sizeof(T) == 8);
  const auto mask = static_cast<__mmask16>((1U << count) - 1);
  const __m512i next = sizeof(T) == 8 ? _mm512_maskz_loadu_epi64(static_cast<__mmask8>(mask), x)
                                      : _mm512_maskz_loadu_epi32(mask, x);
  const Vector<T> all =
      Op::combine(v, static_cast<Vector<T>>(term(reinterpret_cast<Vector<T>>(next))));
  const auto old = reinterpret_cast<__m512i>(v), bits = reinterpret_cast<__m512i>(all);
  return reinterpret_cast<Vector<T>>(
      sizeof(T) == 8 ? _mm512_mask_mov_epi64(old, static_cast<__mmask8>(mask), bits)
                     : _mm512_mask_mov_epi32(old, mask, bits));
#else
  T lanes[kVectorBytes / static_cast<int>(sizeof(T))];
  std::memcpy(lanes, &v, sizeof(lanes));
  for (int j = 0; j < count; ++j) lanes[j] = Op::combine(lanes[j], term(x[j]));
  std::memcpy(&v, lanes, sizeof(v));
  return v;
#endif
}

/// Combines term(x[i]) over i on kBytes of lanes; there is at least one element for each.
template <int kBytes, class Op, class T, class Term>
inline T fold_on(const T* x, std::int64_t n, Term term) {
  constexpr int kVectors = kBytes / kVectorBytes;
  constexpr int kPerVector = kVectorBytes / static_cast<int>(sizeof(T));
  constexpr int kLanes = kVectors * kPerVector;
  Vector<T> v[kVectors];
#pragma GCC unroll 16
  for (int k = 0; k < kVectors; ++k) v[k] = term(load(x + k * kPerVector));
  std::int64_t i = kLanes;
  for (; i + kLanes <= n; i += kLanes) {
#pragma GCC unroll 16
    for (int k = 0; k < kBytes; k += 64) prefetch(x + i, kAhead + k);
#pragma GCC unroll 16
    for (int k = 0; k < kVectors; ++k) {
      v[k] = Op::combine(v[k], static_cast<Vector<T>>(term(load(x + i + k * kPerVector))));
    }
  }
  // What is left goes to the same lanes: whole vectors, then numbers of one vector. Short rows
  // would take longer to add one number at a time than for all that is before.
  const int rest = static_cast<int>(n - i);
#pragma GCC unroll 16
  for (int k = 0; k < kVectors; ++k) {
    const int left = rest - k * kPerVector;
    const T* from = x + i + k * kPerVector;
    if (left >= kPerVector) {
      v[k] = Op::combine(v[k], static_cast<Vector<T>>(term(load(from))));
    } else if (left > 0) {
      v[k] = combine_some<Op>(v[k], from, left, term);
    }
  }
#pragma GCC unroll 16
  for (int half_count = kVectors / 2; half_count > 0; half_count /= 2) {
#pragma GCC unroll 16
    for (int k = 0; k < half_count; ++k) v[k] = Op::combine(v[k], v[k + half_count]);
  }
  T lanes[kPerVector];
  std::memcpy(lanes, v, sizeof(lanes));
  for (int half_count = kPerVector / 2; half_count > 0; half_count /= 2) {
    for (int k = 0; k < half_count; ++k) lanes[k] = Op::combine(lanes[k], lanes[k + half_count]);
  }
  return lanes[0];
}

template <class Op, class T, class Term>
inline T fold(const T* x, std::int64_t n, Term term) {
  constexpr int kSize = static_cast<int>(sizeof(T));
  if (n >= 256 / kSize) return fold_on<256, Op>(x, n, term);
  if (n >= 64 / kSize) return fold_on<64, Op>(x, n, term);
  T part[4];
  for (T& p : part) p = Op::template identity<T>();
  std::int64_t i = 0;
  for (; i + 4 <= n; i += 4) {
    for (int j = 0; j < 4; ++j) part[j] = Op::combine(part[j], term(x[i + j]));
  }
  for (int j = 0; i + j < n; ++j) part[j] = Op::combine(part[j], term(x[i + j]));
  return Op::combine(Op::combine(part[0], part[1]), Op::combine(part[2], part[3]));
}

template <class Op, class T>
inline T fold(const T* x, std::int64_t n) {
  return fold<Op>(x, n, [](auto value) { return value; });
}

/// Runs body(index, pointer, count) over pieces of the elements converted to A.
template <class A, class T, class Body>
inline void converted(const T* x, std::int64_t n, Body body) {
  if constexpr (__is_same(A, T)) {
    body(0, x, n);
  } else {
    constexpr std::int64_t kPiece = 1024;
    A buffer[kPiece];
    for (std::int64_t i = 0; i < n; i += kPiece) {
      const std::int64_t count = n - i < kPiece ? n - i : kPiece;
      for (std::int64_t j = 0; j < count; ++j) buffer[j] = static_cast<A>(x[i + j]);
      body(i, buffer, count);
    }
  }
}

template <class A>
void start_plain(void* acc, std::int64_t n, A identity) {
  for (std::int64_t i = 0; i < n; ++i) static_cast<A*>(acc)[i] = identity;
}

/// Loops whose accumulators are plain numbers: columns, merge and finish are the same for all.
template <class Op, class In, class A, class T = Value<In>>
struct PlainLoops {
  using Out = typename Op::template Out<In>;

  static void start(void* acc, std::int64_t n) {
    start_plain<A>(acc, n, Op::template identity<A>());
  }

  static A term(T x) { return Op::template map<A>(x, 0); }

  static void columns(void* acc_, const void* const* rows, int count, std::int64_t n,
                      std::int64_t) {
    A* __restrict acc = static_cast<A*>(acc_);
    const T* const* r = reinterpret_cast<const T* const*>(rows);
    if (count == internal::cpu::kRowsAtOnce) {
      const T *r0 = r[0], *r1 = r[1], *r2 = r[2], *r3 = r[3];
      const T *r4 = r[4], *r5 = r[5], *r6 = r[6], *r7 = r[7];
#pragma GCC ivdep
      for (std::int64_t i = 0; i < n; ++i) {
        const A a = Op::combine(term(r0[i]), term(r1[i])),
                b = Op::combine(term(r2[i]), term(r3[i]));
        const A c = Op::combine(term(r4[i]), term(r5[i])),
                d = Op::combine(term(r6[i]), term(r7[i]));
        acc[i] = Op::combine(acc[i], Op::combine(Op::combine(a, b), Op::combine(c, d)));
      }
    } else {
      const T* __restrict r0 = r[0];
      for (std::int64_t i = 0; i < n; ++i) acc[i] = Op::combine(acc[i], term(r0[i]));
    }
  }

  static void merge(void* acc_, const void* other_, std::int64_t n) {
    A* __restrict acc = static_cast<A*>(acc_);
    const A* __restrict other = static_cast<const A*>(other_);
    for (std::int64_t i = 0; i < n; ++i) acc[i] = Op::combine(acc[i], other[i]);
  }

  static void finish(const void* acc, std::int64_t n, char* out, std::int64_t out_stride,
                     const Finish& f) {
    for (std::int64_t i = 0; i < n; ++i) {
      const Out value = Op::template finish<Out>(static_cast<const A*>(acc)[i], f);
      std::memcpy(out + i * out_stride, &value, sizeof(value));
    }
  }
};

/// The loops of `Loops<In>` for the real element types.
template <template <class> class Loops, class Types = internal::RealTypes>
struct TypeTable;
template <template <class> class Loops, class... In>
struct TypeTable<Loops, internal::TypeList<In...>> {
  static constexpr internal::cpu::ReduceLoops kLoops[] = {{Loops<In>::start, Loops<In>::row,
                                                           Loops<In>::columns, Loops<In>::merge,
                                                           Loops<In>::finish}...};
  static const internal::cpu::ReduceLoops* find(dtype in) {
    return &kLoops[static_cast<int>(in.code())];
  }
};

}  // namespace
