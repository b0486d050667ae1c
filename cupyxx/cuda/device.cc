// SPDX-License-Identifier: MIT
#include "cupyxx/cuda/device.h"

#include "cupyxx/internal/gpu/runtime.h"

namespace cupyxx::cuda {

namespace gpu = internal::gpu;

bool is_available() { return gpu::device_count() > 0; }

int device_count() { return gpu::device_count(); }

Device::Device() : Device(gpu::current_device()) {}

Device::Device(int id) : id_(id) { gpu::check_device("cuda", id); }

std::string Device::compute_capability() const {
  return std::to_string(gpu::device_info(id_).compute_capability);
}

std::string Device::product_name() const { return gpu::device_info(id_).name; }

void Device::use() const { gpu::set_device(id_); }

void Device::synchronize() const { gpu::synchronize_device(id_); }

}  // namespace cupyxx::cuda
