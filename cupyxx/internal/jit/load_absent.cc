// SPDX-License-Identifier: MIT
// In a build without CUDA no kernel can be loaded, so none can be launched.
#include "cupyxx/error.h"
#include "cupyxx/export.h"
#include "cupyxx/extension/kernel_slot.h"
#include "cupyxx/internal/gpu/runtime.h"
#include "cupyxx/internal/jit/bundle.h"
#include "cupyxx/internal/jit/kernel.h"
#include "cupyxx/internal/jit/module.h"

namespace cupyxx::internal::jit {
namespace {

[[noreturn]] void absent() { throw DeviceError("cuda: no CUDA device 0; 0 devices present"); }

}  // namespace

CUPYXX_API const Kernel* load(int device, const Program& program) {
  gpu::check_device(program.name.c_str(), device);
  absent();
}
CUPYXX_API bool slots_are_checked() { return false; }
CUPYXX_API void check_slot(int, const Kernel*, const Program&) {}
bool is_bundled(int, const Program&) { absent(); }
void add_bundle(const Bundle&) {}
const Bundle* find_bundle(const Hash128&) { return nullptr; }
void* find_global(int, const Program&, const char*, std::size_t*) { absent(); }
void launch(const Kernel*, const LaunchShape&, void*, const void*) { absent(); }
void launch_with(const Kernel*, const LaunchShape&, void*, void**) { absent(); }
KernelInfo kernel_info(int, const Kernel*) { absent(); }

std::string architecture_of(int device) {
  gpu::check_device("kernel", device);
  absent();
}
const Module* load_module(int, const std::string&, std::string_view) { absent(); }
const Kernel* find_kernel(const Module*, const std::string&, const std::string&) { absent(); }
std::vector<std::string> kernel_names(const Module*) { absent(); }
void* find_global(const Module*, const std::string&, std::size_t*) { absent(); }
bool kernel_parameters(const Kernel*, std::vector<ParameterPlace>*) { absent(); }
int active_blocks(int, const Kernel*, int, std::size_t) { absent(); }
void set_dynamic_shared(int, const Kernel*, int) { absent(); }
void set_carveout(int, const Kernel*, int) { absent(); }

}  // namespace cupyxx::internal::jit
