// SPDX-License-Identifier: MIT
#include "cupyxx/internal/cpu/reduce/families.h"
#include "cupyxx/internal/cpu/reduce/lanes.h"

namespace {

/// The last zero among the elements, of which one at least is zero: lanes forget which of 0 and -0
/// came last, and that is the one that counts.
template <class T>
T last_zero(const T* x, std::int64_t n) {
  constexpr std::int64_t kStep = 64;
  std::int64_t end = n;
  for (; end > kStep; end -= kStep) {
    int zeros = 0;
    for (std::int64_t i = end - kStep; i < end; ++i) zeros += x[i] == 0 ? 1 : 0;
    if (zeros != 0) break;
  }
  while (end > 1 && x[end - 1] != 0) --end;
  return x[end - 1];
}

/// The operation on vectors: of what NaN asks for compilers make two comparisons, of AVX-512's they
/// make vectors, and masks of those.
template <class Op>
struct VectorExtreme : Op {
  template <class A>
  static A combine(A a, A b) {
    [[maybe_unused]] constexpr bool kLargest = __is_same(Op, Amax);
    // The second one where they are equal or either is NaN, then NaN where it was the first.
#if defined(__AVX512F__)
    if constexpr (__is_same(A, Vector<double>)) {
      const __m512d other = kLargest ? _mm512_max_pd(a, b) : _mm512_min_pd(a, b);
      return _mm512_mask_mov_pd(other, _mm512_cmp_pd_mask(a, a, _CMP_UNORD_Q), a);
    } else if constexpr (__is_same(A, Vector<float>)) {
      const __m512 other = kLargest ? _mm512_max_ps(a, b) : _mm512_min_ps(a, b);
      return _mm512_mask_mov_ps(other, _mm512_cmp_ps_mask(a, a, _CMP_UNORD_Q), a);
    }
#elif defined(__AVX2__)
    if constexpr (__is_same(A, Vector<double>)) {
      const __m256d other = kLargest ? _mm256_max_pd(a, b) : _mm256_min_pd(a, b);
      return _mm256_blendv_pd(other, a, _mm256_cmp_pd(a, a, _CMP_UNORD_Q));
    } else if constexpr (__is_same(A, Vector<float>)) {
      const __m256 other = kLargest ? _mm256_max_ps(a, b) : _mm256_min_ps(a, b);
      return _mm256_blendv_ps(other, a, _mm256_cmp_ps(a, a, _CMP_UNORD_Q));
    }
#endif
    return Op::combine(a, b);
  }
};

template <class Op, class In>
struct ExtremeLoops : PlainLoops<Op, In, Value<In>> {
  using T = Value<In>;

  static void row(void* acc, const void* x_, std::int64_t n, std::int64_t) {
    const T* x = static_cast<const T*>(x_);
    T part = Op::template identity<T>();
    if constexpr (is_float<T>) {
      part = fold<VectorExtreme<Op>>(x, n);
      if (part == 0 && n > 0) part = last_zero(x, n);
    } else {
      for (std::int64_t i = 0; i < n; ++i) part = Op::combine(part, x[i]);
    }
    *static_cast<T*>(acc) = Op::combine(*static_cast<T*>(acc), part);
  }

  // In the vectors of the instruction set: compilers see branches in what NaN asks for.
  static void columns(void* acc_, const void* const* rows, int count, std::int64_t n,
                      std::int64_t index) {
    if constexpr (!is_float<T>) {
      PlainLoops<Op, In, T>::columns(acc_, rows, count, n, index);
    } else {
      constexpr std::int64_t kPerVector = kVectorBytes / static_cast<int>(sizeof(T));
      T* acc = static_cast<T*>(acc_);
      std::int64_t i = 0;
      for (; i + kPerVector <= n; i += kPerVector) {
        Vector<T> v = load(acc + i);
        for (int k = 0; k < count; ++k) {
          v = VectorExtreme<Op>::combine(v, load(static_cast<const T*>(rows[k]) + i));
        }
        std::memcpy(acc + i, &v, sizeof(v));
      }
      for (; i < n; ++i) {
        for (int k = 0; k < count; ++k) {
          acc[i] = Op::combine(acc[i], static_cast<const T*>(rows[k])[i]);
        }
      }
    }
  }
};

template <class In>
using Maxima = ExtremeLoops<Amax, In>;
template <class In>
using Minima = ExtremeLoops<Amin, In>;

}  // namespace

namespace cupyxx::internal::cpu::CUPYXX_ARCH {

const ReduceLoops* extreme_loops(ReduceOp op, dtype in) {
  return op == ReduceOp::amax ? TypeTable<Maxima>::find(in) : TypeTable<Minima>::find(in);
}

}  // namespace cupyxx::internal::cpu::CUPYXX_ARCH
