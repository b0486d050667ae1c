// SPDX-License-Identifier: MIT
// Devices as the manual has them: choosing, copying, kernels, and what works without CUDA.
//
//   namespace cuda = chainerxx::cuda;
//   auto x = cuda::to_gpu(images);                       // on the current device
//   cuda::using_device scope(cuda::get_device(x));       // nothing happens for a host array
//   auto xp = cuda::get_array_module(x);
#pragma once

#include <concepts>
#include <initializer_list>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "chainerxx/variable.h"
#include "cupyxx/creation.h"
#include "cupyxx/cuda/device.h"
#include "cupyxx/cuda/event.h"
#include "cupyxx/cuda/stream.h"
#include "cupyxx/device.h"
#include "cupyxx/interop.h"
#include "cupyxx/kernel.h"
#include "cupyxx/ndarray.h"

namespace chainerxx::cuda {

namespace cupy = cupyxx;
using cupyxx::clear_memo;
using cupyxx::memoize;
using cupyxx::ndarray;
using cupyxx::cuda::Event;
using cupyxx::cuda::Stream;
/// The name of the days of PyCUDA.
using GPUArray = cupyxx::ndarray;

/// Whether a CUDA device can be used, and cuDNN with it.
CUPYXX_API bool available();
CUPYXX_API bool cudnn_enabled();
/// Throws DeviceError, saying why, unless available().
CUPYXX_API void check_cuda_available();

/// A CUDA device, or the dummy that stands for the host: using it changes nothing.
class CUPYXX_API Device {
 public:
  /// The dummy.
  Device() = default;
  /// Throws DeviceError when there is no such device.
  explicit Device(int id);
  Device(cupyxx::cuda::Device device)  // NOLINT(google-explicit-constructor)
      : id_(device.id()) {}
  /// The dummy for the host. Throws DeviceError when there is no such device.
  Device(cupyxx::Device device)  // NOLINT(google-explicit-constructor)
      : id_(device.is_cpu() ? -1 : Device(device.index).id()) {}

  bool is_dummy() const { return id_ < 0; }
  /// -1 for the dummy.
  int id() const { return id_; }
  explicit operator int() const { return id_; }
  /// The host for the dummy.
  operator cupyxx::Device() const {  // NOLINT(google-explicit-constructor)
    return is_dummy() ? cupyxx::Device::cpu() : cupyxx::Device::cuda(id_);
  }
  /// Makes it the current device of this thread: new arrays, models, streams and random numbers are
  /// there. The dummy changes nothing.
  void use() const;
  /// Waits for all work on the device; the dummy has none.
  void synchronize() const;
  /// "90" for compute capability 9.0. Throws DeviceError for the dummy.
  std::string compute_capability() const;
  /// The cublasHandle_t of this thread on the device, on its current stream there. Throws
  /// DeviceError for the dummy, and Error without cuBLAS.
  void* cublas_handle() const;
  friend bool operator==(Device a, Device b) { return a.id_ == b.id_; }
  friend bool operator==(Device a, cupyxx::Device b) { return cupyxx::Device(a) == b; }

 private:
  int id_ = -1;
};
/// Prints `<CUDA Device 0>` or `<Dummy Device>`.
CUPYXX_API std::ostream& operator<<(std::ostream& os, Device device);

using DummyDeviceType = Device;
inline const Device DummyDevice;

/// The current CUDA device; the dummy without CUDA.
CUPYXX_API Device get_device();
inline Device get_device(cupyxx::None) { return get_device(); }
/// The device of a number. Throws DeviceError.
inline Device get_device(int id) { return Device(id); }
inline Device get_device(Device device) { return device; }
/// The device of the first array that is on one; the dummy for arrays on the host.
CUPYXX_API Device get_device_from_array(std::initializer_list<const ndarray*> arrays);
template <class... A>
requires(sizeof...(A) > 0 && (std::is_convertible_v<const A&, const ndarray&> && ...)) Device
    get_device_from_array(const A&... arrays) {
  return get_device_from_array({&static_cast<const ndarray&>(arrays)...});
}
CUPYXX_API Device get_device_from_array(const std::vector<ndarray>& arrays);
template <class... A>
requires(sizeof...(A) > 0 && (std::is_convertible_v<const A&, const ndarray&> && ...)) Device
    get_device(const A&... arrays) {
  return get_device_from_array(arrays...);
}
inline Device get_device(const Variable& variable) {
  return get_device_from_array(variable.data());
}
/// Numbers, devices and arrays mixed: what the first says that is not on the host.
template <class First, class... Rest>
requires(sizeof...(Rest) > 0 &&
         !(std::is_convertible_v<const First&, const ndarray&> &&
           (std::is_convertible_v<const Rest&, const ndarray&> && ...))) Device
    get_device(const First& first, const Rest&... rest) {
  const Device device = get_device(first);
  return device.is_dummy() ? get_device(rest...) : device;
}
/// The device of a number; None gives the dummy. Throws DeviceError.
inline Device get_device_from_id(int id) { return Device(id); }
inline Device get_device_from_id(cupyxx::None) { return Device(); }

/// Makes a device current until the end of the scope: the one of a number, of an array, or given.
/// New arrays are made there. The dummy changes nothing.
class CUPYXX_API using_device {
 public:
  explicit using_device(Device device);
  explicit using_device(int id) : using_device(Device(id)) {}
  explicit using_device(const ndarray& array) : using_device(get_device_from_array(array)) {}
  using_device(const using_device&) = delete;
  using_device& operator=(const using_device&) = delete;

