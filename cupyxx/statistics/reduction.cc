// SPDX-License-Identifier: MIT
// Which dtype a reduction runs in, and what `where` and `initial` mean; the loops are reached
// through internal/reduce.h.
#include "cupyxx/reduction.h"

#include "cupyxx/core/arrays.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/internal/element_types.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/statistics/reduce.h"

namespace cupyxx {

namespace {

using internal::ReduceCall;
using internal::ReduceOp;

/// A call over the array itself; checks what can be checked at once.
ReduceCall make_call(ReduceOp op, const ndarray& a, const Axes& axes, bool keepdims) {
  const char* operation = internal::name(op);
  internal::check_not_none(operation, a);
  if (static_cast<int>(a.dtype().code()) >= dtype::kComputeCount) {
    throw DtypeError(message(operation, ": no loop for ", a.dtype().name()));
  }
  // Sums take axis 0 of a 0-d array; what counts its elements does not, as in NumPy.
  const bool counts = op == ReduceOp::mean || op == ReduceOp::var || op == ReduceOp::std;
  return {op, a,
          counts ? axes.mask(operation, a.ndim()) : internal::axes_mask(operation, axes, a.ndim()),
          keepdims};
}

void check_dtype(ReduceOp op, dtype type) {
  if (!type || static_cast<int>(type.code()) < dtype::kComputeCount) return;
  throw DtypeError(message(internal::name(op), ": no loop for ", type.name()));
}

/// `where` as an array of a's shape.
ndarray full_mask(ReduceOp op, const ndarray& a, const ndarray& where) {
  if (where.dtype() != bool_) {
    throw DtypeError(
        message(internal::name(op), ": where must be bool, not ", where.dtype().name()));
  }
  internal::common_device(internal::name(op), a, where);
  const Shape shape = broadcast_shapes(internal::name(op), a.shape(), where.shape());
  if (!(shape == a.shape())) {
    throw ShapeError(message(internal::name(op), ": where of shape ", where.shape(),
                             " does not broadcast to ", a.shape()));
  }
  return broadcast_to(where, shape);
}

/// `a` with `value` where the mask is false.
ndarray masked(const ReduceCall& call, const ndarray& where, const Scalar& value) {
  const Scalar filler = call.a.dtype().is_bool() ? Scalar(value.is_true()) : value;
  return cupyxx::where(full_mask(call.op, call.a, where), call.a, filler);
}

/// The value as an operand beside arrays of a dtype: floating values truncate for integers.
Scalar fitting(const Scalar& value, dtype type) {
  if (type.is_bool()) return value.is_true();
  const bool truncates = value.kind() == Scalar::Kind::floating && !type.is_inexact();
  return truncates ? Scalar(value.as_int64()) : value;
}

/// Sum or product of the call's array in `type`.
ndarray accumulate(ReduceCall call, dtype type, const ndarray& out = {}) {
  const dtype natural = internal::reduction_result(call.op, call.a.dtype());
  if (type == natural) return internal::reduce(call, out);
  if (type.is_bool()) {
    call.op = call.op == ReduceOp::sum ? ReduceOp::any : ReduceOp::all;
    return internal::reduce(call, out);
  }
  if (call.op == ReduceOp::sum && internal::is_narrow(call.a.dtype()) && type == float32 &&
      call.a.device().is_cuda()) {
    call.unrounded = true;
    return internal::reduce(call, out);
  }
  // Integer sums wrap around, so that a sum of 64 bits may be cut down afterwards.
  const bool both_integer = !call.a.dtype().is_inexact() && type.is_integer();
  if (!both_integer) call.a = call.a.astype(type, false);
  const ndarray result = internal::reduce(call, out);
  return result.dtype() == type ? result : result.astype(type);
}

// NumPy adds and multiplies in the common dtype of the elements and `out`. Integer results wrap
// around, so that those of 64 bits may be cut down, or are the same in a wider `out`.
dtype with_out(dtype natural, const ndarray& out) {
  if (out.is_none() || !(natural.is_inexact() || out.dtype().is_inexact())) return natural;
  const dtype common = promote_types(natural, out.dtype());
  return static_cast<int>(common.code()) < dtype::kComputeCount ? common : natural;
}

ndarray sum_or_prod(ReduceOp op, const ndarray& a, const Axes& axes, const SumOptions& options) {
  internal::check_axis_once(internal::name(op), axes, options.axis);
  ReduceCall call = make_call(op, a, axes, options.keepdims);
  check_dtype(op, options.dtype);
  const dtype type = options.dtype
                         ? options.dtype
                         : with_out(internal::reduction_result(op, a.dtype()), options.out);
  internal::check_reduce_out(call, options.out, type);
  if (!options.where.is_none()) call.a = masked(call, options.where, op == ReduceOp::prod);
  ndarray result = accumulate(call, type, options.out);
  if (options.initial) {
    const Scalar initial = fitting(*options.initial, type);
    op == ReduceOp::sum ? add(result, initial, {.out = result, .casting = Casting::unsafe})
                        : multiply(result, initial, {.out = result, .casting = Casting::unsafe});
  }
  return internal::deliver(call, result, options.out);
}

ndarray extreme(ReduceOp op, const ndarray& given, const Axes& axes, const MaxOptions& options) {
  internal::check_axis_once(internal::name(op), axes, options.axis);
  check_dtype(op, options.dtype);
  const bool is_cast = options.dtype && !given.is_none();
  const ndarray a = is_cast ? given.astype(options.dtype, false) : given;
  ReduceCall call = make_call(op, a, axes, options.keepdims);
  internal::check_reduce_out(call, options.out, a.dtype());
  if (!options.where.is_none() && !options.initial) {
    throw ValueError(
        message(internal::name(op), ": has no identity, so that a where mask needs initial"));
  }
  if (!options.initial) {
    return internal::deliver(call, internal::reduce(call, options.out), options.out);
  }
  const Scalar initial = fitting(*options.initial, a.dtype());
  const Shape shape = internal::reduced_shape(a.shape(), call.mask, options.keepdims);
  ndarray result = internal::make_array(internal::name(op), shape, a.dtype(), a.device());
  if (a.size() == 0) {
    result.fill(initial);
  } else {
    // The initial value stands for the elements left out: it takes part anyway.
    if (!options.where.is_none()) call.a = masked(call, options.where, initial);
    result = internal::reduce(call);
    op == ReduceOp::amax ? maximum(result, initial, {.out = result})
                         : minimum(result, initial, {.out = result});
  }
  return internal::deliver(call, result, options.out);
}

/// Mean of the elements under a mask.
ndarray masked_mean(ReduceCall call, const ndarray& where, dtype type) {
  const bool is_narrow = type.is_floating() && type.itemsize() == 2;
  const dtype compute = is_narrow ? float32 : type.is_inexact() ? type : float64;
  ReduceCall counts = call;
  counts.op = ReduceOp::sum;
  counts.a = full_mask(call.op, call.a, where);
  const ndarray count = internal::reduce(counts);
  call.a = masked(call, where, 0);
  call.op = ReduceOp::sum;
  const ndarray total = accumulate(call, compute);
  return divide(total, count.astype(compute)).astype(type, false);
}

/// Variance of the elements under a mask, by two passes as NumPy.
ndarray masked_spread(const ReduceCall& call, const VarOptions& options, dtype type) {
  const bool is_narrow = type.is_floating() && type.itemsize() == 2;
  const dtype real = is_narrow ? float32 : type.is_floating() ? type : float64;
  const dtype compute = call.a.dtype().is_complex() ? promote_types(real, complex64) : real;
  const ndarray mask = full_mask(call.op, call.a, options.where);
  ReduceCall counts = call;
  counts.op = ReduceOp::sum;
  counts.keepdims = true;
  counts.a = mask;
  const ndarray count = internal::reduce(counts).astype(compute);
  ReduceCall sums = counts;
  sums.a = masked(call, options.where, 0);
  const ndarray centre = divide(accumulate(sums, compute), count);
  const ndarray distance = subtract(call.a.astype(compute, false), centre);
  sums.a = cupyxx::where(mask, square(absolute(distance)), 0.0).astype(real, false);
  const ndarray divisor = maximum(subtract(count.astype(real, false), options.ddof), 0.0);
  ndarray result = divide(accumulate(sums, real), divisor);
  if (call.op == ReduceOp::std) result = sqrt(result);
  if (!call.keepdims) {
    result = result.reshape(internal::reduced_shape(call.a.shape(), call.mask, false));
  }
  return result.astype(type, false);
}

ndarray spread(ReduceOp op, const ndarray& a, const Axes& axes, const VarOptions& options) {
  internal::check_axis_once(internal::name(op), axes, options.axis);
  ReduceCall call = make_call(op, a, axes, options.keepdims);
  check_dtype(op, options.dtype);
  call.ddof = options.ddof;
  const dtype natural = internal::reduction_result(op, a.dtype());
  const bool is_wider =
      !options.dtype && !options.out.is_none() && options.out.dtype().is_floating();
  const dtype wanted = options.dtype ? options.dtype
                       : is_wider    ? with_out(natural, options.out)
                                     : natural;
  const dtype type = wanted.real_part();  // also of complex numbers
  internal::check_reduce_out(call, options.out, type);
  // NumPy's square root at the end casts by this rule, its sums by any.
  if (op == ReduceOp::std && !options.out.is_none()) {
    const Casting casting = Casting::same_kind;
    internal::check_out_cast("std", options.out, type, can_cast(type, options.out.dtype(), casting),
                             casting);
  }
  if (!options.where.is_none()) {
    return internal::deliver(call, masked_spread(call, options, type), options.out);
  }
  const dtype loop = a.dtype().is_complex() ? promote_types(wanted, complex64) : wanted;
  if (type.is_floating() && wanted != natural) call.a = a.astype(loop, false);
  ndarray result = internal::reduce(call, options.out);
  if (result.dtype() != type) result = result.astype(type);
  return internal::deliver(call, result, options.out);
}

ndarray truth(ReduceOp op, const ndarray& a, const Axes& axes, const AllOptions& options) {
  internal::check_axis_once(internal::name(op), axes, options.axis);
  ReduceCall call = make_call(op, a, axes, options.keepdims);
  internal::check_reduce_out(call, options.out, bool_);
  if (!options.where.is_none()) call.a = masked(call, options.where, op == ReduceOp::all);
  return internal::deliver(call, internal::reduce(call, options.out), options.out);
}

ndarray position(ReduceOp op, const ndarray& a, const Axes& axis, const ArgOptions& options) {
  internal::check_axis_once(internal::name(op), axis, options.axis);
  if (!axis.is_all() && axis.list().ndim() != 1) {
    throw TypeError(message(internal::name(op), ": takes one axis or none; ", axis.list()));
  }
  const ReduceCall call = make_call(op, a, axis, options.keepdims);
  internal::check_reduce_out(call, options.out, int64);
  if (!options.out.is_none() && !can_cast(options.out.dtype(), int64)) {
    throw DtypeError(
        message(internal::name(op), ": out holds no positions; ", options.out.dtype().name()));
  }
  if (!options.dtype || options.dtype == int64) {
    return internal::deliver(call, internal::reduce(call, options.out), options.out);
  }
  check_dtype(op, options.dtype);
  const std::int64_t extent =
      axis.is_all() ? a.size() : a.shape()[normalize_axis("argmax", axis.list()[0], a.ndim())];
  if (!options.dtype.is_integer() || !Scalar(extent - 1).fits(options.dtype)) {
    throw OverflowError(message(internal::name(op), ": positions up to ", extent - 1,
                                " do not fit ", options.dtype.name()));
  }
  return internal::deliver(call, internal::reduce(call).astype(options.dtype), options.out);
}

}  // namespace

ndarray sum(const ndarray& a, const Axes& axes, const SumOptions& options) {
  return sum_or_prod(ReduceOp::sum, a, axes, options);
}

ndarray prod(const ndarray& a, const Axes& axes, const SumOptions& options) {
  return sum_or_prod(ReduceOp::prod, a, axes, options);
}

ndarray mean(const ndarray& a, const Axes& axes, const MeanOptions& options) {
  internal::check_axis_once("mean", axes, options.axis);
  ReduceCall call = make_call(ReduceOp::mean, a, axes, options.keepdims);
  check_dtype(call.op, options.dtype);
  const dtype natural = internal::reduction_result(call.op, a.dtype());
  dtype type = options.dtype ? options.dtype : natural;
  const dtype given = options.out.is_none() ? dtype() : options.out.dtype();
  if (!options.dtype && given.is_inexact() && given.is_complex() == type.is_complex()) {
    type = with_out(type, options.out);
  }
  internal::check_reduce_out(call, options.out, type);
  // An integer dtype is that of the elements; the quotient is truncated unless `out` takes it
  // whole.
  const bool is_integer = !type.is_inexact();
  const dtype kept = is_integer && given.is_inexact() ? given : type;
  if (is_integer || (type != natural && options.where.is_none())) call.a = a.astype(type);
  if (!options.where.is_none()) {
    return internal::deliver(call, masked_mean(call, options.where, kept), options.out);
  }
  ndarray result = internal::reduce(call, options.out);
  if (result.dtype() != kept) result = result.astype(kept);
  return internal::deliver(call, result, options.out);
}

ndarray var(const ndarray& a, const Axes& axes, const VarOptions& options) {
  return spread(ReduceOp::var, a, axes, options);
}

ndarray std(const ndarray& a, const Axes& axes, const VarOptions& options) {
  return spread(ReduceOp::std, a, axes, options);
}

ndarray amax(const ndarray& a, const Axes& axes, const MaxOptions& options) {
  return extreme(ReduceOp::amax, a, axes, options);
}

ndarray amin(const ndarray& a, const Axes& axes, const MaxOptions& options) {
  return extreme(ReduceOp::amin, a, axes, options);
}

ndarray all(const ndarray& a, const Axes& axes, const AllOptions& options) {
  return truth(ReduceOp::all, a, axes, options);
}

ndarray any(const ndarray& a, const Axes& axes, const AllOptions& options) {
  return truth(ReduceOp::any, a, axes, options);
}

ndarray argmax(const ndarray& a, const Axes& axis, const ArgOptions& options) {
  return position(ReduceOp::argmax, a, axis, options);
}

ndarray argmin(const ndarray& a, const Axes& axis, const ArgOptions& options) {
  return position(ReduceOp::argmin, a, axis, options);
}

std::int64_t count_nonzero(const ndarray& a) {
  const ReduceCall call = make_call(ReduceOp::count_nonzero, a, {}, false);
  return internal::reduce(call).item<std::int64_t>();
}

ndarray count_nonzero(const ndarray& a, const Axes& axes, bool keepdims) {
  return internal::reduce(make_call(ReduceOp::count_nonzero, a, axes, keepdims));
}

// Of lists.

ndarray sum(const ArrayLike& a, const Axes& axes, const SumOptions& options) {
  return sum(a.array(), axes, options);
}

ndarray prod(const ArrayLike& a, const Axes& axes, const SumOptions& options) {
  return prod(a.array(), axes, options);
}

ndarray mean(const ArrayLike& a, const Axes& axes, const MeanOptions& options) {
  return mean(a.array(), axes, options);
}

ndarray var(const ArrayLike& a, const Axes& axes, const VarOptions& options) {
  return var(a.array(), axes, options);
}

ndarray std(const ArrayLike& a, const Axes& axes, const VarOptions& options) {
  return std(a.array(), axes, options);
}

ndarray amax(const ArrayLike& a, const Axes& axes, const MaxOptions& options) {
  return amax(a.array(), axes, options);
}

ndarray amin(const ArrayLike& a, const Axes& axes, const MaxOptions& options) {
  return amin(a.array(), axes, options);
}

ndarray all(const ArrayLike& a, const Axes& axes, const AllOptions& options) {
  return all(a.array(), axes, options);
}

ndarray any(const ArrayLike& a, const Axes& axes, const AllOptions& options) {
  return any(a.array(), axes, options);
}

ndarray argmax(const ArrayLike& a, const Axes& axis, const ArgOptions& options) {
  return argmax(a.array(), axis, options);
}

ndarray argmin(const ArrayLike& a, const Axes& axis, const ArgOptions& options) {
  return argmin(a.array(), axis, options);
}

std::int64_t count_nonzero(const ArrayLike& a) { return count_nonzero(a.array()); }

}  // namespace cupyxx
