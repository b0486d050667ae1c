// SPDX-License-Identifier: MIT
// Batch normalisation: each channel with mean 0 and variance 1 over the batch, then scaled by gamma
// and shifted by beta. See "Batch Normalization: Accelerating Deep Network Training by Reducing
// Internal Covariate Shift".
//
//   F::BatchNormalization bn(64);
//   Variable h = bn(x);                                // moments of the batch, running statistics
//   Variable t = bn(x, {.test = true});                // running statistics
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/initializers.h"
#include "chainerxx/input_size.h"
#include "chainerxx/scope.h"
#include "chainerxx/variable.h"
#include "cupyxx/dtype.h"
#include "cupyxx/export.h"
#include "cupyxx/shape.h"

namespace chainerxx::functions {

/// Options of batch_normalization.
struct BatchNormalizationOptions {
  double eps = 1e-5;          ///< added to the variance
  ndarray running_mean = {};  ///< updated in place, together with running_var
  ndarray running_var = {};
  double decay = 0.9;  ///< weight of the old statistics
};

/// Of (x, gamma, beta), where gamma and beta have the shape of the axes of x after the first, as
/// many as they have: (n, c, ...) with (c,). Running statistics take the unbiased variance. An
/// empty batch has an empty result and leaves the statistics alone.
class CUPYXX_API BatchNormalizationFunction final : public FunctionOf<BatchNormalizationFunction> {
 public:
  explicit BatchNormalizationFunction(const BatchNormalizationOptions& options = {})
      : options_(options) {}
  std::string label() const override { return "BatchNormalization"; }
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan inputs) override;
  std::vector<ndarray> backward(ArraySpan inputs, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan inputs, VariableSpan gy) override;

 private:
  BatchNormalizationOptions options_;
  ndarray moments_;
};

/// Of (x, gamma, beta, mean, var): normalises by the given moments, to which it also has gradients.
class CUPYXX_API FixedBatchNormalization final : public FunctionOf<FixedBatchNormalization> {
 public:
  explicit FixedBatchNormalization(double eps = 1e-5) : eps_(eps) {}
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan inputs) override;
  std::vector<ndarray> backward(ArraySpan inputs, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan inputs, VariableSpan gy) override;

 private:
  double eps_;
  ndarray moments_;
};

/// Options of the layer.
struct BatchNormalizationLayerOptions {
  double decay = 0.9;  ///< weight of the old running statistics
  double eps = 1e-5;
  cupyxx::dtype dtype = cupyxx::float32;
  initializers::Initial initial_gamma = {};  ///< of the shape of the layer; ones by default
  initializers::Initial initial_beta = {};   ///< the same; zeros by default
};

/// The layer with its parameters and running statistics, which are saved and moved with it.
class CUPYXX_API BatchNormalization final : public FunctionOf<BatchNormalization> {
 public:
  /// How one call works.
  struct Mode {
    bool test = !is_training();  ///< normalises by the running statistics, which stay as they are
    bool finetune = false;       ///< the running statistics become plain averages over the batches
                                 ///< since start_finetuning()
  };

  /// `size` is the shape of the axes after the first that are normalised one by one: 64, {64}, or
  /// {8, 8, 3}.
  explicit BatchNormalization(std::int64_t size, const BatchNormalizationLayerOptions& options = {})
      : BatchNormalization(cupyxx::Shape{size}, options) {}
  explicit BatchNormalization(const cupyxx::Shape& size,
                              const BatchNormalizationLayerOptions& options = {});
  /// None, or no size: the extent of axis 1 at the first call.
  template <internal::NoneLike N>
  explicit BatchNormalization(N, const BatchNormalizationLayerOptions& options = {})
      : BatchNormalization(options) {}
  template <std::same_as<BatchNormalizationLayerOptions> O = BatchNormalizationLayerOptions>
  explicit BatchNormalization(O options = {}) : decay_(options.decay), eps_(options.eps) {
    start(nullptr, options);
  }
  /// In the manual's order. Throws ValueError for a decay between 0 and 0.01, which is an eps where
  /// PyTorch has it; the options take any.
  template <std::integral I, std::floating_point T>
  BatchNormalization(I size, T decay, double eps = 1e-5, cupyxx::dtype dtype = cupyxx::float32)
      : BatchNormalization(cupyxx::Shape{static_cast<std::int64_t>(size)}, decay, eps, dtype) {}
  template <std::floating_point T>
  BatchNormalization(const cupyxx::Shape& size, T decay, double eps = 1e-5,
                     cupyxx::dtype dtype = cupyxx::float32)
      : BatchNormalization(size, BatchNormalizationLayerOptions{placed_decay(decay), eps, dtype}) {}

