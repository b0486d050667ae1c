// SPDX-License-Identifier: MIT
#include "chainerxx/functions/math/special.h"

#include <numbers>

#include "chainerxx/functions/array/broadcasting.h"
#include "chainerxx/functions/array/cast.h"
#include "chainerxx/functions/math/extremes.h"
#include "chainerxx/internal/gradient_row.h"
#include "chainerxx/internal/narrow_types.h"
#include "chainerxx/internal/same_shape.h"
#include "cupyxx/creation.h"
#include "cupyxx/device.h"
#include "cupyxx/error.h"
#include "cupyxx/math.h"
#include "cupyxx/special.h"

namespace chainerxx::functions {
namespace {

using internal::apply_row;
using internal::Keep;
using internal::UnaryRow;
namespace math = internal::math;
namespace special = cupyxx::special;

constexpr double kHalfRootPi = 0.5 / std::numbers::inv_sqrtpi;
constexpr double kRootTwoPi = std::numbers::sqrt2 / std::numbers::inv_sqrtpi;
constexpr int kMostDerivatives = 20;

constexpr UnaryRow kErfinv{
    "erfinv", [](const auto& x) { return special::erfinv(x); },
    [](const auto&, const auto& y, const auto& gy) { return math::exp(y * y) * gy * kHalfRootPi; },
    Keep::output};

constexpr UnaryRow kErfcinv{
    "erfcinv", [](const auto& x) { return special::erfcinv(x); },
    [](const auto&, const auto& y, const auto& gy) { return math::exp(y * y) * gy * -kHalfRootPi; },
    Keep::output};

constexpr UnaryRow kNdtr{"ndtr", [](const auto& x) { return special::ndtr(x); },
                         [](const auto& x, const auto&, const auto& gy) {
                           return math::exp(x * x * -0.5) * gy * (1 / kRootTwoPi);
                         },
                         Keep::inputs};

constexpr UnaryRow kNdtri{"ndtri", [](const auto& x) { return special::ndtri(x); },
                          [](const auto&, const auto& y, const auto& gy) {
                            return math::exp(y * y * 0.5) * gy * kRootTwoPi;
                          },
                          Keep::output};

ndarray in_dtype(const ndarray& x, cupyxx::dtype type) { return x.astype(type); }
Variable in_dtype(const Variable& x, cupyxx::dtype type) { return cast(x, type); }
ndarray log_share(const ndarray& x) { return special::log_ndtr(x); }
Variable log_share(const Variable& x) { return log_ndtr(x); }
ndarray scaled_erfc(const ndarray& x) { return special::erfcx(x); }
Variable scaled_erfc(const Variable& x) { return erfcx(x); }
ndarray above(const ndarray& x, double bound) { return cupyxx::maximum(x, bound); }
Variable above(const Variable& x, double bound) { return maximum(x, bound); }

/// t = 1 / (z + 2 / (z + 3 / (z + ...))) in twelve steps, enough from z = 8 on: Laplace's fraction.
/// exp(-z^2 / 2) / (z + t) is the integral of exp(-u^2 / 2) above z.
template <class A>
A laplace_fraction(const A& z) {
  A rest = 12 / z;
  for (int k = 11; k > 0; --k) rest = k / (z + rest);
  return rest;
}

/// Right of this the slope of erfcx is a continued fraction, and its value below 1.
constexpr double kFarRight = 5.75;

/// 2 x y - 2 / sqrt(pi), the slope of y = erfcx(x). Far to the right the two are nearly equal;
/// there it is -sqrt(2) y times Laplace's fraction of sqrt(2) x.
template <class A>
A erfcx_slope(const A& x, const A& y) {
  const A near = -above(-x, -kFarRight), far = above(x, kFarRight);
  const A small = -above(-y, -1);
  const A is_near = in_dtype((math::sign(kFarRight - x) + 1) * 0.5, x.dtype());
  return (near * y * 2 - 1 / kHalfRootPi) * is_near -
         small * laplace_fraction(far * std::numbers::sqrt2) * std::numbers::sqrt2 * (1 - is_near);
}

/// A gradient by a slope of x and y; 16-bit types through float32, where `value` is computed again.
template <class A, class Slope, class Value>
A by_slope(const A& x, const A& y, const A& gy, Slope slope, Value value) {
  if (!internal::is_narrow(x.dtype())) return slope(x, y) * gy;
  const A wide = in_dtype(x, cupyxx::float32);
  return in_dtype(slope(wide, value(wide)), x.dtype()) * gy;
}

constexpr UnaryRow kErfcx{"erfcx", [](const auto& x) { return special::erfcx(x); },
                          [](const auto& x, const auto& y, const auto& gy) {
                            return by_slope(
                                x, y, gy,
                                [](const auto& v, const auto& w) { return erfcx_slope(v, w); },
                                [](const auto& v) { return scaled_erfc(v); });
                          },
                          Keep::all};

/// Left of this the slope of log_ndtr is a continued fraction.
constexpr double kFarLeft = -8;
/// A bound below log_ndtr(kFarLeft).
constexpr double kFarLog = -36;

/// exp(-x^2 / 2) / (sqrt(2 pi) ndtr(x)), the slope of y = log_ndtr(x). Far to the left both
/// exponents are large and the digits of their difference few; there it is t and Laplace's fraction
/// of t = -x.
template <class A>
A log_ndtr_slope(const A& x, const A& y) {
  const A near = above(x, kFarLeft), t = above(-x, -kFarLeft);
  const A middle = math::exp(near * near * -0.5 - above(y, kFarLog)) * (1 / kRootTwoPi);
  const A is_near = in_dtype((math::sign(x - kFarLeft) + 1) * 0.5, x.dtype());
  return middle * is_near + (t + laplace_fraction(t)) * (1 - is_near);
}

constexpr UnaryRow kLogNdtr{"log_ndtr", [](const auto& x) { return special::log_ndtr(x); },
                            [](const auto& x, const auto& y, const auto& gy) {
                              return by_slope(
                                  x, y, gy,
                                  [](const auto& v, const auto& w) { return log_ndtr_slope(v, w); },
                                  [](const auto& v) { return log_share(v); });
                            },
                            Keep::all};

/// Derivative n of digamma; 16-bit types through float32.
ndarray derivative(int n, const ndarray& x) {
  const ndarray wide = internal::is_narrow(x.dtype()) ? x.astype(cupyxx::float32) : x;
  if (n == 0) return special::digamma(wide).astype(x.dtype(), false);
  double factor = -1;  // (-1)^(n + 1) n!
  for (int i = 1; i <= n; ++i) factor *= -i;
  return (special::zeta(n + 1, wide) * factor).astype(x.dtype(), false);
}

class Polygamma final : public FunctionOf<Polygamma> {
 public:
  explicit Polygamma(int n) : n_(n) {}
  std::string label() const override { return n_ == 0 ? "digamma" : "polygamma"; }
  void check_type_forward(const typecheck::TypeInfos& in) const override {
    typecheck::expect(in.size() == 1, in[0].dtype().kind() == 'f');
  }
  std::vector<ndarray> forward(ArraySpan x) override { return {derivative(n_, x[0])}; }
  std::vector<ndarray> backward(ArraySpan x, ArraySpan gy) override {
    return {derivative(n_ + 1, x[0]) * gy[0]};
  }
  std::vector<Variable> backward_variables(VariableSpan x, VariableSpan gy) override {
    return {Polygamma(n_ + 1)(x[0]) * gy[0]};
  }

