// SPDX-License-Identifier: MIT
#include "cupyxx/internal/cpu/reduce/families.h"
#include "cupyxx/internal/cpu/reduce/lanes.h"

namespace {

/// Accumulators are n means, n sums of squares, and one count, for columns have it in common.
template <class Op, class In>
struct MomentLoops {
  using T = Value<In>;
  using A = typename Var::template Acc<In, i64>;
  using F = decltype(A::mean);
  using Out = typename Op::template Out<In>;

  static void start(void* acc, std::int64_t n) { start_plain<F>(acc, 2 * n + 1, F(0)); }

  /// The mean of the block, then the squares of the distances to it, while it is in the cache.
  static void row(void* acc_, const void* x, std::int64_t n, std::int64_t) {
    F* acc = static_cast<F*>(acc_);
    A total{acc[2], acc[0], acc[1]};
    converted<F>(static_cast<const T*>(x), n,
                 [&](std::int64_t, const F* values, std::int64_t count) {
                   const F mean = fold<Sum>(values, count) / static_cast<F>(count);
                   const F squares = fold<Sum>(values, count, [mean](auto value) {
                     const auto delta = value - mean;
                     return delta * delta;
                   });
                   total = Var::combine(total, A{static_cast<F>(count), mean, squares});
                 });
    acc[0] = total.mean;
    acc[1] = total.squares;
    acc[2] = total.count;
  }

  template <int kRows>
  static void batch(F* acc, const T* const* r, std::int64_t n) {
    F* __restrict means = acc;
    F* __restrict squares = acc + n;
    const F before = acc[2 * n], count = before + F(kRows);
    const F weight = F(kRows) / count, spread_weight = before * weight;
    acc[2 * n] = count;
    const T* row[kRows];
    for (int k = 0; k < kRows; ++k) row[k] = r[k];
#pragma GCC ivdep
    for (std::int64_t i = 0; i < n; ++i) {
      F x[kRows], sum = 0, square = 0;
#pragma GCC unroll 8
      for (int k = 0; k < kRows; ++k) x[k] = static_cast<F>(row[k][i]);
#pragma GCC unroll 8
      for (int k = 0; k < kRows; ++k) sum += x[k];
      const F mean = sum * (F(1) / F(kRows));
#pragma GCC unroll 8
      for (int k = 0; k < kRows; ++k) square += (x[k] - mean) * (x[k] - mean);
      const F delta = mean - means[i];
      means[i] += delta * weight;
      squares[i] += square + delta * delta * spread_weight;
    }
  }

  static void columns(void* acc, const void* const* rows, int count, std::int64_t n, std::int64_t) {
    const T* const* r = reinterpret_cast<const T* const*>(rows);
    if (count == internal::cpu::kRowsAtOnce) {
      batch<internal::cpu::kRowsAtOnce>(static_cast<F*>(acc), r, n);
    } else {
      batch<1>(static_cast<F*>(acc), r, n);
    }
  }

  static void merge(void* acc_, const void* other_, std::int64_t n) {
    F* acc = static_cast<F*>(acc_);
    const F* other = static_cast<const F*>(other_);
    const F a_count = acc[2 * n], b_count = other[2 * n];
    for (std::int64_t i = 0; i < n; ++i) {
      const A a = Var::combine(A{a_count, acc[i], acc[n + i]}, A{b_count, other[i], other[n + i]});
      acc[i] = a.mean;
      acc[n + i] = a.squares;
    }
    acc[2 * n] = a_count + b_count;
  }

  static void finish(const void* acc_, std::int64_t n, char* out, std::int64_t out_stride,
                     const Finish& f) {
    const F* acc = static_cast<const F*>(acc_);
    for (std::int64_t i = 0; i < n; ++i) {
      const Out value = Op::template finish<Out>(A{acc[2 * n], acc[i], acc[n + i]}, f);
      std::memcpy(out + i * out_stride, &value, sizeof(value));
    }
  }
};

template <class In>
using Variances = MomentLoops<Var, In>;

/// Standard deviations differ in their end only.
template <class In>
struct Deviations : Variances<In> {
  static constexpr auto finish = MomentLoops<Std, In>::finish;
};

}  // namespace

namespace cupyxx::internal::cpu::CUPYXX_ARCH {

const ReduceLoops* moment_loops(ReduceOp op, dtype in) {
  return op == ReduceOp::var ? TypeTable<Variances>::find(in) : TypeTable<Deviations>::find(in);
}

}  // namespace cupyxx::internal::cpu::CUPYXX_ARCH