  ParameterArray gamma{&ggamma};  // starts as ones
  ndarray ggamma;
  ParameterArray beta{&gbeta};  // starts as zeros
  ndarray gbeta;
  ndarray avg_mean;  // starts as zeros
  ndarray avg_var;   // starts as ones

  /// Normalises x; in training the running statistics change in place.
  Variable operator()(const Variable& x, const Mode& mode) const;
  Variable operator()(const Variable& x) const { return (*this)(x, Mode()); }
  /// In the manual's order.
  template <std::same_as<bool> B>
  Variable operator()(const Variable& x, B test, bool finetune = false) const {
    return (*this)(x, Mode{test, finetune});
  }
  /// relu(bn(x)), and relu(bn(x) + shortcut), of x's shape: one function, which goes over memory
  /// less often.
  Variable relu(const Variable& x, const Mode& mode) const;
  Variable relu(const Variable& x) const { return relu(x, Mode()); }
  Variable add_relu(const Variable& x, const Variable& shortcut, const Mode& mode) const;
  Variable add_relu(const Variable& x, const Variable& shortcut) const {
    return add_relu(x, shortcut, Mode());
  }
  /// The next call with `finetune` starts new averages.
  void start_finetuning() { finetuned_ = 0; }

  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan x) override;
  std::vector<ndarray> backward(ArraySpan x, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan x, VariableSpan gy) override;
  std::vector<Field> fields() override;

 private:
  /// The decay of a call without names.
  static double placed_decay(double decay);
  /// What follows the normalisation.
  enum class Then { nothing, relu, add_relu };

  /// From a constructor; without a size the first call gives it.
  void start(const cupyxx::Shape* size, const BatchNormalizationLayerOptions& options);
  void initialize(const cupyxx::Shape& size, const BatchNormalizationLayerOptions& options);
  BatchNormalization applied(const Variable& x, const Mode& mode, Then then) const;
  /// Whether backward asks for the result.
  bool keeps_result(const ndarray& x) const;
  Variable after_relu(const ndarray& x, const Variable& gy);

  double decay_, eps_;
  mutable std::int64_t finetuned_ = 0;  // batches since start_finetuning()
  std::optional<Mode> mode_;            // of an application; else that of the thread
  bool fixed_ = false;
  ndarray moments_;
  internal::SavedArray saved_gamma_;
  Then then_ = Then::nothing;
  internal::SavedArray saved_beta_, saved_result_;  // with ReLU, one of them
};

/// Normalises x by the moments of its batch.
CUPYXX_API Variable batch_normalization(const Variable& x, const Variable& gamma,
                                        const Variable& beta,
                                        const BatchNormalizationOptions& options = {});
/// With `eps` behind the others, as in Chainer.
template <std::floating_point T>
Variable batch_normalization(const Variable& x, const Variable& gamma, const Variable& beta,
                             T eps) {
  return batch_normalization(x, gamma, beta, BatchNormalizationOptions{.eps = eps});
}
/// Normalises x by given moments.
CUPYXX_API Variable fixed_batch_normalization(const Variable& x, const Variable& gamma,
                                              const Variable& beta, const Variable& mean,
                                              const Variable& var, double eps = 1e-5);

}  // namespace chainerxx::functions
