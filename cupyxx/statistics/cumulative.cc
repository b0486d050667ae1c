// SPDX-License-Identifier: MIT
// Running sums and products, differences, and counts of small integers.
#include <algorithm>
#include <array>
#include <span>

#include "cupyxx/core/arrays.h"
#include "cupyxx/core/rows.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/internal/element_types.h"
#include "cupyxx/internal/sorting.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/statistics.h"
#include "cupyxx/statistics/reduce.h"

namespace cupyxx {

namespace {

/// The type of the loop for a result of `type`: integers wrap around, so that 64 bits may be cut
/// down afterwards.
dtype scan_type(dtype type) {
  if (internal::is_narrow(type)) return float32;
  return type.is_inexact() ? type : type == uint64 ? uint64 : int64;
}

ndarray accumulate(const char* operation, bool product, const ndarray& a, const Axes& axis,
                   const CumsumOptions& options) {
  internal::check_axis_once(operation, axis, options.axis);
  internal::check_computable(operation, a);
  if (!options.out.is_none()) internal::check_computable(operation, options.out);
  const dtype natural = internal::reduction_result(
      product ? internal::ReduceOp::prod : internal::ReduceOp::sum, a.dtype());
  const dtype type = options.dtype           ? options.dtype
                     : options.out.is_none() ? natural
                                             : promote_types(natural, options.out.dtype());
  if (static_cast<int>(type.code()) >= dtype::kComputeCount) {
    throw DtypeError(message(operation, ": no loop for ", type.name()));
  }
  const ndarray source = a.ndim() == 0 ? a.ravel() : a;
  const dtype loop = scan_type(type);
  // First to the dtype that was asked for, which may cut off fractions.
  const internal::Rows rows =
      internal::rows_along(operation, source.astype(type, false).astype(loop, false), axis);
  // What a cast has made is nobody else's and takes the sums.
  const bool was_cast = source.dtype() != type || type != loop;
  ndarray result =
      was_cast ? rows.array : internal::make_array(operation, rows.array.shape(), loop, a.device());
  const internal::ScanCall call{operation, &rows.array, &result, rows.count, rows.n, product};
  a.device().is_cpu() ? internal::cpu::scan_rows(call) : internal::gpu::scan_rows(call);
  result = internal::restore_axis(rows, result).astype(type, false);
  return internal::deliver_to(operation, result, options.out, Casting::unsafe);
}

ndarray without_nan(const ndarray& a, double value) {
  internal::check_not_none("nancumsum", a);
  return a.dtype().is_inexact() ? where(isnan(a), value, a) : a;
}

/// What is put beside `a` along an axis; a 0-d array fills an edge of width 1.
ndarray edge(const ndarray& a, int axis, const ndarray& values) {
  if (values.ndim() != 0) return values;
  Shape shape = a.shape();
  shape[axis] = 1;
  return broadcast_to(values, shape);
}

}  // namespace

ndarray cumsum(const ndarray& a, const Axes& axis, const CumsumOptions& options) {
  return accumulate("cumsum", false, a, axis, options);
}

ndarray cumprod(const ndarray& a, const Axes& axis, const CumsumOptions& options) {
  return accumulate("cumprod", true, a, axis, options);
}

ndarray nancumsum(const ndarray& a, const Axes& axis, const CumsumOptions& options) {
  return accumulate("nancumsum", false, without_nan(a, 0), axis, options);
}

ndarray nancumprod(const ndarray& a, const Axes& axis, const CumsumOptions& options) {
  internal::check_not_none("nancumprod", a);
  return accumulate("nancumprod", true, without_nan(a, 1), axis, options);
}

ndarray diff(const ndarray& a, internal::Int n, internal::Int axis, const DiffOptions& options) {
  internal::check_axis_once("diff", axis, options.axis);
  internal::check_computable("diff", a);
  if (n < 0) throw ValueError(message("diff: the order must not be negative; ", n));
  if (n == 0) return a;
  if (a.ndim() == 0) throw ValueError("diff: takes an array of at least one axis; ()");
  const int at = normalize_axis("diff", axis, a.ndim());
  ndarray x = a;
  if (!options.prepend.is_none() || !options.append.is_none()) {
    std::array<ndarray, 3> parts;
    std::size_t count = 0;
    if (!options.prepend.is_none()) parts[count++] = edge(a, at, options.prepend.beside(a));
    parts[count++] = a;
    if (!options.append.is_none()) parts[count++] = edge(a, at, options.append.beside(a));
    x = concatenate(std::span(parts).first(count), at);
  }
  for (int times = n; times > 0; --times) {
    if (x.shape()[at] == 0) break;  // stays so
    const ndarray later = internal::part(x, at, 1, none);
    const ndarray earlier = internal::part(x, at, none, -1);
    x = x.dtype().is_bool() ? not_equal(later, earlier) : subtract(later, earlier);
  }
  return x;
}

ndarray internal::diff_between(const ndarray& a, int n, int axis, const Operand& prepend,
                               const Operand& append) {
  check_computable("diff", a);
  const DeviceScope scope(a.device());
  const auto given = [&](const Operand& edge) {
    edge.move_list_to(a.device());
    return edge.is_array() ? edge.array() : array(edge.scalar());
  };
  return diff(a, n, axis, DiffOptions{.prepend = given(prepend), .append = given(append)});
}

ndarray bincount(const ndarray& x, const BincountOptions& options) {
  internal::check_not_none("bincount", x);
  if (!can_cast(x.dtype(), int64)) {
    throw TypeError(
        message("bincount: cannot cast from ", x.dtype().name(), " to int64 by the rule 'safe'"));
  }
  if (x.ndim() != 1) throw ValueError(message("bincount: takes a 1-D array; ", x.shape()));
  if (options.minlength < 0) {
    throw ValueError(message("bincount: minlength must not be negative; ", options.minlength));
  }
  const DeviceScope scope(x.device());
  if (x.size() == 0) return zeros({options.minlength}, int64);
  const ndarray given = options.weights.beside(x);
  const bool weighted = !given.is_none();
  ndarray weights;
  if (weighted) {
    internal::common_device("bincount", x, given);
    if (!can_cast(given.dtype(), float64)) {
      throw TypeError(
          message("bincount: cannot cast the weights from ", given.dtype().name(), " to float64"));
    }
    if (!(given.shape() == x.shape())) {
      throw ValueError(message("bincount: the weights and the array differ in length; ",
                               given.shape(), " and ", x.shape()));
    }
    weights = internal::contiguous(given.astype(float64, false));
  }
  const ndarray positions = internal::contiguous(x.astype(int64, false));
  const auto lowest = amin(positions).item<std::int64_t>();
  if (lowest < 0) {
    throw ValueError(message("bincount: the array must have no negative elements; ", lowest));
  }
  const std::int64_t bins = std::max(options.minlength, amax(positions).item<std::int64_t>() + 1);
  ndarray out = internal::make_array("bincount", {bins}, weighted ? float64 : int64, x.device());
  const internal::BincountCall call{"bincount", &positions, weighted ? &weights : nullptr, &out};
  x.device().is_cpu() ? internal::cpu::bincount(call) : internal::gpu::bincount(call);
  return out;
}

// Of lists.

ndarray bincount(const ArrayLike& x, const BincountOptions& options) {
  return bincount(x.array(), options);
}

ndarray bincount(const ArrayLike& x, const ArrayLike& weights, internal::Int64 minlength) {
  return bincount(x.beside(weights),
                  BincountOptions{.weights = weights.beside(x), .minlength = minlength});
}

ndarray bincount(const ArrayLike& x, None, internal::Int64 minlength) {
  return bincount(x.array(), BincountOptions{.minlength = minlength});
}

ndarray cumsum(const ArrayLike& a, const Axes& axis, const CumsumOptions& options) {
  return cumsum(a.array(), axis, options);
}

ndarray cumprod(const ArrayLike& a, const Axes& axis, const CumsumOptions& options) {
  return cumprod(a.array(), axis, options);
}

ndarray diff(const ArrayLike& a, internal::Int n, internal::Int axis, const DiffOptions& options) {
  return diff(a.array(), n, axis, options);
}

}  // namespace cupyxx
