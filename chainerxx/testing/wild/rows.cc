// SPDX-License-Identifier: MIT
#include "chainerxx/testing/wild/rows.h"

#include <sstream>
#include <stdexcept>

namespace chainerxx::testing::wild {
namespace {

using cupyxx::testing::wild::Draw;
using cupyxx::testing::wild::Outcome;

/// The kind of the error of a step backward, as part of what came out; empty where there was none.
template <class F>
bool noted(Outcome& outcome, const char* step, F&& f) {
  Outcome o;
  try {
    f();
    return true;
  } catch (const cupyxx::Error&) {
    add_error(o, std::current_exception());
  }
  outcome.texts.push_back(step + (": " + o.error_kind()));
  return false;
}

/// Something that fits, of any layout; now and then nothing that fits.
ndarray gradient_for(Draw& d, const ndarray& data) {
  namespace cp = cupyxx;
  const cp::DeviceScope scope(data.device());
  cp::Shape shape = data.shape();
  if (d.chance(0.02)) shape.push_back(2);
  const cp::dtype type = d.chance(0.02) ? cp::int64 : data.dtype();
  if (d.chance(0.3)) return cp::broadcast_to(cp::full({}, 0.5, type), shape);
  ndarray grad = cp::full(shape, 0.25, type);
  if (d.chance(0.3)) grad = cp::asfortranarray(grad);
  return grad;
}

void check_gradient(const Variable& x) {
  const ndarray& grad = x.grad();
  if (grad.is_none()) return;
  if (grad.shape() != x.shape() || grad.dtype() != x.dtype() || grad.device() != x.device()) {
    throw std::logic_error(cupyxx::message("the gradient of ", x.label(), " is ", grad.shape(), " ",
                                           grad.dtype().name()));
  }
}

void add_gradients(const Graph& graph, Outcome& outcome) {
  for (const Variable& x : graph.inputs) {
    if (x.is_none()) continue;
    check_gradient(x);
    add(outcome, x.grad());
  }
  for (const ndarray& grad : graph.parameters) add(outcome, grad);
}

}  // namespace

void go_backward(Draw& d, const Graph& graph, Outcome& outcome) {
  const BackwardOptions options{.retain_grad = d.chance(0.2),
                                .enable_double_backprop = d.chance(0.3),
                                .release_graph = d.chance(0.2)};
  bool worked = true;
  for (const Variable& y : graph.outputs) {
    if (y.is_none() || y.creator() == nullptr || !y.dtype().is_floating()) continue;
    worked = worked && noted(outcome, "backward", [&] {
               if (y.size() != 1 || d.chance(0.3)) y.set_grad(gradient_for(d, y.data()));
               y.backward(options);
             });
  }
  add_gradients(graph, outcome);
  if (!worked || !options.enable_double_backprop) return;
  // Gradients of the gradients, one after the other.
  std::vector<Variable> firsts;
  for (const Variable& x : graph.inputs) {
    if (!x.is_none()) firsts.push_back(x.grad_var());
  }
  for (const Variable& g : firsts) {
    if (g.is_none() || g.creator() == nullptr) continue;
    for (const Variable& x : graph.inputs) {
      if (!x.is_none()) x.cleargrad();
    }
    noted(outcome, "backward of a gradient", [&] {
      g.set_grad(gradient_for(d, g.data()));
      g.backward();
    });
    add_gradients(graph, outcome);
  }
}

std::string printed(const Variable& x) {
  std::ostringstream text;
  text << x;
  return text.str();
}

std::vector<std::string> facts_of(const Variable& x) {
  return {x.label(),
          x.shape().str(),
          std::to_string(x.ndim()),
          std::to_string(x.size()),
          std::to_string(x.len()),
          std::to_string(x.rank()),
          std::to_string(x.item<double>())};
}

bool unchained(const Variable& x) {
  const Variable y = functions::tanh(x) * 2;
  y.unchain_backward();
  return y.creator() == nullptr;
}

}  // namespace chainerxx::testing::wild

namespace cupyxx::testing::wild {

void add(Outcome& o, const chainerxx::Variable& x) {
  if (x.is_none()) {
    o.texts.emplace_back("None");
  } else {
    add(o, x.data());
  }
}

void add(Outcome& o, const chainerxx::testing::wild::Trained& t) {
  o.texts.insert(o.texts.end(), t.outcome.texts.begin(), t.outcome.texts.end());
  o.arrays.insert(o.arrays.end(), t.outcome.arrays.begin(), t.outcome.arrays.end());
}

}  // namespace cupyxx::testing::wild
