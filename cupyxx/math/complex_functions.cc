// SPDX-License-Identifier: MIT
#include <cmath>

#include "cupyxx/core/arrays.h"
#include "cupyxx/creation.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"

namespace cupyxx {

ndarray angle(const ndarray& a, bool deg) {
  internal::check_not_none("angle", a);
  // An integer zero beside bool, as in NumPy, makes both int64.
  const ndarray x = a.dtype().is_bool() ? a.astype(int64) : a;
  const ndarray turn = x.dtype().is_complex() ? arctan2(imag(x), real(x)) : arctan2(0, x);
  return deg ? rad2deg(turn) : turn;
}

ndarray real_if_close(const ndarray& a, double tol) {
  internal::check_not_none("real_if_close", a);
  if (!a.dtype().is_complex()) return a;
  const double epsilon = std::ldexp(1.0, a.dtype() == complex64 ? -23 : -52);
  const double bound = tol > 1 ? tol * epsilon : tol;
  return static_cast<bool>(all(less(absolute(imag(a)), bound))) ? real(a) : a;
}

ndarray iscomplex(const ndarray& a) {
  internal::check_not_none("iscomplex", a);
  if (a.dtype().is_complex()) return not_equal(imag(a), 0);
  return zeros_like(a, bool_);
}

ndarray isreal(const ndarray& a) {
  internal::check_not_none("isreal", a);
  if (a.dtype().is_complex()) return equal(imag(a), 0);
  return ones_like(a, bool_);
}

bool iscomplexobj(const ndarray& a) {
  internal::check_not_none("iscomplexobj", a);
  return a.dtype().is_complex();
}

bool isrealobj(const ndarray& a) {
  internal::check_not_none("isrealobj", a);
  return !iscomplexobj(a);
}

}  // namespace cupyxx
