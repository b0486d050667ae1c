// SPDX-License-Identifier: MIT
// Where this thread makes arrays.

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/internal/gpu/current.h"
#include "cupyxx/internal/gpu/runtime.h"

namespace cupyxx {

Device current_device() { return internal::gpu::t_current.arrays; }

void use_device(Device device) { internal::gpu::make_current("use_device", device); }

DeviceScope::DeviceScope(Device device)
    : previous_(current_device()), previous_cuda_(internal::gpu::t_current.cuda) {
  internal::gpu::make_current("DeviceScope", device);
}

DeviceScope::~DeviceScope() { internal::gpu::restore_current(previous_, previous_cuda_); }

namespace internal {

Device current_cuda() { return Device::cuda(gpu::current_device()); }

Device check_cuda(const char* operation, Device device) {
  if (device.is_cuda()) return device;
  throw ValueError(message(operation, ": not a CUDA device; ", device.name()));
}

}  // namespace internal

}  // namespace cupyxx
