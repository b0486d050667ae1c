// SPDX-License-Identifier: MIT
#include "cupyxx/cuda/device.h"

#include <ostream>

#include "cupyxx/error.h"
#include "cupyxx/internal/gpu/blas/cublas_handle.h"
#include "cupyxx/internal/gpu/current.h"
#include "cupyxx/internal/gpu/device_query.h"
#include "cupyxx/internal/gpu/runtime.h"

namespace cupyxx::cuda {

namespace gpu = internal::gpu;

bool is_available() { return gpu::device_count() > 0; }

int device_count() { return gpu::device_count(); }

int runtime_version() { return gpu::runtime_version(); }

int driver_version() { return gpu::driver_version(); }

Device::Device() : Device(gpu::current_device()) {}

Device::Device(int id) : id_(id) { gpu::check_device("cuda", id); }

Device Device::from_pci_bus_id(const std::string& id) {
  return Device(gpu::device_by_pci_bus_id(id));
}

std::string Device::compute_capability() const {
  return std::to_string(gpu::device_info(id_).compute_capability);
}

std::string Device::product_name() const { return gpu::device_info(id_).name; }

std::string Device::pci_bus_id() const { return gpu::pci_bus_id(id_); }

MemInfo Device::mem_info() const {
  const auto [free, total] = gpu::memory_info(id_);
  return {free, total};
}

std::vector<std::pair<std::string, int>> Device::attributes() const {
  const auto found = gpu::device_attributes(id_);
  return {found.begin(), found.end()};
}

int Device::attribute(std::string_view name) const {
  for (const auto& [known, value] : gpu::device_attributes(id_)) {
    if (name == known) return value;
  }
  throw ValueError(message("attribute: the device has none of this name; \"", name, "\""));
}

bool Device::can_access_peer(Device peer) const { return gpu::can_access_peer(id_, peer.id_); }

void* Device::cublas_handle() const { return gpu::cublas_handle(id_); }

void Device::use() const { gpu::make_current("use", cupyxx::Device::cuda(id_)); }

void Device::synchronize() const { gpu::synchronize_device(id_); }

std::ostream& operator<<(std::ostream& os, Device device) {
  return os << "<CUDA Device " << device.id() << '>';
}

}  // namespace cupyxx::cuda
