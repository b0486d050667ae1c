// SPDX-License-Identifier: MIT
// Walks that make gradients of variables, which have graphs of their own when that is asked for.
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "chainerxx/grad.h"
#include "chainerxx/internal/finite.h"
#include "chainerxx/internal/graph.h"
#include "chainerxx/internal/walk_support.h"
#include "chainerxx/internal/wanted_parameters.h"
#include "chainerxx/scope.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"

namespace chainerxx::internal {
namespace {

/// What the first form of backward gave, as functions of the arrays it was given; the end of
/// differentiation.
class FirstOrderGradients final : public FunctionOf<FirstOrderGradients, 0> {
 public:
  FirstOrderGradients(Function& of, std::vector<ndarray> grads)
      : name_(of.label()), grads_(std::move(grads)) {}
  std::string label() const override { return name_ + " (gradient)"; }
  std::vector<ndarray> forward(ArraySpan) override {
    retain_inputs({});
    return std::exchange(grads_, {});
  }
  std::vector<ndarray> backward(ArraySpan, ArraySpan) override {
    throw cupyxx::TypeError(cupyxx::message(
        name_, ": it has no gradients of second order; it does not define backward_variables"));
  }

 private:
  std::string name_;
  std::vector<ndarray> grads_;
};

/// Another variable of the same elements.
class Alias final : public FunctionOf<Alias> {
 public:
  std::vector<ndarray> forward(ArraySpan x) override {
    retain_inputs({});
    return {x[0]};
  }
  std::vector<ndarray> backward(ArraySpan, ArraySpan gy) override { return {gy[0]}; }
  std::vector<Variable> backward_variables(VariableSpan, VariableSpan gy) override {
    return {gy[0]};
  }
};

/// A variable of elements of its own, with the other's graph.
class OwnElements final : public FunctionOf<OwnElements> {
 public:
  std::string label() const override { return "copy"; }
  std::vector<ndarray> forward(ArraySpan x) override {
    retain_inputs({});
    return {x[0].copy()};
  }
  std::vector<ndarray> backward(ArraySpan, ArraySpan gy) override { return {gy[0]}; }
  std::vector<Variable> backward_variables(VariableSpan, VariableSpan gy) override {
    return {gy[0]};
  }
};

/// Gives gradients that leave the library elements of their own where others see them too, so that
/// `g.array() *= 2` changes one: sums hand one array to all their terms.
class OwnGradients {
 public:
  /// What keeps its elements.
  void add(const Variable& g) {
    if (!g.is_none()) keep(g);
  }
  Variable own(const Variable& g) {
    if (g.is_none()) return g;
    const ndarray& a = g.data();
    const bool is_shared = !a.flags().writeable || is_given(bytes_of(a));
    return keep(is_shared ? OwnElements()(g) : g);
  }

 private:
  struct Bytes {
    std::uintptr_t begin, end;
  };
  static Bytes bytes_of(const ndarray& a) {
    Bytes bytes{reinterpret_cast<std::uintptr_t>(a.elements()), 0};
    bytes.end = bytes.begin + (a.size() == 0 ? 0 : a.itemsize());
    for (int i = 0; i < a.ndim() && a.size() > 0; ++i) {
      const std::int64_t span = (a.shape()[i] - 1) * a.strides()[i];
      (span < 0 ? bytes.begin : bytes.end) += static_cast<std::uintptr_t>(span);
    }
    return bytes;
  }
  /// The first range that does not end before these bytes.
  auto first_near(const Bytes& bytes) {
    auto at = ranges_.upper_bound(bytes.begin);
    if (at != ranges_.begin() && std::prev(at)->second > bytes.begin) --at;
    return at;
  }
  bool is_given(const Bytes& bytes) {
    const auto at = first_near(bytes);
    return bytes.begin < bytes.end && at != ranges_.end() && at->first < bytes.end;
  }
  const Variable& keep(const Variable& g) {
    Bytes bytes = bytes_of(g.data());
    for (auto at = first_near(bytes); at != ranges_.end() && at->first < bytes.end;) {
      bytes = {std::min(bytes.begin, at->first), std::max(bytes.end, at->second)};
      at = ranges_.erase(at);
    }
    if (bytes.begin < bytes.end) ranges_.emplace(bytes.begin, bytes.end);
    given_.push_back(g);
    return given_.back();
  }

  std::vector<Variable> given_;                      // whose memory stays while it is compared
  std::map<std::uintptr_t, std::uintptr_t> ranges_;  // of their bytes; no two meet
};

}  // namespace

/// A walk whose gradients are variables, kept beside the graph.
struct Graph::VariableWalk {
  explicit VariableWalk(const DifferentiateOptions& how) : options(how) {}

