// SPDX-License-Identifier: MIT
// Softmax and what else is no function of single elements. Each also exists as a class.
#pragma once

#include <concepts>
#include <vector>

#include "chainerxx/axes_arg.h"
#include "chainerxx/function.h"
#include "chainerxx/functions/activation/pointwise.h"
#include "chainerxx/variable.h"
#include "cupyxx/export.h"

namespace chainerxx::internal {

/// An axis; a bool is none.
template <class I>
concept AxisLike = std::integral<I> && !std::same_as<I, bool>;

}  // namespace chainerxx::internal

namespace chainerxx::functions {

/// Options of softmax and log_softmax.
struct SoftmaxOptions {
  int axis = 1;
  bool use_cudnn = true;  ///< no difference: our own kernels serve every device
};

/// exp(x) divided by its sum over an axis.
class CUPYXX_API Softmax final : public FunctionOf<Softmax> {
 public:
  explicit Softmax(bool /*use_cudnn*/ = true) {}
  template <internal::AxisLike I>
  explicit Softmax(I axis) : axis_(static_cast<int>(axis)) {}
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan x) override;
  std::vector<ndarray> backward(ArraySpan x, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan x, VariableSpan gy) override;

 private:
  int axis_ = 1;
  internal::SavedArray y_;
};

/// The logarithm of the softmax over an axis.
class CUPYXX_API LogSoftmax final : public FunctionOf<LogSoftmax> {
 public:
  explicit LogSoftmax(bool /*use_cudnn*/ = true) {}
  template <internal::AxisLike I>
  explicit LogSoftmax(I axis) : axis_(static_cast<int>(axis)) {}
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan x) override;
  std::vector<ndarray> backward(ArraySpan x, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan x, VariableSpan gy) override;

 private:
  int axis_ = 1;
  internal::SavedArray y_;
};

// `use_cudnn` stands here as in the manual; our own kernels serve every device.
/// exp(x) divided by its sum over an axis, axis 1 by default. A bool is `use_cudnn`, an integer the
/// axis.
CUPYXX_API Variable softmax(const Variable& x, bool use_cudnn = true);
template <internal::AxisLike I>
Variable softmax(const Variable& x, I axis) {
  return Softmax(axis)(x);
}
template <std::same_as<SoftmaxOptions> O = SoftmaxOptions>
Variable softmax(const Variable& x, O options) {
  return Softmax(options.axis)(x);
}
/// log(softmax(x)), without overflow; takes what softmax takes.
CUPYXX_API Variable log_softmax(const Variable& x, bool use_cudnn = true);
template <internal::AxisLike I>
Variable log_softmax(const Variable& x, I axis) {
  return LogSoftmax(axis)(x);
}
template <std::same_as<SoftmaxOptions> O = SoftmaxOptions>
Variable log_softmax(const Variable& x, O options) {
  return LogSoftmax(options.axis)(x);
}
/// The largest of every `pool_size` neighbours along an axis (Goodfellow et al., 2013).
CUPYXX_API Variable maxout(const Variable& x, int pool_size, int axis = 1);
template <std::same_as<AxisOptions> O = AxisOptions>
Variable maxout(const Variable& x, int pool_size, O options) {
  return maxout(x, pool_size, options.axis.value_or(1));
}

}  // namespace chainerxx::functions
