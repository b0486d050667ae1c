// SPDX-License-Identifier: MIT
#include "cupyxx/internal/random/fill.h"

#include <algorithm>
#include <atomic>

#include "cupyxx/internal/body.h"
#include "cupyxx/internal/gpu/runtime.h"

namespace cupyxx::internal {

std::uint64_t blocks_for(Distribution distribution, dtype type, std::int64_t size) {
  const std::int64_t per_block = distribution != Distribution::integers && type == float32 ? 4 : 2;
  return static_cast<std::uint64_t>((size + per_block - 1) / per_block);
}

void fill_random(Distribution distribution, const ndarray& out, const kernels::RandomArgs& args) {
  if (args.size == 0) return;
  if (out.device().is_cpu()) {
    cpu::fill_random(distribution, out.dtype(), args);
  } else {
    gpu::fill_random(distribution, out, args);
  }
}

namespace gpu {
namespace {

struct Entry {
  const char* name;
  const char* distribution;
};

constexpr Entry kEntries[] = {{"uniform_float32", "UniformFloat"},
                              {"uniform_float64", "UniformDouble"},
                              {"normal_float32", "NormalFloat"},
                              {"normal_float64", "NormalDouble"},
                              {"random_integers", "Integers"}};

int entry_index(Distribution distribution, dtype type) {
  if (distribution == Distribution::integers) return 4;
  return (distribution == Distribution::normal ? 2 : 0) + (type == float64 ? 1 : 0);
}

}  // namespace

jit::Program random_program(Distribution distribution, dtype type) {
  const Entry& entry = kEntries[entry_index(distribution, type)];
  jit::Program program;
  program.name = entry.name;
  program.text = std::string(
                     "#include \"cupyxx/internal/kernels/random_fill.h\"\n"
                     "using namespace cupyxx::internal::kernels;\n"
                     "extern \"C\" __global__ void kernel(RandomArgs args) {\n"
                     "  random_fill<") +
                 entry.distribution + ">(args);\n}\n";
  return program;
}

void fill_random(Distribution distribution, const ndarray& out, const kernels::RandomArgs& args) {
  constexpr int kDevices = 64;
  static std::atomic<const jit::Kernel*> loaded[std::size(kEntries)][kDevices];
  const int device = out.device().index;
  auto& slot = loaded[entry_index(distribution, out.dtype())][device];
  const jit::Kernel* kernel = slot.load(std::memory_order_acquire);
  set_device(device);
  if (kernel == nullptr) {
    kernel = jit::load(device, random_program(distribution, out.dtype()));
    slot.store(kernel, std::memory_order_release);
  }
  void* const stream = current_stream(device);
  record_use(out.body()->storage, stream);
  const auto blocks = static_cast<std::int64_t>(blocks_for(distribution, out.dtype(), args.size));
  const auto grid = std::clamp<std::int64_t>((blocks + 255) / 256, 1, 2048);
  jit::launch(kernel, {.grid_x = static_cast<unsigned>(grid), .block_x = 256}, stream, &args);
}

}  // namespace gpu
}  // namespace cupyxx::internal
