// SPDX-License-Identifier: MIT
// The smallest differentiable variable that gradcheck can be tested with, right or wrong on
// purpose.
#pragma once

#include <memory>
#include <vector>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/math.h"
#include "cupyxx/ndarray.h"

namespace gradcheck::testing {

using cupyxx::ndarray;

struct ToyNode {
  ndarray data;
  ndarray grad;
  std::vector<std::shared_ptr<ToyNode>> inputs;
  // From the gradient of this node to those of the inputs.
  std::vector<ndarray> (*backward)(const ToyNode&, const ndarray& gy) = nullptr;
};

class ToyVariable {
 public:
  explicit ToyVariable(const ndarray& data) : node_(std::make_shared<ToyNode>()) {
    node_->data = data;
  }
  ToyVariable(const ndarray& data, const std::vector<ToyVariable>& inputs,
              std::vector<ndarray> (*gradients)(const ToyNode&, const ndarray&))
      : ToyVariable(data) {
    for (const ToyVariable& x : inputs) node_->inputs.push_back(x.node_);
    node_->backward = gradients;
  }

  const ndarray& data() const { return node_->data; }
  const ndarray& grad() const { return node_->grad; }
  void set_grad(const ndarray& grad) const {
    if (!(grad.shape() == data().shape())) throw cupyxx::ShapeError("set_grad: the shapes differ");
    node_->grad = grad;
  }
  /// Depth first: right for trees, and for the short graphs of the tests.
  void backward() const { propagate(*node_, node_->grad); }

 private:
  static void propagate(const ToyNode& node, const ndarray& gy) {
    if (node.backward == nullptr) return;
    const std::vector<ndarray> gxs = node.backward(node, gy);
    for (std::size_t i = 0; i < gxs.size(); ++i) {
      if (gxs[i].is_none()) continue;
      ToyNode& x = *node.inputs[i];
      x.grad = x.grad.is_none() ? gxs[i] : ndarray(x.grad + gxs[i]);
      propagate(x, gxs[i]);
    }
  }

  std::shared_ptr<ToyNode> node_;
};

inline ToyVariable tanh(const ToyVariable& x) {
  return {cupyxx::tanh(x.data()), {x}, [](const ToyNode& node, const ndarray& gy) {
            return std::vector<ndarray>{gy * (1 - node.data * node.data)};
          }};
}

inline ToyVariable operator*(const ToyVariable& a, const ToyVariable& b) {
  return {a.data() * b.data(), {a, b}, [](const ToyNode& node, const ndarray& gy) {
            return std::vector<ndarray>{gy * node.inputs[1]->data, gy * node.inputs[0]->data};
          }};
}

/// x * x * x, whose gradient is that of 2 x * x: right at 0 only.
inline ToyVariable wrong_cube(const ToyVariable& x) {
  return {x.data() * x.data() * x.data(), {x}, [](const ToyNode& node, const ndarray& gy) {
            return std::vector<ndarray>{gy * node.inputs[0]->data * 4};
          }};
}

/// Twice x, whose gradient never arrives.
inline ToyVariable detached_double(const ToyVariable& x) {
  return {x.data() * 2, {x}, [](const ToyNode&, const ndarray&) {
            return std::vector<ndarray>{ndarray()};
          }};
}

}  // namespace gradcheck::testing
