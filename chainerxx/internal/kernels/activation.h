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

/// Arrays of `size` elements; `b` is unused by functions of one argument.
struct ElementwiseArgs {
  const void* a;
  const void* b;
  void* out;
  long size;
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
#endif

}  // namespace chainerxx::internal::kernels
