// SPDX-License-Identifier: MIT
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
    // Nothing changes any more once `all` is false or `any` is true.
    if (__is_same(Op, All) && total == 0) return;
    if (__is_same(Op, Any) && total == 1) return;
    u32 count = 0;
    for (std::int64_t i = 0; i < n; ++i) count += x[i] != 0;
    if constexpr (__is_same(Op, CountNonzero)) {
      total += count;
    } else if constexpr (__is_same(Op, All)) {
      total = count == n;
    } else {
      total = count != 0;
    }
  }
};

template <class In>
using Alls = TruthLoops<All, In>;
template <class In>
using Anys = TruthLoops<Any, In>;
template <class In>
using Counts = TruthLoops<CountNonzero, In>;

}  // namespace

namespace cupyxx::internal::cpu::CUPYXX_ISA {

const ReduceLoops* truth_loops(ReduceOp op, dtype in) {
  return op == ReduceOp::all   ? TypeTable<Alls>::find(in)
         : op == ReduceOp::any ? TypeTable<Anys>::find(in)
                               : TypeTable<Counts>::find(in);
}

}  // namespace cupyxx::internal::cpu::CUPYXX_ISA
