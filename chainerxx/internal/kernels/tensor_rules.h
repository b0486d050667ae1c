// SPDX-License-Identifier: MIT
// Device-safe. What an optimizer does to all its tensors in one pass: the rules, each a function of
// one element of a parameter, its gradient and its states, and the kernels that walk over chunks of
// many tensors.
#pragma once

#include "chainerxx/internal/kernels/types.h"

namespace chainerxx::internal::kernels {

inline constexpr int kMaxStates = 3;
inline constexpr int kMaxHyper = 6;

/// The tensors of one parameter; all contiguous and of one dtype.
struct Tensor {
  void* p;
  void* g;
  void* s[kMaxStates];
  long size;
};

/// Which elements one block works on.
struct Chunk {
  long tensor;
  long begin;
  long end;
};

/// Which arrays a rule writes beside its states.
struct RuleBase {
  static constexpr int kStates = 0;
  static constexpr bool kReadsParam = true;
  static constexpr bool kWritesParam = true;
  static constexpr bool kReadsGrad = true;
  static constexpr bool kWritesGrad = false;
};

/// h: rate.
struct Sgd : RuleBase {
  template <class T>
  static CUPYXX_FN void apply(T& p, T& g, T*, const T* h) {
    p -= h[0] * g;
  }
};

/// h: rate, momentum; s: v.
struct MomentumSgd : RuleBase {
  static constexpr int kStates = 1;
  template <class T>
  static CUPYXX_FN void apply(T& p, T& g, T* s, const T* h) {
    s[0] = h[1] * s[0] - h[0] * g;
    p += s[0];
  }
};

/// h: corrected rate, 1 - beta1, 1 - beta2, eps; s: m, v.
struct Adam : RuleBase {
  static constexpr int kStates = 2;
  template <class T>
  static CUPYXX_FN void apply(T& p, T& g, T* s, const T* h) {
    s[0] += h[1] * (g - s[0]);
    s[1] += h[2] * (g * g - s[1]);
    p -= h[0] * s[0] / (m::sqrt(s[1]) + h[3]);
  }
};

/// h: rate, eps; s: the sum of squares.
struct AdaGrad : RuleBase {
  static constexpr int kStates = 1;
  template <class T>
  static CUPYXX_FN void apply(T& p, T& g, T* s, const T* h) {
    s[0] += g * g;
    p -= h[0] * g / (m::sqrt(s[0]) + h[1]);
  }
};

/// h: rho, 1 - rho, eps; s: mean squares of gradients and of steps.
struct AdaDelta : RuleBase {
  static constexpr int kStates = 2;
  template <class T>
  static CUPYXX_FN void apply(T& p, T& g, T* s, const T* h) {
    s[0] = h[0] * s[0] + h[1] * g * g;
    const T step = m::sqrt((s[1] + h[2]) / (s[0] + h[2])) * g;
    s[1] = h[0] * s[1] + h[1] * step * step;
    p -= step;
  }
};

/// h: rate, momentum; s: v.
struct NesterovAg : RuleBase {
  static constexpr int kStates = 1;
  template <class T>
  static CUPYXX_FN void apply(T& p, T& g, T* s, const T* h) {
    s[0] = h[1] * s[0] - h[0] * g;
    p += h[1] * h[1] * s[0] - (T(1) + h[1]) * h[0] * g;
  }
};

/// h: rate, alpha, 1 - alpha, eps; s: mean squares.
struct RmsProp : RuleBase {
  static constexpr int kStates = 1;
  template <class T>
  static CUPYXX_FN void apply(T& p, T& g, T* s, const T* h) {
    s[0] = h[1] * s[0] + h[2] * g * g;
    p -= h[0] * g / (m::sqrt(s[0]) + h[3]);
  }
};

/// h: rate, alpha, 1 - alpha, momentum, eps; s: mean squares, mean, the last step.
struct RmsPropGraves : RuleBase {
  static constexpr int kStates = 3;
  template <class T>
  static CUPYXX_FN void apply(T& p, T& g, T* s, const T* h) {
    s[0] = h[1] * s[0] + h[2] * g * g;
    s[1] = h[1] * s[1] + h[2] * g;
    s[2] = h[3] * s[2] - h[0] * g / m::sqrt(s[0] - s[1] * s[1] + h[4]);
    p += s[2];
  }
};

/// h: rate, eps; s: memory, mean, mean squares.
struct Smorms3 : RuleBase {
  static constexpr int kStates = 3;
  template <class T>
  static CUPYXX_FN void apply(T& p, T& g, T* s, const T* h) {
    const T r = T(1) / (s[0] + T(1));
    s[1] = (T(1) - r) * s[1] + r * g;
    s[2] = (T(1) - r) * s[2] + r * g * g;
    const T x = s[1] * s[1] / (s[2] + h[1]);
    p -= g * (h[0] < x ? h[0] : x) / (m::sqrt(s[2]) + h[1]);
    s[0] = T(1) + s[0] * (T(1) - x);
  }
};

struct ZeroGrad : RuleBase {
  static constexpr bool kReadsParam = false;
  static constexpr bool kWritesParam = false;
  static constexpr bool kReadsGrad = false;
  static constexpr bool kWritesGrad = true;
  template <class T>
  static CUPYXX_FN void apply(T&, T& g, T*, const T*) {
    g = T(0);
  }
};

/// h: factor.
struct ScaleGrad : RuleBase {
  static constexpr bool kReadsParam = false;
  static constexpr bool kWritesParam = false;
  static constexpr bool kWritesGrad = true;
  template <class T>
  static CUPYXX_FN void apply(T&, T& g, T*, const T* h) {
    g *= h[0];
  }
};

/// h: decay.
struct WeightDecay : RuleBase {
  static constexpr bool kWritesParam = false;
  static constexpr bool kWritesGrad = true;
  template <class T>
  static CUPYXX_FN void apply(T& p, T& g, T*, const T* h) {
    g += h[0] * p;
  }
};

/// A launch over a table in device memory: one block per chunk.
struct TensorArgs {
  const Tensor* tensors;
  const Chunk* chunks;
  double h[kMaxHyper];
  double* partial;     // a sum of squares per chunk
  long partials;       // how many the clipping kernel adds up
  long first_partial;  // where this launch's own begin
};

#if defined(__CUDACC__)
/// Each thread holds four elements at a time, so that their loads overlap.
template <class Rule, class T>
CUPYXX_FN void run_rule(const TensorArgs& args, const Compute<T>* h) {
  using C = Compute<T>;
  constexpr int kWidth = 4;
  const Chunk chunk = args.chunks[blockIdx.x];
  const Tensor tensor = args.tensors[chunk.tensor];
  T* const p = static_cast<T*>(tensor.p);
  T* const g = static_cast<T*>(tensor.g);
  for (long base = chunk.begin + threadIdx.x; base < chunk.end; base += kWidth * blockDim.x) {
    C pv[kWidth], gv[kWidth], sv[kWidth][kMaxStates];
#pragma unroll
    for (int k = 0; k < kWidth; ++k) {
      const long i = base + k * static_cast<long>(blockDim.x);
      if (i >= chunk.end) continue;
      if constexpr (Rule::kReadsParam) pv[k] = static_cast<C>(p[i]);
      if constexpr (Rule::kReadsGrad) gv[k] = static_cast<C>(g[i]);
      for (int j = 0; j < Rule::kStates; ++j) {
        sv[k][j] = static_cast<C>(static_cast<const T*>(tensor.s[j])[i]);
      }
    }
#pragma unroll
    for (int k = 0; k < kWidth; ++k) {
      const long i = base + k * static_cast<long>(blockDim.x);
      if (i >= chunk.end) continue;
      Rule::apply(pv[k], gv[k], sv[k], h);
      if constexpr (Rule::kWritesParam) p[i] = T(pv[k]);
      if constexpr (Rule::kWritesGrad) g[i] = T(gv[k]);
      for (int j = 0; j < Rule::kStates; ++j) static_cast<T*>(tensor.s[j])[i] = T(sv[k][j]);
    }
  }
}

template <class Rule, class T>
CUPYXX_FN void tensor_rule(const TensorArgs& args) {
  Compute<T> h[kMaxHyper];
  for (int k = 0; k < kMaxHyper; ++k) h[k] = static_cast<Compute<T>>(args.h[k]);
  run_rule<Rule, T>(args, h);
}

/// The sum of the squares of each chunk's gradient.
template <class T>
CUPYXX_FN void squares(const TensorArgs& args) {
  const Chunk chunk = args.chunks[blockIdx.x];
  const T* const g = static_cast<const T*>(args.tensors[chunk.tensor].g);
  double sum = 0;
  for (long i = chunk.begin + threadIdx.x; i < chunk.end; i += blockDim.x) {
    const double value = static_cast<double>(static_cast<Compute<T>>(g[i]));
    sum += value * value;
  }
  sum = block_sum(sum);
  if (threadIdx.x == 0) args.partial[args.first_partial + blockIdx.x] = sum;
}

/// Scales the gradients when their norm exceeds h[0]; each block adds up the partial sums itself,
/// in the same order, so nothing has to visit the host.
template <class T>
CUPYXX_FN void clip(const TensorArgs& args) {
  double sum = 0;
  for (long i = threadIdx.x; i < args.partials; i += blockDim.x) sum += args.partial[i];
  const double norm = m::sqrt(block_sum(sum));
  if (!(norm > args.h[0])) return;
  const Compute<T> factor[1] = {static_cast<Compute<T>>(args.h[0] / norm)};
  run_rule<ScaleGrad, T>(args, factor);
}
#endif

}  // namespace chainerxx::internal::kernels
