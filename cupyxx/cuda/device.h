// SPDX-License-Identifier: MIT
// CUDA devices by number. Compiles and links without CUDA; using a device that is absent throws.
#pragma once

#include <string>

#include "cupyxx/device.h"
#include "cupyxx/export.h"

namespace cupyxx::cuda {

/// Whether this process can use a CUDA device.
CUPYXX_API bool is_available();
/// Number of CUDA devices; 0 without a driver or toolkit.
CUPYXX_API int device_count();

/// A CUDA device; converts to cupyxx::Device.
class CUPYXX_API Device {
 public:
  /// The current CUDA device of this thread.
  Device();
  /// Throws DeviceError when there is no such device.
  explicit Device(int id);

  int id() const { return id_; }
  /// "90" for compute capability 9.0.
  std::string compute_capability() const;
  /// The name of the product.
  std::string product_name() const;
  /// Makes it the current device of this thread.
  void use() const;
  /// Waits for all work on the device.
  void synchronize() const;

  operator cupyxx::Device() const {  // NOLINT(google-explicit-constructor)
    return cupyxx::Device::cuda(id_);
  }
  explicit operator int() const { return id_; }
  friend bool operator==(Device a, Device b) { return a.id_ == b.id_; }

 private:
  int id_;
};

}  // namespace cupyxx::cuda
