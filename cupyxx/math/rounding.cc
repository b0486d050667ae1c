// SPDX-License-Identifier: MIT
// Rounding to decimals, by NumPy's way: scaled, rounded to integers, scaled back.
#include <cmath>

#include "cupyxx/core/arrays.h"
#include "cupyxx/core/rows.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/math.h"

namespace cupyxx {

namespace {

// 10 ** n as NumPy makes it, exact up to 10 ** 22.
double power_of_ten(std::int64_t n) {
  constexpr double kExact[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8};
  return n < 9 ? kExact[n] : std::pow(10.0, static_cast<double>(n));
}

// Integers to tens, hundreds, ... in floating point, back in their own dtype.
ndarray round_integers(const ndarray& a, int decimals) {
  if (decimals >= 0) return a.copy();
  const double factor = power_of_ten(-std::int64_t{decimals});
  const ndarray scaled = rint(divide(a.astype(float64), factor));
  return multiply(scaled, factor).astype(a.dtype());
}

// Part by part: a complex product with 10 ** n would mix an infinite part into the other.
ndarray round_complex(const ndarray& a, int decimals) {
  const ndarray rounded =
      internal::make_ordered("around", a.shape(), a.dtype(), a.device(), Order::K, a);
  around(real(a), decimals, real(rounded));
  around(imag(a), decimals, imag(rounded));
  return rounded;
}

}  // namespace

ndarray around(const ndarray& a, internal::Int decimals, const ndarray& out) {
  internal::check_computable("around", a);
  if (a.dtype().is_integer())
    return internal::deliver_to("around", round_integers(a, decimals), out);
  if (decimals == 0) return rint(a, {.out = out});
  if (a.dtype().is_bool()) {
    throw DtypeError(message("around: no decimals of bool; ", decimals));
  }
  if (a.dtype().is_complex()) {
    return internal::deliver_to("around", round_complex(a, decimals), out);
  }
  const double factor = power_of_ten(std::abs(std::int64_t{decimals}));
  const ndarray scaled = decimals > 0 ? multiply(a, factor) : divide(a, factor);
  rint(scaled, {.out = scaled});
  const ndarray result = out.is_none() ? scaled : out;
  return decimals > 0 ? divide(scaled, factor, {.out = result})
                      : multiply(scaled, factor, {.out = result});
}

ndarray fix(const ndarray& a, const ndarray& out) {
  internal::check_computable("fix", a);
  return trunc(a, {.out = out});
}

// Of lists and numbers.

ndarray around(const Operand& a, internal::Int decimals) {
  return around(internal::as_array(a), decimals);
}

ndarray round(const Operand& a, internal::Int decimals) {
  return around(internal::as_array(a), decimals);
}

}  // namespace cupyxx
