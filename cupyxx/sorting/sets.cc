// SPDX-License-Identifier: MIT
#include "cupyxx/sets.h"

#include "cupyxx/core/arrays.h"
#include "cupyxx/core/rows.h"
#include "cupyxx/creation.h"
#include "cupyxx/indexing.h"
#include "cupyxx/internal/membership.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/sorting.h"

namespace cupyxx {

namespace {

using internal::part;

void check(const char* operation, const ndarray& a, const ndarray& b) {
  internal::check_computable(operation, a);
  internal::check_computable(operation, b);
  internal::common_device(operation, a, b);
}

// Where an element of a sorted array differs from the one before it; the first does.
ndarray begins(const ndarray& sorted) {
  const DeviceScope scope(sorted.device());
  return concatenate(
      {ones({1}, bool_), not_equal(part(sorted, 0, 1, none), part(sorted, 0, none, -1))});
}

}  // namespace

ndarray in1d(const ndarray& a, const ndarray& b, const IsinOptions& options) {
  check("in1d", a, b);
  const dtype type = promote_types(a.dtype(), b.dtype());
  if (a.device().is_cpu() && !type.is_complex()) {
    const bool narrow = type.is_floating() && type.itemsize() == 2;
    const dtype loop = narrow ? float32 : type;
    const ndarray x = internal::contiguous(a.ravel().astype(loop, false));
    const ndarray known = internal::contiguous(b.ravel().astype(loop, false));
    const ndarray found = internal::make_array("in1d", x.shape(), bool_, a.device());
    internal::cpu::find_members({&x, &known, &found, options.invert});
    return found;
  }
  const ndarray x = a.ravel().astype(type, false), known = unique(b).astype(type, false);
  const DeviceScope scope(a.device());
  if (known.size() == 0) return full(x.shape(), options.invert, bool_);
  const ndarray found = equal(take(known, searchsorted(known, x), {.mode = IndexMode::clip}), x);
  return options.invert ? logical_not(found) : found;
}

ndarray isin(const ndarray& a, const ndarray& b, const IsinOptions& options) {
  internal::check_not_none("isin", a);
  internal::check_not_none("isin", b);
  return in1d(a, b, options).reshape(a.shape());
}

ndarray intersect1d(const ndarray& a, const ndarray& b, bool assume_unique) {
  check("intersect1d", a, b);
  const ndarray all = sort(
      concatenate({assume_unique ? a.ravel() : unique(a), assume_unique ? b.ravel() : unique(b)}));
  if (all.size() == 0) return all;
  const ndarray left = part(all, 0, none, -1);
  return extract(equal(part(all, 0, 1, none), left), left);
}

IntersectResult intersect1d_with_indices(const ndarray& a, const ndarray& b) {
  internal::check_not_none("intersect1d_with_indices", a);
  internal::check_not_none("intersect1d_with_indices", b);
  check("intersect1d", a, b);
  const auto x = unique(a, {.return_index = true}), y = unique(b, {.return_index = true});
  const ndarray in_both = in1d(x.values, y.values);
  const dtype type = promote_types(a.dtype(), b.dtype());
  return {extract(in_both, x.values).astype(type, false), extract(in_both, x.index),
          extract(in1d(y.values, x.values), y.index)};
}

ndarray union1d(const ndarray& a, const ndarray& b) {
  check("union1d", a, b);
  return unique(concatenate({a.ravel(), b.ravel()}));
}

ndarray setdiff1d(const ndarray& a, const ndarray& b, bool assume_unique) {
  check("setdiff1d", a, b);
  const ndarray x = assume_unique ? a.ravel() : unique(a);
  return extract(in1d(x, b, {.invert = true}), x);
}

ndarray setxor1d(const ndarray& a, const ndarray& b, bool assume_unique) {
  check("setxor1d", a, b);
  const ndarray all = sort(
      concatenate({assume_unique ? a.ravel() : unique(a), assume_unique ? b.ravel() : unique(b)}));
  if (all.size() == 0) return all;
  // Elements that are alone: a begin that is followed by a begin.
  const DeviceScope scope(all.device());
  const ndarray first = begins(all);
  const ndarray last = concatenate({part(first, 0, 1, none), ones({1}, bool_)});
  return extract(logical_and(first, last), all);
}

// Of lists.

ndarray in1d(const ArrayLike& a, const ArrayLike& b, const IsinOptions& options) {
  return in1d(a.beside(b), b.beside(a), options);
}

ndarray isin(const ArrayLike& a, const ArrayLike& b, const IsinOptions& options) {
  return isin(a.beside(b), b.beside(a), options);
}

ndarray intersect1d(const ArrayLike& a, const ArrayLike& b, bool assume_unique) {
  return intersect1d(a.beside(b), b.beside(a), assume_unique);
}

ndarray union1d(const ArrayLike& a, const ArrayLike& b) {
  return union1d(a.beside(b), b.beside(a));
}

ndarray setdiff1d(const ArrayLike& a, const ArrayLike& b, bool assume_unique) {
  return setdiff1d(a.beside(b), b.beside(a), assume_unique);
}

ndarray setxor1d(const ArrayLike& a, const ArrayLike& b, bool assume_unique) {
  return setxor1d(a.beside(b), b.beside(a), assume_unique);
}

}  // namespace cupyxx
