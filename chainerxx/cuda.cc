// SPDX-License-Identifier: MIT
#include "chainerxx/cuda.h"

#include <ostream>
#include <string>

#include "chainerxx/internal/gpu/convolution.h"
#include "cupyxx/array_memory.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"

namespace chainerxx::cuda {

namespace {

int current_id() { return cupyxx::cuda::Device().id(); }

// Makes the current CUDA device that of `id` until the end of the scope, for the stream's sake.
class At {
 public:
  explicit At(int id) : scope_(cupyxx::Device::cuda(id)) {}

 private:
  cupyxx::DeviceScope scope_;
};

void check_stream(const char* operation, cupyxx::Device device, const Stream& stream) {
  if (device.is_cuda() && device.index == stream.device()) return;
  throw cupyxx::DeviceError(std::string(operation) + ": the array is for " + device.name() +
                            ", the stream of cuda:" + std::to_string(stream.device()));
}

}  // namespace

bool available() { return cupyxx::cuda::is_available(); }

bool cudnn_enabled() { return available() && chainerxx::internal::gpu::cudnn_available(); }

void check_cuda_available() {
  if (available()) return;
  throw cupyxx::DeviceError(
      "cuda: no CUDA device can be used; 0 devices present, runtime version " +
      std::to_string(cupyxx::cuda::runtime_version()) + ", driver version " +
      std::to_string(cupyxx::cuda::driver_version()));
}

Device::Device(int id) : id_(cupyxx::cuda::Device(id).id()) {}

void Device::use() const {
  if (!is_dummy()) cupyxx::cuda::Device(id_).use();
}

void Device::synchronize() const {
  if (!is_dummy()) cupyxx::cuda::Device(id_).synchronize();
}

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

using_device::using_device(Device device) {
  if (device.is_dummy()) return;
  previous_ = current_id();
  scope_.emplace(device);
}

using_device::~using_device() {
  if (!scope_) return;
  // A scope goes back to the place of new arrays; where that is the host, the CUDA device is left.
  scope_.reset();
  cupyxx::cuda::Device(previous_).use();
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
  if (array.is_none() || array.device().is_cpu()) return array.to_cpu();
  check_stream("to_cpu", array.device(), stream);
  const At at(stream.device());
  const cupyxx::cuda::StreamScope scope(stream);
  const ndarray source = cupyxx::ascontiguousarray(array);
  const ndarray result = cupyxx::empty_like_pinned(array);
  cupyxx::copy_async(result, source, stream);
  return result;
}

ndarray to_gpu(const ndarray& array) {
  check_cuda_available();
  return array.to_gpu(current_id());
}

ndarray to_gpu(const ndarray& array, Device device) {
  return device.is_dummy() ? to_gpu(array) : array.to_gpu(device.id());
}

ndarray to_gpu(const ndarray& array, Device device, const Stream& stream) {
  const cupyxx::Device target =
      device.is_dummy() ? cupyxx::Device::cuda(stream.device()) : cupyxx::Device(device);
  check_stream("to_gpu", target, stream);
  if (array.is_none() || array.device() == target) return array.to(target);
  const At at(target.index);
  const cupyxx::cuda::StreamScope scope(stream);
  const ndarray source = array.flags().c_contiguous ? array : array.copy();
  const ndarray result = cupyxx::empty(array.shape(), array.dtype());
  cupyxx::copy_async(result, source, stream);
  return result;
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
  check_stream("copy", cupyxx::Device::cuda(stream.device()), stream);
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
