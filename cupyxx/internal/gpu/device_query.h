// SPDX-License-Identifier: MIT
// What can be asked about devices, without CUDA types. In a build without CUDA the same functions
// come from runtime_absent.cc and throw DeviceError, except for the versions, which are 0.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace cupyxx::internal::gpu {

/// 13000 for CUDA 13.0; 0 without toolkit or driver.
int runtime_version();
int driver_version();

/// Free and total bytes of a device's memory, of all processes.
std::pair<std::size_t, std::size_t> memory_info(int device);
/// "0000:1b:00.0".
std::string pci_bus_id(int device);
/// Throws DeviceError when no device has the id.
int device_by_pci_bus_id(const std::string& id);
/// Whether kernels on `device` can use the memory of `peer`; false as well when
/// CUPYXX_PEER_ACCESS=off. Makes no connection.
bool can_access_peer(int device, int peer);
/// Throws DeviceError, naming `operation`, unless kernels on `device` can use the memory of `peer`.
void require_peer_access(const char* operation, int device, int peer);
/// Every attribute by the name that CuPy gives it, such as "MaxThreadsPerBlock".
std::vector<std::pair<const char*, int>> device_attributes(int device);
/// The least and the greatest priority of streams, such as 0 and -5.
std::pair<int, int> stream_priority_range(int device);

}  // namespace cupyxx::internal::gpu
