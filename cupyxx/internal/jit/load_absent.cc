// SPDX-License-Identifier: MIT
// In a build without CUDA no kernel can be loaded, so none can be launched.
#include "cupyxx/error.h"
#include "cupyxx/internal/gpu/runtime.h"
#include "cupyxx/internal/jit/kernel.h"

namespace cupyxx::internal::jit {
namespace {

[[noreturn]] void absent() { throw DeviceError("cuda: no CUDA device 0; 0 devices present"); }

}  // namespace

const Kernel* load(int device, const Program& program) {
  gpu::check_device(program.name.c_str(), device);
  absent();
}
void* find_global(int, const Program&, const char*, std::size_t*) { absent(); }
void launch(const Kernel*, const LaunchShape&, void*, const void*) { absent(); }
void launch_with(const Kernel*, const LaunchShape&, void*, void**) { absent(); }
KernelInfo kernel_info(int, const Kernel*) { absent(); }

}  // namespace cupyxx::internal::jit
