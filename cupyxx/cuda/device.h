// SPDX-License-Identifier: MIT
// CUDA devices by number. Compiles and links without CUDA; using a device that is absent throws.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cupyxx/device.h"
#include "cupyxx/export.h"

namespace cupyxx::cuda {

/// Whether this process can use a CUDA device.
CUPYXX_API bool is_available();
/// Number of CUDA devices; 0 without a driver or toolkit.
CUPYXX_API int device_count();
/// The version of the CUDA runtime we are linked with, and the newest that the driver serves: 13000
/// for 13.0. 0 without.
CUPYXX_API int runtime_version();
CUPYXX_API int driver_version();

/// Bytes of a device's memory.
struct MemInfo {
  std::uint64_t free = 0;  ///< of all processes
  std::uint64_t total = 0;
};

/// A CUDA device; a plain value. Converts to cupyxx::Device, so that `DeviceScope
/// scope(cuda::Device(1))` works.
class CUPYXX_API Device {
 public:
  /// The current CUDA device of this thread: the last one that use() or a DeviceScope has chosen,
  /// also while arrays are made on the host; before the first choice CUDA's own (cudaSetDevice).
  Device();
  /// Throws DeviceError when there is no such device.
  explicit Device(int id);
  /// Throws DeviceError when no device has this id, such as "0000:1b:00.0".
  static Device from_pci_bus_id(const std::string& id);

  int id() const { return id_; }
  /// "90" for compute capability 9.0.
  std::string compute_capability() const;
  /// The name of the product.
  std::string product_name() const;
  std::string pci_bus_id() const;
  /// Free and total memory, as the driver sees them: what pools hold is not free.
  MemInfo mem_info() const;
  /// Every attribute by name ("MaxThreadsPerBlock", "L2CacheSize"), in the order of the names.
  std::vector<std::pair<std::string, int>> attributes() const;
  /// One of them; throws ValueError for a name that the device does not have.
  int attribute(std::string_view name) const;
  /// Whether kernels here can use the memory of `peer`. Operations connect devices by themselves.
  bool can_access_peer(Device peer) const;
  /// The cublasHandle_t of this thread on the device, for the program's own calls; set to the
  /// thread's current stream there. cuBLAS is opened by the first call; throws Error without it.
  void* cublas_handle() const;
  /// Makes it the current device of this thread: new arrays, streams, events and pools are there.
  /// A DeviceScope around the call goes back at its end; cupyxx::use_device(Device::cpu()) returns
  /// to arrays on the host.
  void use() const;
  /// Waits for all work on the device, and throws what went wrong in it.
  void synchronize() const;

  operator cupyxx::Device() const {  // NOLINT(google-explicit-constructor)
    return cupyxx::Device::cuda(id_);
  }
  explicit operator int() const { return id_; }
  friend bool operator==(Device a, Device b) { return a.id_ == b.id_; }

 private:
  int id_;
};

/// Prints `<CUDA Device 0>`.
CUPYXX_API std::ostream& operator<<(std::ostream& os, Device device);

}  // namespace cupyxx::cuda