 private:
  std::optional<cupyxx::DeviceScope> scope_;
};
/// Makes a device current for this thread, until another one is or the scope around it ends. New
/// arrays are made there. The dummy changes nothing.
CUPYXX_API void use_device(Device device);
inline void use_device(int id) { use_device(Device(id)); }
inline void use_device(const ndarray& array) { use_device(get_device_from_array(array)); }
/// Starts CUDA on a device now instead of at the first use, and makes it current. Throws
/// DeviceError without CUDA.
CUPYXX_API void init(int device = 0);

/// The array on the host: itself, or a copy. Without a stream it has arrived; with one the copy is
/// enqueued, into pinned memory, and is there when the stream has been waited for.
CUPYXX_API ndarray to_cpu(const ndarray& array);
CUPYXX_API ndarray to_cpu(const ndarray& array, const Stream& stream);
/// The array on a CUDA device, the current one by default: itself, or a copy. With a stream of that
/// device the copy is enqueued there; pinned memory must stay as it is until it has been waited
/// for, other host memory is done with when this returns. Throws DeviceError without CUDA.
CUPYXX_API ndarray to_gpu(const ndarray& array);
CUPYXX_API ndarray to_gpu(const ndarray& array, Device device);
inline ndarray to_gpu(const ndarray& array, int device) { return to_gpu(array, Device(device)); }
CUPYXX_API ndarray to_gpu(const ndarray& array, Device device, const Stream& stream);
template <std::same_as<int> I>
ndarray to_gpu(const ndarray& array, I device, const Stream& stream) {
  return to_gpu(array, Device(device), stream);
}
/// None is the current device, or with a stream the stream's.
template <std::same_as<cupyxx::None> N>
ndarray to_gpu(const ndarray& array, N) {
  return to_gpu(array);
}
template <std::same_as<cupyxx::None> N>
ndarray to_gpu(const ndarray& array, N, const Stream& stream) {
  return to_gpu(array, Device(), stream);
}
/// A copy between devices: into `out`, or a new array on `out_device`, or where the array is.
/// Throws TypeError when both are given.
CUPYXX_API ndarray copy(const ndarray& array, const ndarray& out = {}, Device out_device = {});
CUPYXX_API ndarray copy(const ndarray& array, const ndarray& out, Device out_device,
                        const Stream& stream);
template <std::same_as<int> I>
ndarray copy(const ndarray& array, const ndarray& out, I out_device) {
  return copy(array, out, Device(out_device));
}
template <std::same_as<int> I>
ndarray copy(const ndarray& array, const ndarray& out, I out_device, const Stream& stream) {
  return copy(array, out, Device(out_device), stream);
}

/// Kernels from text; each text is compiled once. The name is obligatory.
CUPYXX_API cupyxx::ElementwiseKernel elementwise(
    std::string_view in_params, std::string_view out_params, std::string_view operation,
    std::string_view name, const cupyxx::ElementwiseKernelOptions& options = {});
CUPYXX_API cupyxx::ReductionKernel reduce(std::string_view in_params, std::string_view out_params,
                                          std::string_view map_expr, std::string_view reduce_expr,
                                          std::string_view post_map_expr, std::string_view identity,
                                          std::string_view name,
                                          const cupyxx::ReductionKernelOptions& options = {});

namespace internal {
inline const ndarray& array_of(const ndarray& a) { return a; }
inline ndarray array_of(const Variable& v) { return v.is_none() ? ndarray() : v.data(); }
}  // namespace internal

/// What creates arrays where the first of these is that lives on a device, else on the host. Looks
/// into variables.
template <class... A>
cupyxx::ArrayModule get_array_module(const A&... arrays) {
  return cupyxx::get_array_module(internal::array_of(arrays)...);
}

/// New arrays of float32 on the current CUDA device. Deprecated: DeviceScope with cupyxx's own
/// functions, or get_array_module(), say what they do. Throw DeviceError without CUDA.
CUPYXX_API ndarray empty(const cupyxx::Shape& shape, cupyxx::dtype dtype = cupyxx::float32);
CUPYXX_API ndarray zeros(const cupyxx::Shape& shape, cupyxx::dtype dtype = cupyxx::float32);
CUPYXX_API ndarray ones(const cupyxx::Shape& shape, cupyxx::dtype dtype = cupyxx::float32);
CUPYXX_API ndarray full(const cupyxx::Shape& shape, const cupyxx::Operand& fill_value,
                        cupyxx::dtype dtype = cupyxx::float32);
/// The same with the shape and dtype of an array, where it lives.
CUPYXX_API ndarray empty_like(const ndarray& array);
CUPYXX_API ndarray zeros_like(const ndarray& array);
CUPYXX_API ndarray ones_like(const ndarray& array);
CUPYXX_API ndarray full_like(const ndarray& array, const cupyxx::Operand& fill_value);

}  // namespace chainerxx::cuda
