// SPDX-License-Identifier: MIT
#include "chainerxx/function.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <ostream>
#include <typeinfo>
#include <unordered_map>
#include <utility>

#include "chainerxx/internal/graph.h"
#include "chainerxx/internal/unsized.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "typecheck/expect.h"

namespace chainerxx {
namespace {

bool any_on_device(ArraySpan arrays) {
  for (const ndarray& a : arrays) {
    if (!a.is_none() && a.device().is_cuda()) return true;
  }
  return false;
}

/// "a::(anonymous namespace)::Swish<float>" -> "Swish".
std::string unqualified(std::string name) {
  int depth = 0;
  std::size_t begin = 0;
  std::size_t end = name.size();
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (c == '<' || c == '(') {
      if (depth++ == 0) end = i;
    } else if (c == '>' || c == ')') {
      --depth;
    } else if (c == ':' && depth == 0) {
      begin = i + 1;
      end = name.size();
    }
  }
  return name.substr(begin, end - begin);
}

/// Layers that somebody refers to, few of all functions: beside them, so that each function of a
/// graph has nothing to make or to free.
struct Places {
  std::mutex mutex;
  std::unordered_map<const Function*, std::shared_ptr<Function*>> of;
};
Places& places() {
  static auto* const all = new Places;  // layers may outlive static objects
  return *all;
}

/// From now on nobody finds the layer there.
void end_place(Places& all, const Function* layer) noexcept {
  const auto found = all.of.find(layer);
  if (found == all.of.end()) return;
  *found->second = nullptr;
  all.of.erase(found);
}

}  // namespace

bool Function::type_check_enable = typecheck::enabled();

Function::~Function() {
  if (!is_initialized()) internal::Unsized::forget(*this);
  if (has_place_) {
    const std::lock_guard lock(places().mutex);
    end_place(places(), this);
  }
}

std::shared_ptr<Function* const> internal::place_of(Function& layer) {
  auto fresh = std::make_shared<Function*>(&layer);
  const std::lock_guard lock(places().mutex);
  const auto place = places().of.try_emplace(&layer, std::move(fresh)).first;
  layer.has_place_ = true;
  return place->second;
}

void Function::take_place(Function& other) noexcept {
  const std::lock_guard lock(places().mutex);
  Places& all = places();
  if (has_place_) end_place(all, this);
  auto node = all.of.extract(&other);
  *node.mapped() = this;
  node.key() = this;
  all.of.insert(std::move(node));  // there was room for it
  has_place_ = true;
  other.has_place_ = false;
}

std::vector<Variable> Function::inputs() const {
  std::vector<Variable> inputs;
  inputs.reserve(inputs_.size());
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    internal::VariableNode* const node = inputs_[i].node();
    internal::retain(node);
    if (node->data.is_none() && i < arrays_.size()) node->data = arrays_[i];
    inputs.push_back(Variable::adopt(node));
  }
  return inputs;
}

std::vector<Variable> Function::outputs() const {
  std::vector<Variable> outputs;
  outputs.reserve(outputs_.size());
  for (internal::VariableNode* node : outputs_) {
    if (node != nullptr) internal::retain(node);
    outputs.push_back(Variable::adopt(node));
  }
  return outputs;
}

void Function::unchain() {
  internal::Graph::retain(this);  // the outputs may be all that holds it
  for (internal::VariableNode* node : outputs_) {
    if (node != nullptr) internal::Graph::detach(node);
  }
  outputs_.clear();
  std::vector<internal::InputRef>().swap(inputs_);
  std::vector<ndarray>().swap(arrays_);
  versions_.clear();
  internal::Graph::release(this);
}

std::vector<Variable> Function::call(VariableSpan inputs) const {
  if (!is_initialized()) [[unlikely]]
    internal::Unsized::size(*this, inputs);
  return internal::Graph::apply(clone(), inputs);
}

Variable Function::only(std::vector<Variable> outputs) {
  if (outputs.size() != 1) {
    throw cupyxx::ValueError(cupyxx::message("Function: one result is expected; there are ",
                                             outputs.size(), ", use call()"));
  }
  return std::move(outputs[0]);
}

