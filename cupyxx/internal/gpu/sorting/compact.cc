// SPDX-License-Identifier: MIT
// What stands where the elements of a mask are true.
#include "cupyxx/internal/kernels/compact.h"

#include <bit>

#include "cupyxx/core/arrays.h"
#include "cupyxx/internal/diagnostics/launch_note.h"
#include "cupyxx/internal/gpu/launcher.h"
#include "cupyxx/internal/gpu/sorting/programs.h"
#include "cupyxx/internal/sorting.h"

namespace cupyxx::internal::gpu {

namespace {

// Counts, waits for the number of true elements, and writes what `program` makes of them.
ndarray compact(const char* operation, const ndarray& mask, const ndarray* source, dtype type,
                int unit, KernelSlot& slot) {
  const Device device = mask.device();
  const std::int64_t n = mask.size();
  if (n == 0) return make_array(operation, {0}, type, device);
  static KernelSlot count_slot;
  const Launcher launcher(device);
  const std::int64_t tiles = (n + kernels::kFlagTile - 1) / kernels::kFlagTile;
  const ndarray counts = make_array(operation, {tiles}, int64, device);
  kernels::CompactArgs args{};
  args.flags = launcher.use<unsigned char>(&mask);
  args.counts = launcher.use<kernels::i64>(&counts);
  args.source = launcher.use(source);
  args.n = n;
  launcher.blocks(count_slot, count_flags_program, tiles, &args);
  gpu::scan_rows({operation, &counts, &counts, 1, tiles, false});
  const auto total = launcher.read_back<std::int64_t>(
      static_cast<const std::int64_t*>(counts.elements()) + tiles - 1);
  ndarray result = make_array(operation, {total}, type, device);
  if (total == 0) return result;
  args.out = launcher.use(&result);
  launcher.blocks(
      slot, [=] { return compact_program(unit); }, tiles, &args);
  return result;
}

}  // namespace

ndarray true_positions(const char* operation, const ndarray& mask) {
  static KernelSlot slot;
  const LaunchNote note([&] { return describe_call(operation, {&mask}); });
  return compact(operation, mask, nullptr, int64, 0, slot);
}

ndarray chosen_elements(const char* operation, const ndarray& source, const ndarray& mask) {
  static KernelSlot slots[5];
  const LaunchNote note([&] { return describe_call(operation, {&source, &mask}); });
  const auto unit = static_cast<unsigned>(source.dtype().itemsize());
  return compact(operation, mask, &source, source.dtype(), static_cast<int>(unit),
                 slots[std::countr_zero(unit)]);
}

}  // namespace cupyxx::internal::gpu
