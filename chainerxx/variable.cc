// SPDX-License-Identifier: MIT
#include "chainerxx/variable.h"

#include <algorithm>
#include <ostream>
#include <span>
#include <sstream>
#include <string_view>
#include <utility>

#include "chainerxx/function.h"
#include "chainerxx/internal/form_text.h"
#include "chainerxx/internal/graph.h"
#include "chainerxx/internal/parameter_variable.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/extension/storage.h"
#include "cupyxx/math.h"

namespace chainerxx {
namespace {

using internal::Graph;
using internal::Role;
using internal::VariableNode;

VariableNode* node_of(const char* operation, const Variable& v) {
  if (v.is_none()) throw cupyxx::TypeError(cupyxx::message(operation, ": the variable is None"));
  return v.node();
}

void check_data(const char* operation, const ndarray& data) {
  if (data.is_none()) throw cupyxx::TypeError(cupyxx::message(operation, ": the data is None"));
}

VariableNode* new_node(const ndarray& data, Role role) {
  check_data("Variable", data);
  return new VariableNode(data, role);
}

}  // namespace

namespace internal {

std::int64_t extent_of_rows(const Variable& x) {
  const cupyxx::Shape shape = node_of("begin", x)->shape();
  if (!shape.empty()) return shape[0];
  throw cupyxx::TypeError("begin: a variable without axes has no parts to go over");
}

void VariableNode::fade() noexcept {
  if (!data.is_none() && data.ndim() <= ArrayKind::kMaxNdim) {
    kind.dtype = data.dtype();
    kind.device = data.device();
    kind.ndim = data.ndim();
    const std::span<const std::int64_t> dims = cupyxx::extension::extents(data);
    std::copy(dims.begin(), dims.end(), kind.dims);
    data = ndarray();
  }
  // Its graph may lead back here: nobody can ask for it any more.
  if (!grad_var.is_none()) grad_var = Variable();
}

void retain(VariableNode* node) noexcept {
  node->refs.fetch_add(VariableNode::kHandle, std::memory_order_relaxed);
}

namespace {

// Freeing a node may free its creator and then the creator's inputs. Dead nodes wait in a list, so
// that graphs of any depth are freed without recursion.
void bury(VariableNode* node) noexcept {
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

}  // namespace

void release(VariableNode* node) noexcept {
  const std::uint64_t refs = node->refs.load(std::memory_order_acquire);
  if ((refs & VariableNode::kHandles) == VariableNode::kHandle && refs != VariableNode::kHandle) {
    node->fade();
  }
  if (node->refs.fetch_sub(VariableNode::kHandle, std::memory_order_acq_rel) ==
      VariableNode::kHandle) {
    bury(node);
  }
}

InputRef::InputRef(const Variable& input) : node_(input.node()) {
  node_->refs.fetch_add(VariableNode::kInput, std::memory_order_relaxed);
}

InputRef::~InputRef() {
  if (node_ == nullptr) return;
  if (node_->refs.fetch_sub(VariableNode::kInput, std::memory_order_acq_rel) ==
      VariableNode::kInput) {
    bury(node_);
  }
}

}  // namespace internal

Variable::Variable(const ndarray& data, bool volatile_flag)
    : node_(new_node(data, volatile_flag ? Role::volatile_ : Role::recorded)) {}

Variable Variable::constant(const ndarray& data) { return adopt(new_node(data, Role::constant)); }

void Variable::refuse_number(int number) {
  throw cupyxx::TypeError(cupyxx::message(
      "Variable: ", number,
      " is assigned; a variable is no number but 0, with which a sum starts anew: write `x = "
      "Variable(cupyxx::array(2.0f))` for a number"));
}

Variable Variable::of_parameter(const ParameterArray& parameter) {
  check_data("Variable", parameter);
  const ndarray* const gradient = parameter.gradient();
  if (gradient == nullptr) {
    throw cupyxx::ValueError(cupyxx::message(
        "Variable: a copy of a layer's array, ", parameter.shape(),
        ", knows no gradient; use layer.W itself, after layer.zero_grads() where the layer is a "
        "copy or was moved, or an ndarray of it for a constant"));
  }
  return gradient->is_none() ? constant(parameter) : internal::parameter(parameter, *gradient);
}

const ndarray& Variable::checked_data(const char* operation) const {
  const VariableNode* node = node_of(operation, *this);
  if (node->data.is_none()) {
    throw cupyxx::ValueError(cupyxx::message(
        operation,
        ": the elements were freed, because neither a handle nor a gradient needed them; ",
        label()));
  }
  return node->data;
}

void Variable::set_data(const ndarray& data) const {
  check_data("set_data", data);
  VariableNode* const node = node_of("set_data", *this);
  const bool fits = data.shape() == node->shape() && data.dtype() == node->dtype() &&
                    data.device() == node->device();
  if (!fits && node->creator != nullptr) {
    // The gradient of the function that made it would have the new form.
    throw cupyxx::ValueError(
        cupyxx::message("set_data: the result of a function keeps its shape, dtype and device; ",
                        internal::form_text(data), " for ", internal::form_text(*node),
                        "; make a new Variable, or unchain it first"));
  }
  node->data = data;
  ++node->renewals;
  if (!fits) ++node->reforms;
}

const ndarray& Variable::grad() const& { return node_of("grad", *this)->grad; }

Variable Variable::grad_var() const {
  const VariableNode* node = node_of("grad_var", *this);
  if (!node->grad_var.is_none() || node->grad.is_none()) return node->grad_var;
  return Variable(node->grad, volatile_());
}

void Variable::set_grad_var(const Variable& grad) const {
  node_of("set_grad_var", *this);
  set_grad(grad.is_none() ? ndarray() : grad.data());
  node_->grad_var = grad;
}

void Variable::cleargrad() const {
  node_of("cleargrad", *this);
  set_grad(ndarray());
}

void Variable::zerograd() const { set_grad(cupyxx::zeros_like(checked_data("zerograd"))); }

cupyxx::Shape Variable::shape(internal::NoAxis) const { return node_of("shape", *this)->shape(); }
cupyxx::dtype Variable::dtype() const { return node_of("dtype", *this)->dtype(); }
cupyxx::Device Variable::device() const { return node_of("device", *this)->device(); }
int Variable::ndim() const { return node_of("ndim", *this)->shape().ndim(); }
std::int64_t Variable::size(internal::NoAxis) const {
  return node_of("size", *this)->shape().element_count();
}
std::int64_t Variable::len() const { return node_of("len", *this)->shape().element_count(); }

void Variable::set_grad(const ndarray& grad) const {
  VariableNode* node = node_of("set_grad", *this);
  if (!grad.is_none()) {
    if (grad.shape() != node->shape()) {
      throw cupyxx::ShapeError(
          cupyxx::message("set_grad: the gradient's shape differs from the data's; ", grad.shape(),
                          " and ", node->shape()));
    }
    if (grad.dtype() != node->dtype()) {
      throw cupyxx::DtypeError(
          cupyxx::message("set_grad: the gradient's dtype differs from the data's; ",
                          grad.dtype().name(), " and ", node->dtype().name()));
    }
    if (grad.device() != node->device()) {
      throw cupyxx::DeviceError(
          cupyxx::message("set_grad: the gradient is on another device than the data; ",
                          grad.device().name(), " and ", node->device().name()));
    }
  }
  node->grad = grad;
  node->grad_var = Variable();
}

Function* Variable::creator() const { return node_of("creator", *this)->creator; }

bool Variable::volatile_() const { return node_of("volatile", *this)->role == Role::volatile_; }

void Variable::set_volatile(bool volatile_flag) const {
  VariableNode* const node = node_of("set_volatile", *this);
  node->role = volatile_flag ? Role::volatile_ : Role::recorded;
  if (!volatile_flag && node->output_index == VariableNode::kUnrecorded) node->output_index = 0;
}

std::string Variable::label() const {
  const VariableNode* node = node_of("label", *this);
  const cupyxx::Shape extents = node->shape();
  const std::string type(node->dtype().name());
  return extents.empty() ? type : extents.str() + ", " + type;
}

int Variable::rank() const {
  const VariableNode* node = node_of("rank", *this);
  return node->creator == nullptr ? 0 : node->creator->rank() + 1;
}

void Variable::backward(const BackwardOptions& options) const& {
  node_of("backward", *this);
  Graph::backward(*this, options);
}
void Variable::backward(const BackwardOptions& options) && {
  node_of("backward", *this);
  Graph::backward(std::move(*this), options);
}

void Variable::set_creator(Function& function, int index) const {
  Graph::set_creator(node_of("set_creator", *this), &function, index);
}

Variable Variable::detach() const {
  const ndarray& data = checked_data("detach");
  return volatile_() ? Variable(data, true) : constant(data);
}

void Variable::unchain_backward() const {
  Graph::unchain_backward(node_of("unchain_backward", *this));
}

ndarray Variable::less(const Variable& x, const Variable& y) {
  return cupyxx::internal::compared(cupyxx::less(x.checked_data("less"), y.checked_data("less")));
}
ndarray Variable::less_equal(const Variable& x, const Variable& y) {
  return cupyxx::internal::compared(
      cupyxx::less_equal(x.checked_data("less_equal"), y.checked_data("less_equal")));
}
ndarray Variable::less(const Variable& x, const cupyxx::Scalar& y) {
  return cupyxx::internal::compared(cupyxx::less(x.checked_data("less"), y));
}
ndarray Variable::less_equal(const Variable& x, const cupyxx::Scalar& y) {
  return cupyxx::internal::compared(cupyxx::less_equal(x.checked_data("less_equal"), y));
}
ndarray Variable::greater(const Variable& x, const cupyxx::Scalar& y) {
  return cupyxx::internal::compared(cupyxx::greater(x.checked_data("greater"), y));
}
ndarray Variable::greater_equal(const Variable& x, const cupyxx::Scalar& y) {
  return cupyxx::internal::compared(cupyxx::greater_equal(x.checked_data("greater_equal"), y));
}

std::ostream& operator<<(std::ostream& os, const Variable& x) {
  if (x.is_none()) return os << "None";
  constexpr std::string_view kOpen = "variable(";
  std::ostringstream text;
  text << x.data();
  os << kOpen;
  for (const char c : text.str()) {
    os << c;
    if (c == '\n') os << std::string(kOpen.size(), ' ');
  }
  return os << ')';
}

}  // namespace chainerxx