std::string Function::label() const { return internal::short_name(typeid(*this)); }

std::string internal::short_name(const std::type_info& type) {
  int status = 0;
  char* name = abi::__cxa_demangle(type.name(), nullptr, nullptr, &status);
  std::string text = name != nullptr ? name : type.name();
  std::free(name);
  return unqualified(std::move(text));
}

std::ostream& operator<<(std::ostream& os, const Function& function) {
  os << function.label() << '(';
  const char* separator = "";
  // fields() hands out pointers; this only reads.
  for (const Field& field : const_cast<Function&>(function).fields()) {
    if (field.array->is_none() && function.is_initialized()) continue;
    os << std::exchange(separator, ", ") << field.name << ' ';
    if (field.array->is_none()) {
      os << "without a size";
    } else {
      os << field.array->shape();
    }
  }
  return os << ')';
}

void Function::check_type_forward(const typecheck::TypeInfos&) const {}

std::vector<ndarray> Function::forward(ArraySpan inputs) {
  return any_on_device(inputs) ? forward_gpu(inputs) : forward_cpu(inputs);
}

std::vector<ndarray> Function::forward_cpu(ArraySpan) {
  throw cupyxx::TypeError(cupyxx::message(label(), ": it defines neither forward nor forward_cpu"));
}

std::vector<ndarray> Function::forward_gpu(ArraySpan) {
  throw cupyxx::TypeError(cupyxx::message(label(), ": it defines neither forward nor forward_gpu"));
}

std::vector<ndarray> Function::backward(ArraySpan inputs, ArraySpan grad_outputs) {
  return any_on_device(inputs) || any_on_device(grad_outputs) ? backward_gpu(inputs, grad_outputs)
                                                              : backward_cpu(inputs, grad_outputs);
}

std::vector<ndarray> Function::backward_cpu(ArraySpan inputs, ArraySpan) {
  return std::vector<ndarray>(inputs.size());
}

std::vector<ndarray> Function::backward_gpu(ArraySpan inputs, ArraySpan) {
  return std::vector<ndarray>(inputs.size());
}

bool Function::takes_any_layout() const { return false; }
PrecisionRule Function::precision_rule() const { return PrecisionRule::follow; }
std::vector<Field> Function::fields() { return {}; }

void Function::copy_unsized(const Function& other) noexcept {
  if (other.is_initialized()) {
    internal::Unsized::forget(*this);
  } else {
    internal::Unsized::note(*this);
  }
  unsized_ = other.unsized_;
  is_unsized_ = !other.is_initialized();
}

// fields() is not const because it hands out pointers; the ones below only read.
std::vector<Field> Function::trained_fields(const char* operation) const {
  std::vector<Field> fields = const_cast<Function*>(this)->fields();
  if (!is_initialized()) {
    throw cupyxx::ValueError(cupyxx::message(operation, ": the parameter ", fields[0].name, " of ",
                                             label(),
                                             " has no size yet, which its first call gives"));
  }
  std::erase_if(fields, [](const Field& f) {
    return f.gradient == nullptr || f.array == nullptr || f.array->is_none();
  });
  return fields;
}

std::vector<std::string> Function::parameter_names() const {
  std::vector<std::string> names;
  for (const Field& field : trained_fields("parameter_names")) names.emplace_back(field.name);
  return names;
}

std::vector<std::string> Function::gradient_names() const {
  std::vector<std::string> names = parameter_names();
  for (std::string& name : names) name.insert(0, 1, 'g');
  return names;
}

std::vector<ndarray> Function::parameters() const {
  std::vector<ndarray> arrays;
  for (const Field& field : trained_fields("parameters")) arrays.push_back(*field.array);
  return arrays;
}

std::vector<ndarray> Function::gradients() const {
  std::vector<ndarray> arrays;
  for (const Field& field : trained_fields("gradients")) arrays.push_back(*field.gradient);
  return arrays;
}

