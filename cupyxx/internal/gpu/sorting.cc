// SPDX-License-Identifier: MIT
#include "cupyxx/internal/sorting.h"

#include <algorithm>
#include <atomic>
#include <bit>

#include "cupyxx/creation.h"
#include "cupyxx/internal/arrays.h"
#include "cupyxx/internal/gpu/runtime.h"
#include "cupyxx/internal/gpu/sorting_programs.h"
#include "cupyxx/internal/kernels/scan.h"
#include "cupyxx/internal/kernels/sort.h"
#include "cupyxx/math.h"

namespace cupyxx::internal::gpu {

namespace {

using Slot = std::atomic<const jit::Kernel*>;

/// The stream of a call, and the launches on it.
class Launcher {
 public:
  explicit Launcher(Device device) : device_(device.index) {
    set_device(device_);
    stream_ = current_stream(device_);
  }

  /// The address of an array that the launches use; null for none.
  template <class T = void>
  T* use(const ndarray* a) const {
    if (a == nullptr) return nullptr;
    record_use(a->body()->storage, stream_);
    return static_cast<T*>(a->data());
  }

  /// One block of 256 threads for each of `blocks`.
  template <class Make>
  void blocks(Slot& slot, Make make, std::int64_t blocks, const void* args) const {
    launch(slot, make, blocks, args);
  }

  /// Enough blocks for n elements that the kernel walks over.
  template <class Make>
  void elements(Slot& slot, Make make, std::int64_t n, const void* args) const {
    const std::int64_t most = std::int64_t{64} * device_info(device_).multiprocessors;
    launch(slot, make, std::clamp<std::int64_t>((n + 255) / 256, 1, most), args);
  }

 private:
  template <class Make>
  void launch(Slot& slot, Make make, std::int64_t blocks, const void* args) const {
    const jit::Kernel* kernel = slot.load(std::memory_order_acquire);
    if (kernel == nullptr) {
      kernel = jit::load(device_, make());
      slot.store(kernel, std::memory_order_release);
    }
    jit::launch(kernel, {.grid_x = static_cast<unsigned>(blocks), .block_x = 256}, stream_, args);
  }

  int device_;
  void* stream_;
};

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
  const bool product = call.product;
  const Launcher launcher(call.in->device());
  kernels::ScanArgs args{};
  args.in = launcher.use(call.in);
  args.rows = call.rows;
  args.n = call.n;
  args.chunks = (call.n + kernels::kScanChunk - 1) / kernels::kScanChunk;
  const int code = static_cast<int>(type.code());
  const std::int64_t blocks = call.rows * args.chunks;
  ndarray carry;
  if (args.chunks > 1) {
    carry = make_array(call.operation, {blocks}, type, call.in->device());
    args.out = launcher.use(&carry);
    launcher.blocks(
        slots[product][1][code], [=] { return scan_program(product, true, type); }, blocks, &args);
    gpu::scan_rows({call.operation, &carry, &carry, call.rows, args.chunks, product});
    args.carry = carry.data();
  }
  args.out = launcher.use(call.out);
  launcher.blocks(
      slots[product][0][code], [=] { return scan_program(product, false, type); }, blocks, &args);
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

// Sorting brings the positions of a bin together, in their order; so every sum has one order.
void bincount(const BincountCall& call) {
  if (call.out->size() == 0) return;
  const Device device = call.positions->device();
  const std::int64_t n = call.positions->size(), bins = call.out->size();
  const ndarray sorted = make_array(call.operation, {n}, int64, device);
  const ndarray places = make_array(call.operation, {n}, int64, device);
  gpu::sort_rows(
      {call.operation, call.positions, &sorted, call.weights == nullptr ? nullptr : &places, 1, n});
  const DeviceScope scope(device);
  const ndarray numbers = arange(bins);
  const ndarray first = make_array(call.operation, {bins}, int64, device);
  const ndarray last = make_array(call.operation, {bins}, int64, device);
  gpu::search_sorted({call.operation, &sorted, &numbers, &first, false});
  gpu::search_sorted({call.operation, &sorted, &numbers, &last, true});
  if (call.weights == nullptr) {
    subtract(last, first, {.out = *call.out});
    return;
  }
  static Slot slot;
  const ndarray ordered = call.weights->take(places);
  const Launcher launcher(device);
  kernels::SegmentArgs args{};
  args.values = launcher.use<double>(&ordered);
  args.first = launcher.use<kernels::i64>(&first);
  args.last = launcher.use<kernels::i64>(&last);
  args.out = launcher.use<double>(call.out);
  args.segments = bins;
  launcher.elements(slot, segment_program, bins, &args);
}

ndarray true_positions(const char* operation, const ndarray& mask) {
  const Device device = mask.device();
  const std::int64_t n = mask.size();
  if (n == 0) return make_array(operation, {0}, int64, device);
  const ndarray count = mask.reshape({n}).astype(int64);
  gpu::scan_rows({operation, &count, &count, 1, n, false});
  const auto total = count(-1).item<std::int64_t>();
  ndarray result = make_array(operation, {total}, int64, device);
  if (total == 0) return result;
  static Slot slot;
  const Launcher launcher(device);
  kernels::CompactArgs args{};
  args.flags = launcher.use<unsigned char>(&mask);
  args.count = launcher.use<kernels::i64>(&count);
  args.out = launcher.use<kernels::i64>(&result);
  args.n = n;
  launcher.elements(slot, compact_program, n, &args);
  return result;
}

}  // namespace cupyxx::internal::gpu
