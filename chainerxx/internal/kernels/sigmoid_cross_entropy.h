// SPDX-License-Identifier: MIT
// Device-safe. Cross entropy of sigmoid(x) and binary labels, element by element; label -1 does not
// count.
#pragma once

#include "chainerxx/internal/kernels/sigmoid.h"
#include "chainerxx/internal/kernels/types.h"

namespace chainerxx::internal::kernels {

struct SigmoidCrossEntropyArgs {
  const void* x;
  const void* labels;  // int32 or int64
  const void* factor;  // 0-d; for the gradient
  void* out;           // like x
  long size;
  int wide_labels;  // int64
};

CUPYXX_FN long binary_label(const SigmoidCrossEntropyArgs& args, long i) {
  return args.wide_labels ? static_cast<const long*>(args.labels)[i]
                          : static_cast<const int*>(args.labels)[i];
}

/// log(1 + exp(x)) - t x, without overflow.
template <class T>
CUPYXX_FN void sigmoid_cross_entropy_element(const SigmoidCrossEntropyArgs& args, long i) {
  using C = Compute<T>;
  const long t = binary_label(args, i);
  const C x = static_cast<C>(static_cast<const T*>(args.x)[i]);
  const C loss = m::log1p(m::exp(-m::fabs(x))) - x * (C(t) - C(x >= C(0) ? 1 : 0));
  static_cast<T*>(args.out)[i] = T(t == -1 ? C(0) : loss);
}

template <class T>
CUPYXX_FN void sigmoid_cross_entropy_grad_element(const SigmoidCrossEntropyArgs& args, long i) {
  using C = Compute<T>;
  const long t = binary_label(args, i);
  const C x = static_cast<C>(static_cast<const T*>(args.x)[i]);
  const C factor = static_cast<C>(*static_cast<const T*>(args.factor));
  static_cast<T*>(args.out)[i] = T(t == -1 ? C(0) : factor * (sigmoid(x) - C(t)));
}

#if defined(__CUDACC__)
template <class T>
CUPYXX_FN void sigmoid_cross_entropy(const SigmoidCrossEntropyArgs& args) {
  for (long i = global_thread(); i < args.size; i += global_threads()) {
    sigmoid_cross_entropy_element<T>(args, i);
  }
}

template <class T>
CUPYXX_FN void sigmoid_cross_entropy_grad(const SigmoidCrossEntropyArgs& args) {
  for (long i = global_thread(); i < args.size; i += global_threads()) {
    sigmoid_cross_entropy_grad_element<T>(args, i);
  }
}
#endif

}  // namespace chainerxx::internal::kernels
