// SPDX-License-Identifier: MIT
#include "cupyxx/array_api.h"

#include <algorithm>
#include <string>

#include "cupyxx/core/arrays.h"
#include "cupyxx/core/checked.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/linalg.h"
#include "cupyxx/math.h"
#include "cupyxx/sorting.h"
#include "cupyxx/statistics.h"

namespace cupyxx {

ndarray permute_dims(const ndarray& a, const Shape& axes) {
  internal::check_not_none("permute_dims", a);
  return transpose(a, axes);
}

ndarray matrix_transpose(const ndarray& x) {
  internal::check_not_none("matrix_transpose", x);
  if (x.ndim() < 2) {
    throw ValueError(message("matrix_transpose: needs at least two axes; ", x.shape()));
  }
  return swapaxes(x, -1, -2);
}

Arrays unstack(const ndarray& x, internal::Int axis) {
  internal::check_not_none("unstack", x);
  const int along = normalize_axis("unstack", axis, x.ndim());
  const ndarray first = rollaxis(x, along);
  std::vector<ndarray> parts;
  internal::make_room("unstack", parts, x.shape()[along]);
  for (std::int64_t i = 0; i < x.shape()[along]; ++i) parts.push_back(first(i));
  return parts;
}

namespace {

// Moves an axis to the end.
ndarray last(const char* operation, const ndarray& x, int axis) {
  internal::check_not_none(operation, x);
  return rollaxis(x, normalize_axis(operation, axis, x.ndim()), x.ndim());
}

void check_lengths(const char* operation, const ndarray& a, std::int64_t of_a, const ndarray& b,
                   std::int64_t of_b) {
  if (of_a == of_b) return;
  throw ShapeError(message(operation, ": lengths differ: ", of_a, " and ", of_b, "; shapes ",
                           a.shape(), " and ", b.shape()));
}

ndarray conjugated(const ndarray& x) { return x.dtype().is_complex() ? x.conj() : x; }

}  // namespace

ndarray vecdot(const ndarray& a, const ndarray& b, internal::Int axis) {
  const ndarray x = last("vecdot", a, axis), y = last("vecdot", b, axis);
  check_lengths("vecdot", a, x.shape().back(), b, y.shape().back());
  return squeeze(matmul(expand_dims(conjugated(x), -2), expand_dims(y, -1)), {-2, -1});
}

ndarray matvec(const ndarray& a, const ndarray& x) {
  const ndarray vectors = last("matvec", x, -1);
  internal::check_not_none("matvec", a);
  if (a.ndim() < 2) throw ShapeError(message("matvec: a needs at least two axes; ", a.shape()));
  check_lengths("matvec", a, a.shape().back(), x, vectors.shape().back());
  return squeeze(matmul(a, expand_dims(vectors, -1)), -1);
}

ndarray vecmat(const ndarray& x, const ndarray& a) {
  const ndarray vectors = last("vecmat", x, -1);
  internal::check_not_none("vecmat", a);
  if (a.ndim() < 2) throw ShapeError(message("vecmat: a needs at least two axes; ", a.shape()));
  check_lengths("vecmat", x, vectors.shape().back(), a, a.shape()[a.ndim() - 2]);
  return squeeze(matmul(expand_dims(conjugated(vectors), -2), a), -2);
}

namespace {

using Scan = ndarray (*)(const ndarray&, const Axes&, const CumsumOptions&);

ndarray cumulate(const char* operation, Scan scan, int initial, const ndarray& x,
                 const CumulativeOptions& options) {
  internal::check_not_none(operation, x);
  if (x.ndim() == 0) {
    throw ValueError(message(operation, ": needs at least one axis; a 0-d array"));
  }
  if (!options.axis && x.ndim() > 1) {
    throw ValueError(
        message(operation, ": an array with several axes needs `axis`; shape ", x.shape()));
  }
  const int axis = normalize_axis(operation, options.axis.value_or(0), x.ndim());
  if (!options.include_initial) {
    return scan(x, axis, {.dtype = options.dtype, .out = options.out});
  }
  const ndarray sums = scan(x, axis, {.dtype = options.dtype});
  Shape shape = x.shape();
  shape[axis] += 1;
  ndarray out = options.out;
  if (out.is_none()) {
    out = internal::make_array(operation, shape, sums.dtype(), x.device());
  } else if (!(out.shape() == shape)) {
    throw ShapeError(
        message(operation, ": out has the shape ", out.shape(), ", the result ", shape));
  }
  const ndarray first = rollaxis(out, axis);
  internal::assign(operation, first(0), initial, Casting::unsafe);
  internal::assign(operation, first(slice(1, none)), rollaxis(sums, axis), Casting::same_kind);
  return out;
}

}  // namespace

ndarray cumulative_sum(const ndarray& x, const CumulativeOptions& options) {
  return cumulate("cumulative_sum", cumsum, 0, x, options);
}
ndarray cumulative_prod(const ndarray& x, const CumulativeOptions& options) {
  return cumulate("cumulative_prod", cumprod, 1, x, options);
}

UniqueAllResult unique_all(const ndarray& x) {
  internal::check_not_none("unique_all", x);
  const UniqueResult found = unique(
      x, {.return_index = true, .return_inverse = true, .return_counts = true, .equal_nan = false});
  return {found.values, found.index, found.inverse.reshape(x.shape()), found.counts};
}
UniqueCountsResult unique_counts(const ndarray& x) {
  internal::check_not_none("unique_counts", x);
  const auto found = unique(x, {.return_counts = true, .equal_nan = false});
  return {found.values, found.counts};
}
UniqueInverseResult unique_inverse(const ndarray& x) {
  internal::check_not_none("unique_inverse", x);
  const auto found = unique(x, {.return_inverse = true, .equal_nan = false});
  return {found.values, found.inverse.reshape(x.shape())};
}
ndarray unique_values(const ndarray& x) {
  internal::check_not_none("unique_values", x);
  return unique(x, {.equal_nan = false}).values;
}

bool isdtype(dtype type, const DtypeKindArgument& kind) {
  if (kind.type()) return type == kind.type();
  const std::string_view name = kind.kind();
  if (name == "bool") return type.is_bool();
  if (name == "signed integer") return type.is_signed_integer();
  if (name == "unsigned integer") return type.is_unsigned_integer();
  if (name == "integral") return type.is_integer();
  if (name == "real floating") return type.is_floating();
  if (name == "complex floating") return type.is_complex();
  if (name == "numeric") return type.is_integer() || type.is_inexact();
  throw ValueError(message("isdtype: no kind '", name,
                           "'; kinds are bool, signed integer, unsigned integer, integral, real "
                           "floating, complex floating and numeric"));
}

bool isdtype(dtype type, std::initializer_list<DtypeKindArgument> kinds) {
  bool found = false;
  for (const DtypeKindArgument& kind : kinds) found = isdtype(type, kind) || found;
  return found;
}

// Of lists.

ndarray trapezoid(const ArrayLike& y, const ArrayLike& x, double dx, internal::Int axis) {
  return trapz(y, x, dx, axis);
}

}  // namespace cupyxx
