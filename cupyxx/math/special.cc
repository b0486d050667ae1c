// SPDX-License-Identifier: MIT
#include "cupyxx/special.h"

#include <limits>
#include <vector>

#include "cupyxx/core/arrays.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"

namespace cupyxx::special {

namespace {

// As a floating array; complex ones are refused.
ndarray floating(const char* operation, const ndarray& x) {
  internal::check_not_none(operation, x);
  if (x.dtype().is_complex()) {
    throw DtypeError(message(operation, ": no loop for ", x.dtype().name()));
  }
  return x.dtype().is_floating() ? x : x.astype(float64);
}

// The largest elements with their axes; 0 where the largest is no finite number. Of no elements
// they are 0, too.
ndarray largest(const ndarray& x, const Axes& axis) {
  const ndarray top =
      amax(x, axis, {.keepdims = true, .initial = -std::numeric_limits<double>::infinity()});
  return where(isfinite(top), top, 0);
}

}  // namespace

ndarray logsumexp(const ndarray& a, const Axes& axis, const LogsumexpOptions& options) {
  constexpr const char* kName = "logsumexp";
  internal::check_axis_once(kName, axis, options.axis);
  ndarray x = floating(kName, a);
  ndarray b = options.b;
  if (!b.is_none()) {
    b = floating(kName, b);
    const ndarray pair[] = {x, b};
    const std::vector<ndarray> both = broadcast_arrays(pair);
    // What counts 0 times shall not be the largest.
    x = where(both[1] == 0, -std::numeric_limits<double>::infinity(), both[0]);
    b = both[1];
  }
  const ndarray top = largest(x, axis);
  ndarray powers = exp(x - top);
  if (!b.is_none()) powers = powers * b;
  const ndarray result = log(sum(powers, axis, {.keepdims = true})) + top;
  if (options.keepdims) return result;
  // An empty tuple of axes drops none.
  if (axis.is_all()) return result.reshape({});
  return axis.list().empty() ? result : squeeze(result, axis);
}

ndarray softmax(const ndarray& x, const Axes& axis) {
  const ndarray a = floating("softmax", x);
  if (a.size() == 0) return a.copy();
  const ndarray powers = exp(a - amax(a, axis, {.keepdims = true}));
  return powers / sum(powers, axis, {.keepdims = true});
}

ndarray log_softmax(const ndarray& x, const Axes& axis) {
  const ndarray a = floating("log_softmax", x);
  if (a.size() == 0) return a.copy();
  const ndarray shifted = a - largest(a, axis);
  return shifted - log(sum(exp(shifted), axis, {.keepdims = true}));
}

}  // namespace cupyxx::special
