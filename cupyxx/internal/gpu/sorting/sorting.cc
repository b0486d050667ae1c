// SPDX-License-Identifier: MIT
#include "cupyxx/internal/sorting.h"

#include <algorithm>
#include <bit>

#include "cupyxx/core/arrays.h"
#include "cupyxx/internal/diagnostics/launch_note.h"
#include "cupyxx/internal/gpu/launcher.h"
#include "cupyxx/internal/gpu/sorting/programs.h"
#include "cupyxx/internal/kernels/scan.h"
#include "cupyxx/internal/kernels/sort.h"

namespace cupyxx::internal::gpu {

namespace {

KernelSlot& sort_slot(SortKernel kernel, dtype type, bool wide) {
  static KernelSlot slots[kSortKernels][dtype::kComputeCount][2];
  return slots[static_cast<int>(kernel)][static_cast<int>(type.code())][wide];
}

dtype unsigned_of(dtype type) {
  return type.itemsize() == 1   ? uint8
         : type.itemsize() == 2 ? uint16
         : type.itemsize() == 4 ? uint32
                                : uint64;
}

// The steps of a pass over digits, and the tiles that they have in common.
struct Passes {
  SortKernel count, scatter;
  dtype type;
  bool wide;
};

// Sorts by one digit after the other; `order(pass)` says between which arrays.
template <class Order>
void run_passes(const SortCall& call, const Launcher& launcher, kernels::SortArgs& args,
                const Passes& passes, Order order) {
  const int itemsize = static_cast<int>(passes.type.itemsize());
  args.tiles = (call.n + kernels::kSortTile - 1) / kernels::kSortTile;
  const std::int64_t blocks = call.rows * args.tiles, per_row = kernels::kDigits * args.tiles;
  const ndarray counts =
      make_array(call.operation, {call.rows * per_row}, int64, call.source->device());
  args.counts = launcher.use<kernels::i64>(&counts);
  for (int pass = 0; pass < itemsize; ++pass) {
    args.shift = 8 * pass;
    order(pass);
    launcher.blocks(
        sort_slot(passes.count, passes.type, false),
        [&] { return sort_program(passes.count, passes.type, false); }, blocks, &args);
    gpu::scan_rows({call.operation, &counts, &counts, call.rows, per_row, false});
    launcher.blocks(
        sort_slot(passes.scatter, passes.type, passes.wide),
        [&] { return sort_program(passes.scatter, passes.type, passes.wide); }, blocks, &args);
  }
}

// Moves the elements themselves, between a buffer and the result.
void sort_values(const SortCall& call, const Launcher& launcher, kernels::SortArgs& args) {
  const dtype type = call.source->dtype();
  const auto count = static_cast<int>(type.itemsize());
  ndarray buffer;
  if (count > 1) {
    buffer = make_array(call.operation, {call.rows * call.n}, type, call.source->device());
  }
  void* const between = count > 1 ? launcher.use(&buffer) : nullptr;
  run_passes(call, launcher, args,
             {SortKernel::count_values, SortKernel::scatter_values, type, false}, [&](int pass) {
               const bool to_result = (count - pass) % 2 == 1;
               args.from = pass == 0 ? args.source : to_result ? between : args.values;
               args.to = to_result ? args.values : between;
             });
}

// Moves keys with places beside them, and fetches what they stand for.
void sort_places(const SortCall& call, const Launcher& launcher, kernels::SortArgs& args) {
  const dtype type = call.source->dtype(), bits = unsigned_of(type);
  const bool wide = call.n >> 32 != 0;
  const Device device = call.source->device();
  const std::int64_t size = call.rows * call.n;
  ndarray keys[2], order[2];
  void *key[2], *place[2];
  for (int i = 0; i < 2; ++i) {
    keys[i] = make_array(call.operation, {size}, bits, device);
    order[i] = make_array(call.operation, {size}, wide ? uint64 : uint32, device);
    key[i] = launcher.use(&keys[i]);
    place[i] = launcher.use(&order[i]);
  }
  const auto turn = [&](int pass) {
    args.from = key[pass % 2];
    args.to = key[(pass + 1) % 2];
    args.order[0] = place[pass % 2];
    args.order[1] = place[(pass + 1) % 2];
  };
  turn(1);  // the keys' kernel writes what pass 0 reads
  launcher.elements(
      sort_slot(SortKernel::keys, type, wide),
      [=] { return sort_program(SortKernel::keys, type, wide); }, size, &args);
  run_passes(call, launcher, args, {SortKernel::count, SortKernel::scatter, bits, wide}, turn);
  launcher.elements(
      sort_slot(SortKernel::finish, bits, wide),
      [=] { return sort_program(SortKernel::finish, bits, wide); }, size, &args);
}

// Short rows share a block, unless blocks would be too few for the device.
int rows_of_block(std::int64_t rows, int width) {
  constexpr std::int64_t kEnoughBlocks = 1024;
  const std::int64_t most = kernels::kShortRow / width;
  const auto shared = std::clamp<std::int64_t>(rows / kEnoughBlocks, 1, most);
  return static_cast<int>(std::bit_floor(static_cast<std::uint64_t>(shared)));
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
  if (call.n > kernels::kShortRow) {
    return call.places == nullptr ? sort_values(call, launcher, args)
                                  : sort_places(call, launcher, args);
  }
  args.width = static_cast<int>(std::bit_ceil(static_cast<std::uint64_t>(call.n)));
  args.shared = rows_of_block(call.rows, args.width);
  const dtype type = call.source->dtype();
  launcher.blocks(
      sort_slot(SortKernel::short_rows, type, false),
      [=] { return sort_program(SortKernel::short_rows, type, false); },
      (call.rows + args.shared - 1) / args.shared, &args);
}

void scan_rows(const ScanCall& call) {
  if (call.rows == 0 || call.n == 0) return;
  static KernelSlot slots[2][2][dtype::kComputeCount];
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
  ndarray parts;
  if (args.tiles > 1) {
    const std::int64_t words = kernels::scan_words(static_cast<int>(type.itemsize()));
    const std::int64_t count = 1 + call.rows * (args.tiles + args.groups) * words;
    parts = make_array(call.operation, {count}, uint64, call.in->device());
    args.ticket = launcher.use<kernels::u64>(&parts);
    args.parts = args.ticket + 1;
    set_bytes(args.ticket, 0, static_cast<std::size_t>(parts.nbytes()), launcher.device(),
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
