// SPDX-License-Identifier: MIT
// From a call with arrays and numbers to one elementwise launch.
#include "cupyxx/ufunc.h"

#include <algorithm>
#include <cstring>

#include "cupyxx/core/arrays.h"
#include "cupyxx/core/order_k.h"
#include "cupyxx/core/quick_call.h"
#include "cupyxx/core/resolve.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/internal/cpu/arch.h"
#include "cupyxx/internal/diagnostics/launch_note.h"
#include "cupyxx/internal/elementwise.h"
#include "cupyxx/internal/gpu/device_query.h"
#include "cupyxx/internal/masks.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"

namespace cupyxx {

namespace internal {

namespace {

// Brings lists to the device of the arrays beside them.
void move_lists(std::span<const Operand* const> inputs, const ndarray* out) {
  if (std::none_of(inputs.begin(), inputs.end(), [](const Operand* x) { return x->is_list(); })) {
    return;
  }
  const ndarray* beside = out != nullptr && !out->is_none() ? out : nullptr;
  for (const Operand* operand : inputs) {
    if (operand->is_array() && !operand->is_list() && !operand->is_none()) {
      beside = &operand->array();
    }
  }
  if (beside == nullptr) return;
  for (const Operand* operand : inputs) operand->move_list_to(beside->device());
}

// The device of a call; operands of a second CUDA device are fetched by the caller.
Device device_of(const OpInfo& op, std::span<const Operand* const> inputs, const ndarray* out) {
  move_lists(inputs, out);
  const ndarray* first = nullptr;
  const auto check = [&](const ndarray& a) {
    check_not_none(op.name, a);
    if (first == nullptr) {
      first = &a;
    } else {
      common_device(op.name, *first, a);
    }
  };
  for (const Operand* operand : inputs) {
    if (operand->is_array()) check(operand->array());
  }
  if (out != nullptr && !out->is_none()) check(*out);
  return first == nullptr ? current_device() : first->device();
}

// Right-aligned strides of an operand in the broadcast shape.
void broadcast_strides(const Body* body, int ndim, std::int64_t* strides) {
  const int offset = ndim - body->ndim;
  for (int i = 0; i < offset; ++i) strides[i] = 0;
  for (int i = 0; i < body->ndim; ++i) {
    strides[offset + i] = body->shape[i] == 1 ? 0 : body->strides[i];
  }
}

void bind(ElementwiseCall& call, int k, const ndarray& a) {
  const Body* body = a.body();
  call.data[k] = body->data;
  call.dtypes[k] = body->dtype;
  call.storage[k] = body->storage;
  broadcast_strides(body, call.ndim, call.strides[k]);
}

// The arrays whose layout a new result takes over.
struct Layouts {
  const Body* bodies[ElementwiseCall::kMaxOperands];
  std::size_t count = 0;

