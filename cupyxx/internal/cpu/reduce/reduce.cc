// SPDX-License-Identifier: MIT
// Splits a reduction into tasks whose borders depend on its shape alone, runs them on the threads,
// and combines their parts in a fixed order.
#include "cupyxx/internal/cpu/reduce/reduce.h"

#include "cupyxx/internal/cpu/arch.h"
#include "cupyxx/internal/cpu/reduce/columns.h"
#include "cupyxx/internal/cpu/reduce/rows.h"

namespace cupyxx::internal::cpu {

namespace {

const ReduceIsa& best_isa() {
  return with_arch(arch(),
                   []<Arch kArch>() -> const ReduceIsa& { return ReduceIsaOf<kArch>::table; });
}

/// Whether to walk along a kept axis rather than along a reduced one.
bool prefers_columns(const Reduction& r) {
  const ReduceAxis& kept = r.kept_axes[r.kept_ndim - 1];
  const ReduceAxis& reduced = r.reduced_axes[r.reduced_ndim - 1];
  if (r.kept == 1) return false;
  if (r.reduced == 1) return true;
  const auto near = [](std::int64_t stride) { return stride < 0 ? -stride : stride; };
  if (near(kept.stride) < near(reduced.stride)) return kept.extent >= 4;
  return r.reduced < 32 && kept.extent >= 32;  // short rows: a column of each at a time
}

}  // namespace

void reduce(const Reduction& reduction, const ReduceIsa& isa) {
  if (reduction.kept == 0) return;
  const ReduceLoops& loops = reduction.in.is_complex() ? *complex_loops(reduction.op, reduction.in)
                                                       : *isa.loops(reduction.op, reduction.in);
  if (prefers_columns(reduction)) {
    reduce_columns(reduction, isa, loops);
  } else {
    reduce_rows(reduction, isa, loops);
  }
}

void reduce(const Reduction& reduction) { reduce(reduction, best_isa()); }

}  // namespace cupyxx::internal::cpu
