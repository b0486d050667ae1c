// SPDX-License-Identifier: MIT
#include "cupyxx/ndarray.h"

#include <cstring>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/internal/arrays.h"
#include "cupyxx/internal/diagnostics/memory_events.h"
#include "cupyxx/internal/gpu/runtime.h"
#include "cupyxx/manipulation.h"

namespace cupyxx {

namespace internal {

ndarray make_array(const char* operation, const Shape& shape, dtype type, Device device) {
  std::int64_t elements = 1;
  for (const std::int64_t extent : shape) {
    if (extent < 0) {
      throw ValueError(message(operation, ": negative dimensions are not allowed; ", shape));
    }
  }
  elements = shape.element_count();
  std::int64_t bytes = 0;
  bool is_too_big = __builtin_mul_overflow(elements, type.itemsize(), &bytes);
  // An extent of 0 does not excuse the others, of which strides are products, as in NumPy.
  std::int64_t span = type.itemsize();
  for (int i = 0; elements == 0 && i < shape.ndim(); ++i) {
    is_too_big |= shape[i] != 0 && __builtin_mul_overflow(span, shape[i], &span);
  }
  if (is_too_big) {
    throw ValueError(message(operation, ": array is too big; ", shape, " of ", type.name()));
  }
  const AllocationNote note(operation, type, shape.ndim(), shape.data());
  Storage* storage = allocate(device, static_cast<std::size_t>(bytes));
  return ndarray::adopt(
      new_body(storage, storage->data, type, shape.ndim(), shape.data(), nullptr));
}

void check_aligned(const char* operation, const char* data, dtype type, const Shape& shape,
                   const Strides& strides) {
  const std::int64_t unit = type.is_complex() ? type.itemsize() / 2 : type.itemsize();
  const auto of = [&] { return message(" of the ", unit, " bytes of ", type.name()); };
  for (int i = 0; i < shape.ndim(); ++i) {
    if (shape[i] == 0) return;
  }
  for (int i = 0; i < shape.ndim(); ++i) {
    if (shape[i] > 1 && strides[i] % unit != 0) {
      throw ValueError(message(operation, ": strides ", strides, " are no multiples", of()));
    }
  }
  const std::int64_t beyond = reinterpret_cast<std::intptr_t>(data) % unit;
  if (beyond == 0) return;
  throw ValueError(message(operation, ": the first element lies ", beyond,
                           " bytes behind a multiple", of(), "; copy the bytes first"));
}

ndarray make_view(const ndarray& base, char* data, dtype type, const Shape& shape,
                  const Strides& strides) {
  Body* from = base.body();
  retain(from->storage);
  Body* body = new_body(from->storage, data, type, shape.ndim(), shape.data(), strides.data());
  body->writeable = from->writeable;
  body->owndata = false;
  return ndarray::adopt(body);
}

Device common_device(const char* operation, const ndarray& a, const ndarray& b) {
  const Device x = a.device();
  const Device y = b.device();
  if (x.kind != y.kind) {
    throw TypeError(
        message(operation, ": arrays on different devices: ", x.name(), " and ", y.name()));
  }
  return x;
}

void check_not_none(const char* operation, const ndarray& a) {
  if (a.is_none()) throw TypeError(message(operation, ": the array is None"));
}

bool may_overlap(const ndarray& a, const ndarray& b) {
  const Body* x = a.body();
  const Body* y = b.body();
  if (x->size == 0 || y->size == 0) return false;
  const auto bounds = [](const Body* body, const char*& low, const char*& high) {
    low = body->data;
    high = body->data + body->dtype.itemsize();
    for (int i = 0; i < body->ndim; ++i) {
      const std::int64_t reach = (body->shape[i] - 1) * body->strides[i];
      (reach < 0 ? low : high) += reach;
    }
  };
  const char *x_low, *x_high, *y_low, *y_high;
  bounds(x, x_low, x_high);
  bounds(y, y_low, y_high);
  return x_low < y_high && y_low < x_high;
}

namespace {

std::string describe_array(const ndarray& a) {
  return a.is_none() ? "none" : message(a.shape(), " ", a.dtype().name());
}

}  // namespace

std::string describe_call(const char* operation, std::span<const Operand* const> operands) {
  std::string text = std::string(operation) + "(";
  for (const Operand* operand : operands) {
    if (text.back() != '(') text += ", ";
    text += operand->is_array() ? describe_array(operand->array()) : operand->scalar().str();
  }
  return text + ")";
}

std::string describe_call(const char* operation, std::initializer_list<const ndarray*> arrays) {
  std::string text = std::string(operation) + "(";
  for (const ndarray* a : arrays) {
    if (text.back() != '(') text += ", ";
    text += describe_array(*a);
  }
  return text + ")";
}

ndarray contiguous(const ndarray& a) { return a.body()->c_contiguous ? a : a.copy(); }

}  // namespace internal

using internal::Body;

ndarray ndarray::unset(const Shape& shape, cupyxx::dtype dtype) {
  return internal::make_array("ndarray", shape, dtype, current_device());
}

Body* ndarray::body_of(const char* member) const {
  internal::check_not_none(member, *this);
  return body();
}

Shape ndarray::shape() const {
  const Body* b = body_of("shape");
  return Shape(b->shape, b->ndim);
}
std::int64_t ndarray::shape(int axis) const {
  const Body* b = body_of("shape");
  return b->shape[normalize_axis("shape", axis, b->ndim)];
}
void ndarray::check_rank(int ndim) const {
  const Body* b = body_of("shape");
  if (b->ndim == ndim) return;
  throw ValueError(message("shape: an array with ", ndim, " axes is expected; ", shape()));
}
Strides ndarray::strides() const {
  const Body* b = body_of("strides");
  return Strides(b->strides, b->ndim);
}
cupyxx::dtype ndarray::dtype() const { return body_of("dtype")->dtype; }
int ndarray::ndim() const { return body_of("ndim")->ndim; }
std::int64_t ndarray::size() const { return body_of("size")->size; }
Device ndarray::device() const { return body_of("device")->storage->device; }
void* ndarray::data() const {
  Body* const b = body_of("data");
  internal::expose(b->storage);
  return b->data;
}
void* ndarray::elements() const { return body_of("data")->data; }
std::uint64_t ndarray::version() const {
  return body_of("version")->storage->version.load(std::memory_order_relaxed);
}
Flags ndarray::flags() const {
  const Body* b = body_of("flags");
  return {b->c_contiguous, b->f_contiguous, b->owndata, b->writeable};
}
ndarray ndarray::T() const {
  internal::check_not_none("T", *this);
  return cupyxx::transpose(*this);
}
ndarray ndarray::mT() const {
  const Body* b = body_of("mT");
  if (b->ndim < 2) throw ValueError(message("mT: takes at least two axes; ", shape()));
  return swapaxes(-1, -2);
}
bool ndarray::shares_memory(const ndarray& other) const {
  const internal::Storage& x = *body_of("shares_memory")->storage;
  const internal::Storage& y = *other.body_of("shares_memory")->storage;
  // Memory of others may be wrapped more than once.
  return &x == &y || (x.data < y.data + y.nbytes && y.data < x.data + x.nbytes);
}
void ndarray::set_writeable(bool writeable) { body_of("set_writeable")->writeable = writeable; }

void ndarray::set_shape(const Shape& shape) {
  internal::check_not_none("set_shape", *this);
  const ndarray reshaped = reshape(shape);
  if (!reshaped.shares_memory(*this) || reshaped.body()->data != body()->data) {
    throw ShapeError(
        message("set_shape: shape ", this->shape(), " cannot become ", shape, " without a copy"));
  }
  *this = reshaped;
}

std::int64_t ndarray::len() const {
  const Body* b = body_of("len");
  if (b->ndim == 0) throw TypeError("len: a 0-d array has no length");
  return b->shape[0];
}

ndarray ndarray::copy() const {
  internal::check_not_none("copy", *this);
  ndarray result = internal::make_array("copy", shape(), dtype(), device());
  internal::assign("copy", result, *this);
  return result;
}

ndarray ndarray::copy(Order order) const {
  internal::check_not_none("copy", *this);
  ndarray result = internal::make_ordered("copy", shape(), dtype(), device(), order, *this);
  internal::assign("copy", result, *this);
  return result;
}

ndarray ndarray::astype(cupyxx::dtype type, bool copy) const {
  internal::check_not_none("astype", *this);
  if (!copy && type == dtype()) return *this;
  ndarray result = internal::make_array("astype", shape(), type, device());
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

ndarray ndarray::view() const {
  const Body* b = body_of("view");
  return internal::make_view(*this, b->data, b->dtype, shape(), strides());
}

ndarray ndarray::view(cupyxx::dtype type) const {
  Body* const b = body_of("view");
  if (!type) throw TypeError("view: no dtype is given");
  Shape to = shape();
  Strides steps = strides();
  const std::int64_t old_size = itemsize();
  const std::int64_t new_size = type.itemsize();
  if (new_size != old_size) {
    if (to.empty()) {
      throw ValueError(message("view: a 0-d array of ", dtype().name(),
                               " cannot change its item size to that of ", type.name()));
    }
    const int last = to.ndim() - 1;
    if (steps[last] != old_size && to[last] != 1 && size() != 0) {
      throw ValueError(message(
          "view: the last axis must be contiguous to change the item size; strides ", steps));
    }
    if (to[last] * old_size % new_size != 0) {
      throw ValueError(message("view: the last axis of ", to[last] * old_size,
                               " bytes is no multiple of the ", new_size, " bytes of ",
                               type.name()));
    }
    to[last] = to[last] * old_size / new_size;
    steps[last] = new_size;
  }
  internal::check_aligned("view", b->data, type, to, steps);
  return internal::make_view(*this, b->data, type, to, steps);
}

void ndarray::fill(const Scalar& value) const { internal::assign("fill", *this, value); }

void ndarray::set(const ndarray& source) const { internal::assign("set", *this, source); }

ndarray ndarray::to(Device target) const {
  internal::check_not_none("to", *this);
  if (target.is_cuda()) internal::gpu::check_device("to", target.index);
  const Device source = device();
  if (source == target) return *this;
  // A Fortran-ordered array stays one.
  if (body()->f_contiguous && !body()->c_contiguous) return T().to(target).T();
  namespace gpu = internal::gpu;
  const ndarray from = internal::contiguous(*this);
  ndarray result = internal::make_array("to", shape(), dtype(), target);
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

void ndarray::no_room(std::size_t element_size) const {
  throw OutOfMemoryError(
      message("to_vector: there is no room for ", size(), " elements of ", element_size, " bytes"));
}

void ndarray::copy_to_host(void* out, cupyxx::dtype type) const {
  internal::check_not_none("to_vector", *this);
  const ndarray host = internal::contiguous(astype(type, false).to_cpu());
  // Small element counts dominate; one copy more costs little beside the wait for a device.
  if (host.size() != 0)
    std::memcpy(out, host.body()->data, static_cast<std::size_t>(host.nbytes()));
}

Scalar ndarray::item() const {
  internal::check_not_none("item", *this);
  if (size() != 1) {
    throw ValueError(message("item: only an array of one element has a value; ", shape()));
  }
  const ndarray host = to_cpu();
  const void* element = host.body()->data;
  using C = dtype::Code;
  const auto read = [&]<class T>(T) {
    T value;
    std::memcpy(&value, element, sizeof(T));
    return value;
  };
  switch (dtype().code()) {
    case C::bool_:
      return read(bool{});
    case C::int8:
      return read(std::int8_t{});
    case C::int16:
      return read(std::int16_t{});
    case C::int32:
      return read(std::int32_t{});
    case C::int64:
      return read(std::int64_t{});
    case C::uint8:
      return read(std::uint8_t{});
    case C::uint16:
      return read(std::uint16_t{});
    case C::uint32:
      return read(std::uint32_t{});
    case C::uint64:
      return read(std::uint64_t{});
    case C::float16:
      return static_cast<float>(read(half(0.0f)));
    case C::bfloat16:
      return static_cast<float>(read(bfloat16(0.0f)));
    case C::complex64:
      return read(complex<float>{});
    case C::complex128:
      return read(complex<double>{});
    case C::float32:
      return read(float{});
    case C::float64:
      return read(double{});
    default:
      throw DtypeError(message("item: no C++ number holds ", dtype().name()));
  }
}

ndarray::operator bool() const {
  internal::check_not_none("bool", *this);
  if (size() != 1) {
    throw ValueError(message("bool: the truth value of an array with ", size(),
                             " elements is ambiguous; use any() or all()"));
  }
  return item().is_true();
}

void* ndarray::check_span(cupyxx::dtype type, bool writes) const {
  Body* const b = body_of("span");
  if (!device().is_cpu()) {
    throw TypeError(message("span: the array is on ", device().name(), "; copy it with to_cpu()"));
  }
  if (type != dtype()) {
    throw DtypeError(message("span: the array holds ", dtype().name(), ", not ", type.name()));
  }
  if (!b->c_contiguous) {
    throw ValueError(message("span: the array is not C-contiguous; strides ", strides()));
  }
  if (writes) internal::expose(b->storage);
  return b->data;
}

}  // namespace cupyxx
