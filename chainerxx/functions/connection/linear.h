// SPDX-License-Identifier: MIT
// Fully connected layers.
#pragma once

#include <concepts>
#include <cstdint>
#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/initializers.h"
#include "chainerxx/input_size.h"
#include "chainerxx/start_of_bias.h"
#include "chainerxx/variable.h"
#include "cupyxx/dtype.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// Options of Linear.
struct LinearOptions {
  double wscale = 1;     ///< scales the initial weights
  StartOfBias bias = 0;  ///< initial value of the bias
  bool nobias = false;
  initializers::Initial initialW = {};      ///< (out, in); an array is taken as it is
  initializers::Initial initial_bias = {};  ///< (out,); an array is taken as it is
  cupyxx::dtype dtype = cupyxx::float32;
};

/// Options of a call of Linear and of linear.
struct LinearCallOptions {
  int n_batch_axes = 1;  ///< the axes of x that stay: 2 for (n, length, in)
};

/// x W^T + b for x of shape (n, in), or (n, ...) with `in` elements each. W starts as normal
/// numbers of deviation wscale * sqrt(1 / in), on the current device, unless `initialW` says
/// otherwise; gradients start as zeros.
class CUPYXX_API Linear final : public FunctionOf<Linear> {
 public:
  /// Without arrays, to be given those of a layer that it is tied to: W, gW, and b with gb if any.
  Linear() = default;
  Linear(const InputSize& in_size, std::int64_t out_size, const LinearOptions& options = {});
  /// The same as with `none` for in_size.
  explicit Linear(std::int64_t out_size, const LinearOptions& options = {})
      : Linear(cupyxx::none, out_size, options) {}
  /// In the manual's order.
  template <class T>
  requires(std::is_arithmetic_v<T> && !std::same_as<T, bool>)
      Linear(const InputSize& in_size, std::int64_t out_size, T wscale, StartOfBias bias = 0,
             bool nobias = false, const initializers::Initial& initialW = {},
             const initializers::Initial& initial_bias = {})
      : Linear(in_size, out_size,
               LinearOptions{.wscale = static_cast<double>(wscale),
                             .bias = bias,
                             .nobias = nobias,
                             .initialW = initialW,
                             .initial_bias = initial_bias}) {}
  /// In Chainer's order since 2.
  template <std::same_as<bool> B>
  Linear(const InputSize& in_size, std::int64_t out_size, B nobias,
         const initializers::Initial& initialW = {}, const initializers::Initial& initial_bias = {})
      : Linear(
            in_size, out_size,
            LinearOptions{.nobias = nobias, .initialW = initialW, .initial_bias = initial_bias}) {}

  ParameterArray W{&gW};  // (out, in)
  ndarray gW;
  ParameterArray b{&gb};  // (out,), null without bias
  ndarray gb;

  using FunctionOf::operator();
  /// For each place of the first `n_batch_axes` axes of x: (n, length, in) gives (n, length, out)
  /// with 2. Throws ValueError unless there are so many, and another one behind them.
  Variable operator()(const Variable& x, int n_batch_axes) const;
  template <std::same_as<LinearCallOptions> O = LinearCallOptions>
  Variable operator()(const Variable& x, O options) const {
    return (*this)(x, options.n_batch_axes);
  }

  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan x) override;
  std::vector<ndarray> backward(ArraySpan x, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan x, VariableSpan gy) override;
  std::vector<Field> fields() override;
  PrecisionRule precision_rule() const override { return PrecisionRule::narrow; }

 private:
  void initialize(std::int64_t in_size, std::int64_t out_size, const LinearOptions& options);

  internal::SavedArray saved_W_;
};

/// The same with weights and bias as variables.
class CUPYXX_API LinearFunction final : public FunctionOf<LinearFunction> {
 public:
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan inputs) override;
  std::vector<ndarray> backward(ArraySpan inputs, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan inputs, VariableSpan gy) override;
  PrecisionRule precision_rule() const override { return PrecisionRule::narrow; }
};

/// x W^T + b.
CUPYXX_API Variable linear(const Variable& x, const Variable& W);
CUPYXX_API Variable linear(const Variable& x, const Variable& W, const Variable& b);
/// The same for each place of the first `n_batch_axes` axes of x, as Linear has it; b may be None.
CUPYXX_API Variable linear(const Variable& x, const Variable& W, const Variable& b,
                           int n_batch_axes);
template <std::same_as<LinearCallOptions> O = LinearCallOptions>
Variable linear(const Variable& x, const Variable& W, const Variable& b, O options) {
  return linear(x, W, b, options.n_batch_axes);
}
template <std::same_as<LinearCallOptions> O = LinearCallOptions>
Variable linear(const Variable& x, const Variable& W, O options) {
  return linear(x, W, nullptr, options.n_batch_axes);
}

}  // namespace chainerxx::functions
