// SPDX-License-Identifier: MIT
// Device-safe. Activation functions and their gradients over contiguous arrays.
#pragma once

#include "chainerxx/internal/kernels/types.h"

namespace chainerxx::internal::kernels {

struct Relu {
  template <class T>
  static CUPYXX_FN T apply(T x) {
    return x < T(0) ? T(0) : x;
  }
};

/// Of the result and its gradient; 0 at exactly 0.
struct ReluGrad {
  template <class T>
  static CUPYXX_FN T apply(T y, T gy) {
    return y > T(0) ? gy : T(0);
  }
};

/// Through tanh, which neither overflows nor loses the small values.
struct Sigmoid {
  template <class T>
  static CUPYXX_FN T apply(T x) {
    return m::tanh(x * T(0.5)) * T(0.5) + T(0.5);
  }
};

struct SigmoidGrad {
  template <class T>
  static CUPYXX_FN T apply(T y, T gy) {
    return gy * y * (T(1) - y);
  }
};

struct TanhGrad {
  template <class T>
  static CUPYXX_FN T apply(T y, T gy) {
    return gy * (T(1) - y * y);
  }
};

/// min(max(x, 0), z).
struct ClippedRelu {
  template <class T>
  static CUPYXX_FN T apply(T x, T z, T) {
    return x < T(0) ? T(0) : x > z ? z : x;
  }
};

/// Of the argument and the result's gradient, as all that follow; 0 at both corners.
struct ClippedReluGrad {
  template <class T>
  static CUPYXX_FN T apply(T x, T gy, T z, T) {
    return x > T(0) && x < z ? gy : T(0);
  }
};

struct LeakyRelu {
  template <class T>
  static CUPYXX_FN T apply(T x, T slope, T) {
    return x < T(0) ? slope * x : x;
  }
};

struct LeakyReluGrad {
  template <class T>
  static CUPYXX_FN T apply(T x, T gy, T slope, T) {
    return x < T(0) ? slope * gy : gy;
  }
};

/// scale * (x for positive x, alpha * (exp(x) - 1) for negative).
struct Elu {
  template <class T>
  static CUPYXX_FN T apply(T x, T alpha, T scale) {
    return x < T(0) ? scale * alpha * m::expm1(x) : scale * x;
  }
};

struct EluGrad {
  template <class T>
  static CUPYXX_FN T apply(T x, T gy, T alpha, T scale) {
    return x < T(0) ? scale * alpha * m::exp(x) * gy : scale * gy;
  }
};

/// log(1 + exp(beta x)) / beta, without overflow.
struct Softplus {
  template <class T>
  static CUPYXX_FN T apply(T x, T beta, T) {
    const T z = beta * x;
    return ((z > T(0) ? z : z != z ? z : T(0)) + m::log1p(m::exp(-m::fabs(z)))) / beta;
  }
};

struct SoftplusGrad {
  template <class T>
  static CUPYXX_FN T apply(T x, T gy, T beta, T) {
    return gy * (m::tanh(beta * x * T(0.5)) * T(0.5) + T(0.5));
  }
};

/// max(0, min(1, 0.2 x + 0.5)).
struct HardSigmoid {
  template <class T>
  static CUPYXX_FN T apply(T x, T, T) {
    const T y = T(0.2) * x + T(0.5);
    return y < T(0) ? T(0) : y > T(1) ? T(1) : y;
  }
};

struct HardSigmoidGrad {
  template <class T>
  static CUPYXX_FN T apply(T x, T gy, T, T) {
    return x > T(-2.5) && x < T(2.5) ? T(0.2) * gy : T(0);
  }
};

/// x Phi(x), with the distribution function of the normal distribution.
struct Gelu {
  template <class T>
  static CUPYXX_FN T apply(T x, T, T) {
    return T(0.5) * x * (T(1) + erf(x * T(0.70710678118654752440)));
  }
};

/// Phi(x) + x phi(x).
struct GeluGrad {
  template <class T>
  static CUPYXX_FN T apply(T x, T gy, T, T) {
    const T cumulative = T(0.5) * (T(1) + erf(x * T(0.70710678118654752440)));
    const T density = T(0.39894228040143267794) * m::exp(T(-0.5) * x * x);
    return gy * (cumulative + x * density);
  }
};

/// x times the sigmoid of beta x.
struct Swish {
  template <class T>
  static CUPYXX_FN T apply(T x, T beta, T) {
    return x * (m::tanh(beta * x * T(0.5)) * T(0.5) + T(0.5));
  }
};

struct SwishGrad {
  template <class T>
  static CUPYXX_FN T apply(T x, T gy, T beta, T) {
    const T s = m::tanh(beta * x * T(0.5)) * T(0.5) + T(0.5);
    return gy * (s + beta * x * s * (T(1) - s));
  }
};

/// Arrays of `size` elements; `b` is unused by functions of one argument, `p` by those without
/// parameters.
struct ElementwiseArgs {
  const void* a;
  const void* b;
  void* out;
  long size;
  double p[2];
};

#if defined(__CUDACC__)
template <class Op, class T>
CUPYXX_FN void unary(const ElementwiseArgs& args) {
  const T* const a = static_cast<const T*>(args.a);
  T* const out = static_cast<T*>(args.out);
  for (long i = global_thread(); i < args.size; i += global_threads()) {
    out[i] = T(Op::apply(static_cast<Compute<T>>(a[i])));
  }
}

template <class Op, class T>
CUPYXX_FN void binary(const ElementwiseArgs& args) {
  const T* const a = static_cast<const T*>(args.a);
  const T* const b = static_cast<const T*>(args.b);
  T* const out = static_cast<T*>(args.out);
  for (long i = global_thread(); i < args.size; i += global_threads()) {
    out[i] = T(Op::apply(static_cast<Compute<T>>(a[i]), static_cast<Compute<T>>(b[i])));
  }
}

template <class Op, class T>
CUPYXX_FN void unary_with_parameters(const ElementwiseArgs& args) {
  using C = Compute<T>;
  const C p = static_cast<C>(args.p[0]), q = static_cast<C>(args.p[1]);
  const T* const a = static_cast<const T*>(args.a);
  T* const out = static_cast<T*>(args.out);
  for (long i = global_thread(); i < args.size; i += global_threads()) {
    out[i] = T(Op::apply(static_cast<C>(a[i]), p, q));
  }
}

template <class Op, class T>
CUPYXX_FN void binary_with_parameters(const ElementwiseArgs& args) {
  using C = Compute<T>;
  const C p = static_cast<C>(args.p[0]), q = static_cast<C>(args.p[1]);
  const T* const a = static_cast<const T*>(args.a);
  const T* const b = static_cast<const T*>(args.b);
  T* const out = static_cast<T*>(args.out);
  for (long i = global_thread(); i < args.size; i += global_threads()) {
    out[i] = T(Op::apply(static_cast<C>(a[i]), static_cast<C>(b[i]), p, q));
  }
}
#endif

}  // namespace chainerxx::internal::kernels
