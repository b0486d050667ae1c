// SPDX-License-Identifier: MIT
// Device-safe. Activation functions: operations of cupyxx, of an array and numbers, that know their
// gradients. A struct in the list below is all of one but its name in functions/activation.
//
//   apply(x, numbers...)        the value
//   grad(read, gy, numbers...)  the gradient, from the argument or, where reads_result says so, the
//                               result, and the result's gradient
//   rule(f, read, gy, ...)      the same written with functions of variables, so that it has
//                               gradients; f has those that are no operators
#pragma once

#include "cupyxx/ops/prelude.h"

namespace chainerxx::ops {

using cupyxx::ops::FloatLoops;
using cupyxx::ops::OpBase;
using cupyxx::ops::OpList;
using cupyxx::ops::Same1;
using cupyxx::ops::Same2;
using cupyxx::ops::Same3;
using cupyxx::ops::Same4;
namespace m = cupyxx::ops::m;

/// The loops of a function of so many operands of one floating type.
template <int kOperands>
struct Floats;
template <>
struct Floats<1> {
  using loops = FloatLoops<Same1>;
};
template <>
struct Floats<2> {
  using loops = FloatLoops<Same2>;
};
template <>
struct Floats<3> {
  using loops = FloatLoops<Same3>;
};
template <>
struct Floats<4> {
  using loops = FloatLoops<Same4>;
};

/// A function of an array and `kNumbers` numbers.
template <int kNumbers = 0>
struct Activation : OpBase {
  static constexpr int parameters = kNumbers;
  static constexpr bool reads_result = false;
  static constexpr unsigned bundled = cupyxx::ops::kPlain;
  using loops = typename Floats<1 + kNumbers>::loops;
};

#if !defined(__CUDACC__)
/// "relu_grad" from "relu".
template <class Op>
struct GradientName {
  static constexpr int length(const char* text) { return *text == 0 ? 0 : 1 + length(text + 1); }
  static constexpr int kLength = length(Op::name);
  char text[kLength + 6] = {};
  constexpr GradientName() {
    for (int i = 0; i < kLength; ++i) text[i] = Op::name[i];
    for (int i = 0; i < 5; ++i) text[kLength + i] = "_grad"[i];
  }
};
template <class Op>
inline constexpr GradientName<Op> kGradientName;
#endif

/// The gradient of an activation function as an operation.
template <class Op>
struct GradientOf : OpBase {
  static constexpr const char* name = kGradientName<Op>.text;
  static constexpr const char* doc = "The gradient of a function.";
  static constexpr int parameters = Op::parameters;
  static constexpr unsigned bundled = Op::bundled;
  using loops = typename Floats<2 + Op::parameters>::loops;
  template <class T, class... Numbers>
  CUPYXX_FN static T apply(T read, T gy, Numbers... numbers) {
    return Op::grad(read, gy, numbers...);
  }
};

template <class T>
CUPYXX_FN T sigmoid(T x) {
  const T e = m::exp(-m::fabs(x));  // never overflows, and small results keep their digits
  return (x < T(0) ? e : T(1)) / (T(1) + e);
}

/// The gradient is 0 at exactly 0.
struct Relu : Activation<> {
  static constexpr const char* name = "relu";
  static constexpr const char* doc = "max(x, 0).";
  static constexpr bool reads_result = true;
  template <class T>
  CUPYXX_FN static T apply(T x) {
    return x < T(0) ? T(0) : x;
  }
  template <class T>
  CUPYXX_FN static T grad(T y, T gy) {
    return y > T(0) ? gy : T(0);
  }
  template <class F, class V>
  static V rule(const F& f, const V& y, const V& gy) {
    return f.masked(y.data() > 0, gy);
  }
};

struct Sigmoid : Activation<> {
  static constexpr const char* name = "sigmoid";
  static constexpr const char* doc = "1 / (1 + exp(-x)).";
  static constexpr bool reads_result = true;
  template <class T>
  CUPYXX_FN static T apply(T x) {
    return sigmoid(x);
  }
  template <class T>
  CUPYXX_FN static T grad(T y, T gy) {
    return gy * y * (T(1) - y);
  }
  template <class F, class V>
  static V rule(const F&, const V& y, const V& gy) {
    return gy * y * (1 - y);
  }
};

struct Tanh : Activation<> {
  static constexpr const char* name = "tanh";
  static constexpr const char* doc = "Hyperbolic tangent.";
  static constexpr bool reads_result = true;
  template <class T>
  CUPYXX_FN static T apply(T x) {
    return m::tanh(x);
  }
  template <class T>
  CUPYXX_FN static T grad(T y, T gy) {
    return gy * (T(1) - y * y);
  }
  template <class F, class V>
  static V rule(const F&, const V& y, const V& gy) {
    return gy * (1 - y * y);
  }
};

/// The gradient is 0 at both corners.
struct ClippedRelu : Activation<1> {
  static constexpr const char* name = "clipped_relu";
  static constexpr const char* doc = "min(max(x, 0), z).";
  template <class T>
  CUPYXX_FN static T apply(T x, T z) {
    return x < T(0) ? T(0) : x > z ? z : x;
  }
  template <class T>
  CUPYXX_FN static T grad(T x, T gy, T z) {
    return x > T(0) && x < z ? gy : T(0);
  }
  template <class F, class V>
  static V rule(const F& f, const V& x, const V& gy, double z) {
    return f.masked(f.both(x.data() > 0, x.data() < z), gy);
  }
};

struct LeakyRelu : Activation<1> {
  static constexpr const char* name = "leaky_relu";
  static constexpr const char* doc = "x, or slope * x for negative x.";
  template <class T>
  CUPYXX_FN static T apply(T x, T slope) {
    return x < T(0) ? slope * x : x;
  }
  template <class T>
  CUPYXX_FN static T grad(T x, T gy, T slope) {
    return x < T(0) ? slope * gy : gy;
  }
  template <class F, class V>
  static V rule(const F& f, const V& x, const V& gy, double slope) {
    return f.where(x.data() >= 0, gy, gy * slope);
  }
};

struct Elu : Activation<2> {
  static constexpr const char* name = "elu";
  static constexpr const char* doc = "scale * (x, or alpha * (exp(x) - 1) for negative x).";
  template <class T>
  CUPYXX_FN static T apply(T x, T alpha, T scale) {
    return x < T(0) ? scale * alpha * m::expm1(x) : scale * x;
  }
  template <class T>
  CUPYXX_FN static T grad(T x, T gy, T alpha, T scale) {
    return x < T(0) ? scale * alpha * m::exp(x) * gy : scale * gy;
  }
  template <class F, class V>
  static V rule(const F& f, const V& x, const V& gy, double alpha, double scale) {
    // exp(x) is not taken where it could overflow.
    const auto is_negative = x.data() < 0;
    return f.where(is_negative, gy * f.exp(f.masked(is_negative, x)) * (alpha * scale), gy * scale);
  }
};

struct Softplus : Activation<1> {
  static constexpr const char* name = "softplus";
  static constexpr const char* doc = "log(1 + exp(beta x)) / beta, without overflow.";
  template <class T>
  CUPYXX_FN static T apply(T x, T beta) {
    const T z = beta * x;
    return ((z > T(0) ? z : z != z ? z : T(0)) + m::log1p(m::exp(-m::fabs(z)))) / beta;
  }
  template <class T>
  CUPYXX_FN static T grad(T x, T gy, T beta) {
    return gy * sigmoid(beta * x);
  }
  template <class F, class V>
  static V rule(const F& f, const V& x, const V& gy, double beta) {
    return gy * f.sigmoid(x * beta);
  }
};

struct HardSigmoid : Activation<> {
  static constexpr const char* name = "hard_sigmoid";
  static constexpr const char* doc = "max(0, min(1, 0.2 x + 0.5)).";
  template <class T>
  CUPYXX_FN static T apply(T x) {
    const T y = T(0.2) * x + T(0.5);
    return y < T(0) ? T(0) : y > T(1) ? T(1) : y;
  }
  template <class T>
  CUPYXX_FN static T grad(T x, T gy) {
    return x > T(-2.5) && x < T(2.5) ? T(0.2) * gy : T(0);
  }
  template <class F, class V>
  static V rule(const F& f, const V& x, const V& gy) {
    return f.masked(f.both(x.data() > -2.5, x.data() < 2.5), gy * 0.2);
  }
};

CUPYXX_FN float erf(float x) { return ::erff(x); }
CUPYXX_FN double erf(double x) { return ::erf(x); }

/// With the distribution function Phi and the density phi of the normal distribution.
struct Gelu : Activation<> {
  static constexpr const char* name = "gelu";
  static constexpr const char* doc = "x Phi(x).";
  template <class T>
  CUPYXX_FN static T apply(T x) {
    return T(0.5) * x * (T(1) + erf(x * T(0.70710678118654752440)));
  }
  template <class T>
  CUPYXX_FN static T grad(T x, T gy) {
    const T cumulative = T(0.5) * (T(1) + erf(x * T(0.70710678118654752440)));
    const T density = T(0.39894228040143267794) * m::exp(T(-0.5) * x * x);
    return gy * (cumulative + x * density);
  }
  template <class F, class V>
  static V rule(const F& f, const V& x, const V& gy) {
    return gy * (f.normal_distribution(x) + x * f.normal_density(x));
  }
};

/// By x sigmoid(2 u) with u = sqrt(2 / pi) (x + 0.044715 x^3).
struct GeluTanh : Activation<> {
  static constexpr const char* name = "gelu_tanh";
  static constexpr const char* doc = "0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))).";
  static constexpr double kSlope = 1.5957691216057307118;  // 2 sqrt(2 / pi)
  static constexpr double kCubic = 0.044715;
  /// Beyond these bounds the logistic function is 0 or 1, and cubes might be infinite.
  template <class T>
  CUPYXX_FN static T bounded(T x) {
    return x > T(32) ? T(32) : x < T(-32) ? T(-32) : x;
  }
  template <class T>
  CUPYXX_FN static T apply(T x) {
    const T z = bounded(x);
    return x * sigmoid(T(kSlope) * z * (T(1) + T(kCubic) * z * z));
  }
  template <class T>
  CUPYXX_FN static T grad(T x, T gy) {
    const T z = bounded(x), square = z * z;
    const T s = sigmoid(T(kSlope) * z * (T(1) + T(kCubic) * square));
    return gy * (s + s * (T(1) - s) * T(kSlope) * z * (T(1) + T(3 * kCubic) * square));
  }
  template <class F, class V>
  static V rule(const F& f, const V& x, const V& gy) {
    const V s = f.sigmoid(x * kSlope * (1 + x * x * kCubic));
    return gy * (s + s * (1 - s) * x * kSlope * (1 + x * x * (3 * kCubic)));
  }
};

struct Swish : Activation<1> {
  static constexpr const char* name = "swish";
  static constexpr const char* doc = "x sigmoid(beta x).";
  template <class T>
  CUPYXX_FN static T apply(T x, T beta) {
    return x * sigmoid(beta * x);
  }
  template <class T>
  CUPYXX_FN static T grad(T x, T gy, T beta) {
    const T s = sigmoid(beta * x);
    return gy * (s + beta * x * s * (T(1) - s));
  }
  template <class F, class V>
  static V rule(const F& f, const V& x, const V& gy, double beta) {
    const V s = f.sigmoid(x * beta);
    return gy * (s + x * s * (1 - s) * beta);
  }
};

struct Softsign : Activation<> {
  static constexpr const char* name = "softsign";
  static constexpr const char* doc = "x / (1 + |x|).";
  template <class T>
  CUPYXX_FN static T apply(T x) {
    return x / (T(1) + m::fabs(x));
  }
  template <class T>
  CUPYXX_FN static T grad(T x, T gy) {
    const T d = T(1) + m::fabs(x);
    return gy / d / d;
  }
  template <class F, class V>
  static V rule(const F& f, const V& x, const V& gy) {
    const V d = 1 + f.where(x.data() < 0, -x, x);
    return gy / d / d;
  }
};

/// With z = exp(-|x|), which never overflows: tanh(softplus(x)) = n / d, and the derivative of that
/// quotient is sigmoid(x) (s / d)^2.
struct Mish : Activation<> {
  static constexpr const char* name = "mish";
  static constexpr const char* doc = "x tanh(log(1 + exp(x))).";
  template <class T>
  struct Parts {
    T n, d, s;
  };
  template <class T>
  CUPYXX_FN static Parts<T> parts(T x) {
    const T z = m::exp(-m::fabs(x));
    const T n = x < T(0) ? z * (z + T(2)) : T(1) + T(2) * z;
    return x < T(0) ? Parts<T>{n, n + T(2), T(2) * (T(1) + z)}
                    : Parts<T>{n, n + T(2) * z * z, T(2) * z * (T(1) + z)};
  }
  template <class T>
  CUPYXX_FN static T apply(T x) {
    const Parts<T> p = parts(x);
    return x * (p.n / p.d);
  }
  template <class T>
  CUPYXX_FN static T grad(T x, T gy) {
    const Parts<T> p = parts(x);
    const T slope = p.s / p.d;
    return gy * (p.n / p.d + x * sigmoid(x) * slope * slope);
  }
  template <class F, class V>
  static V rule(const F& f, const V& x, const V& gy) {
    const auto is_negative = x.data() < 0;
    const V z = f.exp(f.where(is_negative, x, -x));
    const V n = f.where(is_negative, z * (z + 2), 1 + z * 2);
    const V d = f.where(is_negative, n + 2, n + z * z * 2);
    const V slope = f.where(is_negative, (1 + z) * 2, z * (1 + z) * 2) / d;
    return gy * (n / d + x * f.sigmoid(x) * slope * slope);
  }
};

template <template <class...> class Use>
using ForEachActivation = Use<Relu, Sigmoid, Tanh, ClippedRelu, LeakyRelu, Elu, Softplus,
                              HardSigmoid, Gelu, GeluTanh, Swish, Softsign, Mish>;

template <class... A>
using WithGradients = OpList<A..., GradientOf<A>...>;
using ActivationOps = ForEachActivation<WithGradients>;

}  // namespace chainerxx::ops
