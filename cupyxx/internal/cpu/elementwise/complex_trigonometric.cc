// SPDX-License-Identifier: MIT
#include <math.h>

#include "cupyxx/internal/cpu/loops.h"
#include "cupyxx/ops/trigonometric.h"

namespace cupyxx::internal {
namespace {

using Double = complex<double>;

/// The C library's sine and cosine of one angle at once: the same numbers sooner than in two calls.
struct BothOf {
  double sine, cosine;
  explicit BothOf(double angle) { sincos(angle, &sine, &cosine); }
};

/// Where sinh(x + iy) is sinh(x) cos(y) + i cosh(x) sin(y): no part is special.
bool is_ordinary(double x, double y) {
  return ops::m::fabs(x) <= 700 && x != 0 && y != 0 && y - y == 0;
}

struct SinhAtOnce {
  static Double apply(Double z) {
    if (!is_ordinary(z.re, z.im)) return ops::Sinh::apply(z);
    const BothOf angle(z.im);
    return {ops::m::sinh(z.re) * angle.cosine, ops::m::cosh(z.re) * angle.sine};
  }
};
struct CoshAtOnce {
  static Double apply(Double z) {
    if (!is_ordinary(z.re, z.im)) return ops::Cosh::apply(z);
    const BothOf angle(z.im);
    return {ops::m::cosh(z.re) * angle.cosine, ops::m::sinh(z.re) * angle.sine};
  }
};
struct SinAtOnce {
  static Double apply(Double z) {
    const Double turned = SinhAtOnce::apply({z.im, z.re});
    return {turned.im, turned.re};
  }
};
struct CosAtOnce {
  static Double apply(Double z) { return CoshAtOnce::apply({-z.im, z.re}); }
};

template <>
struct Loop<ops::Sinh, Double(Double)> : Loop<SinhAtOnce, Double(Double)> {};
template <>
struct Loop<ops::Cosh, Double(Double)> : Loop<CoshAtOnce, Double(Double)> {};
template <>
struct Loop<ops::Sin, Double(Double)> : Loop<SinAtOnce, Double(Double)> {};
template <>
struct Loop<ops::Cos, Double(Double)> : Loop<CosAtOnce, Double(Double)> {};

}  // namespace
}  // namespace cupyxx::internal

CUPYXX_DEFINE_COMPLEX_LOOPS(TrigonometricOps)
