// SPDX-License-Identifier: MIT
// Activation functions. Each also exists as a class.
#pragma once

#include <span>
#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/variable.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// max(x, 0).
class CUPYXX_API ReLU final : public FunctionOf<ReLU> {
 public:
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(std::span<const ndarray> x) override;
  std::vector<ndarray> backward(std::span<const ndarray> x, std::span<const ndarray> gy) override;
  std::vector<Variable> backward_variables(std::span<const Variable> x,
                                           std::span<const Variable> gy) override;

 private:
  internal::SavedArray y_;
};

/// 1 / (1 + exp(-x)).
class CUPYXX_API Sigmoid final : public FunctionOf<Sigmoid> {
 public:
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(std::span<const ndarray> x) override;
  std::vector<ndarray> backward(std::span<const ndarray> x, std::span<const ndarray> gy) override;
  std::vector<Variable> backward_variables(std::span<const Variable> x,
                                           std::span<const Variable> gy) override;

 private:
  internal::SavedArray y_;
};

/// Hyperbolic tangent.
class CUPYXX_API Tanh final : public FunctionOf<Tanh> {
 public:
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(std::span<const ndarray> x) override;
  std::vector<ndarray> backward(std::span<const ndarray> x, std::span<const ndarray> gy) override;
  std::vector<Variable> backward_variables(std::span<const Variable> x,
                                           std::span<const Variable> gy) override;

 private:
  internal::SavedArray y_;
};

/// exp(x) divided by its sum over an axis.
class CUPYXX_API Softmax final : public FunctionOf<Softmax> {
 public:
  explicit Softmax(int axis = 1) : axis_(axis) {}
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(std::span<const ndarray> x) override;
  std::vector<ndarray> backward(std::span<const ndarray> x, std::span<const ndarray> gy) override;
  std::vector<Variable> backward_variables(std::span<const Variable> x,
                                           std::span<const Variable> gy) override;

 private:
  int axis_;
  internal::SavedArray y_;
};

/// The logarithm of the softmax over an axis.
class CUPYXX_API LogSoftmax final : public FunctionOf<LogSoftmax> {
 public:
  explicit LogSoftmax(int axis = 1) : axis_(axis) {}
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(std::span<const ndarray> x) override;
  std::vector<ndarray> backward(std::span<const ndarray> x, std::span<const ndarray> gy) override;
  std::vector<Variable> backward_variables(std::span<const Variable> x,
                                           std::span<const Variable> gy) override;

 private:
  int axis_;
  internal::SavedArray y_;
};

// `use_cudnn` stands here as in the manual; our own kernels serve every device.
/// max(x, 0); the gradient at 0 is 0.
CUPYXX_API Variable relu(const Variable& x, bool use_cudnn = true);
/// 1 / (1 + exp(-x)).
CUPYXX_API Variable sigmoid(const Variable& x, bool use_cudnn = true);
/// Hyperbolic tangent.
CUPYXX_API Variable tanh(const Variable& x, bool use_cudnn = true);
/// exp(x) divided by its sum over an axis.
CUPYXX_API Variable softmax(const Variable& x, int axis = 1);
/// log(softmax(x)), without overflow.
CUPYXX_API Variable log_softmax(const Variable& x, int axis = 1);
/// The largest of every `pool_size` neighbours along an axis (Goodfellow et al., 2013).
CUPYXX_API Variable maxout(const Variable& x, int pool_size, int axis = 1);

}  // namespace chainerxx::functions