  const DifferentiateOptions options;
  std::unordered_set<const VariableNode*> targets{};
  std::unordered_set<const Function*> relevant{};
  std::unordered_set<const Function*> visited{};
  std::unordered_map<VariableNode*, Variable> grads{};
  std::vector<Variable> roots{};  // reached, in order
  std::vector<Function*> heap{};

  static bool lower_rank(const Function* a, const Function* b) { return a->rank() < b->rank(); }

  bool leads_on(const VariableNode* node) const {
    if (node->creator == nullptr) return false;
    if (options.stops_at_inputs && targets.contains(node)) return false;
    return options.to_roots ? !targets.contains(node) : relevant.contains(node->creator);
  }

  /// Whether a function without inputs made a target: nothing lies behind that.
  bool makes_target(const Function& f) const {
    return f.inputs_.empty() &&
           std::any_of(f.outputs_.begin(), f.outputs_.end(),
                       [&](const VariableNode* output) { return targets.contains(output); });
  }

  /// Finds the functions on paths from the outputs to the targets, and to wanted parameters.
  void mark(VariableSpan outputs) {
    std::vector<Function*> reached;
    std::unordered_set<Function*> seen;
    const auto reach = [&](const VariableNode* node) {
      if (options.stops_at_inputs && targets.contains(node)) return;
      if (node->creator != nullptr && seen.insert(node->creator).second) {
        reached.push_back(node->creator);
      }
    };
    for (const Variable& output : outputs) reach(output.node());
    for (std::size_t i = 0; i < reached.size(); ++i) {
      for (const InputRef& input : reached[i]->inputs_) reach(input.node());
    }
    std::sort(reached.begin(), reached.end(), lower_rank);
    const WantedParameters* const wanted = WantedParameters::current();
    for (Function* f : reached) {
      if (wanted != nullptr && wanted->may_concern(*f) && !makes_target(*f)) relevant.insert(f);
      for (const InputRef& input : f->inputs_) {
        if (targets.contains(input.node()) || leads_on(input.node())) relevant.insert(f);
      }
    }
  }

  void add(VariableNode* node, const Variable& gx) {
    Variable& sum = grads[node];
    const bool is_first = sum.is_none();
    sum = is_first ? gx : sum + gx;
    if (leads_on(node)) {
      if (visited.insert(node->creator).second) {
        heap.push_back(node->creator);
        std::push_heap(heap.begin(), heap.end(), lower_rank);
      }
    } else if (options.to_roots && is_first && !targets.contains(node)) {
      internal::retain(node);
      roots.push_back(Variable::adopt(node));
    }
  }

  std::vector<Variable> take_gradients(const Function& f) {
    std::vector<Variable> gys;
    for (VariableNode* output : f.outputs_) {
      const auto found = output == nullptr ? grads.end() : grads.find(output);
      if (found == grads.end()) {
        gys.emplace_back();
        continue;
      }
      gys.push_back(found->second);
      if (options.retain_grad) {
        const Variable own = OwnElements()(found->second);
        output->grad = own.data();
        // Its graph may lead back here: where no handle goes later on, nobody would cut it.
        if (output->has_handles()) output->grad_var = own;
      }
      if (!targets.contains(output)) grads.erase(found);
    }
    return gys;
  }

  void step() {
    std::pop_heap(heap.begin(), heap.end(), lower_rank);
    Function& f = *heap.back();
    heap.pop_back();
    check_versions(f);
    check_renewals(f);
    if (adds_to_parameters()) {
      prepare_gradients(f);
      check_parameter_gradients(f);
    }
    const InputDeviceScope device(f.inputs_);
    const PrecisionScope precision(f.precision_);
    const cupyxx::ComputeScope compute(f.compute_);
    const std::vector<Variable> gys = take_gradients(f);
    const std::vector<Variable> inputs = f.inputs();
    std::vector<Variable> gxs;
    std::vector<ndarray> gy_arrays, gx_arrays;
    std::optional<GradientCheck> check;
    if (is_debug()) [[unlikely]] {
      for (const Variable& gy : gys) gy_arrays.push_back(gy.is_none() ? ndarray() : gy.data());
      check.emplace(f, f.arrays_, gy_arrays);
    }
    const bool is_watched = FunctionHookScope::innermost() != nullptr;
    if (is_watched) [[unlikely]] {
      gy_arrays.clear();
      for (const Variable& gy : gys) gy_arrays.push_back(gy.is_none() ? ndarray() : gy.data());
      tell_hooks([&](FunctionHook& hook) { hook.backward_preprocess(f, f.arrays_, gy_arrays); });
    }
    {
      const DebugScope off(false);  // the function is named, not what its gradient is made of
      gxs = f.backward_variables(inputs, gys);
    }
    if (is_watched) [[unlikely]]
      tell_hooks([&](FunctionHook& hook) { hook.backward_postprocess(f, f.arrays_, gy_arrays); });
    check_count(f, gxs.size());
    for (std::size_t i = 0; i < gxs.size(); ++i) {
      gx_arrays.push_back(gxs[i].is_none() ? ndarray() : gxs[i].data());
      if (gxs[i].is_none() || inputs[i].node()->role == Role::constant) continue;
      check_gradient(f, i, gx_arrays[i]);
    }
    if (check) [[unlikely]]
      check->compare(gx_arrays);
    for (std::size_t i = 0; i < gxs.size(); ++i) {
      VariableNode* const node = inputs[i].node();
      if (gxs[i].is_none() || node->role == Role::constant) continue;
      if (options.to_roots || targets.contains(node) || leads_on(node)) add(node, gxs[i]);
    }
  }

