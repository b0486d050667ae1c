// SPDX-License-Identifier: MIT
// The rules on the host, and their kernels.
#include "chainerxx/internal/update_rule.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "chainerxx/internal/cpu/support.h"
#include "chainerxx/internal/for_chunks.h"
#include "chainerxx/internal/update_rule_loops.h"

namespace chainerxx::internal {
namespace {

using namespace cpu;
using namespace kernels;

template <template <class> class Rule>
struct RuleOf {
  using Numbers = Rule<double>;

  static void run(cupyxx::dtype type, const Tensor* tensors, std::span<const Chunk> chunks,
                  const void* given) {
    const Numbers& numbers = *static_cast<const Numbers*>(given);
    visit_type(type, [&](auto* null) {
      using T = Element<decltype(null)>;
      for_chunks(chunks, [&](std::size_t index) {
        const Chunk& chunk = chunks[index];
        const Tensor& tensor = tensors[chunk.tensor];
        const auto at = [&](void* data) {
          return data != nullptr ? static_cast<T*>(data) + chunk.begin : nullptr;
        };
        const auto rule = numbers.template for_tensor<Compute<T>>(tensor);
        with_arch([&]<Arch kArch>() {
          RuleLoop<kArch, T, Rule>::run(at(tensor.p), at(tensor.g), at(tensor.s[0]),
                                        at(tensor.s[1]), at(tensor.s[2]), chunk.end - chunk.begin,
                                        rule);
        });
      });
    });
  }

  static const Kernel<RuleArgs<Numbers>> kernel, clipped;
  static constexpr const cupyxx::extension::KernelFamily* clipped_kernel() {
    if constexpr (Numbers::kTouches.writes_param) return &clipped;
    return nullptr;
  }
  static constexpr RuleFamily family = {
      .touches = Numbers::kTouches, .kernel = kernel, .run = run, .clipped = clipped_kernel()};
};
template <template <class> class Rule>
const Kernel<RuleArgs<Rule<double>>> RuleOf<Rule>::kernel{kLibrary, Numbers::kName,
                                                          "tensor_rules.h", "tensor_rule<T>"};

// "clipped_sgd"
template <template <class> class Rule>
constexpr auto kClippedName = [] {
  constexpr std::string_view kPrefix = "clipped_", kName = Rule<double>::kName;
  std::array<char, kPrefix.size() + kName.size() + 1> name{};
  std::copy(kName.begin(), kName.end(), std::copy(kPrefix.begin(), kPrefix.end(), name.begin()));
  return name;
}();
template <template <class> class Rule>
const Kernel<RuleArgs<Rule<double>>> RuleOf<Rule>::clipped{kLibrary, kClippedName<Rule>.data(),
                                                           "tensor_rules.h", "clipped_rule<T>"};

}  // namespace

template <template <class> class Rule>
const RuleFamily& rule_family() {
  return RuleOf<Rule>::family;
}

#define CHAINERXX_RULE_FAMILY(Rule) template const RuleFamily& rule_family<Rule>();
CHAINERXX_FOR_RULES(CHAINERXX_RULE_FAMILY)
#undef CHAINERXX_RULE_FAMILY

double sum_of_squares(cupyxx::dtype type, const Tensor* tensors, std::span<const Chunk> chunks) {
  std::vector<double> partial(chunks.size());
  visit_type(type, [&](auto* null) {
    using T = Element<decltype(null)>;
    for_chunks(chunks, [&](std::size_t index) {
      const Chunk& chunk = chunks[index];
      const T* const g = static_cast<const T*>(tensors[chunk.tensor].g) + chunk.begin;
      partial[index] = with_arch(
          [&]<Arch kArch>() { return SquaresLoop<kArch, T>::run(g, chunk.end - chunk.begin); });
    });
  });
  double sum = 0;
  for (const double s : partial) sum += s;
  return sum;
}

}  // namespace chainerxx::internal
