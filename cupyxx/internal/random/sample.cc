// SPDX-License-Identifier: MIT
#include "cupyxx/internal/random/sample.h"

#include "cupyxx/internal/cpu/parallel.h"
#include "cupyxx/internal/random/sample_batches.h"

namespace cupyxx::internal {

void sample_random(Sample sample, const ndarray& out, kernels::SampleArgs args,
                   std::span<const ndarray> arrays) {
  args.out = out.elements();
  args.size = out.size();
  if (args.size == 0) return;
  if (!out.device().is_cpu()) return gpu::sample_random(sample, out, args, arrays);
  const cpu::SampleFn loop =
      is_discrete(sample) ? cpu::discrete_loop(sample) : cpu::continuous_loop(sample, out.dtype());
  if (cpu::sample_batches(sample, out.dtype(), args, loop)) return;
  cpu::parallel_for(args.size, cpu::kGrain / 64,
                    [&](std::int64_t begin, std::int64_t end) { loop(args, begin, end); });
}

void sample_rows(Rows kind, const ndarray& out, const ndarray& p, kernels::SampleRowsArgs args) {
  args.out = out.elements();
  if (args.rows == 0 || args.k == 0) return;
  if (!out.device().is_cpu()) return gpu::sample_rows(kind, out, p, args);
  cpu::sample_rows(kind, args);
}

}  // namespace cupyxx::internal
