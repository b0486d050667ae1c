// SPDX-License-Identifier: MIT
// One text for host and device: `auto xp = cupyxx::get_array_module(x); xp.zeros(x.shape())`.
#pragma once

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/ndarray.h"

namespace cupyxx {

/// Creates arrays on one device.
class ArrayModule {
 public:
  explicit ArrayModule(Device device) : device_(device) {}

  Device device() const { return device_; }
  bool is_cpu() const { return device_.is_cpu(); }

  ndarray empty(const Shape& shape, cupyxx::dtype dtype = float64) const {
    const DeviceScope scope(device_);
    return cupyxx::empty(shape, dtype);
  }
  ndarray zeros(const Shape& shape, cupyxx::dtype dtype = float64) const {
    const DeviceScope scope(device_);
    return cupyxx::zeros(shape, dtype);
  }
  ndarray ones(const Shape& shape, cupyxx::dtype dtype = float64) const {
    const DeviceScope scope(device_);
    return cupyxx::ones(shape, dtype);
  }
  ndarray full(const Shape& shape, const Operand& value, cupyxx::dtype dtype = {}) const {
    const DeviceScope scope(device_);
    return cupyxx::full(shape, value, dtype);
  }
  ndarray arange(const Scalar& start, const Scalar& stop, const Scalar& step = 1) const {
    const DeviceScope scope(device_);
    return cupyxx::arange(start, stop, step);
  }
  /// The array on this device: itself, or a copy.
  ndarray asarray(const ndarray& a, cupyxx::dtype dtype = {}) const {
    const ndarray here = a.to(device_);
    return dtype ? here.astype(dtype, false) : here;
  }
  /// Calls f() with this device as the current one.
  template <class F>
  auto operator()(F&& f) const {
    const DeviceScope scope(device_);
    return f();
  }

 private:
  Device device_;
};

/// The array on the host: itself, or a copy. Copies synchronise; array_memory.h has asnumpy with a
/// stream.
inline ndarray asnumpy(const ndarray& a) {
  if (a.is_none()) throw TypeError("asnumpy: the array is None");
  return a.to_cpu();
}

/// What creates arrays where the first array on a device is, else on the host. Null arrays do not
/// count.
template <class... A>
ArrayModule get_array_module(const A&... arrays) {
  Device device = Device::cpu();
  const auto look = [&device](const ndarray& a) {
    if (device.is_cpu() && !a.is_none()) device = a.device();
  };
  (look(arrays), ...);
  return ArrayModule(device);
}

}  // namespace cupyxx
