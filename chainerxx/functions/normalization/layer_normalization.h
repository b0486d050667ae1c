// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/variable.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// Of (x, gamma, beta): each item of the first axis of x with mean 0 and variance 1, then scaled by
/// gamma and shifted by beta, which have the shape of an item and the dtype of x, or float32 beside
/// a 16-bit x. Statistics of 16-bit types are those of float32.
class CUPYXX_API LayerNormalization final : public FunctionOf<LayerNormalization> {
 public:
  explicit LayerNormalization(double eps = 1e-5) : eps_(eps) {}
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

}  // namespace chainerxx::functions
