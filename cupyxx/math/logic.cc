// SPDX-License-Identifier: MIT
#include "cupyxx/logic.h"

#include <limits>

#include "cupyxx/core/arrays.h"
#include "cupyxx/core/order_k.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/internal/cpu/elementwise/passes.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"

namespace cupyxx {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

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
  if (other.is_array() && !other.is_list()) x.move_list_to(other.array().device());
  return x.array().dtype().is_inexact() ? x.array() : x.array().astype(float64);
}

}  // namespace

ndarray isclose(const Operand& a, const Operand& b, const CloseOptions& options) {
  if (a.is_none() || b.is_none()) throw TypeError("isclose: an operand is None");
  const ndarray x = floating(a, b), y = floating(b, a);
  if (x.device().is_cpu() && x.device() == y.device() && x.dtype() == y.dtype() &&
      x.shape() == y.shape()) {
    const ndarray result = internal::make_kept("isclose", x.shape(), bool_, x.device(), {&x, &y});
    const ndarray left = internal::laid_like(x, result), right = internal::laid_like(y, result);
    if (internal::cpu::passes().isclose(x.dtype(), static_cast<const char*>(left.elements()),
                                        static_cast<const char*>(right.elements()), x.size(),
                                        options.rtol, options.atol, options.equal_nan,
                                        static_cast<bool*>(result.elements()))) {
      return result;
    }
  }
  const ndarray near = absolute(x - y) <= options.atol + options.rtol * absolute(y);
  const ndarray result = where(isfinite(x) & isfinite(y), near, equal(x, y));
  return options.equal_nan ? result | (isnan(x) & isnan(y)) : result;
}

bool allclose(const Operand& a, const Operand& b, const CloseOptions& options) {
  internal::check_not_none("allclose", a);
  internal::check_not_none("allclose", b);
  return static_cast<bool>(all(isclose(a, b, options)));
}

bool array_equal(const ndarray& a, const ndarray& b, bool equal_nan) {
  internal::check_not_none("array_equal", a);
  internal::check_not_none("array_equal", b);
  if (!(a.shape() == b.shape())) return false;
  ndarray same = equal(a, b);
  if (equal_nan && a.dtype().is_inexact() && b.dtype().is_inexact()) {
    same = same | (isnan(a) & isnan(b));
  }
  return static_cast<bool>(all(same));
}

ndarray isposinf(const ndarray& x, const ndarray& out) {
  internal::check_not_none("isposinf", x);
  if (x.dtype().is_floating()) return equal(x, kInfinity, {.out = out});
  return logical_and(isinf(x), greater(x, 0), {.out = out});
}

ndarray isneginf(const ndarray& x, const ndarray& out) {
  internal::check_not_none("isneginf", x);
  if (x.dtype().is_floating()) return equal(x, -kInfinity, {.out = out});
  return logical_and(isinf(x), less(x, 0), {.out = out});
}

bool array_equiv(const ndarray& a, const ndarray& b) {
  internal::check_not_none("array_equiv", a);
  internal::check_not_none("array_equiv", b);
  try {
    broadcast_shapes("array_equiv", a.shape(), b.shape());
  } catch (const ShapeError&) {
    return false;
  }
  return static_cast<bool>(all(equal(a, b)));
}

// Of lists.

bool array_equal(const ArrayLike& a, const ArrayLike& b, bool equal_nan) {
  return array_equal(a.beside(b), b.beside(a), equal_nan);
}

bool array_equiv(const ArrayLike& a, const ArrayLike& b) {
  return array_equiv(a.beside(b), b.beside(a));
}

}  // namespace cupyxx
