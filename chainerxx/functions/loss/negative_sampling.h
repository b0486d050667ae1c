// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/utils/walker_alias.h"
#include "chainerxx/variable.h"
#include "cupyxx/dtype.h"
#include "cupyxx/export.h"

namespace chainerxx::internal {
struct SampledLogistic;
}  // namespace chainerxx::internal

namespace chainerxx::functions {

/// The loss of word embeddings (Mikolov et al., 2013): the label's row of W should agree with x,
/// `sample_size` rows drawn with probabilities counts^power should not. Summed over the batch.
/// Throws IndexError for a label outside of W, on a CUDA device at the next synchronising call.
class CUPYXX_API NegativeSampling final : public FunctionOf<NegativeSampling> {
 public:
  /// W starts as zeros. Throws ValueError as WalkerAlias does, and for a negative sample size.
  NegativeSampling(std::int64_t in_size, const std::vector<std::int64_t>& counts, int sample_size,
                   double power = 0.75, cupyxx::dtype dtype = cupyxx::float32);
  template <std::same_as<int> I>
  NegativeSampling(std::int64_t in_size, const std::vector<I>& counts, int sample_size,
                   double power = 0.75, cupyxx::dtype dtype = cupyxx::float32)
      : NegativeSampling(in_size, std::vector<std::int64_t>(counts.begin(), counts.end()),
                         sample_size, power, dtype) {}

  ParameterArray W{&gW};  // (words, in)
  ndarray gW;
  /// When given, (n, 1 + sample_size): what is taken instead of drawn rows; the first column is
  /// replaced by the labels.
  ndarray samples;

  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan in) override;
  std::vector<ndarray> backward(ArraySpan in, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan in, VariableSpan gy) override;
  PrecisionRule precision_rule() const override { return PrecisionRule::wide; }
  std::vector<Field> fields() override;
  void move_to(cupyxx::Device device) override;

 private:
  int sample_size_;
  std::shared_ptr<const utils::WalkerAlias> sampler_;
  std::shared_ptr<internal::SampledLogistic> state_;
  internal::SavedArray saved_W_;
};

}  // namespace chainerxx::functions
