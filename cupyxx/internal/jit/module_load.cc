// SPDX-License-Identifier: MIT
#include <cuda.h>

#include <map>
#include <mutex>

#include "cupyxx/error.h"
#include "cupyxx/internal/gpu/check.h"
#include "cupyxx/internal/jit/hash.h"
#include "cupyxx/internal/jit/kernel_table.h"
#include "cupyxx/internal/jit/loaded.h"
#include "cupyxx/internal/jit/module.h"

namespace cupyxx::internal::jit {

struct Module {
  std::string name;
  int device = 0;
  cudaLibrary_t handle = nullptr;
  mutable std::mutex mutex;
  mutable std::map<std::string, Kernel> kernels;  // nodes stay where they are
};

namespace {

const void* as_function(const Kernel* kernel) {
  return reinterpret_cast<const void*>(kernel->handle);
}

}  // namespace

std::string architecture_of(int device) {
  return "sm_" + std::to_string(gpu::device_info(device).compute_capability);
}

const Module* load_module(int device, const std::string& name, std::string_view image) {
  static auto& table = *new KernelTable<Module>;
  const Hash128 key =
      Hasher().add(Hash128{static_cast<std::uint64_t>(device), image.size()}).add(image).result();
  if (const Module* known = table.find(key)) return known;
  const gpu::OnDevice on(device);
  auto* module = new Module;
  module->name = name;
  module->device = device;
  const std::string text(image);  // PTX ends with a zero
  const cudaError_t result =
      cudaLibraryLoadData(&module->handle, text.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0);
  if (result != cudaSuccess) {
    delete module;
    cudaGetLastError();
    gpu::throw_cuda_error(result, message(name, ": the machine code cannot be loaded").c_str());
  }
  Module* kept = table.insert(key, module);
  if (kept != module) {
    cudaLibraryUnload(module->handle);
    delete module;
  }
  return kept;
}

const Kernel* find_kernel(const Module* module, const std::string& name, const std::string& shown) {
  const std::lock_guard lock(module->mutex);
  const auto known = module->kernels.find(name);
  if (known != module->kernels.end()) return &known->second;
  const gpu::OnDevice on(module->device);
  cudaKernel_t handle = nullptr;
  const cudaError_t result = cudaLibraryGetKernel(&handle, module->handle, name.c_str());
  if (result == cudaErrorSymbolNotFound) {
    cudaGetLastError();
    return nullptr;
  }
  gpu::check(result, (module->name + ": cudaLibraryGetKernel").c_str());
  Kernel& kernel = module->kernels[name];
  kernel.handle = handle;
  kernel.library = module->handle;
  kernel.name = shown;
  return &kernel;
}

std::vector<std::string> kernel_names(const Module* module) {
  const gpu::OnDevice on(module->device);
  unsigned count = 0;
  gpu::check(cudaLibraryGetKernelCount(&count, module->handle), "cudaLibraryGetKernelCount");
  std::vector<cudaKernel_t> handles(count);
  gpu::check(cudaLibraryEnumerateKernels(handles.data(), count, module->handle),
             "cudaLibraryEnumerateKernels");
  std::vector<std::string> names;
  for (const cudaKernel_t handle : handles) {
    const char* name = nullptr;
    gpu::check(cudaFuncGetName(&name, reinterpret_cast<const void*>(handle)), "cudaFuncGetName");
    names.emplace_back(name);
  }
  return names;
}

void* find_global(const Module* module, const std::string& name, std::size_t* nbytes) {
  const gpu::OnDevice on(module->device);
  void* address = nullptr;
  if (cudaLibraryGetGlobal(&address, nbytes, module->handle, name.c_str()) == cudaSuccess) {
    return address;
  }
  cudaGetLastError();
  return nullptr;
}

bool kernel_parameters(const Kernel* kernel, std::vector<ParameterPlace>* places) {
  // Since CUDA 12.4; looked up, so that older drivers do.
  static const auto query = []() -> decltype(&::cuKernelGetParamInfo) {
    void* function = nullptr;
    cudaDriverEntryPointQueryResult result{};
    if (cudaGetDriverEntryPointByVersion("cuKernelGetParamInfo", &function, 12040,
                                         cudaEnableDefault, &result) != cudaSuccess ||
        result != cudaDriverEntryPointSuccess) {
      cudaGetLastError();
      return nullptr;
    }
    return reinterpret_cast<decltype(&::cuKernelGetParamInfo)>(function);
  }();
  if (query == nullptr) return false;
  places->clear();
  for (;;) {
    ParameterPlace place;
    const auto handle = reinterpret_cast<CUkernel>(kernel->handle);
    if (query(handle, places->size(), &place.offset, &place.size) != CUDA_SUCCESS) return true;
    places->push_back(place);
  }
}

int active_blocks(int device, const Kernel* kernel, int threads, std::size_t shared_bytes) {
  const gpu::OnDevice on(device);
  int blocks = 0;
  gpu::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, as_function(kernel), threads,
                                                           shared_bytes),
             (kernel->name + ": cudaOccupancyMaxActiveBlocksPerMultiprocessor").c_str());
  return blocks;
}

void set_dynamic_shared(int device, const Kernel* kernel, int bytes) {
  const gpu::OnDevice on(device);
  const cudaError_t result = cudaKernelSetAttributeForDevice(
      kernel->handle, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes, device);
  if (result != cudaSuccess) {
    cudaGetLastError();
    throw ValueError(message(kernel->name, ": the device does not have that much shared memory; ",
                             bytes, " bytes"));
  }
  kernel->shared_bytes[device].store(static_cast<unsigned>(bytes), std::memory_order_relaxed);
}

void set_carveout(int device, const Kernel* kernel, int percent) {
  const gpu::OnDevice on(device);
  gpu::check(cudaKernelSetAttributeForDevice(
                 kernel->handle, cudaFuncAttributePreferredSharedMemoryCarveout, percent, device),
             (kernel->name + ": preferred shared memory").c_str());
}

}  // namespace cupyxx::internal::jit
