// SPDX-License-Identifier: MIT
#include "cupyxx/extension/cuda_call.h"

#include "cupyxx/internal/gpu/await.h"
#include "cupyxx/internal/gpu/runtime.h"

namespace cupyxx::extension {

namespace gpu = internal::gpu;

OnDevice::OnDevice(int device) : previous_(gpu::bound_device()), device_(device) {
  if (previous_ != device) gpu::set_device(device);
}

OnDevice::~OnDevice() {
  if (previous_ != device_) gpu::return_to_device(previous_);
}

void* current_stream(int device) { return gpu::current_stream(device); }

void await_library(const char* function, int device, void* stream) {
  gpu::await_library(function, device, stream);
}

int multiprocessors(int device) { return gpu::device_info(device).multiprocessors; }

std::size_t total_memory(int device) { return gpu::device_info(device).total_memory; }

std::size_t shared_memory(int device) { return gpu::device_info(device).shared_bytes; }

}  // namespace cupyxx::extension
