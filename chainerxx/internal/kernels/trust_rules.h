// SPDX-License-Identifier: MIT
// Device-safe. Optimizers that measure the length of a whole parameter and of its step, in two
// passes over all tensors: `trust_norms` brings states up to date and leaves two sums of squares of
// each chunk, `trust_step` adds up those of its tensor and changes the parameter. States have the
// type that is computed in.
#pragma once

#include "chainerxx/internal/kernels/tensors.h"

namespace chainerxx::internal::kernels {

/// What a pass reads and writes beside reading the parameter.
struct TrustPass {
  bool reads_grad = false, reads_states = false, writes_states = false, writes_param = false;
};

// A rule has, beside for_tensor() as in tensor_rules.h:
//   prepare(p, g, s)         the first pass: what is measured beside the parameter
//   factor(of_p, of_step)    of the rate, of two norms
//   apply(p, g, s, factor)   the second pass

/// Adam's steps, with a decay, times the rate and the parameter's norm over their own; `scale` and
/// `eps` have the corrections for the moments' start at 0 in them. s: m, v.
template <class C>
struct Lamb {
  static constexpr const char* kName = "lamb";
  static constexpr const char* kNorms = "lamb_norms";
  static constexpr int kStates = 2;
  static constexpr TrustPass kPrepare = {
      .reads_grad = true, .reads_states = true, .writes_states = true};
  static constexpr TrustPass kApply = {.reads_states = true, .writes_param = true};
  C rate, one_minus_beta1, one_minus_beta2, scale, eps, decay;
  template <class D>
  CUPYXX_FN Lamb<D> for_tensor(const Tensor& t) const {
    return {D(rate * t.rate), D(one_minus_beta1), D(one_minus_beta2), D(scale),
            D(eps),           D(decay * t.decay)};
  }
  CUPYXX_FN C step(C p, const C* s) const {
    return scale * s[0] / (m::sqrt(s[1]) + eps) + decay * p;
  }
  CUPYXX_FN C prepare(C p, C g, C* s) const {
    s[0] += one_minus_beta1 * (g - s[0]);
    s[1] += one_minus_beta2 * (g * g - s[1]);
    return step(p, s);
  }
  CUPYXX_FN C factor(double of_p, double of_step) const {
    return of_p > 0 && of_step > 0 ? C(rate * (of_p / of_step)) : rate;
  }
  CUPYXX_FN void apply(C& p, C, C* s, C by) const { p -= by * step(p, s); }
};

/// Momentum of which each parameter's rate is scaled by its norm over that of its gradient. s: v.
template <class C>
struct Lars {
  static constexpr const char* kName = "lars";
  static constexpr const char* kNorms = "lars_norms";
  static constexpr int kStates = 1;
  static constexpr TrustPass kPrepare = {.reads_grad = true};
  static constexpr TrustPass kApply = {
      .reads_grad = true, .reads_states = true, .writes_states = true, .writes_param = true};
  C rate, momentum, decay, coefficient, eps;
  template <class D>
  CUPYXX_FN Lars<D> for_tensor(const Tensor& t) const {
    return {D(rate * t.rate), D(momentum), D(decay * t.decay), D(coefficient), D(eps)};
  }
  CUPYXX_FN C prepare(C, C g, C*) const { return g; }
  CUPYXX_FN C factor(double of_p, double of_g) const {
    if (!(of_p > 0 && of_g > 0)) return rate;
    return C(rate * (coefficient * of_p / (of_g + decay * of_p + eps)));
  }
  CUPYXX_FN void apply(C& p, C g, C* s, C by) const {
    s[0] = momentum * s[0] + by * (g + decay * p);
    p -= s[0];
  }
};

#if defined(__CUDACC__)
/// Calls `body(p, g, s)` for the elements [begin, end) of a tensor, a multiple of kWidth.
template <class T, int kWidth, class Rule, bool kApplies, class Body>
CUPYXX_FN void run_trust_over(const Tensor& tensor, long begin, long end, const Body& body) {
  using C = Compute<T>;
  constexpr TrustPass kPass = kApplies ? Rule::kApply : Rule::kPrepare;
  const long step = static_cast<long>(blockDim.x) * kWidth;
  for (long i = begin + static_cast<long>(threadIdx.x) * kWidth; i < end; i += step) {
    Pack<T, kWidth> p = pack_at<T, kWidth>(tensor.p, i), g = {};
    Pack<C, kWidth> s[Rule::kStates] = {};
    if constexpr (kPass.reads_grad) g = pack_at<T, kWidth>(tensor.g, i);
    if constexpr (kPass.reads_states) {
#pragma unroll
      for (int j = 0; j < Rule::kStates; ++j) s[j] = pack_at<C, kWidth>(tensor.s[j], i);
    }
#pragma unroll
    for (int k = 0; k < kWidth; ++k) {
      C pv = static_cast<C>(p.x[k]), sv[Rule::kStates];
#pragma unroll
      for (int j = 0; j < Rule::kStates; ++j) sv[j] = s[j].x[k];
      body(pv, static_cast<C>(g.x[k]), sv);
      p.x[k] = T(pv);
#pragma unroll
      for (int j = 0; j < Rule::kStates; ++j) s[j].x[k] = sv[j];
    }
    if constexpr (kPass.writes_param) {
      store_pack(tensor.p, i, p);
      store_copy(tensor, i, p);
    }
    if constexpr (kPass.writes_states) {
#pragma unroll
      for (int j = 0; j < Rule::kStates; ++j) store_pack(tensor.s[j], i, s[j]);
    }
  }
}

/// The same for a chunk.
template <class T, class Rule, bool kApplies, class Body>
CUPYXX_FN void run_trust(const Tensor& tensor, const Chunk& chunk, const Body& body) {
  using C = Compute<T>;
  unsigned long bits = 0;
  for (int j = 0; j < Rule::kStates; ++j) bits |= reinterpret_cast<unsigned long>(tensor.s[j]);
  const unsigned long of_both =
      reinterpret_cast<unsigned long>(tensor.p) | reinterpret_cast<unsigned long>(tensor.g);
  long begin = chunk.begin;
  if (bits % alignof(Pack<C, 4>) == 0 && of_both % alignof(Pack<T, 4>) == 0) {
    begin += (chunk.end - begin) / 4 * 4;
    run_trust_over<T, 4, Rule, kApplies>(tensor, chunk.begin, begin, body);
  }
  run_trust_over<T, 1, Rule, kApplies>(tensor, begin, chunk.end, body);
}

/// One block, one chunk. The sums of parameters stand in `partial` as those of `squares`, those of
/// steps `partials` behind them.
template <class T, class Rule>
CUPYXX_FN void trust_norms(const RuleArgs<Rule>& args) {
  using C = Compute<T>;
  const TensorArgs& table = args.table;
  if (is_skipped(table.loss_scale)) return;
  const Chunk chunk = table.chunks[blockIdx.x];
  const Tensor tensor = table.tensors[chunk.tensor];
  const auto rule = args.numbers.template for_tensor<C>(tensor);
  double of_p = 0, of_step = 0;
  run_trust<T, Rule, false>(tensor, chunk, [&](C& p, C g, C* s) {
    const double step = static_cast<double>(rule.prepare(p, g, s)), value = static_cast<double>(p);
    of_p += value * value;
    of_step += step * step;
  });
  of_p = block_sum(of_p);
  of_step = block_sum(of_step);
  if (threadIdx.x != 0) return;
  double* const sums = table.partial + table.first_partial + blockIdx.x;
  sums[0] = of_p;
  sums[table.partials] = of_step;
}

/// All blocks of a tensor add up its sums themselves, in the same order.
template <class T, class Rule>
CUPYXX_FN void trust_step(const RuleArgs<Rule>& args) {
  using C = Compute<T>;
  const TensorArgs& table = args.table;
  if (is_skipped(table.loss_scale)) return;
  const Chunk chunk = table.chunks[blockIdx.x];
  const Tensor tensor = table.tensors[chunk.tensor];
  const auto rule = args.numbers.template for_tensor<C>(tensor);
  // All chunks of a tensor but the last have one length.
  const Chunk whole = chunk.begin > 0 ? table.chunks[blockIdx.x - 1] : chunk;
  const long length = whole.end - whole.begin, count = (tensor.size + length - 1) / length;
  const double* const sums =
      table.partial + table.first_partial + static_cast<long>(blockIdx.x) - chunk.begin / length;
  double of_p = 0, of_step = 0;
  for (long i = threadIdx.x; i < count; i += blockDim.x) {
    of_p += sums[i];
    of_step += sums[table.partials + i];
  }
  const double norm = m::sqrt(block_sum(of_p)), of_step_norm = m::sqrt(block_sum(of_step));
  const C by = rule.factor(norm, of_step_norm);
  run_trust<T, Rule, true>(tensor, chunk, [&](C& p, C g, C* s) { rule.apply(p, g, s, by); });
}
#endif

}  // namespace chainerxx::internal::kernels
