// SPDX-License-Identifier: MIT
#include <type_traits>
#include <vector>

#include "chainerxx/internal/cpu/loops.h"
#include "chainerxx/internal/cpu/support.h"

namespace chainerxx::internal::cpu {
namespace {

using namespace kernels;

template <class Rule, class T>
CHAINERXX_CLONES void rule_loop(T* __restrict p, T* __restrict g, T* __restrict s0,
                                T* __restrict s1, T* __restrict s2, std::int64_t n,
                                const Compute<T>* hyper) {
  using C = Compute<T>;
  C h[kMaxHyper];
  for (int k = 0; k < kMaxHyper; ++k) h[k] = hyper[k];
  T* const states[kMaxStates] = {s0, s1, s2};
  for (std::int64_t i = 0; i < n; ++i) {
    C pv = 0, gv = 0, sv[kMaxStates] = {};
    if constexpr (Rule::kReadsParam) pv = static_cast<C>(p[i]);
    if constexpr (Rule::kReadsGrad) gv = static_cast<C>(g[i]);
    for (int k = 0; k < Rule::kStates; ++k) sv[k] = static_cast<C>(states[k][i]);
    Rule::apply(pv, gv, sv, h);
    if constexpr (Rule::kWritesParam) p[i] = T(pv);
    if constexpr (Rule::kWritesGrad) g[i] = T(gv);
    for (int k = 0; k < Rule::kStates; ++k) states[k][i] = T(sv[k]);
  }
}

template <class T>
CHAINERXX_CLONES double squares_loop(const T* g, std::int64_t n) {
  constexpr std::int64_t kLanes = 16;  // independent sums, in a fixed order
  double sums[kLanes] = {};
  std::int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    for (std::int64_t l = 0; l < kLanes; ++l) {
      const auto value = static_cast<double>(static_cast<Compute<T>>(g[i + l]));
      sums[l] += value * value;
    }
  }
  for (; i < n; ++i) {
    const auto value = static_cast<double>(static_cast<Compute<T>>(g[i]));
    sums[i % kLanes] += value * value;
  }
  double sum = 0;
  for (const double s : sums) sum += s;
  return sum;
}

template <class Body>
void for_chunks(std::span<const Chunk> chunks, const Body& body) {
  constexpr std::int64_t kChunk = 8192;  // as the table cuts them
  parallel_for(static_cast<std::int64_t>(chunks.size()), kGrain / kChunk,
               [&](std::int64_t begin, std::int64_t end) {
                 for (std::int64_t i = begin; i < end; ++i) body(i);
               });
}

template <class Rule, class T>
void run(const Tensor* tensors, std::span<const Chunk> chunks, const double* hyper) {
  for_chunks(chunks, [&](std::int64_t index) {
    const Chunk& chunk = chunks[static_cast<std::size_t>(index)];
    const Tensor& tensor = tensors[chunk.tensor];
    Compute<T> h[kMaxHyper];
    numbers_for<Rule>(tensor, hyper, h);
    const auto at = [&](void* data) {
      return data != nullptr ? static_cast<T*>(data) + chunk.begin : nullptr;
    };
    rule_loop<Rule>(at(tensor.p), at(tensor.g), at(tensor.s[0]), at(tensor.s[1]), at(tensor.s[2]),
                    chunk.end - chunk.begin, h);
  });
}

}  // namespace

void tensor_rule(KernelName name, cupyxx::dtype type, const Tensor* tensors,
                 std::span<const Chunk> chunks, const double* h) {
  visit_type(type, [&](auto* null) {
    using T = Element<decltype(null)>;
    switch (name) {
      case KernelName::sgd:
        return run<Sgd, T>(tensors, chunks, h);
      case KernelName::momentum_sgd:
        return run<MomentumSgd, T>(tensors, chunks, h);
      case KernelName::adam:
        return run<Adam, T>(tensors, chunks, h);
      case KernelName::ada_grad:
        return run<AdaGrad, T>(tensors, chunks, h);
      case KernelName::ada_delta:
        return run<AdaDelta, T>(tensors, chunks, h);
      case KernelName::nesterov_ag:
        return run<NesterovAg, T>(tensors, chunks, h);
      case KernelName::rms_prop:
        return run<RmsProp, T>(tensors, chunks, h);
      case KernelName::rms_prop_graves:
        return run<RmsPropGraves, T>(tensors, chunks, h);
      case KernelName::smorms3:
        return run<Smorms3, T>(tensors, chunks, h);
      case KernelName::zero_grad:
        return run<ZeroGrad, T>(tensors, chunks, h);
      case KernelName::scale_grad:
        return run<ScaleGrad, T>(tensors, chunks, h);
      case KernelName::weight_decay:
        return run<WeightDecay, T>(tensors, chunks, h);
      default:
        throw cupyxx::ValueError("tensor_rule: this kernel is none");
    }
  });
}

double squares(cupyxx::dtype type, const Tensor* tensors, std::span<const Chunk> chunks) {
  std::vector<double> partial(chunks.size());
  visit_type(type, [&](auto* null) {
    using T = Element<decltype(null)>;
    for_chunks(chunks, [&](std::int64_t index) {
      const Chunk& chunk = chunks[static_cast<std::size_t>(index)];
      partial[static_cast<std::size_t>(index)] = squares_loop(
          static_cast<const T*>(tensors[chunk.tensor].g) + chunk.begin, chunk.end - chunk.begin);
    });
  });
  double sum = 0;
  for (const double s : partial) sum += s;
  return sum;
}

}  // namespace chainerxx::internal::cpu
