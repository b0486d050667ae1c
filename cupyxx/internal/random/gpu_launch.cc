// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>
#include <bit>

#include "cupyxx/internal/body.h"
#include "cupyxx/internal/gpu/runtime.h"
#include "cupyxx/internal/random/programs.h"

namespace cupyxx::internal::gpu {
namespace {

constexpr unsigned kThreads = 256;
using Slot = std::atomic<const jit::Kernel*>;

/// Launches a kernel of a slot for `steps` steps of threads, some of which each thread takes.
template <class Make>
void launch(Slot& slot, Make make, const ndarray& out, std::int64_t steps, void* stream,
            const void* args) {
  const int device = out.device().index;
  const jit::Kernel* kernel = slot.load(std::memory_order_acquire);
  if (kernel == nullptr) {
    kernel = jit::load(device, make());
    slot.store(kernel, std::memory_order_release);
  }
  record_use(out.body()->storage, stream);
  // Far more blocks than are resident at a time: none waits long for the last one.
  const std::int64_t most = std::int64_t{64} * device_info(device).multiprocessors;
  const std::int64_t grid = std::clamp<std::int64_t>((steps + kThreads - 1) / kThreads, 1, most);
  jit::launch(kernel, {.grid_x = static_cast<unsigned>(grid), .block_x = kThreads}, stream, args);
}

void* enter(const ndarray& out) {
  const int device = out.device().index;
  set_device(device);
  return current_stream(device);
}

}  // namespace

void fill_random(Fill fill, const ndarray& out, const kernels::RandomArgs& args) {
  static Slot slots[kFillCount][dtype::kCount];
  // Integers of a size share a kernel.
  constexpr dtype kUnsigned[] = {uint8, uint16, uint32, uint64};
  const bool is_integer = fill == Fill::short_integers || fill == Fill::long_integers;
  const dtype type =
      is_integer ? kUnsigned[std::countr_zero(static_cast<unsigned>(out.dtype().itemsize()))]
                 : out.dtype();
  launch(
      slots[static_cast<int>(fill)][static_cast<int>(type.code())],
      [=] { return fill_program(fill, type); }, out,
      static_cast<std::int64_t>(blocks_for(fill, type, args.size)), enter(out), &args);
}

void sample_random(Sample sample, const ndarray& out, kernels::SampleArgs args,
                   std::span<const ndarray> arrays) {
  static Slot slots[kSampleCount][2];
  void* const stream = enter(out);
  for (const ndarray& a : arrays) record_use(a.body()->storage, stream);
  args.error = reinterpret_cast<kernels::ErrorWord*>(error_word(out.device().index, stream));
  args.operation = operation_number(sample_info(sample).name);
  const dtype type = out.dtype();
  launch(
      slots[static_cast<int>(sample)][type == float32],
      [=] { return sample_program(sample, type); }, out, args.size, stream, &args);
}

void sample_rows(Rows kind, const ndarray& out, const ndarray& p,
                 const kernels::SampleRowsArgs& args) {
  static Slot slots[2];
  void* const stream = enter(out);
  record_use(p.body()->storage, stream);
  launch(
      slots[static_cast<int>(kind)], [=] { return rows_program(kind); }, out, args.rows, stream,
      &args);
}

}  // namespace cupyxx::internal::gpu
