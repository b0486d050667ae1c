// SPDX-License-Identifier: MIT
#include "chainerxx/cuda.h"

#include <ostream>
#include <string>

#include "chainerxx/internal/gpu/convolution.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/interop.h"

namespace chainerxx::cuda {

namespace {

// Throws DeviceError when there is no device.
int current_id() { return cupyxx::cuda::Device().id(); }

// Makes the current CUDA device that of `id` until the end of the scope, for the stream's sake.
class At {
 public:
  explicit At(int id) : scope_(cupyxx::Device::cuda(id)) {}

 private:
  cupyxx::DeviceScope scope_;
};

}  // namespace

bool available() { return cupyxx::cuda::is_available(); }

bool cudnn_enabled() { return available() && chainerxx::internal::gpu::cudnn_available(); }

void check_cuda_available() {
  if (available()) return;
  throw cupyxx::DeviceError(cupyxx::message(
      "cuda: no CUDA device can be used; 0 devices present, runtime version ",
      cupyxx::cuda::runtime_version(), ", driver version ", cupyxx::cuda::driver_version()));
}

Device::Device(int id) : id_(cupyxx::cuda::Device(id).id()) {}

void Device::use() const {
  if (!is_dummy()) cupyxx::cuda::Device(id_).use();
}

void Device::synchronize() const {
  if (!is_dummy()) cupyxx::cuda::Device(id_).synchronize();
}

namespace {

cupyxx::cuda::Device real(const char* operation, Device device) {
  if (!device.is_dummy()) return cupyxx::cuda::Device(device.id());
  throw cupyxx::DeviceError(
      cupyxx::message(operation, ": the dummy device has none; it stands for the host"));
}

}  // namespace

std::string Device::compute_capability() const {
  return real("compute_capability", *this).compute_capability();
}

void* Device::cublas_handle() const { return real("cublas_handle", *this).cublas_handle(); }

std::ostream& operator<<(std::ostream& os, Device device) {
  if (device.is_dummy()) return os << "<Dummy Device>";
  return os << "<CUDA Device " << device.id() << '>';
}

Device get_device() { return available() ? Device(current_id()) : Device(); }

Device get_device_from_array(std::initializer_list<const ndarray*> arrays) {
  for (const ndarray* array : arrays) {
    if (!array->is_none() && array->device().is_cuda()) return Device(array->device().index);
  }
  return Device();
}

Device get_device_from_array(const std::vector<ndarray>& arrays) {
  for (const ndarray& array : arrays) {
    const Device device = get_device_from_array({&array});
    if (!device.is_dummy()) return device;
  }
  return Device();
}

using_device::using_device(Device device) {
  if (!device.is_dummy()) scope_.emplace(device);
}

void use_device(Device device) { device.use(); }

void init(int device) {
  check_cuda_available();
  const Device chosen(device);
  chosen.use();
  chosen.synchronize();
}

ndarray to_cpu(const ndarray& array) { return array.to_cpu(); }

ndarray to_cpu(const ndarray& array, const Stream& stream) {
  return cupyxx::internal::get("to_cpu", array, stream);
}

ndarray to_gpu(const ndarray& array) {
  check_cuda_available();
  return array.to_gpu(current_id());
}

ndarray to_gpu(const ndarray& array, Device device) {
  return device.is_dummy() ? to_gpu(array) : array.to_gpu(device.id());
}

ndarray to_gpu(const ndarray& array, Device device, const Stream& stream) {
  check_cuda_available();
  const cupyxx::Device target =
      device.is_dummy() ? cupyxx::Device::cuda(stream.device()) : cupyxx::Device(device);
  return cupyxx::internal::to_cuda("to_gpu", array, target, stream);
}

ndarray copy(const ndarray& array, const ndarray& out, Device out_device) {
  if (!out.is_none()) {
    if (!out_device.is_dummy()) throw cupyxx::TypeError("copy: out and out_device are both given");
    out.set(array);
    return out;
  }
  if (out_device.is_dummy() || cupyxx::Device(out_device) == array.device()) return array.copy();
  return array.to(out_device);
}

ndarray copy(const ndarray& array, const ndarray& out, Device out_device, const Stream& stream) {
  if (stream.device() < 0) return copy(array, out, out_device);  // the host's
  const At at(stream.device());
  const cupyxx::cuda::StreamScope scope(stream);
  return copy(array, out, out_device);
}

cupyxx::ElementwiseKernel elementwise(std::string_view in_params, std::string_view out_params,
                                      std::string_view operation, std::string_view name,
                                      const cupyxx::ElementwiseKernelOptions& options) {
  return cupyxx::ElementwiseKernel(in_params, out_params, operation, name, options);
}

cupyxx::ReductionKernel reduce(std::string_view in_params, std::string_view out_params,
                               std::string_view map_expr, std::string_view reduce_expr,
                               std::string_view post_map_expr, std::string_view identity,
                               std::string_view name,
                               const cupyxx::ReductionKernelOptions& options) {
  return cupyxx::ReductionKernel(in_params, out_params, map_expr, reduce_expr, post_map_expr,
                                 identity, name, options);
}

ndarray empty(const cupyxx::Shape& shape, cupyxx::dtype dtype) {
  check_cuda_available();
  const At at(current_id());
  return cupyxx::empty(shape, dtype);
}

ndarray zeros(const cupyxx::Shape& shape, cupyxx::dtype dtype) {
  check_cuda_available();
  const At at(current_id());
  return cupyxx::zeros(shape, dtype);
}

ndarray ones(const cupyxx::Shape& shape, cupyxx::dtype dtype) {
  check_cuda_available();
  const At at(current_id());
  return cupyxx::ones(shape, dtype);
}

ndarray full(const cupyxx::Shape& shape, const cupyxx::Operand& fill_value, cupyxx::dtype dtype) {
  check_cuda_available();
  const At at(current_id());
  return cupyxx::full(shape, fill_value, dtype);
}

ndarray empty_like(const ndarray& array) { return cupyxx::empty_like(array); }
ndarray zeros_like(const ndarray& array) { return cupyxx::zeros_like(array); }
ndarray ones_like(const ndarray& array) { return cupyxx::ones_like(array); }
ndarray full_like(const ndarray& array, const cupyxx::Operand& fill_value) {
  return cupyxx::full_like(array, fill_value);
}

}  // namespace chainerxx::cuda