 private:
  int n_;
};

ndarray slope_of_lgamma(const ndarray& x) { return derivative(0, x); }
Variable slope_of_lgamma(const Variable& x) { return Polygamma(0)(x); }

constexpr UnaryRow kLgamma{
    "lgamma", [](const auto& x) { return special::gammaln(x); },
    [](const auto& x, const auto&, const auto& gy) { return slope_of_lgamma(x) * gy; },
    Keep::inputs};

/// -x zeta(x + 1, q) times gy, which has the shape of both; 16-bit types through float32.
ndarray zeta_gradient(const ndarray& x, const ndarray& q, const ndarray& gy) {
  const ndarray wide = internal::is_narrow(q.dtype()) ? q.astype(cupyxx::float32) : q;
  const ndarray order = x.astype(wide.dtype());
  return (special::zeta(order + 1, wide) * -order).astype(q.dtype(), false) * gy;
}

class Zeta final : public FunctionOf<Zeta> {
 public:
  std::string label() const override { return "zeta"; }
  void check_type_forward(const typecheck::TypeInfos& in) const override {
    typecheck::expect(in.size() == 2, in[1].dtype().kind() == 'f');
  }
  std::vector<ndarray> forward(ArraySpan in) override {
    if (needs_gradient(0)) {
      throw cupyxx::ValueError(
          cupyxx::message("zeta: x of shape ", in[0].shape(),
                          " would receive no gradient; write zeta(x.data(), q)"));
    }
    return {special::zeta(in[0], in[1]).astype(in[1].dtype(), false)};
  }
  std::vector<ndarray> backward(ArraySpan in, ArraySpan gy) override {
    return {ndarray(), internal::summed_to(zeta_gradient(in[0], in[1], gy[0]), in[1].shape())};
  }
  std::vector<Variable> backward_variables(VariableSpan in, VariableSpan gy) override {
    const ndarray x = in[0].data().astype(in[1].dtype());
    return {Variable(),
            internal::summed_to(zeta(x + 1, in[1]) * broadcast_to(-x, gy[0].shape()) * gy[0],
                                in[1].shape())};
  }
};

}  // namespace

Variable erfcx(const Variable& x) { return apply_row(kErfcx, x); }
Variable erfinv(const Variable& x) { return apply_row(kErfinv, x); }
Variable erfcinv(const Variable& x) { return apply_row(kErfcinv, x); }
Variable ndtr(const Variable& x) { return apply_row(kNdtr, x); }
Variable ndtri(const Variable& x) { return apply_row(kNdtri, x); }
Variable log_ndtr(const Variable& x) { return apply_row(kLogNdtr, x); }
Variable lgamma(const Variable& x) { return apply_row(kLgamma, x); }
Variable digamma(const Variable& x) { return Polygamma(0)(x); }

Variable polygamma(int n, const Variable& x) {
  if (n < 0 || n > kMostDerivatives) {
    throw cupyxx::ValueError(cupyxx::message("polygamma: n is not in [0, 20]; ", n));
  }
  return Polygamma(n)(x);
}

Variable zeta(const Variable& x, const Variable& q) { return Zeta()(x, q); }
Variable zeta(const cupyxx::Scalar& x, const Variable& q) {
  internal::refuse_none("zeta", {&q});
  const cupyxx::DeviceScope scope(q.data().device());
  return zeta(cupyxx::array(x), q);
}

}  // namespace chainerxx::functions
