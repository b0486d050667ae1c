// SPDX-License-Identifier: MIT
#include "gradcheck/check_backward.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "gradcheck/internal/compare.h"
#include "gradcheck/numerical_grad.h"

namespace gradcheck::internal {

namespace {

using cupyxx::ndarray;

using Values = std::vector<double>;

bool is_none(const ndarray& a) { return a.is_none(); }

/// The gradients for the outputs: those given, and 1 for outputs of one element.
ArrayList complete(const ArrayList& grad_outputs, const std::vector<ndarray>& outputs) {
  if (!grad_outputs.empty() && grad_outputs.size() != outputs.size()) {
    throw cupyxx::ValueError(
        cupyxx::message("check_backward: one gradient for each output is needed; ", outputs.size(),
                        " outputs, ", grad_outputs.size(), " gradients"));
  }
  std::vector<ndarray> all = grad_outputs.arrays();
  for (std::size_t i = all.size(); i < outputs.size(); ++i) {
    if (outputs[i].size() != 1) {
      throw cupyxx::ValueError(cupyxx::message(
          "check_backward: an output of several elements needs a gradient; ", outputs[i].shape()));
    }
    all.push_back(cupyxx::ones_like(outputs[i]));
  }
  if (std::all_of(all.begin(), all.end(), is_none)) {
    throw cupyxx::ValueError(cupyxx::message("check_backward: the gradients of all ", all.size(),
                                             " outputs are None: nothing would be compared"));
  }
  return all;
}

std::vector<ndarray> copies(const ArrayList& arrays) {
  std::vector<ndarray> all;
  for (const ndarray& a : arrays) {
    if (a.is_none()) {
      throw cupyxx::TypeError(cupyxx::message("check_backward: input ", all.size(), " is None"));
    }
    all.push_back(a.copy());
  }
  return all;
}

/// Adds the gradient that arrived at an input; none is zero.
void accumulate(Values& sum, const ndarray& grad, const ndarray& x, std::size_t input) {
  if (grad.is_none()) return;
  if (!(grad.shape() == x.shape()) || !(grad.dtype() == x.dtype())) {
    throw Mismatch(cupyxx::message(
        "check_backward: input ", input, " and its gradient differ in shape or dtype; ", x.shape(),
        " ", x.dtype().name(), " and ", grad.shape(), " ", grad.dtype().name()));
  }
  const Values values = grad.to_vector<double>();
  for (std::size_t i = 0; i < values.size(); ++i) sum[i] += values[i];
}

/// Gradients of all inputs by backpropagation; `outputs` belong to the latest forward. A backward
/// that writes to the gradient it is given writes to a copy: the differences are weighted by it.
std::vector<Values> backpropagate(Graph& graph, const std::vector<ndarray>& xs,
                                  const ArrayList& grad_outputs) {
  std::vector<Values> sums;
  for (const ndarray& x : xs) sums.emplace_back(static_cast<std::size_t>(x.size()));
  const auto collect = [&] {
    for (std::size_t i = 0; i < xs.size(); ++i) accumulate(sums[i], graph.grad(i), xs[i], i);
  };
  const auto& gys = grad_outputs.arrays();
  const auto first =
      static_cast<std::size_t>(std::find_if_not(gys.begin(), gys.end(), is_none) - gys.begin());
  if (first == gys.size()) return sums;
  if (graph.has_one_creator()) {
    for (std::size_t k = first; k < gys.size(); ++k) {
      if (!gys[k].is_none()) graph.set_grad(k, gys[k].copy());
    }
    graph.backward(first);
    collect();
    return sums;
  }
  for (std::size_t k = first; k < gys.size(); ++k) {
    if (gys[k].is_none()) continue;
    if (k > first) graph.forward(xs);
    graph.set_grad(k, gys[k].copy());
    graph.backward(k);
    collect();
  }
  return sums;
}

void compare(const std::string& what, const Values& gradient, const Values& differences,
             const cupyxx::Shape& shape, const CheckBackwardOptions& options) {
  // Two NaN are no proof: a function that is NaN everywhere has them.
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    if (!std::isnan(gradient[i]) || !std::isnan(differences[i])) continue;
    throw Mismatch(cupyxx::message("check_backward: gradient of ", what, ": nothing to compare at ",
                                   unravel(static_cast<std::int64_t>(i), shape),
                                   ", which is NaN by backward and by differences"));
  }
  const auto worst = find_worst(gradient, differences, shape, options.atol, options.rtol);
  if (!worst) return;
  throw Mismatch(cupyxx::message("check_backward: gradient of ", what, ": ",
                                 describe(*worst, shape, " by backward", " by differences")),
                 *worst);
}

void check_unchanged(const std::vector<ndarray>& xs, const ArrayList& inputs) {
  for (std::size_t i = 0; i < xs.size(); ++i) {
    const auto worst =
        find_worst(xs[i].to_vector<double>(), inputs[i].to_vector<double>(), xs[i].shape(), 0, 0);
    if (!worst) continue;
    throw Mismatch(cupyxx::message("check_backward: input ", i, " was changed by the function; ",
                                   describe(*worst, xs[i].shape(), " after", " before")),
                   *worst);
  }
}

bool has_gradient(const ndarray& x, std::size_t i, const CheckBackwardOptions& options) {
  const auto& skipped = options.no_grad;
  return x.dtype().is_floating() &&
         std::find(skipped.begin(), skipped.end(), static_cast<int>(i)) == skipped.end();
}

/// Throws ValueError where no input can have a gradient and there are no parameters.
void check_anything(const ArrayList& inputs, const CheckBackwardOptions& options) {
  if (!options.parameters.empty()) return;
  std::string dtypes;
  for (const ndarray& x : inputs) {
    if (x.dtype().is_floating()) return;
    dtypes += (dtypes.empty() ? "; " : ", ") + std::string(x.dtype().name());
  }
  throw cupyxx::ValueError(
      cupyxx::message("check_backward: no input is floating, and there are no parameters: nothing "
                      "would be compared",
                      dtypes));
}

}  // namespace

