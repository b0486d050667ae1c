// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>

#include "cupyxx/core/body.h"
#include "cupyxx/extension/kernel_slot.h"
#include "cupyxx/internal/gpu/capture.h"
#include "cupyxx/internal/gpu/runtime.h"
#include "cupyxx/internal/random/programs.h"

namespace cupyxx::internal::gpu {
namespace {

constexpr unsigned kThreads = 256;
using extension::KernelSlot;

/// Blocks of threads for `steps` steps, at most `most` for each multiprocessor.
unsigned grid_for(int device, std::uint64_t steps, unsigned threads, unsigned most) {
  const std::uint64_t blocks = (steps + threads - 1) / threads;
  const auto resident = static_cast<std::uint64_t>(device_info(device).multiprocessors) * most;
  return static_cast<unsigned>(std::clamp<std::uint64_t>(blocks, 1, resident));
}

std::uint64_t seed_of(const random::PhiloxStream& stream) {
  return random::join(stream.keys.k0[0], stream.keys.k1[0]);
}

/// In a capture: the kernel launched last, with these arguments, draws from another place in each
/// run. `move(arguments)` follows a change of their stream.
template <class Args, class Move>
void follow_stream(void* stream, const Args& args, Move move) {
  Capture* const capture = capture_on(stream);
  if (capture == nullptr) [[likely]] {
    return;
  }
  const auto place = capture->random_place({seed_of(args.stream), args.stream.offset});
  if (place == nullptr) return;
  capture->vary(args, [place, move](Args& fresh) {
    fresh.stream = random::philox_stream({place->seed, place->offset});
    move(fresh);
  });
}

/// Launches a kernel of a slot for `steps` steps of threads, some of which each thread takes.
template <class Make, class Args>
void launch(KernelSlot& slot, Make make, const ndarray& out, std::int64_t steps, void* stream,
            const Args& args) {
  const int device = out.device().index;
  const jit::Kernel* kernel = slot.get(device, make);
  record_use(out.body()->storage, stream);
  // Far more blocks than are resident at a time: none waits long for the last one.
  const unsigned grid = grid_for(device, static_cast<std::uint64_t>(steps), kThreads, 64);
  jit::launch(kernel, {.grid_x = grid, .block_x = kThreads}, stream, &args);
  follow_stream(stream, args, [](Args&) {});
}

constexpr std::uint64_t kMostInPart = std::uint64_t{1} << 31;

/// Blocks from a place to the end of its row.
std::uint64_t left_in_row(std::uint64_t place) {
  return (std::uint64_t{1} << 32) - random::philox::low(place);
}

/// Makes arguments those of `count` blocks from the block `first` on, in one row of the stream; the
/// first `whole` of all blocks are written whole.
void place_part(kernels::RandomArgs& part, std::uint64_t first, std::uint64_t count,
                std::uint64_t whole) {
  const std::uint64_t place = part.stream.offset + first;
  part.row = part.stream.row(random::philox::high(place));
  part.first = first;
  part.low_word = random::philox::low(place);
  part.count = static_cast<unsigned>(count);
  part.whole =
      static_cast<unsigned>(std::min(count, whole > first ? whole - first : std::uint64_t{0}));
}

}  // namespace

void fill_random(Fill fill, const ndarray& out, const kernels::RandomArgs& args) {
  static KernelSlot slots[kFillCount][dtype::kCount];
  // Integers of a size share a kernel.
  constexpr dtype kUnsigned[] = {uint8, uint16, uint32, uint64};
  const bool is_integer = fill == Fill::short_integers || fill == Fill::long_integers;
  const dtype type =
      is_integer ? kUnsigned[std::countr_zero(static_cast<unsigned>(out.dtype().itemsize()))]
                 : out.dtype();
  const int device = out.device().index;
  const OnDevice on(device);
  void* const stream = current_stream(device);
  const jit::Kernel* kernel = slots[static_cast<int>(fill)][static_cast<int>(type.code())].get(
      device, [=] { return fill_program(fill, type); });
  record_use(out.body()->storage, stream);

  const auto each = static_cast<std::uint64_t>(elements_per_block(fill, type));
  const std::uint64_t blocks = blocks_for(fill, type, args.size);
  const auto pack = std::min<std::uint64_t>(16, each * out.dtype().itemsize());
  const bool aligned = reinterpret_cast<std::uintptr_t>(args.out) % pack == 0;
  const std::uint64_t whole = aligned ? static_cast<std::uint64_t>(args.size) / each : 0;
  const kernels::FillShape shape = kernels::fill_shape(static_cast<unsigned long>(type.itemsize()));
  const auto launch_part = [&](const kernels::RandomArgs& part, std::uint64_t most) {
    const unsigned grid = grid_for(device, most, shape.threads, shape.blocks_per_multiprocessor);
    jit::launch(kernel, {.grid_x = grid, .block_x = shape.threads}, stream, &part);
  };
  kernels::RandomArgs part = args;
  if (capture_on(stream) != nullptr && blocks <= kMostInPart) {
    // Another place in each run: there may be the end of a row between the two parts.
    for (const bool second : {false, true}) {
      const auto cut = [=](kernels::RandomArgs& fresh) {
        const std::uint64_t in_first = std::min(blocks, left_in_row(fresh.stream.offset));
        place_part(fresh, second ? in_first : 0, second ? blocks - in_first : in_first, whole);
      };
      cut(part);
      launch_part(part, blocks);
      follow_stream(stream, part, cut);
    }
    return;
  }
  // One launch for each row of the stream that the blocks lie in, and 2^31 blocks of it.
  for (std::uint64_t first = 0; first < blocks; first += part.count) {
    const std::uint64_t in_row = left_in_row(args.stream.offset + first);
    place_part(part, first, std::min({blocks - first, in_row, kMostInPart}), whole);
    launch_part(part, part.count);
  }
}

void sample_random(Sample sample, const ndarray& out, kernels::SampleArgs args,
                   std::span<const ndarray> arrays) {
  static KernelSlot slots[kSampleCount][2];
  const OnDevice on(out.device().index);
  void* const stream = current_stream(out.device().index);
  for (const ndarray& a : arrays) record_use(a.body()->storage, stream);
  args.error = reinterpret_cast<kernels::ErrorWord*>(error_word(out.device().index, stream));
  args.operation = operation_number(sample_info(sample).name);
  const dtype type = out.dtype();
  launch(
      slots[static_cast<int>(sample)][type == float32],
      [=] { return sample_program(sample, type); }, out, args.size, stream, args);
}

void sample_rows(Rows kind, const ndarray& out, const ndarray& p, kernels::SampleRowsArgs args) {
  static KernelSlot slots[2];
  const OnDevice on(out.device().index);
  void* const stream = current_stream(out.device().index);
  args.error = reinterpret_cast<kernels::ErrorWord*>(error_word(out.device().index, stream));
  const bool counts = kind == Rows::multinomial;
  args.operation = operation_number(counts ? "multinomial" : "dirichlet");
  args.check = counts ? random::Check::probability : random::Check::positive;
  args.adds_up_to_one = counts;
  record_use(p.body()->storage, stream);
  launch(
      slots[static_cast<int>(kind)], [=] { return rows_program(kind); }, out, args.rows, stream,
      args);
}

}  // namespace cupyxx::internal::gpu
