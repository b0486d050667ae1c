// SPDX-License-Identifier: MIT
// What the walks over the graph share.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/function_hook.h"
#include "chainerxx/internal/graph.h"
#include "cupyxx/creation.h"
#include "cupyxx/device.h"

namespace chainerxx::internal {

/// Makes the device of the first input current while a function runs.
class InputDeviceScope {
 public:
  template <class Inputs>  // Variables, or a function's references to its inputs
  explicit InputDeviceScope(const Inputs& inputs) {
    if (inputs.empty()) return;
    const cupyxx::Device device = inputs[0].node()->device();
    if (device != cupyxx::current_device()) scope_.emplace(device);
  }

 private:
  std::optional<cupyxx::DeviceScope> scope_;
};

/// Calls something with each hook of a thread, that of the outermost scope first. Scopes may end
/// while functions and hooks run: of one that has ended the hook is not told.
template <class Tell>
void tell_hooks(const Tell& tell) {
  std::vector<const FunctionHookScope*> all;
  for (auto* s = FunctionHookScope::innermost(); s != nullptr; s = s->outer()) all.push_back(s);
  for (; !all.empty(); all.pop_back()) {
    const FunctionHookScope* s = FunctionHookScope::innermost();
    while (s != nullptr && s != all.back()) s = s->outer();
    if (s != nullptr) tell(s->hook());
  }
}

/// f.backward. Throws ValueError where it has changed a gradient that it was given, which others
/// may be given, too.
inline std::vector<ndarray> checked_backward(Function& f, ArraySpan inputs, ArraySpan gy) {
  const auto versions = [&] {  // they only rise
    std::uint64_t sum = 0;
    for (const ndarray& g : gy) sum += g.is_none() ? 0 : g.version();
    return sum;
  };
  const std::uint64_t before = versions();
  std::vector<ndarray> grads = f.backward(inputs, gy);
  if (versions() != before) [[unlikely]]
    Graph::refuse_changed_gradient(f);
  return grads;
}

/// The same, of which the thread's hooks are told.
inline std::vector<ndarray> watched_backward(Function& f, ArraySpan inputs, ArraySpan gy) {
  if (FunctionHookScope::innermost() == nullptr) [[likely]]
    return checked_backward(f, inputs, gy);
  tell_hooks([&](FunctionHook& hook) { hook.backward_preprocess(f, inputs, gy); });
  std::vector<ndarray> grads = checked_backward(f, inputs, gy);
  tell_hooks([&](FunctionHook& hook) { hook.backward_postprocess(f, inputs, gy); });
  return grads;
}

/// Tells this thread's observers that a function is going to add to its parameters' gradients.
void prepare_gradients(Function& f);

/// Whether functions add to the gradients of their parameters.
class ParameterGradientScope {
 public:
  explicit ParameterGradientScope(bool adds);
  ~ParameterGradientScope();
  ParameterGradientScope(const ParameterGradientScope&) = delete;
  ParameterGradientScope& operator=(const ParameterGradientScope&) = delete;

 private:
  bool previous_;
};

/// Lets backward add the gradients of a function's parameters to arrays that are thrown away.
class RedirectedGradients {
 public:
  explicit RedirectedGradients(Function& f);
  ~RedirectedGradients();
  RedirectedGradients(const RedirectedGradients&) = delete;
  RedirectedGradients& operator=(const RedirectedGradients&) = delete;

  /// Calls see(a parameter's own gradient, what was added beside it) for each.
  template <class See>
  void for_each(const See& see) const {
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      if (is_exchanged_[i]) see(own_[i], *fields_[i].gradient);
    }
  }

 private:
  void exchange() noexcept;

  std::vector<Field> fields_;
  std::vector<ndarray> own_;  // while functions run, the parameters' own; those to throw away else
  std::vector<bool> is_exchanged_;
};

/// The gradient from which a walk starts by itself; throws ValueError for several elements.
ndarray first_gradient(const VariableNode& node);
/// 1 for each element.
ndarray unit_gradients(const VariableNode& node);

}  // namespace chainerxx::internal