Graph::~Graph() = default;

void throw_arity(std::size_t inputs) {
  throw cupyxx::TypeError(cupyxx::message(
      "check_backward: the function does not take this number of inputs; ", inputs));
}

void check_backward(Graph& graph, const ArrayList& inputs, const ArrayList& grad_outputs,
                    const CheckBackwardOptions& options) {
  if (options.parameters.size() != options.gradients.size()) {
    throw cupyxx::ValueError(cupyxx::message(
        "check_backward: one gradient for each parameter is needed; ", options.parameters.size(),
        " parameters, ", options.gradients.size(), " gradients"));
  }
  check_input_numbers("check_backward", options.no_grad, inputs.size());
  const std::vector<ndarray> xs = copies(inputs);
  check_anything(inputs, options);
  const ArrayList gys = complete(grad_outputs, graph.forward(xs));
  for (const ndarray& gradient : options.gradients) gradient.fill(0);
  const std::vector<Values> gradients = backpropagate(graph, xs, gys);
  check_unchanged(xs, inputs);

  std::vector<Values> parameter_gradients;
  for (const ndarray& g : options.gradients) parameter_gradients.push_back(g.to_vector<double>());

  std::vector<ndarray> points = xs;
  if (options.float64) {
    for (ndarray& x : points) {
      if (x.dtype().is_floating()) x = x.astype(cupyxx::float64);
    }
  }
  const auto evaluate = [&] { return graph.forward(points); };
  const Forward forward(evaluate);
  for (std::size_t i = 0; i < xs.size(); ++i) {
    if (!has_gradient(xs[i], i, options)) continue;
    compare("input " + std::to_string(i), gradients[i],
            differentiate(forward, points[i], gys, options.eps), xs[i].shape(), options);
  }
  for (std::size_t i = 0; i < options.parameters.size(); ++i) {
    const ndarray& parameter = options.parameters[i];
    compare("parameter " + std::to_string(i), parameter_gradients[i],
            differentiate(forward, parameter, gys, options.eps), parameter.shape(), options);
  }
}

}  // namespace gradcheck::internal