  void run(VariableSpan outputs, VariableSpan grad_outputs) {
    const ParameterGradientScope parameters(options.adds_to_parameters);
    std::optional<NoGradScope> first_order;
    if (!options.second_order) first_order.emplace();
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      VariableNode* const node = outputs[i].node();
      Variable gy = i < grad_outputs.size() ? grad_outputs[i] : Variable();
      if (gy.is_none()) gy = Variable(unit_gradients(*node), outputs[i].volatile_());
      if (targets.contains(node) || leads_on(node)) add(node, gy);
    }
    while (!heap.empty()) step();
    OwnGradients gradients;
    for (const Variable& gy : grad_outputs) gradients.add(gy);
    for (const Variable& root : roots) {
      VariableNode* const node = root.node();
      const Variable before = root.grad_var();
      const Variable& sum = grads.at(node);
      node->grad_var = before.is_none() ? gradients.own(sum) : before + sum;
      node->grad = node->grad_var.data();
    }
  }
};

std::vector<Variable> Graph::differentiate(VariableSpan outputs, VariableSpan grad_outputs,
                                           VariableSpan inputs,
                                           const DifferentiateOptions& options) {
  VariableWalk walk(options);
  for (const Variable& input : inputs) walk.targets.insert(input.node());
  if (!options.to_roots) walk.mark(outputs);
  walk.run(outputs, grad_outputs);
  std::vector<Variable> results;
  for (const Variable& input : inputs) {
    const auto found = walk.grads.find(input.node());
    results.push_back(found == walk.grads.end() ? Variable() : found->second);
  }
  return results;
}

std::vector<Variable> distinct(VariableSpan inputs) {
  std::vector<Variable> own;
  std::unordered_set<const VariableNode*> seen;
  const RecordScope recorded(true);
  for (const Variable& x : inputs) own.push_back(seen.insert(x.node()).second ? x : Alias()(x));
  return own;
}

std::vector<Variable> aliases(VariableSpan inputs) {
  std::vector<Variable> own;
  const RecordScope recorded(true);
  for (const Variable& x : inputs) own.push_back(Alias()(x));
  return own;
}

namespace {

std::vector<Variable> differentiate_some(VariableSpan outputs, VariableSpan grad_outputs,
                                         VariableSpan inputs, const DifferentiateOptions& options) {
  std::vector<Variable> ys, gys;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (grad_outputs[i].is_none()) continue;
    ys.push_back(outputs[i]);
    gys.push_back(grad_outputs[i]);
  }
  return Graph::differentiate(ys, gys, inputs, options);
}

}  // namespace

std::vector<Variable> differentiate_all(VariableSpan outputs, VariableSpan grad_outputs,
                                        VariableSpan inputs, bool second_order) {
  return differentiate_some(outputs, grad_outputs, inputs,
                            {.second_order = second_order,
                             .adds_to_parameters = adds_to_parameters(),
                             .to_roots = adds_to_parameters(),
                             .stops_at_inputs = true});
}

std::vector<Variable> differentiate_present(VariableSpan outputs, VariableSpan grad_outputs,
                                            VariableSpan inputs, bool second_order) {
  return differentiate_some(outputs, grad_outputs, inputs,
                            {.second_order = second_order,
                             .adds_to_parameters = adds_to_parameters(),
                             .stops_at_inputs = true});
}

