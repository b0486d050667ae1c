// SPDX-License-Identifier: MIT
// Batch renormalisation: batch normalisation whose results are drawn towards those of the running
// statistics, so that training and evaluation differ less. See "Batch Renormalization: Towards
// Reducing Minibatch Dependence in Batch-Normalized Models" (Ioffe, 2017).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/functions/normalization/batch_normalization.h"
#include "chainerxx/scope.h"
#include "chainerxx/variable.h"
#include "cupyxx/export.h"
#include "cupyxx/shape.h"

namespace chainerxx::functions {

/// ((x - mean) / std r + d) gamma + beta with the moments of the batch, where r = std / running_std
/// in [1 / rmax, rmax] and d = (mean - running_mean) / running_std in [-dmax, dmax] are constants
/// for gradients, as in the paper, and for gradients of these. Both running statistics are given
/// and updated in place, as batch_normalization does, behind r and d. With rmax = 1 and dmax = 0 it
/// is batch_normalization. Throws ValueError for rmax below 1, a negative dmax and missing
/// statistics, else as batch_normalization.
CUPYXX_API Variable batch_renormalization(const Variable& x, const Variable& gamma,
                                          const Variable& beta, double rmax, double dmax,
                                          const BatchNormalizationOptions& options);
/// fixed_batch_normalization by its name here.
CUPYXX_API Variable fixed_batch_renormalization(const Variable& x, const Variable& gamma,
                                                const Variable& beta, const Variable& mean,
                                                const Variable& var, double eps = 1e-5);

/// The layer with its parameters and running statistics, which are saved and moved with it. Within
/// functions::forget its training is refused, since statistics differ when it runs again.
class CUPYXX_API BatchRenormalization final : public FunctionOf<BatchRenormalization> {
 public:
  /// `size` as of BatchNormalization, rmax and dmax as above. They usually start as 1 and 0 and
  /// grow in the course of a training, to 3 and 5 in the paper.
  explicit BatchRenormalization(const cupyxx::Shape& size, double rmax = 1, double dmax = 0,
                                const BatchNormalizationLayerOptions& options = {});
  explicit BatchRenormalization(std::int64_t size, double rmax = 1, double dmax = 0,
                                const BatchNormalizationLayerOptions& options = {})
      : BatchRenormalization(cupyxx::Shape{size}, rmax, dmax, options) {}

  ParameterArray gamma{&ggamma};
  ndarray ggamma;  // starts as ones
  ParameterArray beta{&gbeta};
  ndarray gbeta;     // starts as zeros
  ndarray avg_mean;  // starts as zeros
  ndarray avg_var;   // starts as ones

  double rmax() const { return rmax_; }
  double dmax() const { return dmax_; }
  /// Throws ValueError for rmax below 1 and a negative dmax.
  void set_limits(double rmax, double dmax);

  /// Normalises x, in a test by the running statistics, which then stay as they are.
  Variable operator()(const Variable& x, bool test = !is_training()) const;

  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan x) override;
  std::vector<ndarray> backward(ArraySpan x, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan x, VariableSpan gy) override;
  std::vector<Field> fields() override;

 private:
  double rmax_, dmax_, decay_, eps_;
  std::optional<bool> test_;  // of an application; else that of the thread
  bool fixed_ = false;
  ndarray r_, d_;  // null where they change nothing
  ndarray moments_;
  internal::SavedArray saved_gamma_;
};

}  // namespace chainerxx::functions
