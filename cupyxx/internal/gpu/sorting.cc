// SPDX-License-Identifier: MIT
#include "cupyxx/internal/sorting.h"

#include <bit>
#include <utility>

#include "cupyxx/internal/arrays.h"
#include "cupyxx/internal/diagnostics/launch_note.h"
#include "cupyxx/internal/gpu/launcher.h"
#include "cupyxx/internal/gpu/sorting_programs.h"
#include "cupyxx/internal/kernels/scan.h"
#include "cupyxx/internal/kernels/sort.h"

namespace cupyxx::internal::gpu {

namespace {

using Slot = KernelSlot;

Slot& sort_slot(SortKernel kernel, dtype type, bool wide) {
  static Slot slots[6][dtype::kComputeCount][2];
  return slots[static_cast<int>(kernel)][static_cast<int>(type.code())][wide];
}

dtype unsigned_of(dtype type) {
  return type.itemsize() == 1   ? uint8
         : type.itemsize() == 2 ? uint16
         : type.itemsize() == 4 ? uint32
                                : uint64;
}

void sort_long(const SortCall& call, const Launcher& launcher, kernels::SortArgs& args) {
  const dtype type = call.source->dtype(), bits = unsigned_of(type);
  const bool wide = call.n >> 32 != 0;
  const Device device = call.source->device();
  const std::int64_t size = call.rows * call.n;
  args.tiles = (call.n + kernels::kSortTile - 1) / kernels::kSortTile;
  ndarray keys[2], order[2];
  for (int i = 0; i < 2; ++i) {
    keys[i] = make_array(call.operation, {size}, bits, device);
    order[i] = make_array(call.operation, {size}, wide ? uint64 : uint32, device);
    args.keys[i] = launcher.use(&keys[i]);
    args.order[i] = launcher.use(&order[i]);
  }
  const std::int64_t counts_per_row = kernels::kDigits * args.tiles;
  const ndarray counts = make_array(call.operation, {call.rows * counts_per_row}, int64, device);
  args.counts = launcher.use<kernels::i64>(&counts);
  const auto program = [&](SortKernel kernel, dtype of) {
    return [=] { return sort_program(kernel, of, wide); };
  };
  launcher.elements(sort_slot(SortKernel::keys, type, wide), program(SortKernel::keys, type), size,
                    &args);
  for (args.shift = 0; args.shift < 8 * type.itemsize(); args.shift += 8) {
    const std::int64_t blocks = call.rows * args.tiles;
    launcher.blocks(
        sort_slot(SortKernel::count, bits, false),
        [=] { return sort_program(SortKernel::count, bits, false); }, blocks, &args);
    gpu::scan_rows({call.operation, &counts, &counts, call.rows, counts_per_row, false});
    launcher.blocks(sort_slot(SortKernel::scatter, bits, wide), program(SortKernel::scatter, bits),
                    blocks, &args);
    std::swap(args.keys[0], args.keys[1]);
    std::swap(args.order[0], args.order[1]);
  }
  launcher.elements(sort_slot(SortKernel::finish, bits, wide), program(SortKernel::finish, bits),
                    size, &args);
}

}  // namespace

void sort_rows(const SortCall& call) {
  const LaunchNote note([&] { return describe_call(call.operation, {call.source}); });
  if (call.rows == 0 || call.n == 0) return;
  const Launcher launcher(call.source->device());
  kernels::SortArgs args{};
  args.source = launcher.use(call.source);
  args.values = launcher.use(call.values);
  args.places = launcher.use<kernels::i64>(call.places);
  args.rows = call.rows;
  args.n = call.n;
  if (call.n > kernels::kShortRow) return sort_long(call, launcher, args);
  args.width = static_cast<int>(std::bit_ceil(static_cast<std::uint64_t>(call.n)));
  const dtype type = call.source->dtype();
  launcher.blocks(
      sort_slot(SortKernel::short_rows, type, false),
      [=] { return sort_program(SortKernel::short_rows, type, false); }, call.rows, &args);
}

void scan_rows(const ScanCall& call) {
  if (call.rows == 0 || call.n == 0) return;
  static Slot slots[2][2][dtype::kComputeCount];
  const dtype type = call.in->dtype();
  const bool product = call.product, is_short = call.n <= kernels::kScanPerWarp;
  const Launcher launcher(call.in->device());
  kernels::ScanArgs args{};
  args.in = launcher.use(call.in);
  args.out = launcher.use(call.out);
  args.rows = call.rows;
  args.n = call.n;
  args.tiles = (call.n + kernels::kScanTile - 1) / kernels::kScanTile;
  args.groups = (args.tiles + kernels::kScanGroup - 1) / kernels::kScanGroup;
  ndarray flags, parts;
  if (args.tiles > 1) {
    const std::int64_t slots_used = call.rows * (args.tiles + args.groups);
    flags = make_array(call.operation, {1 + slots_used}, uint32, call.in->device());
    parts = make_array(call.operation, {slots_used}, type, call.in->device());
    args.ticket = launcher.use<kernels::u32>(&flags);
    args.flags = args.ticket + 1;
    args.parts = launcher.use<kernels::u32>(&parts);
    set_bytes(args.ticket, 0, static_cast<std::size_t>(flags.nbytes()), launcher.device(),
              launcher.stream());
  }
  const std::int64_t blocks = is_short ? (call.rows + kernels::kScanWarps - 1) / kernels::kScanWarps
                                       : call.rows * args.tiles;
  launcher.blocks(
      slots[product][is_short][static_cast<int>(type.code())],
      [=] { return scan_program(product, is_short, type); }, blocks, &args);
}

void search_sorted(const SearchCall& call) {
  if (call.values->size() == 0) return;
  const Launcher launcher(call.values->device());
  kernels::SearchArgs args{};
  args.sorted = launcher.use(call.sorted);
  args.values = launcher.use(call.values);
  args.out = launcher.use<kernels::i64>(call.out);
  args.n = call.sorted->size();
  args.count = call.values->size();
  args.right = call.right;
  const dtype type = call.sorted->dtype();
  launcher.elements(
      sort_slot(SortKernel::search, type, false),
      [=] { return sort_program(SortKernel::search, type, false); }, args.count, &args);
}

}  // namespace cupyxx::internal::gpu
