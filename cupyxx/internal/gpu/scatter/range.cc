// SPDX-License-Identifier: MIT
#include "cupyxx/internal/kernels/range.h"

#include "cupyxx/internal/gpu/launcher.h"
#include "cupyxx/internal/gpu/scatter/programs.h"
#include "cupyxx/internal/scatter.h"

namespace cupyxx::internal::gpu {

void fill_range(const ndarray& out, double first, double second, std::uint64_t first_bits,
                std::uint64_t second_bits) {
  if (out.size() == 0) return;
  static KernelSlot slots[dtype::kCount];
  const dtype type = out.dtype();
  const Launcher launcher(out.device());
  kernels::RangeArgs args{};
  args.out = launcher.use(&out);
  args.n = out.size();
  args.first = first;
  args.second = second;
  args.first_bits = first_bits;
  args.second_bits = second_bits;
  launcher.elements(
      slots[static_cast<int>(type.code())], [=] { return range_program(type); }, args.n, &args);
}

void fill_linspace(const ndarray& out, const Linspace& numbers) {
  if (out.size() == 0) return;
  static KernelSlot slot;
  const Launcher launcher(out.device());
  kernels::LinspaceArgs args{};
  args.out = launcher.use<double>(&out);
  args.n = out.size();
  args.start = numbers.start;
  args.step = numbers.step;
  args.span = numbers.span;
  args.parts = numbers.parts;
  args.last = numbers.last;
  args.ends = numbers.ends;
  launcher.elements(slot, linspace_program, args.n, &args);
}

}  // namespace cupyxx::internal::gpu
