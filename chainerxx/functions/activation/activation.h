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

 private:
  internal::SavedArray y_;
};

/// 1 / (1 + exp(-x)).
class CUPYXX_API Sigmoid final : public FunctionOf<Sigmoid> {
 public:
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(std::span<const ndarray> x) override;
  std::vector<ndarray> backward(std::span<const ndarray> x, std::span<const ndarray> gy) override;

 private:
  internal::SavedArray y_;
};

/// Hyperbolic tangent.
class CUPYXX_API Tanh final : public FunctionOf<Tanh> {
 public:
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(std::span<const ndarray> x) override;
  std::vector<ndarray> backward(std::span<const ndarray> x, std::span<const ndarray> gy) override;

 private:
  internal::SavedArray y_;
};

/// exp(x) divided by its sum over axis 1.
class CUPYXX_API Softmax final : public FunctionOf<Softmax> {
 public:
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(std::span<const ndarray> x) override;
  std::vector<ndarray> backward(std::span<const ndarray> x, std::span<const ndarray> gy) override;

 private:
  internal::SavedArray y_;
};

/// max(x, 0); the gradient at 0 is 0.
CUPYXX_API Variable relu(const Variable& x);
/// 1 / (1 + exp(-x)).
CUPYXX_API Variable sigmoid(const Variable& x);
/// Hyperbolic tangent.
CUPYXX_API Variable tanh(const Variable& x);
/// exp(x) divided by its sum over axis 1; x has at least two axes.
CUPYXX_API Variable softmax(const Variable& x);

}  // namespace chainerxx::functions
