// SPDX-License-Identifier: MIT
// The array's methods that are routines of the chapters.
#include <algorithm>
#include <cstddef>

#include "cupyxx/core/arrays.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/linalg.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/printing.h"
#include "cupyxx/reduction.h"
#include "cupyxx/sorting.h"
#include "cupyxx/statistics.h"

namespace cupyxx {

ndarray ndarray::sum(const Axes& axes) const { return cupyxx::sum(*this, axes); }
ndarray ndarray::sum(const Axes& axes, const SumOptions& options) const {
  return cupyxx::sum(*this, axes, options);
}
ndarray ndarray::prod(const Axes& axes) const { return cupyxx::prod(*this, axes); }
ndarray ndarray::prod(const Axes& axes, const SumOptions& options) const {
  return cupyxx::prod(*this, axes, options);
}
ndarray ndarray::mean(const Axes& axes) const { return cupyxx::mean(*this, axes); }
ndarray ndarray::mean(const Axes& axes, const MeanOptions& options) const {
  return cupyxx::mean(*this, axes, options);
}
ndarray ndarray::var(const Axes& axes) const { return cupyxx::var(*this, axes); }
ndarray ndarray::var(const Axes& axes, const VarOptions& options) const {
  return cupyxx::var(*this, axes, options);
}
ndarray ndarray::std(const Axes& axes) const { return cupyxx::std(*this, axes); }
ndarray ndarray::std(const Axes& axes, const VarOptions& options) const {
  return cupyxx::std(*this, axes, options);
}
ndarray ndarray::max(const Axes& axes) const { return amax(*this, axes); }
ndarray ndarray::max(const Axes& axes, const MaxOptions& options) const {
  return amax(*this, axes, options);
}
ndarray ndarray::min(const Axes& axes) const { return amin(*this, axes); }
ndarray ndarray::min(const Axes& axes, const MaxOptions& options) const {
  return amin(*this, axes, options);
}
ndarray ndarray::all(const Axes& axes) const { return cupyxx::all(*this, axes); }
ndarray ndarray::all(const Axes& axes, const AllOptions& options) const {
  return cupyxx::all(*this, axes, options);
}
ndarray ndarray::any(const Axes& axes) const { return cupyxx::any(*this, axes); }
ndarray ndarray::any(const Axes& axes, const AllOptions& options) const {
  return cupyxx::any(*this, axes, options);
}
ndarray ndarray::argmax(const Axes& axis) const { return cupyxx::argmax(*this, axis); }
ndarray ndarray::argmin(const Axes& axis) const { return cupyxx::argmin(*this, axis); }
ndarray ndarray::argmax(const Axes& axis, const ArgOptions& options) const {
  return cupyxx::argmax(*this, axis, options);
}
ndarray ndarray::argmin(const Axes& axis, const ArgOptions& options) const {
  return cupyxx::argmin(*this, axis, options);
}
ndarray ndarray::ptp(const Axes& axes) const { return cupyxx::ptp(*this, axes); }
ndarray ndarray::ptp(const Axes& axes, const PtpOptions& options) const {
  return cupyxx::ptp(*this, axes, options);
}
ndarray ndarray::cumsum(const Axes& axis) const { return cupyxx::cumsum(*this, axis); }
ndarray ndarray::cumsum(const Axes& axis, const CumsumOptions& options) const {
  return cupyxx::cumsum(*this, axis, options);
}
ndarray ndarray::cumprod(const Axes& axis) const { return cupyxx::cumprod(*this, axis); }
ndarray ndarray::cumprod(const Axes& axis, const CumsumOptions& options) const {
  return cupyxx::cumprod(*this, axis, options);
}
ndarray ndarray::clip(const Operand& min) const { return cupyxx::clip(*this, min, {}); }
ndarray ndarray::clip(const Operand& min, const Operand& max) const {
  return cupyxx::clip(*this, min, max);
}
ndarray ndarray::clip(const Operand& min, const Operand& max, const ndarray& out) const {
  return cupyxx::clip(*this, min, max, out);
}
ndarray ndarray::clip(const Operand& min, const Operand& max, const UfuncOptions& options) const {
  return cupyxx::clip(*this, min, max, options);
}
ndarray ndarray::round(internal::Int decimals) const { return around(*this, decimals); }
ndarray ndarray::round(internal::Int decimals, const ndarray& out) const {
  return around(*this, decimals, out);
}
ndarray ndarray::dot(const ndarray& other) const { return cupyxx::dot(*this, other); }
ndarray ndarray::dot(const ndarray& other, const ndarray& out) const {
  return cupyxx::dot(*this, other, out);
}
ndarray ndarray::trace(internal::Int offset, internal::Int axis1, internal::Int axis2) const {
  return cupyxx::trace(*this, offset, axis1, axis2);
}
ndarray ndarray::trace(internal::Int offset, internal::Int axis1, internal::Int axis2,
                       const TraceOptions& options) const {
  return cupyxx::trace(*this, offset, axis1, axis2, options);
}

void ndarray::sort(internal::Int axis) const { set(cupyxx::sort(*this, axis)); }
ndarray ndarray::argsort(const Axes& axis) const { return cupyxx::argsort(*this, axis); }
std::string ndarray::str() const { return array_str(*this); }
std::vector<std::byte> ndarray::tobytes(Choice<Order> order) const {
  internal::check_not_none("tobytes", *this);
  const ndarray host = to_cpu().flatten(order);
  const auto* const bytes = static_cast<const std::byte*>(host.elements());
  return {bytes, bytes + host.nbytes()};
}
View ndarray::flat() const {
  internal::check_not_none("flat", *this);
  const ndarray line = cupyxx::ravel(*this);
  if (!line.shares_memory(*this)) {
    throw ValueError(message("flat: the elements of shape ", shape(), " and strides ", strides(),
                             " have no one-dimensional view; use ravel() or put()"));
  }
  return View(line);
}
void ndarray::resize(const Shape& to) {
  internal::check_not_none("resize", *this);
  const internal::Body& old = *body();
  if (old.refs.load() != 1 || old.storage->refs.load() != 1 || !old.owndata) {
    throw ValueError(
        message("resize: the array of shape ", shape(),
                " is shared with another handle or view; resize(a, shape) makes a copy"));
  }
  ndarray result = internal::make_array("resize", to, dtype(), device());
  result.fill(0);
  const std::int64_t count = std::min(size(), result.size());
  if (count != 0) result.flat()(slice(count)) = cupyxx::ravel(*this)(slice(count));
  *this = std::move(result);
}
void ndarray::partition(internal::Int64 kth, internal::Int axis) const {
  set(cupyxx::partition(*this, kth, axis));
}
ndarray ndarray::argpartition(internal::Int64 kth, const Axes& axis) const {
  return cupyxx::argpartition(*this, kth, axis);
}
Arrays ndarray::nonzero() const { return cupyxx::nonzero(*this); }
ndarray ndarray::searchsorted(const Operand& v) const { return cupyxx::searchsorted(*this, v); }
ndarray ndarray::searchsorted(const Operand& v, const SearchsortedOptions& options) const {
  return cupyxx::searchsorted(*this, v, options);
}

}  // namespace cupyxx
