// SPDX-License-Identifier: MIT
#include "cupyxx/core/quick_call.h"

#include "cupyxx/core/arrays.h"
#include "cupyxx/core/order_k.h"
#include "cupyxx/internal/cpu/arch.h"
#include "cupyxx/internal/cpu/elementwise/special_loops.h"
#include "cupyxx/internal/diagnostics/launch_note.h"
#include "cupyxx/internal/diagnostics/memory_events.h"
#include "cupyxx/internal/elementwise.h"
#include "cupyxx/internal/gpu/capture.h"
#include "cupyxx/internal/gpu/runtime.h"

namespace cupyxx::internal {

namespace {

constexpr std::int64_t kSerial = 4096;  // elements that need neither a plan nor threads

bool same_shape(const Body& a, const Body& b) {
  if (a.ndim != b.ndim) return false;
  for (int i = 0; i < a.ndim; ++i) {
    if (a.shape[i] != b.shape[i]) return false;
  }
  return true;
}

bool same_place(const Body& a, const Body& b) {
  return a.storage == b.storage || a.storage->device == b.storage->device;
}

// Whether a number beside arrays of `type` becomes one of them without a look at the table.
bool joins(const Scalar& number, dtype type) {
  if (number.dtype()) return number.dtype() == type;
  switch (number.kind()) {
    case Scalar::Kind::boolean:
      return true;
    case Scalar::Kind::complex_floating:
      return type.is_complex();
    case Scalar::Kind::floating:
      return type.is_floating() || type.is_complex();
    default:
      return type.is_floating() || type.is_complex() || (type.is_integer() && number.fits(type));
  }
}

// The form of C-contiguous array operands, or null.
const Body* common_form(const OpInfo& op, const Operand* const* inputs) {
  const Body* form = nullptr;
  for (int i = 0; i < op.nin; ++i) {
    if (!inputs[i]->is_array()) continue;
    if (inputs[i]->is_none()) return nullptr;
    const Body* body = inputs[i]->array().body();
    if (!body->c_contiguous) return nullptr;
    if (form == nullptr) {
      form = body;
    } else if (body->dtype != form->dtype || !same_shape(*body, *form) ||
               !same_place(*body, *form)) {
      return nullptr;
    }
  }
  return form;
}

// The form of array operands that are dense in another order, all in the same one, or null.
const Body* permuted_form(const OpInfo& op, const Operand* const* inputs) {
  const Body* form = nullptr;
  for (int i = 0; i < op.nin; ++i) {
    if (!inputs[i]->is_array()) continue;
    if (inputs[i]->is_none()) return nullptr;
    const Body* body = inputs[i]->array().body();
    if (body->c_contiguous) return nullptr;
    if (form == nullptr) {
      form = body;
    } else if (body->dtype != form->dtype || !same_place(*body, *form) ||
               !same_dense_layout(*body, *form)) {
      return nullptr;
    }
  }
  return form != nullptr && is_dense(*form) ? form : nullptr;
}

int quick_loop(const OpInfo& op, dtype type) {
  const auto code = static_cast<int>(type.code());
  if (code >= dtype::kComputeCount) return -1;
  // The general way looks at the exponents.
  if (op.checks_negative_power && type.is_signed_integer()) return -1;
  return op.same_loop[code];
}

// Whether `out` can be written as it stands: operands that share its memory are itself or
// elsewhere.
bool accepts(const ndarray& out, dtype type, const Body& form, const OpInfo& op,
             const Operand* const* inputs) {
  const Body& to = *out.body();
  if (to.dtype != type || !to.writeable || !same_place(to, form)) return false;
  if (form.c_contiguous ? !to.c_contiguous || !same_shape(to, form)
                        : !same_dense_layout(to, form)) {
    return false;
  }
  for (int i = 0; i < op.nin; ++i) {
    if (!inputs[i]->is_array()) continue;
    const Body& from = *inputs[i]->array().body();
    // Elements of the same place must have the same size, too.
    const bool itself = to.data == from.data && type.itemsize() == from.dtype.itemsize();
    if (!itself && may_overlap(out, inputs[i]->array())) return false;
  }
  return true;
}

// A new result in the layout of the operands.
ndarray make_result(const OpInfo& op, dtype type, const Body& form) {
  const std::int64_t size = type.itemsize();
  const AllocationNote note(op.name, type, form.ndim, form.shape);
  Storage* storage = allocate(form.storage->device, static_cast<std::size_t>(form.size * size));
  if (form.c_contiguous) {
    return ndarray::adopt(new_body(storage, storage->data, type, form.ndim, form.shape, nullptr));
  }
  std::int64_t strides[kMaxNdim];
  const std::int64_t in_size = form.dtype.itemsize();
  for (int axis = 0; axis < form.ndim; ++axis) strides[axis] = form.strides[axis] / in_size * size;
  return ndarray::adopt(new_body(storage, storage->data, type, form.ndim, form.shape, strides));
}

// Few elements on the host: the loop at once, of which nothing else needs to know.
void run_serially(const OpInfo& op, int loop, const Operand* const* inputs, const Body& form,
                  char* out) {
  alignas(16) char numbers[kMaxInputs][16];
  char* data[1 + kMaxInputs] = {out};
  std::int64_t strides[1 + kMaxInputs] = {op.loops[loop].out[0].itemsize()};
  for (int i = 0; i < op.nin; ++i) {
    if (inputs[i]->is_array()) {
      data[1 + i] = inputs[i]->array().body()->data;
      strides[1 + i] = form.dtype.itemsize();
    } else {
      inputs[i]->scalar().store(op.name, form.dtype, numbers[i]);
      data[1 + i] = numbers[i];
    }
  }
  const char* constant = op.nin > 1 && strides[op.nin] == 0 ? data[op.nin] : nullptr;
  cpu::best_loop(op, loop, cpu::arch(), constant, form.dtype)(data, strides, form.size);
}

}  // namespace

bool may_become_result(const ndarray& temporary, dtype type) {
  const Body* body = temporary.handle();
  if (body == nullptr || body->refs.load(std::memory_order_acquire) != 1 ||
      body->state.load(std::memory_order_acquire) != BodyState::ready) {
    return false;
  }
  // What a new result would not be, and what a view of another array's memory is.
  if (body->dtype != type || !body->owndata || !body->writeable || body->number || body->compared) {
    return false;
  }
  const Storage& memory = *body->storage;
  if (memory.refs.load(std::memory_order_acquire) != 1 ||
      memory.exposed.load(std::memory_order_relaxed) ||
      memory.pending.load(std::memory_order_acquire) != nullptr ||
      memory.attached.load(std::memory_order_acquire) != nullptr || memory.foreign_count != 0) {
    return false;
  }
  if (memory.device.is_cpu()) return memory.home_stream == nullptr;
  // A graph would write over what the temporary was before each of its runs.
  return gpu::current_capture() == nullptr &&
         memory.home_stream == gpu::current_stream(memory.device.index);
}

bool call_quickly(const OpInfo& op, const Operand* const* inputs, ndarray& out,
                  ndarray* const* ending) {
  if (op.nin > kMaxInputs || op.nout != 1) return false;
  const Body* form = common_form(op, inputs);
  if (form == nullptr) form = permuted_form(op, inputs);
  if (form == nullptr) return false;
  const int loop = quick_loop(op, form->dtype);
  if (loop < 0) return false;
  for (int i = 0; i < op.nin; ++i) {
    if (!inputs[i]->is_array() && !joins(inputs[i]->scalar(), form->dtype)) return false;
  }
  const LoopInfo& info = op.loops[loop];
  const bool given = !out.is_none();
  if (given && !accepts(out, info.out[0], *form, op, inputs)) return false;

  // All arrays have the result's shape and layout here.
  ndarray* taken = nullptr;
  for (int i = 0; ending != nullptr && !given && i < op.nin && taken == nullptr; ++i) {
    if (ending[i] != nullptr && may_become_result(*ending[i], info.out[0])) taken = ending[i];
  }
  if (!given && taken == nullptr) {
    out = make_result(op, info.out[0], *form);
  } else {
    touch(given ? out.handle() : taken->handle());
  }
  const Body* to = taken == nullptr ? out.handle() : taken->handle();
  // Operands are read, and named by messages, until the call is done.
  const auto finish = [&] {
    if (taken != nullptr) out = std::move(*taken);
    return true;
  };
  if (form->storage->device.is_cpu() && form->size < kSerial && info.compute_in[0] == form->dtype) {
    if (form->size != 0) run_serially(op, loop, inputs, *form, to->data);
    return finish();
  }

  ElementwiseCall call;
  alignas(16) char numbers[kMaxInputs][16];
  for (int i = 0; i < op.nin; ++i) {
    const int k = 1 + i;
    if (inputs[i]->is_array()) {
      const Body* body = inputs[i]->array().body();
      call.data[k] = body->data;
      call.storage[k] = body->storage;
      call.strides[k][0] = form->dtype.itemsize();
    } else {
      inputs[i]->scalar().store(op.name, form->dtype, numbers[i]);
      call.data[k] = numbers[i];
      call.immediate |= 1u << k;
      call.strides[k][0] = 0;
    }
    call.dtypes[k] = form->dtype;
  }
  const std::int64_t size = form->size;
  if (size == 0) return finish();
  call.data[0] = to->data;
  call.storage[0] = to->storage;
  call.dtypes[0] = to->dtype;
  call.strides[0][0] = info.out[0].itemsize();
  call.op = &op;
  call.loop = loop;
  call.nout = 1;
  call.nargs = 1 + op.nin;
  call.size = size;
  call.ndim = 1;
  call.shape[0] = size;
  if (const Device device = to->storage->device; device.is_cpu()) {
    cpu::run_elementwise(call);
  } else {
    const std::span operands(inputs, static_cast<std::size_t>(op.nin));
    const LaunchNote note([&] { return describe_call(op.name, operands); });
    gpu::run_elementwise(call, device.index);
  }
  return finish();
}

}  // namespace cupyxx::internal
