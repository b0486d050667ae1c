// SPDX-License-Identifier: MIT
#include "cupyxx/internal/take.h"

#include <bit>

#include "cupyxx/core/body.h"
#include "cupyxx/extension/kernel_slot.h"
#include "cupyxx/internal/gpu/divider.h"
#include "cupyxx/internal/gpu/elementwise/programs.h"
#include "cupyxx/internal/gpu/runtime.h"
#include "cupyxx/internal/kernels/take.h"

namespace cupyxx::internal::gpu {

void take(const TakeCall& call, int device) {
  const OnDevice on(device);
  void* stream = current_stream(device);
  for (const ndarray* a : {call.source, call.indices, call.out}) {
    record_use(a->body()->storage, stream);
  }
  // The widest unit that divides the slices and both addresses.
  const auto bits = static_cast<std::uint64_t>(call.inner_bytes) |
                    reinterpret_cast<std::uint64_t>(call.source->elements()) |
                    reinterpret_cast<std::uint64_t>(call.out->elements()) | 16;
  const int log = std::countr_zero(bits);
  const int unit = 1 << log;
  kernels::TakeArgs args{};
  args.source = static_cast<const char*>(call.source->elements());
  args.indices = call.indices->elements();
  args.out = static_cast<char*>(call.out->elements());
  args.inner = static_cast<std::uint64_t>(call.inner_bytes / unit);
  args.count = static_cast<std::uint64_t>(call.count);
  args.units = static_cast<std::uint64_t>(call.outer * call.count) * args.inner;
  args.extent = call.extent;
  args.error = reinterpret_cast<kernels::ErrorWord*>(error_word(device, stream));
  args.operation = operation_number(call.operation);
  const bool inside = call.mode == IndexMode::raise && call.refuses_negative;
  args.mode = inside ? kernels::kTakeInside : static_cast<std::uint32_t>(call.mode);
  const bool index64 = call.indices->dtype() != int32;
  const bool wide = args.units >= (std::uint64_t{1} << 31);
  if (!wide) {
    args.inner_divider = make_divider(static_cast<std::int64_t>(args.inner));
    args.count_divider = make_divider(call.count);
  }

  static extension::KernelSlot slots[5][2][2];
  const jit::Kernel* kernel =
      slots[log][index64][wide].get(device, [=] { return take_program(unit, index64, wide); });
  jit::LaunchShape shape;
  shape.block_x = kernels::kBlock;
  constexpr std::uint64_t kPerBlock = kernels::kBlock * kernels::kTakePerThread;
  shape.grid_x = static_cast<unsigned>((args.units + kPerBlock - 1) / kPerBlock);
  jit::launch(kernel, shape, stream, &args);
}

}  // namespace cupyxx::internal::gpu
