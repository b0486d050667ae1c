// SPDX-License-Identifier: MIT
// Device-safe. What an optimizer does to all its tensors in one pass: the rules, each a function of
// one element of a parameter, its gradient and its states, and the kernels that walk over chunks of
// many tensors.
#pragma once

#include "chainerxx/internal/kernels/pack.h"

namespace chainerxx::internal::kernels {

inline constexpr int kMaxStates = 3;
inline constexpr int kMaxHyper = 6;

/// The tensors of one parameter; all contiguous and of one dtype.
struct Tensor {
  void* p;
  void* g;
  void* s[kMaxStates];
  long size;
  double rate;  // factors of its group
  double decay;
};

/// Which elements one block works on.
struct Chunk {
  long tensor;
  long begin;
  long end;
};

/// Which arrays a rule writes beside its states, and which of its numbers (bits of h) are times the
/// rate and the decay of the tensor's group.
struct RuleBase {
  static constexpr unsigned kRates = 0;
  static constexpr unsigned kDecays = 0;
  static constexpr int kStates = 0;
  static constexpr bool kReadsParam = true;
  static constexpr bool kWritesParam = true;
  static constexpr bool kReadsGrad = true;
  static constexpr bool kWritesGrad = false;
};

/// h: rate.
struct Sgd : RuleBase {
  static constexpr unsigned kRates = 1;
  template <class T>
  static CUPYXX_FN void apply(T& p, T& g, T*, const T* h) {
    p -= h[0] * g;
  }
};

/// h: rate, momentum; s: v.
struct MomentumSgd : RuleBase {
  static constexpr unsigned kRates = 1;
  static constexpr int kStates = 1;
  template <class T>
  static CUPYXX_FN void apply(T& p, T& g, T* s, const T* h) {
    s[0] = h[1] * s[0] - h[0] * g;
    p += s[0];
  }
};

/// h: corrected rate, 1 - beta1, 1 - beta2, eps, decay beside the step; s: m, v.
struct Adam : RuleBase {
  static constexpr unsigned kRates = 1 | 1 << 4;
  static constexpr unsigned kDecays = 1 << 4;
  static constexpr int kStates = 2;
  template <class T>
  static CUPYXX_FN void apply(T& p, T& g, T* s, const T* h) {
    s[0] += h[1] * (g - s[0]);
    s[1] += h[2] * (g * g - s[1]);
    p -= h[0] * s[0] / (m::sqrt(s[1]) + h[3]) + h[4] * p;
  }
};

/// h: rate, eps; s: the sum of squares.
struct AdaGrad : RuleBase {
  static constexpr unsigned kRates = 1;
  static constexpr int kStates = 1;
  template <class T>
  static CUPYXX_FN void apply(T& p, T& g, T* s, const T* h) {
    s[0] += g * g;
    p -= h[0] * g / (m::sqrt(s[0]) + h[1]);
  }
};

/// h: rho, 1 - rho, eps, rate; s: mean squares of gradients and of steps.
struct AdaDelta : RuleBase {
  static constexpr unsigned kRates = 1 << 3;
  static constexpr int kStates = 2;
  template <class T>
  static CUPYXX_FN void apply(T& p, T& g, T* s, const T* h) {
    s[0] = h[0] * s[0] + h[1] * g * g;
    const T step = m::sqrt((s[1] + h[2]) / (s[0] + h[2])) * g;
    s[1] = h[0] * s[1] + h[1] * step * step;
    p -= h[3] * step;
  }
};

/// h: rate, momentum; s: v.
struct NesterovAg : RuleBase {
  static constexpr unsigned kRates = 1;
  static constexpr int kStates = 1;
  template <class T>
  static CUPYXX_FN void apply(T& p, T& g, T* s, const T* h) {
    s[0] = h[1] * s[0] - h[0] * g;
    p += h[1] * h[1] * s[0] - (T(1) + h[1]) * h[0] * g;
  }
};

/// h: rate, alpha, 1 - alpha, eps; s: mean squares.
struct RmsProp : RuleBase {
  static constexpr unsigned kRates = 1;
  static constexpr int kStates = 1;
  template <class T>
  static CUPYXX_FN void apply(T& p, T& g, T* s, const T* h) {
    s[0] = h[1] * s[0] + h[2] * g * g;
    p -= h[0] * g / (m::sqrt(s[0]) + h[3]);
  }
};

/// h: rate, alpha, 1 - alpha, momentum, eps; s: mean squares, mean, the last step.
struct RmsPropGraves : RuleBase {
  static constexpr unsigned kRates = 1;
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
  static constexpr unsigned kRates = 1;
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
  static constexpr unsigned kDecays = 1;
  static constexpr bool kWritesParam = false;
  static constexpr bool kWritesGrad = true;
  template <class T>
  static CUPYXX_FN void apply(T& p, T& g, T*, const T* h) {
    g += h[0] * p;
  }
};

/// The numbers of a rule for one tensor.
template <class Rule, class C>
CUPYXX_FN void numbers_for(const Tensor& tensor, const double* h, C* own) {
  for (int k = 0; k < kMaxHyper; ++k) {
    double value = h[k];
    if ((Rule::kRates >> k) & 1) value *= tensor.rate;
    if ((Rule::kDecays >> k) & 1) value *= tensor.decay;
    own[k] = static_cast<C>(value);
  }
}

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
template <class Rule, class T>
CUPYXX_FN bool is_packed(const Tensor& tensor) {
  unsigned long bits = 0;
  if (Rule::kReadsParam || Rule::kWritesParam) bits |= reinterpret_cast<unsigned long>(tensor.p);
  if (Rule::kReadsGrad || Rule::kWritesGrad) bits |= reinterpret_cast<unsigned long>(tensor.g);
  for (int j = 0; j < Rule::kStates; ++j) bits |= reinterpret_cast<unsigned long>(tensor.s[j]);
  return bits % alignof(Pack<T, 4>) == 0;
}

/// A rule on kPacks packs, `step` elements apart, all of which are loaded before the first is used.
template <class Rule, class T, int kWidth, int kPacks>
CUPYXX_FN void run_rule_on(const Tensor& tensor, long first, long step, const Compute<T>* h) {
  using C = Compute<T>;
  Pack<T, kWidth> p[kPacks], g[kPacks], s[kPacks][kMaxStates];
#pragma unroll
  for (int n = 0; n < kPacks; ++n) {
    const long i = first + n * step;
    if constexpr (Rule::kReadsParam) p[n] = pack_at<T, kWidth>(tensor.p, i);
    if constexpr (Rule::kReadsGrad) g[n] = pack_at<T, kWidth>(tensor.g, i);
#pragma unroll
    for (int j = 0; j < Rule::kStates; ++j) s[n][j] = pack_at<T, kWidth>(tensor.s[j], i);
  }
#pragma unroll
  for (int n = 0; n < kPacks; ++n) {
#pragma unroll
    for (int k = 0; k < kWidth; ++k) {
      C pv = C(0), gv = C(0), sv[kMaxStates];
      if constexpr (Rule::kReadsParam) pv = static_cast<C>(p[n].x[k]);
      if constexpr (Rule::kReadsGrad) gv = static_cast<C>(g[n].x[k]);
#pragma unroll
      for (int j = 0; j < Rule::kStates; ++j) sv[j] = static_cast<C>(s[n][j].x[k]);
      Rule::apply(pv, gv, sv, h);
      if constexpr (Rule::kWritesParam) p[n].x[k] = T(pv);
      if constexpr (Rule::kWritesGrad) g[n].x[k] = T(gv);
#pragma unroll
      for (int j = 0; j < Rule::kStates; ++j) s[n][j].x[k] = T(sv[j]);
    }
    const long i = first + n * step;
    if constexpr (Rule::kWritesParam) store_pack(tensor.p, i, p[n]);
    if constexpr (Rule::kWritesGrad) store_pack(tensor.g, i, g[n]);
#pragma unroll
    for (int j = 0; j < Rule::kStates; ++j) store_pack(tensor.s[j], i, s[n][j]);
  }
}

/// A rule on [begin, end), a multiple of kWidth elements.
template <class Rule, class T, int kWidth, int kPacks>
CUPYXX_FN void run_rule_over(const Tensor& tensor, long begin, long end, const Compute<T>* h) {
  const long step = static_cast<long>(blockDim.x) * kWidth;
  long i = begin + static_cast<long>(threadIdx.x) * kWidth;
  for (; i + (kPacks - 1) * step < end; i += kPacks * step) {
    run_rule_on<Rule, T, kWidth, kPacks>(tensor, i, step, h);
  }
  for (; i < end; i += step) run_rule_on<Rule, T, kWidth, 1>(tensor, i, step, h);
}

/// One block, one chunk. Chunks begin at multiples of 1024 elements.
template <class Rule, class T>
CUPYXX_FN void run_rule(const TensorArgs& args, const Compute<T>* h) {
  const Chunk chunk = args.chunks[blockIdx.x];
  const Tensor tensor = args.tensors[chunk.tensor];
  long begin = chunk.begin;
  if (is_packed<Rule, T>(tensor)) {
    begin += (chunk.end - begin) / 4 * 4;
    run_rule_over<Rule, T, 4, 2>(tensor, chunk.begin, begin, h);
  }
  run_rule_over<Rule, T, 1, 4>(tensor, begin, chunk.end, h);
}

template <class Rule, class T>
CUPYXX_FN void tensor_rule(const TensorArgs& args) {
  Compute<T> h[kMaxHyper];
  numbers_for<Rule>(args.tensors[args.chunks[blockIdx.x].tensor], args.h, h);
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
