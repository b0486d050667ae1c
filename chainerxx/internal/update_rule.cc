// SPDX-License-Identifier: MIT
// The rules' loops on the host, and their kernels.
#include "chainerxx/internal/update_rule.h"

#include <vector>

#include "chainerxx/internal/cpu/support.h"

namespace chainerxx::internal {
namespace {

using namespace cpu;
using namespace kernels;

template <class T, class Rule>
CHAINERXX_CLONES void rule_loop(T* __restrict p, T* __restrict g, T* __restrict s0,
                                T* __restrict s1, T* __restrict s2, std::int64_t n,
                                const Rule& given) {
  using C = Compute<T>;
  constexpr Touches kTouches = Rule::kTouches;
  const Rule rule = given;  // which the loop does not write
  T* const states[kMaxStates] = {s0, s1, s2};
  for (std::int64_t i = 0; i < n; ++i) {
    C pv = 0, gv = 0, sv[kMaxStates] = {};
    if constexpr (kTouches.reads_param) pv = static_cast<C>(p[i]);
    if constexpr (kTouches.reads_grad) gv = static_cast<C>(g[i]);
    for (int k = 0; k < kTouches.states; ++k) sv[k] = static_cast<C>(states[k][i]);
    rule.apply(pv, gv, sv);
    if constexpr (kTouches.writes_param) p[i] = T(pv);
    if constexpr (kTouches.writes_grad) g[i] = T(gv);
    for (int k = 0; k < kTouches.states; ++k) states[k][i] = T(sv[k]);
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

template <template <class> class Rule>
struct RuleOf {
  using Numbers = Rule<double>;

  static void run(cupyxx::dtype type, const Tensor* tensors, std::span<const Chunk> chunks,
                  const void* given) {
    const Numbers& numbers = *static_cast<const Numbers*>(given);
    visit_type(type, [&](auto* null) {
      using T = Element<decltype(null)>;
      for_chunks(chunks, [&](std::int64_t index) {
        const Chunk& chunk = chunks[static_cast<std::size_t>(index)];
        const Tensor& tensor = tensors[chunk.tensor];
        const auto at = [&](void* data) {
          return data != nullptr ? static_cast<T*>(data) + chunk.begin : nullptr;
        };
        rule_loop<T>(at(tensor.p), at(tensor.g), at(tensor.s[0]), at(tensor.s[1]), at(tensor.s[2]),
                     chunk.end - chunk.begin, numbers.template for_tensor<Compute<T>>(tensor));
      });
    });
  }

  static const Kernel<RuleArgs<Numbers>> kernel;
  static constexpr RuleFamily family = {Numbers::kTouches, kernel, run};
};
template <template <class> class Rule>
const Kernel<RuleArgs<Rule<double>>> RuleOf<Rule>::kernel{kLibrary, Numbers::kName,
                                                          "tensor_rules.h", "tensor_rule<T>"};

}  // namespace

template <template <class> class Rule>
const RuleFamily& rule_family() {
  return RuleOf<Rule>::family;
}

// All rules; without its line here one does not link.
template const RuleFamily& rule_family<Sgd>();
template const RuleFamily& rule_family<MomentumSgd>();
template const RuleFamily& rule_family<Adam>();
template const RuleFamily& rule_family<AdaGrad>();
template const RuleFamily& rule_family<AdaDelta>();
template const RuleFamily& rule_family<NesterovAg>();
template const RuleFamily& rule_family<RmsProp>();
template const RuleFamily& rule_family<RmsPropGraves>();
template const RuleFamily& rule_family<Smorms3>();
template const RuleFamily& rule_family<ZeroGrad>();
template const RuleFamily& rule_family<ScaleGrad>();
template const RuleFamily& rule_family<WeightDecay>();

double sum_of_squares(cupyxx::dtype type, const Tensor* tensors, std::span<const Chunk> chunks) {
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

}  // namespace chainerxx::internal
