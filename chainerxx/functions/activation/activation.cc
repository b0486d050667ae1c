// SPDX-License-Identifier: MIT
#include "chainerxx/functions/activation/activation.h"

#include <utility>

#include "chainerxx/internal/array_ops.h"
#include "cupyxx/math.h"
#include "typecheck/expect.h"

namespace chainerxx::functions {
namespace {

using internal::KernelName;
using internal::SavedArray;

void expect_floating(const typecheck::TypeInfos& in) {
  typecheck::expect(in.size() == 1, in[0].dtype().kind() == 'f');
}

}  // namespace

void ReLU::check_type_forward(const typecheck::TypeInfos& in) const { expect_floating(in); }

std::vector<ndarray> ReLU::forward(std::span<const ndarray> x) {
  ndarray y = internal::elementwise(KernelName::relu, x[0]);
  if (records()) y_ = SavedArray(y);
  return {std::move(y)};
}

std::vector<ndarray> ReLU::backward(std::span<const ndarray>, std::span<const ndarray> gy) {
  return {internal::elementwise(KernelName::relu_grad, y_.get(*this), gy[0])};
}

void Sigmoid::check_type_forward(const typecheck::TypeInfos& in) const { expect_floating(in); }

std::vector<ndarray> Sigmoid::forward(std::span<const ndarray> x) {
  ndarray y = internal::elementwise(KernelName::sigmoid, x[0]);
  if (records()) y_ = SavedArray(y);
  return {std::move(y)};
}

std::vector<ndarray> Sigmoid::backward(std::span<const ndarray>, std::span<const ndarray> gy) {
  return {internal::elementwise(KernelName::sigmoid_grad, y_.get(*this), gy[0])};
}

void Tanh::check_type_forward(const typecheck::TypeInfos& in) const { expect_floating(in); }

std::vector<ndarray> Tanh::forward(std::span<const ndarray> x) {
  ndarray y = cupyxx::tanh(x[0]);
  if (records()) y_ = SavedArray(y);
  return {std::move(y)};
}

std::vector<ndarray> Tanh::backward(std::span<const ndarray>, std::span<const ndarray> gy) {
  return {internal::elementwise(KernelName::tanh_grad, y_.get(*this), gy[0])};
}

void Softmax::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 1, in[0].dtype().kind() == 'f', in[0].ndim() > 1);
}

std::vector<ndarray> Softmax::forward(std::span<const ndarray> x) {
  ndarray y = internal::softmax(x[0]);
  if (records()) y_ = SavedArray(y);
  return {std::move(y)};
}

std::vector<ndarray> Softmax::backward(std::span<const ndarray>, std::span<const ndarray> gy) {
  return {internal::softmax_grad(y_.get(*this), gy[0])};
}

Variable relu(const Variable& x) { return ReLU()(x); }
Variable sigmoid(const Variable& x) { return Sigmoid()(x); }
Variable tanh(const Variable& x) { return Tanh()(x); }
Variable softmax(const Variable& x) { return Softmax()(x); }

}  // namespace chainerxx::functions
