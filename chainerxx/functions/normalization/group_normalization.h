// SPDX-License-Identifier: MIT
// Normalisation of groups of channels, for each sample separately. See "Group Normalization" (Wu
// and He, 2018); of as many groups as channels, "Instance Normalization" (Ulyanov et al., 2016).
#pragma once

#include <concepts>
#include <cstdint>
#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/functions/normalization/layer_normalization.h"
#include "chainerxx/initializers.h"
#include "chainerxx/input_size.h"
#include "chainerxx/variable.h"
#include "cupyxx/dtype.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// Of (x, gamma, beta) with x (n, channels, ...): each of the `groups` of neighbouring channels of
/// a sample with mean 0 and variance 1, then each channel scaled by gamma and shifted by beta
/// (channels,), of the dtype of x or float32 beside a 16-bit x. Statistics of 16-bit types are
/// those of float32.
class CUPYXX_API GroupNormalizationFunction final : public FunctionOf<GroupNormalizationFunction> {
 public:
  explicit GroupNormalizationFunction(std::int64_t groups, double eps = 1e-5)
      : groups_(groups), eps_(eps) {}
  std::string label() const override { return "GroupNormalization"; }
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan inputs) override;
  std::vector<ndarray> backward(ArraySpan inputs, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan inputs, VariableSpan gy) override;

 private:
  std::int64_t groups_;
  double eps_;
  ndarray moments_;
};

/// Options of GroupNormalization.
struct GroupNormalizationOptions {
  double eps = 1e-5;                         ///< added to the variance
  initializers::Initial initial_gamma = {};  ///< (size,); ones by default
  initializers::Initial initial_beta = {};   ///< (size,); zeros by default
  cupyxx::dtype dtype = cupyxx::float32;
};

/// group_normalization with gamma and beta as parameters. A 16-bit x stands beside parameters of
/// float32.
class CUPYXX_API GroupNormalization final : public FunctionOf<GroupNormalization> {
 public:
  /// For x of `size` channels. Throws ValueError unless `groups` is positive and divides them.
  explicit GroupNormalization(std::int64_t groups, const InputSize& size = cupyxx::none,
                              const GroupNormalizationOptions& options = {});

  ParameterArray gamma{&ggamma};
  ndarray ggamma;  // (size,)
  ParameterArray beta{&gbeta};
  ndarray gbeta;

  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan x) override;
  std::vector<ndarray> backward(ArraySpan x, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan x, VariableSpan gy) override;
  std::vector<Field> fields() override;

 private:
  void initialize(std::int64_t size, const GroupNormalizationOptions& options);

  std::int64_t groups_;
  double eps_;
  internal::SavedArray saved_gamma_;
  ndarray moments_;
};

/// Normalises groups of channels of x (n, channels, ...), each sample separately; gamma and beta
/// are (channels,). `eps` is added to the variance. Throws ValueError unless `groups` is positive
/// and divides the channels.
CUPYXX_API Variable group_normalization(const Variable& x, std::int64_t groups,
                                        const Variable& gamma, const Variable& beta,
                                        double eps = 1e-5);
template <std::same_as<NormalizationOptions> O = NormalizationOptions>
Variable group_normalization(const Variable& x, std::int64_t groups, const Variable& gamma,
                             const Variable& beta, O options) {
  return group_normalization(x, groups, gamma, beta, options.eps);
}
/// The same with each channel as a group of its own.
CUPYXX_API Variable instance_normalization(const Variable& x, const Variable& gamma,
                                           const Variable& beta, double eps = 1e-5);
template <std::same_as<NormalizationOptions> O = NormalizationOptions>
Variable instance_normalization(const Variable& x, const Variable& gamma, const Variable& beta,
                                O options) {
  return instance_normalization(x, gamma, beta, options.eps);
}

}  // namespace chainerxx::functions
