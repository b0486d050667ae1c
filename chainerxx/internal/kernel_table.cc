// SPDX-License-Identifier: MIT
#include "chainerxx/internal/kernel_table.h"

#include <algorithm>
#include <atomic>

#include "cupyxx/internal/body.h"
#include "cupyxx/internal/gpu/runtime.h"

namespace chainerxx::internal {
namespace {

namespace gpu = cupyxx::internal::gpu;
namespace jit = cupyxx::internal::jit;

constexpr int kCount = static_cast<int>(KernelName::count);

}  // namespace

void launch(KernelName name, cupyxx::dtype type, const jit::LaunchShape& shape, const void* args,
            std::initializer_list<const cupyxx::ndarray*> arrays) {
  constexpr int kDevices = 64;
  static std::atomic<const jit::Kernel*> loaded[kCount][3][kDevices];
  const int device = (*arrays.begin())->device().index;
  auto& slot = loaded[static_cast<int>(name)][kernel_type_index(type)][device];
  const jit::Kernel* kernel = slot.load(std::memory_order_acquire);
  const gpu::OnDevice on(device);
  if (kernel == nullptr) {
    add_kernel_bundle();
    kernel = jit::load(device, kernel_program(name, type));
    slot.store(kernel, std::memory_order_release);
  }
  void* const stream = gpu::current_stream(device);
  for (const cupyxx::ndarray* array : arrays) {
    if (!array->is_none()) gpu::record_use(array->body()->storage, stream);
  }
  jit::launch(kernel, shape, stream, args);
}

jit::LaunchShape grid_for(std::int64_t threads, unsigned most_blocks) {
  const std::int64_t blocks = (threads + 255) / 256;
  return {.grid_x = static_cast<unsigned>(std::clamp<std::int64_t>(blocks, 1, most_blocks)),
          .block_x = 256};
}

}  // namespace chainerxx::internal
