// SPDX-License-Identifier: MIT
#include "cupyxx/statistics/reduce.h"

#include <limits>
#include <string>

#include "cupyxx/core/arrays.h"
#include "cupyxx/core/order_k.h"
#include "cupyxx/error.h"
#include "cupyxx/internal/cpu/reduce/reduce.h"
#include "cupyxx/internal/diagnostics/launch_note.h"
#include "cupyxx/internal/gpu/reduce/reduce.h"
#include "cupyxx/internal/gpu/runtime.h"

namespace cupyxx::internal {

namespace {

/// The result of a reduction without elements.
Scalar identity(ReduceOp op) {
  switch (op) {
    case ReduceOp::prod:
      return 1;
    case ReduceOp::all:
      return true;
    case ReduceOp::any:
      return false;
    case ReduceOp::mean:
    case ReduceOp::var:
    case ReduceOp::std:
      return std::numeric_limits<double>::quiet_NaN();
    case ReduceOp::sum:
    case ReduceOp::count_nonzero:
    case ReduceOp::norm:
      return 0;
    case ReduceOp::amax:  // refused before, as those of no elements
    case ReduceOp::amin:
    case ReduceOp::argmax:
    case ReduceOp::argmin:
      return 0;
  }
  return 0;
}

void check_not_empty(const ReduceCall& call, std::int64_t reduced) {
  if (reduced != 0) return;
  const std::string operation = name(call.op);
  if (is_arg(call.op)) {
    throw ValueError(message(operation, ": attempt to get ", operation, " of an empty sequence; ",
                             call.a.shape()));
  }
  if (call.op == ReduceOp::amax || call.op == ReduceOp::amin) {
    throw ValueError(message(operation,
                             ": zero-size array to reduction operation which has no identity; ",
                             call.a.shape()));
  }
}

// In order K of the array; positions are in C order, as NumPy's.
ndarray new_result(const ReduceCall& call, dtype type) {
  const Body* const a = call.a.body();
  const Body* const operands[] = {is_arg(call.op) ? nullptr : a};
  return make_reduced(name(call.op), call.a.shape(), call.mask, call.keepdims, type, a->device(),
                      operands);
}

bool takes_result(const ReduceCall& call, dtype type, const ndarray& out) {
  return !out.is_none() && out.dtype() == type && is_dense(*out.body()) &&
         !may_overlap(call.a, out);
}

}  // namespace

std::uint32_t axes_mask(const char* operation, const Axes& axes, int ndim) {
  if (ndim == 0 && !axes.is_all() && axes.list().ndim() == 1 &&
      (axes.list()[0] == 0 || axes.list()[0] == -1)) {
    return 0;
  }
  return axes.mask(operation, ndim);
}

Shape reduced_shape(const Shape& shape, std::uint32_t mask, bool keepdims) {
  Shape left;
  for (int i = 0; i < shape.ndim(); ++i) {
    if ((mask >> i & 1) == 0) {
      left.push_back(shape[i]);
    } else if (keepdims) {
      left.push_back(1);
    }
  }
  return left;
}

void check_reduce_out(const ReduceCall& call, const ndarray& out, dtype computed) {
  if (out.is_none()) return;
  const std::string operation = name(call.op);
  common_device(name(call.op), call.a, out);
  check_out_shape(operation, out, reduced_shape(call.a.shape(), call.mask, call.keepdims));
  check_out_writeable(operation, out);
  // As NumPy's reductions, which cast to any dtype of `out`.
  check_out_cast(operation, out, computed,
                 static_cast<int>(out.dtype().code()) < dtype::kComputeCount);
}

ndarray reduce(const ReduceCall& call, const ndarray& out) {
  const Body& a = *call.a.body();
  const dtype type = call.unrounded ? float32 : reduction_result(call.op, a.dtype);
  const ndarray result = takes_result(call, type, out) ? out : new_result(call, type);
  std::int64_t result_strides[kMaxNdim] = {};
  for (int axis = 0, next = 0; axis < a.ndim; ++axis) {
    const bool is_reduced = (call.mask >> axis & 1u) != 0;
    if (!is_reduced) result_strides[axis] = result.body()->strides[next];
    if (!is_reduced || call.keepdims) ++next;
  }
  const Reduction plan =
      plan_reduction(call.op, a.dtype, a.data, a.ndim, a.shape, a.strides, call.mask,
                     result.elements(), result_strides, call.ddof, call.unrounded);
  check_not_empty(call, plan.reduced);
  if (plan.kept == 0) return result;
  if (plan.reduced == 0) {
    const Scalar value = identity(call.op);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const bool is_nan = call.op == ReduceOp::mean && result.dtype().is_complex();
    result.fill(is_nan ? Scalar(complex<double>(nan, nan)) : value);
    return result;
  }
  touch(result.body());
  if (a.device().is_cpu()) {
    cpu::reduce(plan);
    return result;
  }
  const int device = a.device().index;
  void* stream = gpu::current_stream(device);
  gpu::record_use(a.storage, stream);
  gpu::record_use(result.body()->storage, stream);
  const LaunchNote note([&] { return describe_call(name(call.op), {&call.a}); });
  gpu::reduce(plan, device);
  return result;
}

ndarray deliver(const ReduceCall& call, const ndarray& result, const ndarray& out) {
  if (out.is_none() || result.body() == out.body()) return result;
  assign(name(call.op), out, result);
  return out;
}

}  // namespace cupyxx::internal