void Function::zero_grads() const {
  if (!is_initialized()) return;
  for (const ndarray& gradient : gradients()) {
    if (!gradient.is_none()) gradient.fill(0);
  }
}

void Function::move_to(cupyxx::Device device) {
  if (!is_initialized()) unsized_->move_to(device);
  for (const Field& field : fields()) {
    if (!field.array->is_none()) *field.array = field.array->to(device);
    if (field.gradient != nullptr && !field.gradient->is_none()) {
      *field.gradient = field.gradient->to(device);
    }
  }
}

Function& Function::to_cpu() {
  move_to(cupyxx::Device::cpu());
  return *this;
}

Function& Function::to_gpu() { return to_gpu(cupyxx::internal::current_cuda()); }
Function& Function::to_gpu(int device) { return to_gpu(cupyxx::Device::cuda(device)); }
Function& Function::to_gpu(cupyxx::Device device) {
  move_to(cupyxx::internal::check_cuda("to_gpu", device));
  return *this;
}

std::unique_ptr<Function> Function::deep_copy() const {
  std::unique_ptr<Function> copy = clone();
  if (!copy->is_initialized()) copy->unsized_ = copy->unsized_->copy();
  for (const Field& field : copy->fields()) {
    if (!field.array->is_none()) *field.array = field.array->copy();
    if (field.gradient != nullptr && !field.gradient->is_none()) {
      *field.gradient = field.gradient->copy();
    }
  }
  return copy;
}

namespace {

[[noreturn]] void refuse_input(const Function& f, const char* asked, std::size_t input,
                               std::size_t count) {
  throw cupyxx::IndexError(cupyxx::message(f.label(), ": ", asked, ": there is no input ", input,
                                           "; there are ", count));
}

}  // namespace

bool Function::needs_gradient(std::size_t input) const {
  // Who calls backward by hand wants all of them.
  if (inputs_.empty()) return visit_ != internal::Graph::kUnrecorded;
  if (input >= inputs_.size()) refuse_input(*this, "needs_gradient", input, inputs_.size());
  return inputs_[input].node()->role != internal::Role::constant;
}

void Function::retain_inputs(std::initializer_list<int> inputs) {
  retained_ = 0;
  for (const int i : inputs) {
    if (i < 0) {
      throw cupyxx::IndexError(
          cupyxx::message(label(), ": retain_inputs: a number is negative; ", i));
    }
    retained_ |= std::uint64_t{1} << std::min(i, 63);
  }
}

cupyxx::Shape Function::input_shape(std::size_t input) const {
  if (inputs_.empty()) {
    throw cupyxx::ValueError(cupyxx::message(
        label(), ": input_shape: the function is not part of a graph, which knows the shapes; in ",
        "forward write x[", input, "].shape()"));
  }
  if (input >= inputs_.size()) refuse_input(*this, "input_shape", input, inputs_.size());
  return inputs_[input].node()->shape();
}

Variable Function::output_variable(std::size_t output, const ndarray& data) {
  internal::VariableNode*& node = outputs_[output];
  if (node != nullptr) {
    internal::retain(node);
    if (node->data.is_none()) node->data = data;
    return Variable::adopt(node);
  }
  node = new internal::VariableNode(data, internal::Role::recorded);
  node->output_index = static_cast<std::int32_t>(output);
  node->creator = this;
  internal::Graph::retain(this);
  return Variable::adopt(node);
}

namespace internal {

void check_output_count(const Function& function, std::size_t expected, std::size_t found) {
  if (expected == found) return;
  throw cupyxx::ValueError(cupyxx::message(
      function.label(), ": forward gave another number of results than the function declares; ",
      found, " and ", expected, ": FunctionOf<", function.label(), ", ", found, "> says so"));
}

const ndarray& SavedArray::get(const Function& function) const {
  if (!array_.is_none() && array_.version() != version_) {
    throw cupyxx::ValueError(
        cupyxx::message(function.label(),
                        ": an array that backward needs was changed in place after forward; shape ",
                        array_.shape()));
  }
  return array_;
}

}  // namespace internal
}  // namespace chainerxx
