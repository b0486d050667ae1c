// SPDX-License-Identifier: MIT
#include "cupyxx/internal/cpu/reduce/families.h"
#include "cupyxx/internal/cpu/reduce/lanes.h"

namespace {

template <class Op, class In>
struct ExtremeLoops : PlainLoops<Op, In, Value<In>> {
  using T = Value<In>;

  static void row(void* acc, const void* x_, std::int64_t n, std::int64_t) {
    const T* x = static_cast<const T*>(x_);
    T part = Op::template identity<T>();
    if constexpr (is_float<T>) {
      part = fold<Op>(x, n);
    } else {
      for (std::int64_t i = 0; i < n; ++i) part = Op::combine(part, x[i]);
    }
    *static_cast<T*>(acc) = Op::combine(*static_cast<T*>(acc), part);
  }
};

template <class In>
using Maxima = ExtremeLoops<Amax, In>;
template <class In>
using Minima = ExtremeLoops<Amin, In>;

}  // namespace

namespace cupyxx::internal::cpu::CUPYXX_ISA {

const ReduceLoops* extreme_loops(ReduceOp op, dtype in) {
  return op == ReduceOp::amax ? TypeTable<Maxima>::find(in) : TypeTable<Minima>::find(in);
}

}  // namespace cupyxx::internal::cpu::CUPYXX_ISA
