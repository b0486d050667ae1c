// SPDX-License-Identifier: MIT
// Reductions that pass over NaN: the elements are replaced by what changes nothing.
#include <limits>

#include "cupyxx/core/arrays.h"
#include "cupyxx/core/rows.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/internal/cpu/elementwise/passes.h"
#include "cupyxx/internal/element_types.h"
#include "cupyxx/math.h"
#include "cupyxx/statistics.h"
#include "cupyxx/statistics/reduce.h"

namespace cupyxx {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

ndarray replace_nan(const char* operation, const ndarray& a, const Scalar& value) {
  internal::check_computable(operation, a);
  return a.dtype().is_inexact() ? where(isnan(a), value, a) : a;
}

ndarray extreme(const char* operation, bool largest, const ndarray& a, const Axes& axes,
                const MaxOptions& options) {
  internal::check_axis_once(operation, axes, options.axis);
  internal::check_computable(operation, a);
  const bool keeps_type = !options.dtype || options.dtype == a.dtype();
  const bool whole = axes.is_all() && !options.initial && options.where.is_none() && keeps_type;
  if (whole && a.device().is_cpu() && a.size() != 0) {
    const ndarray elements = internal::contiguous(a);
    const ndarray found = internal::make_array(operation, {}, a.dtype(), a.device());
    if (internal::cpu::passes().extreme_number(largest, a.dtype(),
                                               static_cast<const char*>(elements.elements()),
                                               a.size(), static_cast<char*>(found.elements()))) {
      Shape shape;
      for (int i = 0; options.keepdims && i < a.ndim(); ++i) shape.push_back(1);
      return internal::deliver_to(operation, found.reshape(shape), options.out, Casting::unsafe);
    }
  }
  const auto reduce = [&](const ndarray& x, const MaxOptions& how) {
    return largest ? amax(x, axes, how) : amin(x, axes, how);
  };
  const double last = largest ? -kInfinity : kInfinity;
  const ndarray x = replace_nan(
      operation, a, a.dtype().is_complex() ? Scalar(complex<double>(last, last)) : Scalar(last));
  if (!a.dtype().is_inexact() || options.initial) return reduce(x, options);
  MaxOptions inner = options;
  inner.out = {};
  const ndarray found = reduce(x, inner);
  ndarray nothing = isnan(a);
  if (!options.where.is_none()) nothing = logical_or(nothing, logical_not(options.where));
  const ndarray empty = all(nothing, axes, {.keepdims = options.keepdims});
  ndarray result = where(empty, kNan, found);
  if (options.dtype) result = result.astype(options.dtype, false);
  return internal::deliver_to(operation, result, options.out, Casting::unsafe);
}

ndarray position(const char* operation, bool largest, const ndarray& a, const Axes& axis,
                 const ArgOptions& options) {
  internal::check_axis_once(operation, axis, options.axis);
  const ndarray x = replace_nan(operation, a, largest ? -kInfinity : kInfinity);
  if (a.dtype().is_inexact() && any(all(isnan(a), axis)).item<bool>()) {
    throw ValueError(message(operation, ": a slice of only NaN has no extreme; shape ", a.shape()));
  }
  return largest ? argmax(x, axis, options) : argmin(x, axis, options);
}

/// The dtype in which 16-bit floats are summed up.
dtype sum_type(dtype type) { return internal::is_narrow(type) ? float32 : type; }

/// Number of elements that count, as `type`.
ndarray count_numbers(const ndarray& a, const Axes& axes, bool keepdims, const ndarray& where,
                      dtype type) {
  return sum(logical_not(isnan(a)), axes, {.keepdims = keepdims, .where = where}).astype(type);
}

ndarray spread(const char* operation, bool root, const ndarray& a, const Axes& axes,
               const VarOptions& options) {
  internal::check_axis_once(operation, axes, options.axis);
  internal::check_computable(operation, a);
  if (!a.dtype().is_inexact()) {
    return root ? cupyxx::std(a, axes, options) : var(a, axes, options);
  }
  const dtype wanted = options.dtype ? options.dtype : a.dtype();
  const dtype result_type = wanted.real_part();
  const dtype type = sum_type(wanted);
  const ndarray missing = isnan(a);
  const ndarray x = where(missing, 0.0, a).astype(type, false);
  const ndarray& chosen = options.where;
  const ndarray centre = divide(sum(x, axes, {.keepdims = true, .where = chosen}),
                                count_numbers(a, axes, true, chosen, type));
  const ndarray distance = where(missing, 0.0, subtract(x, centre));
  const ndarray total =
      sum(square(absolute(distance)), axes, {.keepdims = options.keepdims, .where = chosen});
  const ndarray degrees =
      subtract(count_numbers(a, axes, options.keepdims, chosen, type.real_part()), options.ddof);
  ndarray result = where(less_equal(degrees, 0), kNan, divide(total, degrees));
  if (root) result = sqrt(result);
  return internal::deliver_to(operation, result.astype(result_type, false), options.out);
}

}  // namespace

