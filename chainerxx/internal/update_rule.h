// SPDX-License-Identifier: MIT
// A rule of kernels/tensor_rules.h or kernels/trust_rules.h with its numbers, whichever it is.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>

#include "chainerxx/internal/kernel_library.h"
#include "chainerxx/internal/kernels/tensor_rules.h"

namespace chainerxx::internal {

/// What a rule does, and what runs it.
struct RuleFamily {
  kernels::Touches touches;
  const cupyxx::extension::KernelFamily& kernel;
  /// The host's loop over chunks of tensors of one dtype; null for what has a kernel alone.
  void (*run)(cupyxx::dtype type, const kernels::Tensor* tensors,
              std::span<const kernels::Chunk> chunks, const void* numbers);
  /// What runs on devices before `kernel`, with the same numbers: norms of whole tensors.
  const RuleFamily* before = nullptr;
  /// Whether states are of the type that is computed in, not of the parameter's.
  bool computes_states = false;
  /// Instead of `kernel` where gradients are clipped as well; null: nothing does both at once.
  const cupyxx::extension::KernelFamily* clipped = nullptr;

  /// Whether an element's update reads no other element of its tensor.
  bool works_by_elements() const { return before == nullptr; }
  cupyxx::dtype state_type(cupyxx::dtype param) const {
    return computes_states && param != cupyxx::float64 ? cupyxx::float32 : param;
  }
};

/// Of a rule that update_rule.cc or trust_rule.cc names.
template <template <class> class Rule>
const RuleFamily& rule_family();

struct UpdateRule {
  struct Numbers {
    alignas(double) std::byte bytes[48];
  };

  const RuleFamily* family;
  Numbers numbers{};
  double maxnorm = -1;  // of the gradients, which are scaled down to it before; negative: any

  template <class T>
  UpdateRule(const RuleFamily& the_family, const T& the_numbers) : family(&the_family) {
    static_assert(sizeof(T) <= sizeof(Numbers) && std::is_trivially_copyable_v<T>);
    std::memcpy(numbers.bytes, &the_numbers, sizeof(T));
  }
  /// `UpdateRule::of<kernels::Sgd>({.rate = 0.1})`.
  template <template <class> class Rule>
  static UpdateRule of(const Rule<double>& numbers) {
    return {rule_family<Rule>(), numbers};
  }
};

/// The sum of the squares of all gradients, on the host.
double sum_of_squares(cupyxx::dtype type, const kernels::Tensor* tensors,
                      std::span<const kernels::Chunk> chunks);

}  // namespace chainerxx::internal