void Graph::backward_variables(const Variable& start, const BackwardOptions& options) {
  VariableNode* const node = start.node();
  if (node->creator == nullptr) return;
  const Variable gy = start.grad_var();
  differentiate(std::span(&start, 1), std::span(&gy, 1), {},
                {.second_order = true, .retain_grad = options.retain_grad, .to_roots = true});
  if (node->grad.is_none()) node->grad = first_gradient(*node);
}

}  // namespace chainerxx::internal

namespace chainerxx {

std::vector<Variable> Function::backward_variables(VariableSpan inputs, VariableSpan grad_outputs) {
  std::vector<ndarray> gys;
  std::vector<Variable> sources;
  for (const Variable& gy : grad_outputs) {
    gys.push_back(gy.is_none() ? ndarray() : gy.data());
    const bool is_fine = gy.is_none() || takes_any_layout() || gys.back().flags().c_contiguous;
    if (!is_fine) gys.back() = gys.back().copy(cupyxx::Order::C);
    if (!gy.is_none()) sources.push_back(gy);
  }
  // Inputs that are not retained do not matter for the gradients.
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!arrays_[i].is_none()) sources.push_back(inputs[i]);
  }
  std::vector<ndarray> grads;
  internal::WantedParameters* const wanted = internal::WantedParameters::current();
  std::vector<ndarray> wanted_gradients, added;  // of parameters
  if (internal::adds_to_parameters()) {
    grads = internal::checked_backward(*this, arrays_, gys);
  } else {
    const internal::RedirectedGradients elsewhere(*this);
    grads = internal::checked_backward(*this, arrays_, gys);
    elsewhere.for_each([&](const ndarray& own, const ndarray& beside) {
      if (wanted == nullptr || own.is_none() || !wanted->contains(own)) return;
      wanted_gradients.push_back(own);
      added.push_back(beside);
    });
  }
  internal::Graph::check_count(*this, grads.size());
  std::vector<ndarray> present;
  for (const ndarray& g : grads) {
    if (!g.is_none()) present.push_back(g);
  }
  present.insert(present.end(), added.begin(), added.end());
  const std::vector<Variable> made =
      internal::FirstOrderGradients(*this, std::move(present))(sources);
  std::vector<Variable> results;
  std::size_t next = 0;
  for (const ndarray& g : grads) results.push_back(g.is_none() ? Variable() : made[next++]);
  for (const ndarray& gradient : wanted_gradients) wanted->add(gradient, made[next++]);
  return results;
}

std::vector<Variable> grad(const std::vector<Variable>& outputs,
                           const std::vector<Variable>& inputs, const GradOptions& options) {
  const auto check = [](const std::vector<Variable>& list, std::size_t size, const char* name) {
    if (list.empty() || list.size() == size) return;
    throw cupyxx::ValueError(cupyxx::message("grad: the length of ", name, " does not fit; ",
                                             list.size(), " and ", size));
  };
  check(options.grad_outputs, outputs.size(), "grad_outputs");
  check(options.grad_inputs, inputs.size(), "grad_inputs");
  const auto check_none = [](const std::vector<Variable>& list, const char* name) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (!list[i].is_none()) continue;
      throw cupyxx::TypeError(cupyxx::message("grad: ", name, " ", i, " is None"));
    }
  };
  check_none(outputs, "output");
  check_none(inputs, "input");
  for (std::size_t i = 0; i < options.grad_outputs.size(); ++i) {
    const Variable& gy = options.grad_outputs[i];
    if (gy.is_none() || (gy.shape() == outputs[i].shape() && gy.dtype() == outputs[i].dtype())) {
      continue;
    }
    throw cupyxx::ShapeError(cupyxx::message("grad: the gradient of output ", i,
                                             " does not match it; ", gy.label(), " and ",
                                             outputs[i].label()));
  }
  const internal::WantedParameters wanted(inputs);
  std::vector<Variable> results =
      internal::Graph::differentiate(outputs, options.grad_outputs, inputs,
                                     {.second_order = options.enable_double_backprop,
                                      .retain_grad = options.retain_grad,
                                      .adds_to_parameters = false});
  {
    std::optional<NoGradScope> first_order;
    if (!options.enable_double_backprop) first_order.emplace();
    wanted.complete(inputs, results);
    internal::OwnGradients gradients;
    for (const Variable& gy : options.grad_outputs) gradients.add(gy);
    for (Variable& result : results) result = gradients.own(result);
  }
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (i < options.grad_inputs.size() && !options.grad_inputs[i].is_none()) {
      const Variable& before = options.grad_inputs[i];
      results[i] = results[i].is_none() ? before : before + results[i];
    }
    if (options.set_grad) inputs[i].set_grad_var(results[i]);
  }
  return results;
}

}  // namespace chainerxx
