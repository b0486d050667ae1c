// SPDX-License-Identifier: MIT
// Device-safe. What an optimizer does to all its tensors in one pass: the rules, each a function of
// one element of a parameter, its gradient and its states, and the kernels that apply them.
#pragma once

#include "chainerxx/internal/kernels/tensors.h"

namespace chainerxx::internal::kernels {

/// What a rule reads and writes.
struct Touches {
  int states = 0;
  bool reads_param = true, writes_param = true;
  bool reads_grad = true, writes_grad = false;
};

// A rule has numbers of type C: double where they are set, the type of the computation where they
// are used. for_tensor() makes the second of the first, with the factors of the tensor's group.

template <class C>
struct Sgd {
  static constexpr const char* kName = "sgd";
  static constexpr Touches kTouches = {};
  C rate;
  template <class D>
  CUPYXX_FN Sgd<D> for_tensor(const Tensor& t) const {
    return {D(rate * t.rate)};
  }
  CUPYXX_FN void apply(C& p, C& g, C*) const { p -= rate * g; }
};

/// s: v.
template <class C>
struct MomentumSgd {
  static constexpr const char* kName = "momentum_sgd";
  static constexpr Touches kTouches = {.states = 1};
  C rate, momentum;
  template <class D>
  CUPYXX_FN MomentumSgd<D> for_tensor(const Tensor& t) const {
    return {D(rate * t.rate), D(momentum)};
  }
  CUPYXX_FN void apply(C& p, C& g, C* s) const {
    s[0] = momentum * s[0] - rate * g;
    p += s[0];
  }
};

/// s: v.
template <class C>
struct CorrectedMomentumSgd {
  static constexpr const char* kName = "corrected_momentum_sgd";
  static constexpr Touches kTouches = {.states = 1};
  C rate, momentum;
  template <class D>
  CUPYXX_FN CorrectedMomentumSgd<D> for_tensor(const Tensor& t) const {
    return {D(rate * t.rate), D(momentum)};
  }
  CUPYXX_FN void apply(C& p, C& g, C* s) const {
    s[0] = momentum * s[0] - g;
    p += rate * s[0];
  }
};

/// With the corrected rate, and a decay beside the step; s: m, v.
template <class C>
struct Adam {
  static constexpr const char* kName = "adam";
  static constexpr Touches kTouches = {.states = 2};
  C rate, one_minus_beta1, one_minus_beta2, eps, decay = 0;
  template <class D>
  CUPYXX_FN Adam<D> for_tensor(const Tensor& t) const {
    return {D(rate * t.rate), D(one_minus_beta1), D(one_minus_beta2), D(eps),
            D(decay * t.rate * t.decay)};
  }
  CUPYXX_FN void apply(C& p, C& g, C* s) const {
    s[0] += one_minus_beta1 * (g - s[0]);
    s[1] += one_minus_beta2 * (g * g - s[1]);
    p -= rate * s[0] / (m::sqrt(s[1]) + eps) + decay * p;
  }
};

/// Adam that divides by the largest second moment so far; s: m, v, largest v.
template <class C>
struct AmsGrad {
  static constexpr const char* kName = "ams_grad";
  static constexpr Touches kTouches = {.states = 3};
  C rate, one_minus_beta1, one_minus_beta2, eps;
  template <class D>
  CUPYXX_FN AmsGrad<D> for_tensor(const Tensor& t) const {
    return {D(rate * t.rate), D(one_minus_beta1), D(one_minus_beta2), D(eps)};
  }
  CUPYXX_FN void apply(C& p, C& g, C* s) const {
    s[0] += one_minus_beta1 * (g - s[0]);
    s[1] += one_minus_beta2 * (g * g - s[1]);
    s[2] = s[1] > s[2] ? s[1] : s[2];
    p -= rate * s[0] / (m::sqrt(s[2]) + eps);
  }
};

/// Adam that divides by the largest gradient, which is forgotten as moments are; s: m, u.
template <class C>
struct Adamax {
  static constexpr const char* kName = "adamax";
  static constexpr Touches kTouches = {.states = 2};
  C rate, one_minus_beta1, beta2, eps;
  template <class D>
  CUPYXX_FN Adamax<D> for_tensor(const Tensor& t) const {
    return {D(rate * t.rate), D(one_minus_beta1), D(beta2), D(eps)};
  }
  CUPYXX_FN void apply(C& p, C& g, C* s) const {
    s[0] += one_minus_beta1 * (g - s[0]);
    const C size = (g < C(0) ? -g : g) + eps, kept = beta2 * s[1];
    s[1] = kept > size ? kept : size;  // not a number where g is none
    p -= s[1] == C(0) ? C(0) : rate * s[0] / s[1];
  }
};

/// Adam whose factor of the first moment lies between two bounds; s: m, v.
template <class C>
struct AdaBound {
  static constexpr const char* kName = "ada_bound";
  static constexpr Touches kTouches = {.states = 2};
  C rate, one_minus_beta1, one_minus_beta2, eps, lower, upper;
  template <class D>
  CUPYXX_FN AdaBound<D> for_tensor(const Tensor& t) const {
    return {D(rate * t.rate), D(one_minus_beta1), D(one_minus_beta2),
            D(eps),           D(lower * t.rate),  D(upper * t.rate)};
  }
  CUPYXX_FN void apply(C& p, C& g, C* s) const {
    s[0] += one_minus_beta1 * (g - s[0]);
    s[1] += one_minus_beta2 * (g * g - s[1]);
    const C step = rate / (m::sqrt(s[1]) + eps);
    p -= (step < lower ? lower : step > upper ? upper : step) * s[0];
  }
};

/// The same by the largest second moment so far; s: m, v, largest v.
template <class C>
struct AmsBound {
  static constexpr const char* kName = "ams_bound";
  static constexpr Touches kTouches = {.states = 3};
  C rate, one_minus_beta1, one_minus_beta2, eps, lower, upper;
  template <class D>
  CUPYXX_FN AmsBound<D> for_tensor(const Tensor& t) const {
    return {D(rate * t.rate), D(one_minus_beta1), D(one_minus_beta2),
            D(eps),           D(lower * t.rate),  D(upper * t.rate)};
  }
  CUPYXX_FN void apply(C& p, C& g, C* s) const {
    s[0] += one_minus_beta1 * (g - s[0]);
    s[1] += one_minus_beta2 * (g * g - s[1]);
    s[2] = s[1] > s[2] ? s[1] : s[2];
    const C step = rate / (m::sqrt(s[2]) + eps);
    p -= (step < lower ? lower : step > upper ? upper : step) * s[0];
  }
};

/// Momentum shortened by the variance of the gradients, `noise` times which their mean has, and a
/// decay beside the step; s: m, v, both uncorrected.
template <class C>
struct Msvag {
  static constexpr const char* kName = "msvag";
  static constexpr Touches kTouches = {.states = 2};
  C rate, one_minus_beta, inverse_fix, noise, decay = 0;
  template <class D>
  CUPYXX_FN Msvag<D> for_tensor(const Tensor& t) const {
    return {D(rate * t.rate), D(one_minus_beta), D(inverse_fix), D(noise),
            D(decay * t.rate * t.decay)};
  }
  CUPYXX_FN void apply(C& p, C& g, C* s) const {
    s[0] += one_minus_beta * (g - s[0]);
    s[1] += one_minus_beta * (g * g - s[1]);
    const C mean = inverse_fix * s[0], square = mean * mean, second = inverse_fix * s[1];
    const C whole = square + noise * (second > square ? second - square : C(0));
    p -= rate * (whole > C(0) ? square / whole : C(0)) * mean + decay * p;
  }
};

/// Adam's step where `rate` is not 0, else one of `flat` times the first moment; s: m, v.
template <class C>
struct RAdam {
  static constexpr const char* kName = "r_adam";
  static constexpr Touches kTouches = {.states = 2};
  C rate, flat, one_minus_beta1, one_minus_beta2, eps;
  template <class D>
  CUPYXX_FN RAdam<D> for_tensor(const Tensor& t) const {
    return {D(rate * t.rate), D(flat * t.rate), D(one_minus_beta1), D(one_minus_beta2), D(eps)};
  }
  CUPYXX_FN void apply(C& p, C& g, C* s) const {
    s[0] += one_minus_beta1 * (g - s[0]);
    s[1] += one_minus_beta2 * (g * g - s[1]);
    p -= (rate == 0 ? flat : rate / (m::sqrt(s[1]) + eps)) * s[0];
  }
};

/// s: the sum of squares.
template <class C>
struct AdaGrad {
  static constexpr const char* kName = "ada_grad";
  static constexpr Touches kTouches = {.states = 1};
  C rate, eps;
  template <class D>
  CUPYXX_FN AdaGrad<D> for_tensor(const Tensor& t) const {
    return {D(rate * t.rate), D(eps)};
  }
  CUPYXX_FN void apply(C& p, C& g, C* s) const {
    s[0] += g * g;
    p -= rate * g / (m::sqrt(s[0]) + eps);
  }
};

/// s: mean squares of gradients and of steps.
template <class C>
struct AdaDelta {
  static constexpr const char* kName = "ada_delta";
  static constexpr Touches kTouches = {.states = 2};
  C rho, one_minus_rho, eps, rate = 1;
  template <class D>
  CUPYXX_FN AdaDelta<D> for_tensor(const Tensor& t) const {
    return {D(rho), D(one_minus_rho), D(eps), D(rate * t.rate)};
  }
  CUPYXX_FN void apply(C& p, C& g, C* s) const {
    s[0] = rho * s[0] + one_minus_rho * g * g;
    const C step = m::sqrt((s[1] + eps) / (s[0] + eps)) * g;
    s[1] = rho * s[1] + one_minus_rho * step * step;
    p -= rate * step;
  }
};

/// s: v.
template <class C>
struct NesterovAg {
  static constexpr const char* kName = "nesterov_ag";
  static constexpr Touches kTouches = {.states = 1};
  C rate, momentum;
  template <class D>
  CUPYXX_FN NesterovAg<D> for_tensor(const Tensor& t) const {
    return {D(rate * t.rate), D(momentum)};
  }
  CUPYXX_FN void apply(C& p, C& g, C* s) const {
    s[0] = momentum * s[0] - rate * g;
    p += momentum * momentum * s[0] - (C(1) + momentum) * rate * g;
  }
};

/// s: mean squares.
template <class C>
struct RmsProp {
  static constexpr const char* kName = "rms_prop";
  static constexpr Touches kTouches = {.states = 1};
  C rate, alpha, one_minus_alpha, eps;
  template <class D>
  CUPYXX_FN RmsProp<D> for_tensor(const Tensor& t) const {
    return {D(rate * t.rate), D(alpha), D(one_minus_alpha), D(eps)};
  }
  CUPYXX_FN void apply(C& p, C& g, C* s) const {
    s[0] = alpha * s[0] + one_minus_alpha * g * g;
    p -= rate * g / (m::sqrt(s[0]) + eps);
  }
};

/// s: mean squares, mean, the last step.
template <class C>
struct RmsPropGraves {
  static constexpr const char* kName = "rms_prop_graves";
  static constexpr Touches kTouches = {.states = 3};
  C rate, alpha, one_minus_alpha, momentum, eps;
  template <class D>
  CUPYXX_FN RmsPropGraves<D> for_tensor(const Tensor& t) const {
    return {D(rate * t.rate), D(alpha), D(one_minus_alpha), D(momentum), D(eps)};
  }
  CUPYXX_FN void apply(C& p, C& g, C* s) const {
    s[0] = alpha * s[0] + one_minus_alpha * g * g;
    s[1] = alpha * s[1] + one_minus_alpha * g;
    s[2] = momentum * s[2] - rate * g / m::sqrt(s[0] - s[1] * s[1] + eps);
    p += s[2];
  }
};

/// s: memory, mean, mean squares.
template <class C>
struct Smorms3 {
  static constexpr const char* kName = "smorms3";
  static constexpr Touches kTouches = {.states = 3};
  C rate, eps;
  template <class D>
  CUPYXX_FN Smorms3<D> for_tensor(const Tensor& t) const {
    return {D(rate * t.rate), D(eps)};
  }
  CUPYXX_FN void apply(C& p, C& g, C* s) const {
    const C r = C(1) / (s[0] + C(1));
    s[1] = (C(1) - r) * s[1] + r * g;
    s[2] = (C(1) - r) * s[2] + r * g * g;
    const C x = s[1] * s[1] / (s[2] + eps);
    p -= g * (rate < x ? rate : x) / (m::sqrt(s[2]) + eps);
    s[0] = C(1) + s[0] * (C(1) - x);
  }
};

template <class C>
struct ZeroGrad {
  static constexpr const char* kName = "zero_grad";
  static constexpr Touches kTouches = {
      .reads_param = false, .writes_param = false, .reads_grad = false, .writes_grad = true};
  template <class D>
  CUPYXX_FN ZeroGrad<D> for_tensor(const Tensor&) const {
    return {};
  }
  CUPYXX_FN void apply(C&, C& g, C*) const { g = C(0); }
};

template <class C>
struct ScaleGrad {
  static constexpr const char* kName = "scale_grad";
  static constexpr Touches kTouches = {
      .reads_param = false, .writes_param = false, .writes_grad = true};
  C factor;
  template <class D>
  CUPYXX_FN ScaleGrad<D> for_tensor(const Tensor&) const {
    return {D(factor)};
  }
  CUPYXX_FN void apply(C&, C& g, C*) const { g *= factor; }
};

template <class C>
struct WeightDecay {
  static constexpr const char* kName = "weight_decay";
  static constexpr Touches kTouches = {.writes_param = false, .writes_grad = true};
  C decay;
  template <class D>
  CUPYXX_FN WeightDecay<D> for_tensor(const Tensor& t) const {
    return {D(decay * t.decay)};
  }
  CUPYXX_FN void apply(C& p, C& g, C*) const { g += decay * p; }
};

/// A decay of all parameters by the same amount, towards 0.
template <class C>
struct Lasso {
  static constexpr const char* kName = "lasso";
  static constexpr Touches kTouches = {.writes_param = false, .writes_grad = true};
  C decay;
  template <class D>
  CUPYXX_FN Lasso<D> for_tensor(const Tensor& t) const {
    return {D(decay * t.decay)};
  }
  CUPYXX_FN void apply(C& p, C& g, C*) const { g += p > 0 ? decay : p < 0 ? -decay : C(0); }
};

/// Gradients moved to the nearest of two bounds; NaN stays.
template <class C>
struct HardClipping {
  static constexpr const char* kName = "hard_clipping";
  static constexpr Touches kTouches = {
      .reads_param = false, .writes_param = false, .writes_grad = true};
  C lower, upper;
  template <class D>
  CUPYXX_FN HardClipping<D> for_tensor(const Tensor&) const {
    return {D(lower), D(upper)};
  }
  CUPYXX_FN void apply(C&, C& g, C*) const { g = g < lower ? lower : g > upper ? upper : g; }
};

/// Divides by the scale of the loss, and says in the scale's state when a gradient
/// is not finite.
template <class C>
struct Unscale {
  static constexpr const char* kName = "unscale";
  static constexpr Touches kTouches = {
      .reads_param = false, .writes_param = false, .writes_grad = true};
  float* state;
  C inverse = 0;
  template <class D>
  CUPYXX_FN Unscale<D> for_tensor(const Tensor&) const {
    return {state, D(state[kInverseOfScale])};
  }
  CUPYXX_FN void apply(C&, C& g, C*) const {
    g *= inverse;
    if (!(g - g == C(0))) state[kNotFinite] = 1;
  }
};

/// The largest norm of the gradients.
struct Clip {
  double maxnorm;
};

#if defined(__CUDACC__)
template <class Rule, class T>
CUPYXX_FN bool is_packed(const Tensor& tensor) {
  constexpr Touches kTouches = Rule::kTouches;
  unsigned long bits = 0;
  if (kTouches.reads_param || kTouches.writes_param)
    bits |= reinterpret_cast<unsigned long>(tensor.p);
  if (kTouches.reads_grad || kTouches.writes_grad)
    bits |= reinterpret_cast<unsigned long>(tensor.g);
  for (int j = 0; j < kTouches.states; ++j) bits |= reinterpret_cast<unsigned long>(tensor.s[j]);
  return bits % alignof(Pack<T, 4>) == 0;
}

/// Whether a rule that writes gradients does so now.
template <class Rule>
CUPYXX_FN constexpr bool changes_grad(const Rule&) {
  return true;
}

/// A rule on kPacks packs, `step` elements apart, all of which are loaded before the first is used.
template <class T, int kWidth, int kPacks, class Rule>
CUPYXX_FN void run_rule_on(const Tensor& tensor, long first, long step, const Rule& rule) {
  using C = Compute<T>;
  constexpr Touches kTouches = Rule::kTouches;
  Pack<T, kWidth> p[kPacks], g[kPacks], s[kPacks][kMaxStates];
#pragma unroll
  for (int n = 0; n < kPacks; ++n) {
    const long i = first + n * step;
    if constexpr (kTouches.reads_param) p[n] = pack_at<T, kWidth>(tensor.p, i);
    if constexpr (kTouches.reads_grad) g[n] = pack_at<T, kWidth>(tensor.g, i);
#pragma unroll
    for (int j = 0; j < kTouches.states; ++j) s[n][j] = pack_at<T, kWidth>(tensor.s[j], i);
  }
#pragma unroll
  for (int n = 0; n < kPacks; ++n) {
#pragma unroll
    for (int k = 0; k < kWidth; ++k) {
      C pv = C(0), gv = C(0), sv[kMaxStates];
      if constexpr (kTouches.reads_param) pv = static_cast<C>(p[n].x[k]);
      if constexpr (kTouches.reads_grad) gv = static_cast<C>(g[n].x[k]);
#pragma unroll
      for (int j = 0; j < kTouches.states; ++j) sv[j] = static_cast<C>(s[n][j].x[k]);
      rule.apply(pv, gv, sv);
      if constexpr (kTouches.writes_param) p[n].x[k] = T(pv);
      if constexpr (kTouches.writes_grad) g[n].x[k] = T(gv);
#pragma unroll
      for (int j = 0; j < kTouches.states; ++j) s[n][j].x[k] = T(sv[j]);
    }
    const long i = first + n * step;
    if constexpr (kTouches.writes_param) {
      store_pack(tensor.p, i, p[n]);
      store_copy(tensor, i, p[n]);
    }
    if constexpr (kTouches.writes_grad) {
      if (changes_grad(rule)) store_pack(tensor.g, i, g[n]);
    }
#pragma unroll
    for (int j = 0; j < kTouches.states; ++j) store_pack(tensor.s[j], i, s[n][j]);
  }
}

/// A rule on [begin, end), a multiple of kWidth elements.
template <class T, int kWidth, int kPacks, class Rule>
CUPYXX_FN void run_rule_over(const Tensor& tensor, long begin, long end, const Rule& rule) {
  const long step = static_cast<long>(blockDim.x) * kWidth;
  long i = begin + static_cast<long>(threadIdx.x) * kWidth;
  for (; i + (kPacks - 1) * step < end; i += kPacks * step) {
    run_rule_on<T, kWidth, kPacks>(tensor, i, step, rule);
  }
  for (; i < end; i += step) run_rule_on<T, kWidth, 1>(tensor, i, step, rule);
}

/// One block, one chunk. Chunks begin at multiples of 1024 elements.
template <class T, class Rule>
CUPYXX_FN void run_rule(const TensorArgs& args, const Rule& rule) {
  const Chunk chunk = args.chunks[blockIdx.x];
  const Tensor tensor = args.tensors[chunk.tensor];
  long begin = chunk.begin;
  if (is_packed<Rule, T>(tensor)) {
    begin += (chunk.end - begin) / 4 * 4;
    run_rule_over<T, 4, 2>(tensor, chunk.begin, begin, rule);
  }
  run_rule_over<T, 1, 4>(tensor, begin, chunk.end, rule);
}

/// What gradients are multiplied by so that their norm is `maxnorm` at most; 1 where it is. Each
/// block adds up the partial sums itself, in the same order, so nothing has to visit the host.
CUPYXX_FN double clip_factor(const TensorArgs& table, double maxnorm) {
  double sum = 0;
  for (long i = threadIdx.x; i < table.partials; i += blockDim.x) sum += table.partial[i];
  const double norm = m::sqrt(block_sum(sum));
  return norm > maxnorm ? maxnorm / norm : 1;
}

/// A rule on gradients that are multiplied by a factor before it, and stored so unless it is 1.
template <class T, class Rule>
struct Scaled {
  static constexpr Touches kTouches = {.states = Rule::kTouches.states,
                                       .reads_param = Rule::kTouches.reads_param,
                                       .writes_param = Rule::kTouches.writes_param,
                                       .reads_grad = true,
                                       .writes_grad = true};
  Rule rule;
  Compute<T> factor;
  CUPYXX_FN void apply(Compute<T>& p, Compute<T>& g, Compute<T>* s) const {
    g = static_cast<Compute<T>>(T(g * factor));  // what is read from memory again
    Compute<T> scaled = g;
    rule.apply(p, scaled, s);
  }
};
template <class T, class Rule>
CUPYXX_FN bool changes_grad(const Scaled<T, Rule>& rule) {
  return rule.factor != Compute<T>(1);
}

template <class T, class Rule>
CUPYXX_FN void tensor_rule(const RuleArgs<Rule>& args) {
  const TensorArgs& table = args.table;
  if (Rule::kTouches.writes_param && is_skipped(table.loss_scale)) return;
  const Tensor& tensor = table.tensors[table.chunks[blockIdx.x].tensor];
  run_rule<T>(table, args.numbers.template for_tensor<Compute<T>>(tensor));
}

/// The same behind clipping to `maxnorm`.
template <class T, class Rule>
CUPYXX_FN void clipped_rule(const RuleArgs<Rule>& args) {
  const TensorArgs& table = args.table;
  if (is_skipped(table.loss_scale)) return;
  const Tensor& tensor = table.tensors[table.chunks[blockIdx.x].tensor];
  const auto rule = args.numbers.template for_tensor<Compute<T>>(tensor);
  const auto factor = static_cast<Compute<T>>(clip_factor(table, table.maxnorm));
  run_rule<T>(table, Scaled<T, decltype(rule)>{rule, factor});
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

/// Scales the gradients when their norm exceeds the largest.
template <class T>
CUPYXX_FN void clip(const RuleArgs<Clip>& args) {
  const auto factor = static_cast<Compute<T>>(clip_factor(args.table, args.numbers.maxnorm));
  if (factor != Compute<T>(1)) run_rule<T>(args.table, ScaleGrad<Compute<T>>{factor});
}
#endif

}  // namespace chainerxx::internal::kernels
