// SPDX-License-Identifier: MIT
#if defined(__AVX512BW__)
// GCC 12 warns of what its own header leaves undefined on purpose.
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#pragma GCC diagnostic ignored "-Wuninitialized"
#include <immintrin.h>
#endif

#include "cupyxx/internal/cpu/reduce/families.h"
#include "cupyxx/internal/cpu/reduce/lanes.h"

namespace {

template <class Op, class In>
struct TruthLoops : PlainLoops<Op, In, typename Op::template Acc<In, i64>> {
  using A = typename Op::template Acc<In, i64>;
  using T = Value<In>;

  static void row(void* acc, const void* x_, std::int64_t n, std::int64_t) {
    const T* x = static_cast<const T*>(x_);
    A& total = *static_cast<A*>(acc);
    if constexpr (__is_same(Op, CountNonzero)) {
      total += count(x, n);
    } else {
      // Nothing changes any more once `all` is false or `any` is true.
      constexpr bool kAll = __is_same(Op, All);
      constexpr std::int64_t kPiece = 4096;
      for (std::int64_t i = 0; i < n; i += kPiece) {
        if ((total == 0) == kAll) return;
        const std::int64_t length = n - i < kPiece ? n - i : kPiece;
        const u32 truths = count(x + i, length);
        total = kAll ? truths == length : truths != 0;
      }
    }
  }

  static u32 count(const T* x, std::int64_t n) {
    u32 truths = 0;
    std::int64_t i = 0;
    if constexpr (sizeof(T) == 1) {
#if defined(__AVX512BW__)
      for (; i + 64 <= n; i += 64) {
        const __m512i bytes = _mm512_loadu_si512(x + i);
        truths += static_cast<u32>(__builtin_popcountll(_mm512_test_epi8_mask(bytes, bytes)));
      }
      if (i < n) {
        const __m512i bytes = _mm512_maskz_loadu_epi8((u64{1} << (n - i)) - 1, x + i);
        truths += static_cast<u32>(__builtin_popcountll(_mm512_test_epi8_mask(bytes, bytes)));
      }
      return truths;
#else
      // 255 truths fit a byte.
      constexpr int kVectors = 4, kStep = kVectors * kVectorBytes, kMost = 255;
      while (n - i >= kStep) {
        const std::int64_t steps = (n - i) / kStep < kMost ? (n - i) / kStep : kMost;
        Vector<u8> sums[kVectors] = {};
        for (std::int64_t step = 0; step < steps; ++step, i += kStep) {
          for (int k = 0; k < kVectors; ++k) {
            const Vector<u8> bytes = load(reinterpret_cast<const u8*>(x + i + k * kVectorBytes));
            sums[k] -= reinterpret_cast<Vector<u8>>(bytes != 0);
          }
        }
        u8 bytes[kStep];
        std::memcpy(bytes, sums, sizeof(bytes));
        for (const u8 sum : bytes) truths += sum;
      }
      if (n - i >= kVectorBytes) {
        Vector<u8> sum = {};
        for (; n - i >= kVectorBytes; i += kVectorBytes) {
          const Vector<u8> bytes = load(reinterpret_cast<const u8*>(x + i));
          sum -= reinterpret_cast<Vector<u8>>(bytes != 0);
        }
        u8 bytes[kVectorBytes];
        std::memcpy(bytes, &sum, sizeof(bytes));
        for (const u8 lane : bytes) truths += lane;
      }
#endif
    }
    for (; i < n; ++i) truths += x[i] != 0;
    return truths;
  }
};

template <class In>
using Alls = TruthLoops<All, In>;
template <class In>
using Anys = TruthLoops<Any, In>;
template <class In>
using Counts = TruthLoops<CountNonzero, In>;

}  // namespace

namespace cupyxx::internal::cpu::CUPYXX_ARCH {

const ReduceLoops* truth_loops(ReduceOp op, dtype in) {
  return op == ReduceOp::all   ? TypeTable<Alls>::find(in)
         : op == ReduceOp::any ? TypeTable<Anys>::find(in)
                               : TypeTable<Counts>::find(in);
}

}  // namespace cupyxx::internal::cpu::CUPYXX_ARCH
