// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/variable.h"
#include "chainerxx/variable_array.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// Options of normalisations by moments of the input.
struct NormalizationOptions {
  double eps = 1e-5;  ///< added to the variance
};

/// Of (x, gamma, beta): each item of the first axis of x with mean 0 and variance 1, then scaled by
/// gamma and shifted by beta, which have the shape of an item and the dtype of x, or float32 beside
/// a 16-bit x. Statistics of 16-bit types are those of float32.
class CUPYXX_API LayerNormalization final : public FunctionOf<LayerNormalization> {
 public:
  explicit LayerNormalization(double eps = 1e-5) : eps_(eps) {}
  /// Not the layer, which is made with the size of what it normalises.
  template <std::integral I, class... More>
  explicit LayerNormalization(I, const More&...) {
    static_assert(internal::kNever<I>,
                  "the layer stands in chainerxx::links: write L::LayerNormalization(size); "
                  "functions::LayerNormalization is its step, without gamma and beta");
  }
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan inputs) override;
  std::vector<ndarray> backward(ArraySpan inputs, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan inputs, VariableSpan gy) override;

 private:
  double eps_;
  ndarray moments_;
};

/// Normalises each row of x (n, ...); gamma and beta have its shape, and x's dtype or, beside
/// float16 and bfloat16, float32: y and the gradient of x are then of x's dtype, those of gamma and
/// beta are float32. See "Layer Normalization". `eps` is added to the variance.
CUPYXX_API Variable layer_normalization(const Variable& x, const Variable& gamma,
                                        const Variable& beta, double eps = 1e-5);
template <std::same_as<NormalizationOptions> O = NormalizationOptions>
Variable layer_normalization(const Variable& x, const Variable& gamma, const Variable& beta,
                             O options) {
  return layer_normalization(x, gamma, beta, options.eps);
}

/// Of (x, y, gamma, beta): the sum h = x + y, and LayerNormalization of h. x and y have one shape
/// and one dtype, which h has, too; what is normalised is h as it is stored.
class CUPYXX_API AddLayerNormalization final : public FunctionOf<AddLayerNormalization, 2> {
 public:
  explicit AddLayerNormalization(double eps = 1e-5) : eps_(eps) {}
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan inputs) override;
  std::vector<ndarray> backward(ArraySpan inputs, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan inputs, VariableSpan gy) override;

 private:
  double eps_;
  ndarray moments_;
  internal::SavedArray sum_;
};

/// h = x + y and layer_normalization(h, gamma, beta, eps), as an array of the two: the addition of
/// a residual and the normalisation behind it. On a GPU, rows that fit into registers are read
/// once, and the gradient that reaches h is added by the kernel of the normalisation's gradient.
/// Both orders of gradients.
CUPYXX_API VariableArray<2> add_layer_normalization(const Variable& x, const Variable& y,
                                                    const Variable& gamma, const Variable& beta,
                                                    double eps = 1e-5);

}  // namespace chainerxx::functions
