// SPDX-License-Identifier: MIT
// Views of the parts of complex arrays.
#include "cupyxx/core/arrays.h"
#include "cupyxx/creation.h"
#include "cupyxx/math.h"

namespace cupyxx {

ndarray real(const ndarray& a) {
  internal::check_not_none("real", a);
  if (!a.dtype().is_complex()) return a;
  return internal::make_view(a, a.body()->data, a.dtype().real_part(), a.shape(), a.strides());
}

ndarray imag(const ndarray& a) {
  internal::check_not_none("imag", a);
  const dtype part = a.dtype().real_part();
  if (!a.dtype().is_complex()) {
    ndarray nothing = zeros_like(a);
    nothing.set_writeable(false);
    return nothing;
  }
  return internal::make_view(a, a.body()->data + part.itemsize(), part, a.shape(), a.strides());
}

View ndarray::real() const { return View(cupyxx::real(*this)); }
View ndarray::imag() const { return View(cupyxx::imag(*this)); }
ndarray ndarray::conj() const {
  internal::check_not_none("conjugate", *this);
  return cupyxx::conjugate(*this);
}

}  // namespace cupyxx