ndarray nansum(const ndarray& a, const Axes& axes, const SumOptions& options) {
  internal::check_axis_once("nansum", axes, options.axis);
  return sum(replace_nan("nansum", a, 0.0), axes, options);
}

ndarray nanprod(const ndarray& a, const Axes& axes, const SumOptions& options) {
  internal::check_axis_once("nanprod", axes, options.axis);
  return prod(replace_nan("nanprod", a, 1.0), axes, options);
}

ndarray nanmax(const ndarray& a, const Axes& axes, const MaxOptions& options) {
  return extreme("nanmax", true, a, axes, options);
}

ndarray nanmin(const ndarray& a, const Axes& axes, const MaxOptions& options) {
  return extreme("nanmin", false, a, axes, options);
}

ndarray nanmean(const ndarray& a, const Axes& axes, const MeanOptions& options) {
  internal::check_axis_once("nanmean", axes, options.axis);
  internal::check_computable("nanmean", a);
  if (!a.dtype().is_inexact()) return mean(a, axes, options);
  const dtype result_type = options.dtype ? options.dtype : a.dtype();
  const dtype type = sum_type(result_type);
  const ndarray total = sum(replace_nan("nanmean", a, 0.0), axes,
                            {.dtype = type, .keepdims = options.keepdims, .where = options.where});
  const ndarray count = count_numbers(a, axes, options.keepdims, options.where, type);
  return internal::deliver_to("nanmean", divide(total, count).astype(result_type, false),
                              options.out);
}

ndarray nanvar(const ndarray& a, const Axes& axes, const VarOptions& options) {
  return spread("nanvar", false, a, axes, options);
}

ndarray nanstd(const ndarray& a, const Axes& axes, const VarOptions& options) {
  return spread("nanstd", true, a, axes, options);
}

ndarray nanargmax(const ndarray& a, const Axes& axis, const ArgOptions& options) {
  return position("nanargmax", true, a, axis, options);
}

ndarray nanargmin(const ndarray& a, const Axes& axis, const ArgOptions& options) {
  return position("nanargmin", false, a, axis, options);
}

// Of lists.

ndarray nansum(const ArrayLike& a, const Axes& axes, const SumOptions& options) {
  return nansum(a.array(), axes, options);
}

ndarray nanmax(const ArrayLike& a, const Axes& axes, const MaxOptions& options) {
  return nanmax(a.array(), axes, options);
}

ndarray nanmin(const ArrayLike& a, const Axes& axes, const MaxOptions& options) {
  return nanmin(a.array(), axes, options);
}

ndarray nanmean(const ArrayLike& a, const Axes& axes, const MeanOptions& options) {
  return nanmean(a.array(), axes, options);
}

ndarray nanvar(const ArrayLike& a, const Axes& axes, const VarOptions& options) {
  return nanvar(a.array(), axes, options);
}

ndarray nanstd(const ArrayLike& a, const Axes& axes, const VarOptions& options) {
  return nanstd(a.array(), axes, options);
}

}  // namespace cupyxx
