// SPDX-License-Identifier: MIT
#include "cupyxx/internal/random/fill.h"

#include "cupyxx/internal/cpu/arch.h"
#include "cupyxx/internal/cpu/parallel.h"

namespace cupyxx::internal {

int elements_per_block(Fill fill, dtype type) {
  switch (fill) {
    case Fill::short_integers:
      return 4;
    case Fill::long_integers:
      return 2;
    default:
      return type == float64 ? 2 : 4;
  }
}

std::uint64_t blocks_for(Fill fill, dtype type, std::int64_t size) {
  const auto each = static_cast<std::uint64_t>(elements_per_block(fill, type));
  return (static_cast<std::uint64_t>(size) + each - 1) / each;
}

void fill_random(Fill fill, const ndarray& out, kernels::RandomArgs args) {
  args.out = out.elements();
  args.size = out.size();
  if (args.size == 0) return;
  if (out.device().is_cpu()) {
    cpu::fill_random(fill, out.dtype(), args);
  } else {
    gpu::fill_random(fill, out, args);
  }
}

namespace cpu {
namespace {

FillFn find_loop(Fill fill, dtype type) {
  return with_arch(arch(), [&]<Arch kArch>() { return FillLoops<kArch>::find(fill, type); });
}

}  // namespace

void fill_random(Fill fill, dtype type, const kernels::RandomArgs& args) {
  const FillFn loop = find_loop(fill, type);
  const auto blocks = static_cast<std::int64_t>(blocks_for(fill, type, args.size));
  parallel_for(blocks, kGrain / 8,
               [&](std::int64_t begin, std::int64_t end) { loop(args, begin, end); });
}

}  // namespace cpu
}  // namespace cupyxx::internal
