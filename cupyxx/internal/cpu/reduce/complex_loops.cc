// SPDX-License-Identifier: MIT
// The loops of complex types: bound by memory, so that one form serves all instruction sets.
#include "cupyxx/internal/cpu/reduce/lanes.h"

namespace {

/// Combines on eight lanes, then the lanes pairwise.
template <class Op, class A, class T>
A fold_lanes(const T* x, std::int64_t n) {
  constexpr int kLanes = 8;
  A lanes[kLanes];
  for (A& lane : lanes) lane = Op::template identity<A>();
  std::int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    for (int j = 0; j < kLanes; ++j) {
      lanes[j] = Op::combine(lanes[j], Op::template map<A>(x[i + j], 0));
    }
  }
  for (int j = 0; i + j < n; ++j) {
    lanes[j] = Op::combine(lanes[j], Op::template map<A>(x[i + j], 0));
  }
  for (int width = kLanes / 2; width > 0; width /= 2) {
    for (int j = 0; j < width; ++j) lanes[j] = Op::combine(lanes[j], lanes[j + width]);
  }
  return lanes[0];
}

/// Accumulators without a place among the elements.
template <class Op, class In>
struct FoldLoops : PlainLoops<Op, In, typename Op::template Acc<In, i64>, In> {
  using A = typename Op::template Acc<In, i64>;

  static void row(void* acc, const void* x, std::int64_t n, std::int64_t) {
    A& total = *static_cast<A*>(acc);
    total = Op::combine(total, fold_lanes<Op, A>(static_cast<const In*>(x), n));
  }
};

template <class Op, class In>
struct MomentLoops : PlainLoops<Op, In, typename Op::template Acc<In, i64>, In> {
  using A = typename Op::template Acc<In, i64>;
  using Part = RealOf<In>;

  /// The mean of the block, then the squares of the distances to it.
  static void row(void* acc, const void* x_, std::int64_t n, std::int64_t) {
    const In* x = static_cast<const In*>(x_);
    A& total = *static_cast<A*>(acc);
    const auto count = static_cast<Part>(n);
    const In sum = fold_lanes<Sum, In>(x, n);
    const In mean(sum.re / count, sum.im / count);
    Part lanes[4] = {};
    for (std::int64_t i = 0; i < n; ++i) lanes[i % 4] += squared(x[i] - mean);
    total = Var::combine(total, A{count, mean, (lanes[0] + lanes[1]) + (lanes[2] + lanes[3])});
  }

  static void columns(void* acc_, const void* const* rows, int count, std::int64_t n,
                      std::int64_t) {
    A* acc = static_cast<A*>(acc_);
    const In* const* r = reinterpret_cast<const In* const*>(rows);
    constexpr int kRows = internal::cpu::kRowsAtOnce;
    for (std::int64_t i = 0; i < n; ++i) {
      if (count == kRows) {
        In x[kRows];
        for (int k = 0; k < kRows; ++k) x[k] = r[k][i];
        Var::absorb(acc[i], x);
      } else {
        const In x[1] = {r[0][i]};
        Var::absorb(acc[i], x);
      }
    }
  }
};

template <class Op, class In>
struct PlaceLoops {
  using A = Located<In, i64>;

  static void start(void* acc, std::int64_t n) {
    start_plain<A>(acc, n, Op::template identity<A>());
  }
  static void row(void* acc, const void* x_, std::int64_t n, std::int64_t index) {
    const In* x = static_cast<const In*>(x_);
    A best = *static_cast<A*>(acc);
    for (std::int64_t i = 0; i < n; ++i) {
      // Most are behind the best one by their real part alone.
      const bool is_behind =
          __is_same(Op, Argmax) ? x[i].re < best.value.re : x[i].re > best.value.re;
      if (is_behind & (x[i].im == x[i].im) & (best.value.im == best.value.im)) continue;
      best = Op::combine(best, A{x[i], index + i});
    }
    *static_cast<A*>(acc) = best;
  }
  static void columns(void* acc_, const void* const* rows, int count, std::int64_t n,
                      std::int64_t index) {
    A* acc = static_cast<A*>(acc_);
    for (int k = 0; k < count; ++k) {
      const In* x = static_cast<const In*>(rows[k]);
      for (std::int64_t i = 0; i < n; ++i) acc[i] = Op::combine(acc[i], A{x[i], index + k});
    }
  }
  static void merge(void* acc, const void* other, std::int64_t n) {
    A* a = static_cast<A*>(acc);
    const A* b = static_cast<const A*>(other);
    for (std::int64_t i = 0; i < n; ++i) a[i] = Op::combine(a[i], b[i]);
  }
  static void finish(const void* acc, std::int64_t n, char* out, std::int64_t out_stride,
                     const Finish&) {
    const A* a = static_cast<const A*>(acc);
    for (std::int64_t i = 0; i < n; ++i) {
      std::memcpy(out + i * out_stride, &a[i].index, sizeof(i64));
    }
  }
};

template <class L>
constexpr internal::cpu::ReduceLoops table() {
  return {L::start, L::row, L::columns, L::merge, L::finish};
}

/// In the order of ReduceOp.
template <class T>
constexpr internal::cpu::ReduceLoops kLoopsOf[] = {
    table<FoldLoops<Sum, T>>(),     table<FoldLoops<Prod, T>>(),
    table<FoldLoops<Mean, T>>(),    table<MomentLoops<Var, T>>(),
    table<MomentLoops<Std, T>>(),   table<FoldLoops<Amax, T>>(),
    table<FoldLoops<Amin, T>>(),    table<FoldLoops<All, T>>(),
    table<FoldLoops<Any, T>>(),     table<PlaceLoops<Argmax, T>>(),
    table<PlaceLoops<Argmin, T>>(), table<FoldLoops<CountNonzero, T>>(),
    table<FoldLoops<Norm, T>>(),
};
static_assert(sizeof(kLoopsOf<complex<float>>) / sizeof(internal::cpu::ReduceLoops) ==
              internal::kReduceOpCount);

}  // namespace

namespace cupyxx::internal::cpu {

const ReduceLoops* complex_loops(ReduceOp op, dtype in) {
  const auto index = static_cast<int>(op);
  return in == complex64 ? &kLoopsOf<complex<float>>[index] : &kLoopsOf<complex<double>>[index];
}

}  // namespace cupyxx::internal::cpu
