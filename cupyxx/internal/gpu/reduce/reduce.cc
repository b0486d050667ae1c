// SPDX-License-Identifier: MIT
#include "cupyxx/internal/gpu/reduce/reduce.h"

#include <mutex>
#include <vector>

#include "cupyxx/extension/kernel_slot.h"
#include "cupyxx/internal/gpu/capture.h"
#include "cupyxx/internal/gpu/reduce/program.h"
#include "cupyxx/internal/gpu/reduce/shape.h"
#include "cupyxx/internal/gpu/runtime.h"
#include "cupyxx/internal/jit/kernel.h"

namespace cupyxx::internal::gpu {

namespace {

/// The kernel of a variant; after the first call no more than an array access.
const jit::Kernel* find_kernel(int device, ReduceOp op, dtype in, ReduceVariant variant) {
  constexpr int kVariants = kReduceKernelCount * 16;
  static extension::KernelSlot slots[kReduceOpCount][dtype::kComputeCount][kVariants];
  const int number = static_cast<int>(variant.kernel) * 16 + variant.unrounded * 8 +
                     variant.packets * 4 + variant.wide * 2 + static_cast<int>(variant.many);
  return slots[static_cast<int>(op)][static_cast<int>(in.code())][number].get(
      device, [&] { return reduce_program(op, in, variant); });
}

/// Those of a graph, which zeroes them at the start of each run: a run that failed half-way leaves
/// nothing behind.
unsigned* capture_tickets(Capture& capture, std::size_t nbytes) {
  if (capture.tickets == nullptr) {
    Storage* storage = allocate(capture.device(), nbytes);
    set_bytes(storage->data, 0, nbytes, capture.device(), capture.stream());
    capture.keep(storage);
    capture.tickets = reinterpret_cast<unsigned*>(storage->data);
    release(storage);  // the graph has it
  }
  return capture.tickets;
}

}  // namespace

unsigned* reduce_tickets(int device, void* stream) {
  struct Tickets {
    int device;
    void* stream;
    unsigned* counters;
  };
  constexpr std::size_t kBytes = kReduceTickets * sizeof(unsigned);
  if (Capture* capture = capture_on(stream)) return capture_tickets(*capture, kBytes);
  static thread_local Tickets recent{-1, nullptr, nullptr};
  if (recent.device == device && recent.stream == stream) return recent.counters;

  static auto* mutex = new std::mutex;
  static auto* table = new std::vector<Tickets>;
  const std::lock_guard lock(*mutex);
  for (const Tickets& known : *table) {
    if (known.device == device && known.stream == stream) return (recent = known).counters;
  }
  Storage* storage = allocate(device, kBytes);  // kept for ever: streams are few
  set_bytes(storage->data, 0, kBytes, device, stream);
  recent = {device, stream, reinterpret_cast<unsigned*>(storage->data)};
  table->push_back(recent);
  return recent.counters;
}

namespace {

template <int kDims>
void launch(const Reduction& r, const ReduceShape& shape, int device) {
  void* stream = current_stream(device);
  const jit::Kernel* kernel = find_kernel(device, r.op, r.in, shape.variant);
  kernels::ReduceArgs<kDims> args;
  fill_args(r, shape, args);
  if (shape.parts_bytes == 0) {
    jit::launch(kernel, shape.launch, stream, &args);
    return;
  }
  args.tickets = reduce_tickets(device, stream);
  Storage* parts = allocate(device, static_cast<std::size_t>(shape.parts_bytes));
  args.partials = reinterpret_cast<unsigned*>(parts->data);
  try {
    jit::launch(kernel, shape.launch, stream, &args);
  } catch (...) {
    release(parts);
    throw;
  }
  release(parts);
}

}  // namespace

void reduce(const Reduction& r, int device) {
  if (r.kept == 0) return;
  const OnDevice on(device);
  const ReduceShape shape = built_in_shape(r, device_info(device).multiprocessors);
  if (shape.variant.many) {
    launch<kernels::kMaxReduceDims>(r, shape, device);
  } else {
    launch<kernels::kFewReduceDims>(r, shape, device);
  }
}

}  // namespace cupyxx::internal::gpu
