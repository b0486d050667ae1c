// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/initializers.h"
#include "chainerxx/input_size.h"
#include "chainerxx/variable.h"
#include "chainerxx/variable_array.h"
#include "cupyxx/dtype.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// Options of LayerNorm.
struct LayerNormOptions {
  double eps = 1e-5;                         ///< added to the variance
  initializers::Initial initial_gamma = {};  ///< (size,); ones by default
  initializers::Initial initial_beta = {};   ///< (size,); zeros by default
  cupyxx::dtype dtype = cupyxx::float32;
};

/// layer_normalization over the last axis of x (..., size), with gamma and beta as parameters,
/// which start as ones and zeros unless the options say otherwise. A 16-bit x stands beside
/// parameters of float32.
class CUPYXX_API LayerNorm final : public FunctionOf<LayerNorm> {
 public:
  explicit LayerNorm(const InputSize& size = cupyxx::none, const LayerNormOptions& options = {});

  ParameterArray gamma{&ggamma};
  ndarray ggamma;  // (size,)
  ParameterArray beta{&gbeta};
  ndarray gbeta;

  /// h = x + y and this layer of h, as add_layer_normalization; x and y (..., size) have one shape
  /// and one dtype. On a GPU its gradients are added to those of gamma and beta by the kernel that
  /// makes them.
  VariableArray<2> of_sum(const Variable& x, const Variable& y) const;

  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan x) override;
  std::vector<ndarray> backward(ArraySpan x, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan x, VariableSpan gy) override;
  std::vector<Field> fields() override;

 private:
  void initialize(std::int64_t size, const LayerNormOptions& options);

  double eps_;
  internal::SavedArray saved_gamma_;
  ndarray moments_;
};

}  // namespace chainerxx::functions
