// SPDX-License-Identifier: MIT
// Device-safe. Local response normalisation across the channels of (outer, channels, inner) arrays:
// y = x * s^-beta where s = k + alpha * (the sum of the squares of the channels up to `half` away).
#pragma once

#include "chainerxx/internal/kernels/types.h"

namespace chainerxx::internal::kernels {

struct ResponseNormArgs {
  const void* x;
  const void* gy;  // for the gradient
  void* out;       // y, or gx
  void* scale;     // s, in the compute type; the forward pass writes it
  void* terms;     // gy * x * s^(-beta - 1), in the compute type, between the two gradient passes
  long outer;
  long channels;
  long inner;
  long half;
  double k;
  double alpha;
  double beta;
};

/// s^-beta; the usual exponents without a logarithm.
template <class C>
CUPYXX_FN C inverse_power(C s, C beta) {
  if (beta == C(0.75)) {
    const C root = m::sqrt(s);
    return C(1) / (root * m::sqrt(root));
  }
  if (beta == C(0.5)) return C(1) / m::sqrt(s);
  return m::pow(s, -beta);
}

/// The channels [begin, end) around channel c.
struct Neighbours {
  long begin, end;
  CUPYXX_FN Neighbours(long c, long half, long channels) {
    begin = c > half ? c - half : 0;
    end = c + half < channels ? c + half + 1 : channels;
  }
};

#if defined(__CUDACC__)
template <class T>
CUPYXX_FN void response_norm(const ResponseNormArgs& args) {
  using C = Compute<T>;
  const T* const x = static_cast<const T*>(args.x);
  const C k = static_cast<C>(args.k), alpha = static_cast<C>(args.alpha);
  for (long i = global_thread(); i < args.outer * args.channels * args.inner;
       i += global_threads()) {
    const long c = i / args.inner % args.channels;
    const Neighbours near(c, args.half, args.channels);
    C sum = 0;
    for (long j = near.begin; j < near.end; ++j) {
      const C value = static_cast<C>(x[i + (j - c) * args.inner]);
      sum += value * value;
    }
    const C s = k + alpha * sum;
    static_cast<C*>(args.scale)[i] = s;
    static_cast<T*>(args.out)[i] =
        T(static_cast<C>(x[i]) * inverse_power(s, static_cast<C>(args.beta)));
  }
}

template <class T>
CUPYXX_FN void response_norm_terms(const ResponseNormArgs& args) {
  using C = Compute<T>;
  const C* const s = static_cast<const C*>(args.scale);
  for (long i = global_thread(); i < args.outer * args.channels * args.inner;
       i += global_threads()) {
    const C product = static_cast<C>(static_cast<const T*>(args.gy)[i]) *
                      static_cast<C>(static_cast<const T*>(args.x)[i]);
    static_cast<C*>(args.terms)[i] =
        product * inverse_power(s[i], static_cast<C>(args.beta)) / s[i];
  }
}

template <class T>
CUPYXX_FN void response_norm_grad(const ResponseNormArgs& args) {
  using C = Compute<T>;
  const C* const terms = static_cast<const C*>(args.terms);
  const C beta = static_cast<C>(args.beta), factor = static_cast<C>(2 * args.alpha * args.beta);
  for (long i = global_thread(); i < args.outer * args.channels * args.inner;
       i += global_threads()) {
    const long c = i / args.inner % args.channels;
    const Neighbours near(c, args.half, args.channels);
    C sum = 0;
    for (long j = near.begin; j < near.end; ++j) sum += terms[i + (j - c) * args.inner];
    const C gy = static_cast<C>(static_cast<const T*>(args.gy)[i]);
    const C x = static_cast<C>(static_cast<const T*>(args.x)[i]);
    const C power = inverse_power(static_cast<const C*>(args.scale)[i], beta);
    static_cast<T*>(args.out)[i] = T(gy * power - factor * x * sum);
  }
}
#endif

}  // namespace chainerxx::internal::kernels
