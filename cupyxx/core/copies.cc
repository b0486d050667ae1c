// SPDX-License-Identifier: MIT
// Copies of arrays: of another dtype, in another order, on another device, as numbers of C++.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "cupyxx/core/arrays.h"
#include "cupyxx/core/order_k.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/internal/cpu/copy_bytes.h"
#include "cupyxx/internal/element_types.h"
#include "cupyxx/internal/gpu/current.h"
#include "cupyxx/internal/gpu/runtime.h"
#include "cupyxx/ndarray.h"

namespace cupyxx {

namespace internal {

ndarray contiguous(const ndarray& a) { return a.body()->c_contiguous ? a : a.copy(Order::C); }

ndarray laid_like(const ndarray& a, const ndarray& like) {
  if (same_dense_layout(*a.body(), *like.body())) return a;
  ndarray copied = make_ordered("copy", a.shape(), a.dtype(), a.device(), Order::K, like);
  assign("copy", copied, a);
  return copied;
}

Shape extents_of(const ndarray& extents) {
  check_not_none("shape", extents);
  if (!extents.dtype().is_integer()) {
    throw TypeError(message("shape: extents must be integers; ", extents.dtype().name()));
  }
  if (extents.ndim() > 1) {
    throw ValueError(message("shape: an array of extents has one axis; ", extents.shape()));
  }
  return extents.to_vector<std::int64_t>();
}

}  // namespace internal

void ndarray::set_shape(const Shape& shape) {
  internal::check_not_none("set_shape", *this);
  const ndarray reshaped = reshape(shape);
  if (!reshaped.shares_memory(*this) || reshaped.body()->data != body()->data) {
    throw ShapeError(
        message("set_shape: shape ", this->shape(), " cannot become ", shape, " without a copy"));
  }
  *this = reshaped;
}

ndarray ndarray::copy() const { return copy(Order::K); }

ndarray ndarray::copy(Choice<Order> order) const {
  internal::check_not_none("copy", *this);
  ndarray result = internal::make_ordered("copy", shape(), dtype(), device(), order, *this);
  internal::assign("copy", result, *this);
  return result;
}

ndarray ndarray::astype(cupyxx::dtype type, bool copy) const {
  internal::check_not_none("astype", *this);
  if (!copy && type == dtype()) return *this;
  ndarray result = internal::make_ordered("astype", shape(), type, device(), Order::K, *this);
  internal::assign("astype", result, *this);
  return result;
}

ndarray ndarray::astype(cupyxx::dtype type, const AstypeOptions& options) const {
  internal::check_not_none("astype", *this);
  if (!can_cast(dtype(), type, options.casting)) {
    throw DtypeError(message("astype: cannot cast from ", dtype().name(), " to ", type.name(),
                             " with casting rule '", name(options.casting), "'"));
  }
  if (!options.copy && type == dtype() && internal::has_order(*this, options.order)) return *this;
  ndarray result = internal::make_ordered("astype", shape(), type, device(), options.order, *this);
  internal::assign("astype", result, *this);
  return result;
}

void ndarray::fill(const Scalar& value) const { internal::assign("fill", *this, value); }

void ndarray::set(const ndarray& source) const { internal::assign("set", *this, source); }

ndarray ndarray::to(Device target) const {
  internal::check_not_none("to", *this);
  namespace gpu = internal::gpu;
  if (gpu::known(target, "to").is_cuda()) gpu::check_device("to", target.index);
  const Device source = device();
  if (source == target) return *this;
  // Its bytes cross as they lie.
  const ndarray from = internal::is_dense(*body()) ? *this : copy(Order::K);
  ndarray result = internal::make_ordered("to", shape(), dtype(), target, Order::K, from);
  const auto bytes = static_cast<std::size_t>(nbytes());
  if (bytes == 0) return result;
  if (source.is_cuda() && target.is_cuda()) {
    gpu::record_use(from.body()->storage, gpu::current_stream(source.index));
    gpu::copy_peer(result.body()->data, target.index, from.body()->data, source.index, bytes);
  } else if (target.is_cuda()) {
    gpu::copy(result.body()->data, from.body()->data, bytes, gpu::CopyKind::host_to_device,
              target.index, gpu::current_stream(target.index));
  } else {
    void* stream = gpu::current_stream(source.index);
    gpu::record_use(from.body()->storage, stream);
    gpu::copy(result.body()->data, from.body()->data, bytes, gpu::CopyKind::device_to_host,
              source.index, stream);
    gpu::synchronize(source.index, stream);
  }
  return result;
}

ndarray ndarray::to_gpu() const {
  internal::check_not_none("to_gpu", *this);
  return to(internal::current_cuda());
}
ndarray ndarray::to_gpu(Device target) const {
  internal::check_not_none("to_gpu", *this);
  return to(internal::check_cuda("to_gpu", target));
}

void ndarray::copy_to_host(void* out, cupyxx::dtype type) const {
  internal::check_not_none("to_vector", *this);
  const ndarray host = internal::contiguous(astype(type, false).to_cpu());
  // Small element counts dominate; one copy more costs little beside the wait for a device.
  if (host.size() != 0) {
    internal::cpu::copy_bytes(out, host.body()->data, static_cast<std::size_t>(host.nbytes()));
  }
}

Scalar ndarray::item(internal::Int64 i) const {
  if (ndim() == 1) return (*this)(std::int64_t{i}).item();
  std::int64_t left = i < 0 ? i + size() : std::int64_t{i};
  if (left < 0 || left >= size()) {
    throw IndexError(message("item: index ", i, " is out of bounds for size ", size()));
  }
  Shape index = shape();
  for (int axis = ndim() - 1; axis >= 0; --axis) {
    const std::int64_t extent = index[axis];
    index[axis] = left % extent;
    left /= extent;
  }
  return (*this)(index).item();
}
Scalar ndarray::item(internal::Int64 i, internal::Int64 j) const {
  return (*this)(std::int64_t{i}, std::int64_t{j}).item();
}
Scalar ndarray::item(internal::Int64 i, internal::Int64 j, internal::Int64 k) const {
  return (*this)(std::int64_t{i}, std::int64_t{j}, std::int64_t{k}).item();
}

Scalar ndarray::item() const {
  internal::check_not_none("item", *this);
  const internal::Body* b = body();
  if (b->size != 1) {
    throw ValueError(message("item: only an array of one element has a value; ", shape()));
  }
  const ndarray host = b->device().is_cpu() ? ndarray() : to_cpu();
  const void* element = host.is_none() ? b->data : host.body()->data;
  Scalar number = 0;
  const bool is_number = internal::with_element_type(b->dtype, [&]<class T>() {
    T value;
    std::memcpy(&value, element, sizeof(T));
    number = value;
  });
  if (!is_number) throw DtypeError(message("item: no C++ number holds ", dtype().name()));
  return number;
}

bool ndarray::truth() const {
  internal::check_not_none("bool", *this);
  if (size() != 1) {
    throw ValueError(message("bool: the truth value of an array with ", size(),
                             " elements is ambiguous; use any() or all()"));
  }
  return item().is_true();
}

namespace {

/// The largest number of an integer type.
std::uint64_t largest(dtype type) {
  const auto bits = 8 * static_cast<int>(type.itemsize()) - (type.is_signed_integer() ? 1 : 0);
  return ~std::uint64_t{0} >> (64 - bits);
}

// Whether an integer type holds a number as it is.
bool holds(dtype type, std::uint64_t x) { return x <= largest(type); }
bool holds(dtype type, std::int64_t x) {
  if (x >= 0) return holds(type, static_cast<std::uint64_t>(x));
  return type.is_signed_integer() && static_cast<std::uint64_t>(-(x + 1)) <= largest(type);
}
bool holds(dtype type, double x) {
  if (!(std::trunc(x) == x) || x >= 0x1p64 || x < -0x1p63) return false;
  return x < 0 ? holds(type, static_cast<std::int64_t>(x))
               : holds(type, static_cast<std::uint64_t>(x));
}

template <class T>
void check_held(const std::vector<T>& numbers, dtype type) {
  for (const T number : numbers) {
    if (holds(type, number)) continue;
    throw ValueError(message("std::vector: ", Scalar(number), " does not fit ", type.name(),
                             "; write to_vector() to cut what does not"));
  }
}

}  // namespace

void ndarray::check_line(cupyxx::dtype type) const {
  internal::check_not_none("std::vector", *this);
  if (ndim() != 1) {
    throw ValueError(message(
        "std::vector: an array of shape ", shape(), " is not one-dimensional; write ",
        ndim() == 0 ? "int(n) for a vector of n elements, or ravel()" : "ravel() or to_vector()"));
  }
  if (dtype().is_complex() && !type.is_complex()) {
    throw TypeError(message("std::vector: complex numbers cannot become ", type.name(),
                            "; write real(), or to_vector() to drop the imaginary parts"));
  }
  if (!type.is_integer() || promote_types(dtype(), type) == type) return;
  if (dtype() == uint64) {
    check_held(to_vector<std::uint64_t>(), type);
  } else if (dtype().is_integer()) {
    check_held(to_vector<std::int64_t>(), type);
  } else {
    check_held(to_vector<double>(), type);
  }
}

}  // namespace cupyxx
