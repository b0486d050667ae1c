// SPDX-License-Identifier: MIT
// The rules of kernels/trust_rules.h on the host, and their kernels.
#include <cmath>
#include <vector>

#include "chainerxx/internal/cpu/support.h"
#include "chainerxx/internal/for_chunks.h"
#include "chainerxx/internal/trust_rule_loops.h"
#include "chainerxx/internal/update_rule.h"

namespace chainerxx::internal {
namespace {

using namespace cpu;
using namespace kernels;

/// Where a chunk begins.
template <class T>
TrustElements<T> elements_of(const Tensor& tensor, const Chunk& chunk) {
  const auto state = [&](int k) {
    return tensor.s[k] != nullptr ? static_cast<Compute<T>*>(tensor.s[k]) + chunk.begin : nullptr;
  };
  return {static_cast<T*>(tensor.p) + chunk.begin, static_cast<const T*>(tensor.g) + chunk.begin,
          state(0), state(1), chunk.end - chunk.begin};
}

template <template <class> class Rule>
struct TrustRuleOf {
  using Numbers = Rule<double>;

  static void run(cupyxx::dtype type, const Tensor* tensors, std::span<const Chunk> chunks,
                  const void* given) {
    if (chunks.empty()) return;
    const Numbers& numbers = *static_cast<const Numbers*>(given);
    visit_type(type, [&](auto* null) {
      using T = Element<decltype(null)>;
      using C = Compute<T>;
      std::vector<TrustSums> partial(chunks.size());
      for_chunks(chunks, [&](std::size_t i) {
        const Tensor& tensor = tensors[chunks[i].tensor];
        with_arch([&]<Arch kArch>() {
          partial[i] = TrustLoop<kArch, T, Rule>::norms(elements_of<T>(tensor, chunks[i]),
                                                        numbers.template for_tensor<C>(tensor));
        });
      });
      std::vector<TrustSums> sums(static_cast<std::size_t>(chunks.back().tensor) + 1);
      for (std::size_t i = 0; i < chunks.size(); ++i) {
        TrustSums& sum = sums[static_cast<std::size_t>(chunks[i].tensor)];
        sum.of_p += partial[i].of_p;
        sum.of_step += partial[i].of_step;
      }
      for_chunks(chunks, [&](std::size_t i) {
        const Tensor& tensor = tensors[chunks[i].tensor];
        const TrustSums& sum = sums[static_cast<std::size_t>(chunks[i].tensor)];
        const auto rule = numbers.template for_tensor<C>(tensor);
        const C by = rule.factor(std::sqrt(sum.of_p), std::sqrt(sum.of_step));
        with_arch([&]<Arch kArch>() {
          TrustLoop<kArch, T, Rule>::step(elements_of<T>(tensor, chunks[i]), rule, by);
        });
      });
    });
  }

  static const Kernel<RuleArgs<Numbers>> norms, step;
  static constexpr RuleFamily before = {
      {.states = Numbers::kStates, .writes_param = false}, norms, nullptr};
  static constexpr RuleFamily family = {{.states = Numbers::kStates}, step, run, &before, true};
};
template <template <class> class Rule>
const Kernel<RuleArgs<Rule<double>>> TrustRuleOf<Rule>::norms{
    kLibrary, Numbers::kNorms, "trust_rules.h", "trust_norms<T>", 256};
template <template <class> class Rule>
const Kernel<RuleArgs<Rule<double>>> TrustRuleOf<Rule>::step{kLibrary, Numbers::kName,
                                                             "trust_rules.h", "trust_step<T>", 256};

}  // namespace

template <template <class> class Rule>
const RuleFamily& rule_family() {
  return TrustRuleOf<Rule>::family;
}

#define CHAINERXX_TRUST_FAMILY(Rule) template const RuleFamily& rule_family<Rule>();
CHAINERXX_FOR_TRUST_RULES(CHAINERXX_TRUST_FAMILY)
#undef CHAINERXX_TRUST_FAMILY

}  // namespace chainerxx::internal
