// SPDX-License-Identifier: MIT
// The array itself: making, looking at and sharing it. What computes or copies elements is in
// copies.cc.
#include "cupyxx/ndarray.h"

#include <atomic>
#include <string>

#include "cupyxx/core/arrays.h"
#include "cupyxx/core/order_k.h"
#include "cupyxx/core/owed_zeros.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/extension/none_reason.h"
#include "cupyxx/internal/diagnostics/memory_events.h"

namespace cupyxx {

namespace internal {

namespace {

// Memory for the elements of an array.
Storage* allocate_for(const char* operation, const Shape& shape, dtype type, Device device) {
  for (const std::int64_t extent : shape) {
    if (extent < 0) {
      throw ValueError(message(operation, ": negative dimensions are not allowed; ", shape));
    }
  }
  const std::int64_t elements = shape.element_count();
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
  return allocate(device, static_cast<std::size_t>(bytes));
}

}  // namespace

ndarray make_array(const char* operation, const Shape& shape, dtype type, Device device) {
  Storage* storage = allocate_for(operation, shape, type, device);
  return ndarray::adopt(
      new_body(storage, storage->data, type, shape.ndim(), shape.data(), nullptr));
}

ndarray make_permuted(const char* operation, const Shape& shape, dtype type, Device device,
                      const int* axes) {
  Storage* storage = allocate_for(operation, shape, type, device);
  std::int64_t strides[kMaxNdim];
  std::int64_t step = type.itemsize();
  for (int i = shape.ndim(); i-- > 0;) {
    strides[axes[i]] = step;
    // Beside an extent of 0 others may be such that a product of them wraps around.
    const std::int64_t extent = shape[axes[i]] == 0 ? 1 : shape[axes[i]];
    static_cast<void>(__builtin_mul_overflow(step, extent, &step));
  }
  return ndarray::adopt(
      new_body(storage, storage->data, type, shape.ndim(), shape.data(), strides));
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

namespace {

std::atomic<extension::NoneReason> none_reason = nullptr;

// Apart from the test, which is in every access to an array: what a message needs of the stack
// would be set up each time.
[[noreturn, gnu::noinline, gnu::cold]] void refuse_none(const char* operation, const ndarray& a) {
  const extension::NoneReason ask = none_reason.load();
  const std::string reason = ask != nullptr ? ask(a) : "";
  throw TypeError(message(operation, ": the array is None", reason.empty() ? "" : "; ", reason));
}

[[noreturn, gnu::noinline, gnu::cold]] void refuse_none(const char* operation) {
  throw TypeError(message(operation, ": the array is None"));
}

}  // namespace

void check_not_none(const char* operation, const ndarray& a) {
  if (a.is_none()) refuse_none(operation, a);
}

void check_not_none(const char* operation, const Operand& x) {
  if (x.is_none()) refuse_none(operation);
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

}  // namespace internal

using internal::Body;

void extension::set_none_reason(NoneReason reason) { internal::none_reason = reason; }

ndarray ndarray::unset(const Shape& shape, cupyxx::dtype dtype) {
  return internal::make_array("ndarray", shape, dtype, current_device());
}

Body* ndarray::body_of(const char* member) const {
  internal::check_not_none(member, *this);
  return body();
}

namespace {

// The body of which only the form is read: where zeros are owed, they are owed on.
const Body* form_of(const ndarray& a, const char* member) {
  internal::check_not_none(member, a);
  return internal::owes_zeros(a.handle()) ? a.handle() : a.body();
}

}  // namespace

std::span<const ndarray> internal::as_span(std::initializer_list<ndarray> list) {
  return {list.begin(), list.size()};
}

std::span<const Index> internal::span_of(const Index& one) { return {&one, 1}; }

std::span<const Operand> internal::as_span(std::initializer_list<Operand> list) {
  return {list.begin(), list.size()};
}

Shape ndarray::shape() const {
  const Body* b = form_of(*this, "shape");
  return Shape(b->shape, b->ndim);
}
std::int64_t ndarray::shape(internal::Int axis) const {
  const Body* b = form_of(*this, "shape");
  return b->shape[normalize_axis("shape", axis, b->ndim)];
}
void ndarray::check_rank(int ndim) const {
  const Body* b = form_of(*this, "shape");
  if (b->ndim == ndim) return;
  throw ValueError(message("shape: an array with ", ndim, " axes is expected; ", shape()));
}
Strides ndarray::strides() const {
  const Body* b = form_of(*this, "strides");
  return Strides(b->strides, b->ndim);
}
cupyxx::dtype ndarray::dtype() const { return form_of(*this, "dtype")->dtype; }
int ndarray::ndim() const { return form_of(*this, "ndim")->ndim; }
std::int64_t ndarray::size() const { return form_of(*this, "size")->size; }
Device ndarray::device() const { return form_of(*this, "device")->storage->device; }
void* ndarray::data() const {
  Body* const b = body_of("data");
  internal::make_live(b);
  internal::expose(b->storage);
  return b->data;
}
void* ndarray::elements() const { return body_of("data")->data; }
std::uint64_t ndarray::version() const {
  return form_of(*this, "version")->storage->version.load(std::memory_order_relaxed);
}
Flags ndarray::flags() const {
  const Body* b = form_of(*this, "flags");
  return {b->c_contiguous, b->f_contiguous, b->owndata, b->writeable};
}
bool ndarray::shares_memory(const ndarray& other) const {
  const internal::Storage& x = *form_of(*this, "shares_memory")->storage;
  const internal::Storage& y = *form_of(other, "shares_memory")->storage;
  // Memory of others may be wrapped more than once.
  return &x == &y || (x.data < y.data + y.nbytes && y.data < x.data + x.nbytes);
}
void ndarray::set_writeable(bool writeable) { body_of("set_writeable")->writeable = writeable; }

std::int64_t ndarray::len() const {
  const Body* b = form_of(*this, "len");
  if (b->ndim == 0) throw TypeError("len: a 0-d array has no length");
  return b->shape[0];
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

void ndarray::no_room(std::size_t element_size) const {
  throw OutOfMemoryError(
      message("to_vector: there is no room for ", size(), " elements of ", element_size, " bytes"));
}

bool Flags::operator[](std::string_view name) const {
  if (name == "C_CONTIGUOUS" || name == "C") return c_contiguous;
  if (name == "F_CONTIGUOUS" || name == "F") return f_contiguous;
  if (name == "OWNDATA" || name == "O") return owndata;
  if (name == "WRITEABLE" || name == "W") return writeable;
  throw IndexError(message("flags: unknown flag; ", name));
}

ndarray ndarray::base() const {
  internal::check_not_none("base", *this);
  if (body_->owndata) return {};
  const auto bytes = static_cast<std::int64_t>(body_->storage->nbytes);
  return internal::make_view(*this, body_->storage->data, dtype(), {bytes / itemsize()},
                             {itemsize()});
}

void* ndarray::check_span(cupyxx::dtype type, bool writes) const {
  Body* const b = body_of("span");
  internal::make_live(b);
  if (!device().is_cpu()) {
    throw TypeError(message("span: the array is on ", device().name(), "; copy it with to_cpu()"));
  }
  if (type != dtype()) {
    throw DtypeError(message("span: the array holds ", dtype().name(), ", not ", type.name()));
  }
  if (!b->c_contiguous) {
    throw ValueError(message("span: the array is not C-contiguous; strides ", strides()));
  }
  b->storage->shown.store(true, std::memory_order_relaxed);
  if (writes) internal::expose(b->storage);
  return b->data;
}

}  // namespace cupyxx
