// SPDX-License-Identifier: MIT
#include "cupyxx/internal/cpu/reduce/families.h"
#include "cupyxx/internal/cpu/reduce/lanes.h"

namespace {

template <class Op, class In>
struct SumLoops : PlainLoops<Op, In, typename Op::template Acc<In, i64>> {
  using A = typename Op::template Acc<In, i64>;
  using T = Value<In>;

  static void row(void* acc_, const void* x_, std::int64_t n, std::int64_t) {
    const T* x = static_cast<const T*>(x_);
    A acc = *static_cast<A*>(acc_);
    if constexpr (is_float<A>) {
      converted<A>(x, n, [&](std::int64_t, const A* values, std::int64_t count) {
        acc = Op::combine(acc, fold<Op>(values, count, [](auto value) {
                            return Op::template map<decltype(value)>(value, 0);
                          }));
      });
    } else if constexpr (sizeof(T) <= 2 && __is_same(Op, Sum)) {
      // Blocks are short enough for 32-bit sums of 16-bit numbers.
      constexpr std::int64_t kShort = 16384;
      for (std::int64_t i = 0; i < n; i += kShort) {
        const std::int64_t count = n - i < kShort ? n - i : kShort;
        i32 part = 0;
        for (std::int64_t j = 0; j < count; ++j) part += x[i + j];
        acc += static_cast<A>(static_cast<i64>(part));
      }
    } else {
      A part = Op::template identity<A>();
      for (std::int64_t i = 0; i < n; ++i) part = Op::combine(part, static_cast<A>(x[i]));
      acc = Op::combine(acc, part);
    }
    *static_cast<A*>(acc_) = acc;
  }
};

template <class In>
using Sums = SumLoops<Sum, In>;
template <class In>
using Prods = SumLoops<Prod, In>;
template <class In>
using Means = SumLoops<Mean, In>;
template <class In>
using Norms = SumLoops<Norm, In>;

}  // namespace

namespace cupyxx::internal::cpu::CUPYXX_ARCH {

const ReduceLoops* sum_loops(ReduceOp op, dtype in) {
  return op == ReduceOp::sum    ? TypeTable<Sums>::find(in)
         : op == ReduceOp::prod ? TypeTable<Prods>::find(in)
         : op == ReduceOp::mean ? TypeTable<Means>::find(in)
                                : TypeTable<Norms>::find(in);
}

}  // namespace cupyxx::internal::cpu::CUPYXX_ARCH