  void add(const ndarray& a) {
    if (!a.is_none()) bodies[count++] = a.body();
  }
};

bool same_layout(const ndarray& a, const ndarray& b) {
  return a.elements() == b.elements() && a.dtype().itemsize() == b.dtype().itemsize() &&
         a.shape() == b.shape() && a.strides() == b.strides();
}

// An integer beyond the dtype compares as what it is: above or below every element. Returns whether
// there is one, and sets the result of all elements.
bool compare_out_of_range(const OpInfo& op, std::span<const Operand* const> inputs, int loop,
                          bool& result) {
  for (int i = 0; i < 2; ++i) {
    const Operand& x = *inputs[static_cast<std::size_t>(i)];
    if (x.is_array() || x.scalar().fits(op.loops[loop].in[i])) continue;
    // As 1 or -1 compares with 0.
    double numbers[2] = {};
    numbers[i] = x.scalar().as_double() > 0 ? 1 : -1;
    char* const data[] = {reinterpret_cast<char*>(&result), reinterpret_cast<char*>(&numbers[0]),
                          reinterpret_cast<char*>(&numbers[1])};
    const std::int64_t strides[3] = {};
    const int doubles = op.same_loop[static_cast<int>(float64.code())];
    cpu_loop(op, doubles, cpu::arch())(data, strides, 1);
    return true;
  }
  return false;
}

// Whether a few int64 that lie side by side are all non-negative, which is told without an array.
bool is_short_and_positive(const ndarray& a) {
  constexpr std::int64_t kShort = 1024;
  const Body& body = *a.body();
  if (body.dtype != int64 || !body.c_contiguous || body.size > kShort) return false;
  const auto* x = reinterpret_cast<const std::int64_t*>(body.data);
  return std::all_of(x, x + body.size, [](std::int64_t exponent) { return exponent >= 0; });
}

// Of the elements that `where` chooses, if it is given.
void check_integer_exponents(const OpInfo& op, const Operand& exponent, cupyxx::dtype type,
                             Device device, const ndarray& where) {
  if (!type.is_signed_integer()) return;
  bool negative = false;
  if (!exponent.is_array()) {
    negative = exponent.scalar().as_int64() < 0;
  } else if (device.is_cpu() && exponent.array().size() != 0 &&
             !is_short_and_positive(exponent.array())) {
    const ndarray below = less(exponent, 0);
    negative = cpu::count_true(contiguous(where.is_none() ? below : below & where)) != 0;
  }
  // On a device the kernel reports it: looking here would wait.
  if (negative) {
    throw ValueError(message(op.name, ": integers to negative integer powers are not allowed"));
  }
}

// Whether a new C-contiguous result of a shape may be written over the elements of a temporary.
bool takes_result(const ndarray& temporary, dtype type, const Shape& shape, Device device) {
  if (!may_become_result(temporary, type)) return false;
  return temporary.body()->c_contiguous && temporary.shape() == shape &&
         temporary.device() == device;
}

// Runs the general case; `out` holds nout handles, null ones are filled. `ending` is that of
// call_quickly.
void call_general(const OpInfo& op, std::span<const Operand* const> inputs, ndarray* out,
                  const UfuncOptions& options, ndarray* const* ending = nullptr) {
  const Device device = device_of(op, inputs, out);
  const int loop = resolve_loop(op, inputs, options.dtype, options.casting);
  const LoopInfo& info = op.loops[loop];

  // Dtypes before shapes: that is the error NumPy finds first.
  for (int k = 0; k < op.nout; ++k) {
    if (out[k].is_none()) continue;
    const bool has_loops = static_cast<int>(out[k].dtype().code()) < dtype::kComputeCount;
    internal::check_out_cast(op.name, out[k], info.out[k],
                             has_loops && can_cast(info.out[k], out[k].dtype(), options.casting),
                             options.casting);
  }
  Shape shape;
  for (const Operand* operand : inputs) {
    if (operand->is_array()) {
      shape = broadcast_shapes(op.name, shape, operand->array().shape());
    }
  }
  if (!options.where.is_none()) {
    if (options.where.dtype() != bool_) {
      throw DtypeError(
          message(op.name, ": where must be bool, not ", options.where.dtype().name()));
    }
    shape = broadcast_shapes(op.name, shape, options.where.shape());
  }
  for (int k = 0; k < op.nout; ++k) {
    if (out[k].is_none()) continue;
    const Shape with_out = broadcast_shapes(op.name, shape, out[k].shape());
    internal::check_out_shape(op.name, out[k], with_out);
    internal::check_out_writeable(op.name, out[k]);
    shape = with_out;
  }
  Layouts layouts;
  for (const Operand* operand : inputs) {
    if (operand->is_array()) layouts.add(operand->array());
  }
  for (int k = 0; k < op.nout; ++k) layouts.add(out[k]);
  layouts.add(options.where);
  const auto make = [&](dtype type) {
    return make_kept(op.name, shape, type, device, {layouts.bodies, layouts.count});
  };
  bool answer = false;
  if (op.compares && compare_out_of_range(op, inputs, loop, answer)) {
    if (out[0].is_none()) {
      out[0] = make(bool_);
      if (!options.where.is_none()) out[0].fill(false);
    }
    assign(op.name, out[0], answer, Casting::unsafe, options.where);
    return;
  }
  if (op.checks_negative_power && shape.element_count() != 0) {
    check_integer_exponents(op, *inputs[1], info.in[1], device, options.where);
  }

  ElementwiseCall call;
  call.op = &op;
  call.loop = loop;
  call.nout = op.nout;
  call.nargs = op.nout + op.nin;
  call.ndim = shape.ndim();
  for (int i = 0; i < call.ndim; ++i) call.shape[i] = shape[i];

  // Inputs first: they may throw, or need a copy because they share memory with an output.
  ndarray copies[kMaxInputs];
  alignas(16) char immediates[kMaxInputs][16];
  for (int i = 0; i < op.nin; ++i) {
    const int k = op.nout + i;
    const Operand& operand = *inputs[static_cast<std::size_t>(i)];
    if (!operand.is_array()) {
      // A truth value fits every dtype, whatever the number.
      const Scalar& value = operand.scalar();
      (op.reads_truth ? Scalar(value.is_true()) : value).store(op.name, info.in[i], immediates[i]);
      call.data[k] = immediates[i];
      call.dtypes[k] = info.in[i];
      call.immediate |= 1u << k;
      for (int axis = 0; axis < call.ndim; ++axis) call.strides[k][axis] = 0;
      continue;
    }
    const ndarray* a = &operand.array();
    if (!(a->device() == device)) {
      internal::gpu::require_peer_access(op.name, device.index, a->device().index);
      copies[i] = a->to(device);
      a = &copies[i];
    }
    for (int j = 0; j < op.nout; ++j) {
      if (!out[j].is_none() && may_overlap(*a, out[j]) && !same_layout(*a, out[j])) {
        copies[i] = a->copy();
        a = &copies[i];
      }
    }
    bind(call, k, *a);
  }
  int axes[kMaxNdim];
  ndarray* taken = nullptr;
  for (int i = 0; ending != nullptr && i < op.nin && taken == nullptr; ++i) {
    if (ending[i] != nullptr && takes_result(*ending[i], info.out[0], shape, device) &&
        !kept_axes(call.ndim, {layouts.bodies, layouts.count}, axes)) {
      taken = ending[i];
      out[0] = *taken;
    }
  }
  for (int k = 0; k < op.nout; ++k) {
    if (out[k].is_none()) {
      out[k] = make(info.out[k]);
      // Elements outside of `where` are unset in NumPy; a defined value is kinder.
      if (!options.where.is_none()) out[k].fill(0);
    }
    bind(call, k, out[k]);
    touch(out[k].body());
  }
  call.size = shape.element_count();
  ndarray mask = options.where;
  if (!mask.is_none()) {
    common_device(op.name, mask, out[0]);
    if (may_overlap(mask, out[0])) mask = mask.copy();
    call.has_mask = true;
    bind(call, call.nargs, mask);
  }
  const internal::LaunchNote note([&] { return internal::describe_call(op.name, inputs); });
  run_elementwise(call, device);
  if (taken != nullptr) *taken = ndarray();  // a name of it, moved from, is None
}

bool is_plain(const UfuncOptions& options) {
  return options.where.is_none() && !options.dtype && options.casting == Casting::same_kind;
}

}  // namespace

ndarray call_with(const ufunc& f, std::span<const Operand* const> operands,
                  const UfuncOptions& options) {
  ndarray out = options.out;
  if (is_plain(options) && call_quickly(f.op(), operands.data(), out)) return out;
  call_general(f.op(), operands, &out, options);
  return out;
}

UfuncOptions into(const ufunc& f, const ndarray& out, const UfuncOptions& options) {
  if (!options.out.is_none()) {
    throw TypeError(message(f.name(), ": out is given in its place and as an option"));
  }
  UfuncOptions result = options;
  result.out = out;
  return result;
}

ndarray call1(const ufunc& f, const Operand& x, const UfuncOptions& options) {
  const Operand* const operands[] = {&x};
  return call_with(f, operands, options);
}

ndarray call2(const ufunc& f, const Operand& x, const Operand& y, const UfuncOptions& options) {
  const Operand* const operands[] = {&x, &y};
  return call_with(f, operands, options);
}

ndarray call1_ending(const ufunc& f, ndarray& x) {
  const Operand operand(x);
  const Operand* const operands[] = {&operand};
  ndarray* const ending[] = {&x};
  ndarray out;
  if (!call_quickly(f.op(), operands, out, ending)) {
    call_general(f.op(), operands, &out, {}, ending);
  }
  return out;
}

ndarray call2_ending(const ufunc& f, const Operand& x, const Operand& y, ndarray* x_ends,
                     ndarray* y_ends) {
  const Operand* const operands[] = {&x, &y};
  ndarray* const ending[] = {x_ends, y_ends};
  ndarray out;
  if (!call_quickly(f.op(), operands, out, ending)) {
    call_general(f.op(), operands, &out, {}, ending);
  }
  return out;
}

ArrayTuple<2> call1_2(const ufunc& f, const Operand& x, const std::array<ndarray, 2>& out,
                      const UfuncOptions& options) {
  ArrayTuple<2> results{out};
  const Operand* inputs[] = {&x};
  call_general(f.op(), inputs, results.data(), options);
  return results;
}

ArrayTuple<2> call2_2(const ufunc& f, const Operand& x, const Operand& y,
                      const std::array<ndarray, 2>& out, const UfuncOptions& options) {
  ArrayTuple<2> results{out};
  const Operand* inputs[] = {&x, &y};
  call_general(f.op(), inputs, results.data(), options);
  return results;
}

}  // namespace internal

std::string_view ufunc::name() const { return op_->name; }
std::string_view ufunc::doc() const { return op_->doc; }
int ufunc::nin() const { return op_->nin; }
int ufunc::nout() const { return op_->nout; }

std::vector<std::string> ufunc::types() const {
  std::vector<std::string> types;
  for (int loop = 0; loop < op_->nloops; ++loop) {
    const internal::LoopInfo& info = op_->loops[loop];
    std::string text;
    for (int i = 0; i < op_->nin; ++i) text += info.in[i].char_code();
    text += "->";
    for (int k = 0; k < op_->nout; ++k) text += info.out[k].char_code();
    types.push_back(std::move(text));
  }
  return types;
}

ndarray ufunc::operator()(const Operand& x, const UfuncOptions& options) const {
  const Operand* const inputs[] = {&x};
  return call_for_one(inputs, options);
}

ndarray ufunc::operator()(const Operand& x, const Operand& y, const UfuncOptions& options) const {
  const Operand* const inputs[] = {&x, &y};
  return call_for_one(inputs, options);
}

ndarray ufunc::operator()(const Operand& x, const Operand& y, const Operand& z,
                          const UfuncOptions& options) const {
  const Operand* const inputs[] = {&x, &y, &z};
  return call_for_one(inputs, options);
}

ndarray ufunc::call_for_one(std::span<const Operand* const> inputs,
                            const UfuncOptions& options) const {
  if (op_->nout != 1) {
    throw TypeError(message(name(), ": has ", op_->nout, " results, which call() returns"));
  }
  return call(inputs, {}, options)[0];
}

std::vector<ndarray> ufunc::call(std::span<const Operand* const> inputs,
                                 std::span<const ndarray> out, const UfuncOptions& options) const {
  if (static_cast<int>(inputs.size()) != op_->nin) {
    throw TypeError(message(name(), ": takes ", op_->nin, " operands, not ", inputs.size()));
  }
  if (!out.empty() && static_cast<int>(out.size()) != op_->nout) {
    throw TypeError(message(name(), ": has ", op_->nout, " outputs, not ", out.size()));
  }
  std::vector<ndarray> results(static_cast<std::size_t>(op_->nout));
  for (std::size_t k = 0; k < out.size(); ++k) results[k] = out[k];
  if (out.empty() && !options.out.is_none()) results[0] = options.out;
  if (internal::is_plain(options) && internal::call_quickly(*op_, inputs.data(), results[0])) {
    return results;
  }
  internal::call_general(*op_, inputs, results.data(), options);
  return results;
}

}  // namespace cupyxx
