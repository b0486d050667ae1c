// SPDX-License-Identifier: MIT
#include "chainerxx/variable.h"

#include <sstream>

#include "chainerxx/function.h"
#include "chainerxx/internal/graph.h"
#include "cupyxx/error.h"

namespace chainerxx {
namespace {

using internal::Graph;
using internal::Role;
using internal::VariableNode;

VariableNode* node_of(const Variable& v) {
  if (v.is_none()) throw cupyxx::TypeError("Variable: the variable is None");
  return v.node();
}

VariableNode* new_node(const ndarray& data, Role role) {
  if (data.is_none()) throw cupyxx::TypeError("Variable: the data is None");
  return new VariableNode(data, role);
}

}  // namespace

namespace internal {

void retain(VariableNode* node) noexcept { node->refs.fetch_add(1, std::memory_order_relaxed); }

// Freeing a node may free its creator and then the creator's inputs. Dead nodes wait in a list, so
// that graphs of any depth are freed without recursion.
void release(VariableNode* node) noexcept {
  if (node->refs.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  thread_local VariableNode* dead = nullptr;
  thread_local bool draining = false;
  node->next_dead = dead;
  dead = node;
  if (draining) return;
  draining = true;
  while (dead != nullptr) {
    VariableNode* const last = dead;
    dead = last->next_dead;
    Graph::forget_output(last);
    delete last;
  }
  draining = false;
}

}  // namespace internal

Variable::Variable(const ndarray& data, bool volatile_flag)
    : node_(new_node(data, volatile_flag ? Role::volatile_ : Role::recorded)) {}

Variable Variable::constant(const ndarray& data) { return adopt(new_node(data, Role::constant)); }

const ndarray& Variable::data() const { return node_of(*this)->data; }

void Variable::set_data(const ndarray& data) const {
  if (data.is_none()) throw cupyxx::TypeError("Variable: the data is None");
  node_of(*this)->data = data;
}

const ndarray& Variable::grad() const { return node_of(*this)->grad; }

void Variable::set_grad(const ndarray& grad) const {
  VariableNode* node = node_of(*this);
  if (!grad.is_none()) {
    if (grad.shape() != node->data.shape()) {
      throw cupyxx::ShapeError("set_grad: the gradient's shape differs from the data's; " +
                               grad.shape().str() + " and " + node->data.shape().str());
    }
    if (grad.dtype() != node->data.dtype()) {
      throw cupyxx::DtypeError("set_grad: the gradient's dtype differs from the data's; " +
                               std::string(grad.dtype().name()) + " and " +
                               std::string(node->data.dtype().name()));
    }
  }
  node->grad = grad;
}

Function* Variable::creator() const { return node_of(*this)->creator; }

bool Variable::volatile_() const { return node_of(*this)->role == Role::volatile_; }

void Variable::set_volatile(bool volatile_flag) const {
  node_of(*this)->role = volatile_flag ? Role::volatile_ : Role::recorded;
}

std::string Variable::label() const {
  const ndarray& a = data();
  if (a.ndim() == 0) return std::string(a.dtype().name());
  return a.shape().str() + ", " + std::string(a.dtype().name());
}

int Variable::rank() const {
  const VariableNode* node = node_of(*this);
  return node->creator == nullptr ? 0 : node->creator->rank() + 1;
}

void Variable::backward(bool retain_grad) const { Graph::backward(node_of(*this), retain_grad); }

void Variable::set_creator(Function& function, int index) const {
  Graph::set_creator(node_of(*this), &function, index);
}

void Variable::unchain_backward() const { Graph::unchain_backward(node_of(*this)); }

}  // namespace chainerxx
