// SPDX-License-Identifier: MIT
#include "cupyxx/logic.h"

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"

namespace cupyxx {

namespace {

// A floating array beside `other`.
ndarray floating(const Operand& x, const Operand& other) {
  if (!x.is_array()) {
    const bool beside = other.is_array();
    const DeviceScope scope(beside ? other.array().device() : current_device());
    dtype type = beside ? other.array().dtype() : float64;
    if (!type.is_inexact()) type = float64;
    if (x.scalar().kind() == Scalar::Kind::complex_floating) type = promote_types(type, complex64);
    return full({}, x.scalar(), type);
  }
  return x.array().dtype().is_inexact() ? x.array() : x.array().astype(float64);
}

}  // namespace

ndarray isclose(const Operand& a, const Operand& b, const CloseOptions& options) {
  if (a.is_none() || b.is_none()) throw TypeError("isclose: an operand is None");
  const ndarray x = floating(a, b), y = floating(b, a);
  const ndarray near = absolute(x - y) <= options.atol + options.rtol * absolute(y);
  const ndarray result = where(isfinite(x) & isfinite(y), near, equal(x, y));
  return options.equal_nan ? result | (isnan(x) & isnan(y)) : result;
}

bool allclose(const Operand& a, const Operand& b, const CloseOptions& options) {
  return static_cast<bool>(all(isclose(a, b, options)));
}

bool array_equal(const ndarray& a, const ndarray& b, bool equal_nan) {
  if (!(a.shape() == b.shape())) return false;
  ndarray same = equal(a, b);
  if (equal_nan && a.dtype().is_inexact() && b.dtype().is_inexact()) {
    same = same | (isnan(a) & isnan(b));
  }
  return static_cast<bool>(all(same));
}

ndarray isposinf(const ndarray& x, const ndarray& out) {
  return logical_and(isinf(x), greater(x, 0), {.out = out});
}

ndarray isneginf(const ndarray& x, const ndarray& out) {
  return logical_and(isinf(x), less(x, 0), {.out = out});
}

bool array_equiv(const ndarray& a, const ndarray& b) {
  try {
    broadcast_shapes("array_equiv", a.shape(), b.shape());
  } catch (const ShapeError&) {
    return false;
  }
  return static_cast<bool>(all(equal(a, b)));
}

}  // namespace cupyxx
