// SPDX-License-Identifier: MIT
// What the calls that tools/wild_rows_chainerxx.py writes need beside cupyxx's: variables, sizes,
// and what follows a call: gradients, and gradients of gradients.
#pragma once

#include <array>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "chainerxx/chainerxx.h"
#include "chainerxx/utils/walker_alias.h"
#include "cupyxx/testing/wild/rows.h"

namespace chainerxx::testing::wild {

/// All that is left of a plan: the inputs of a function object.
struct Inputs {
  std::vector<Variable> list;
};
/// A name of a kind of pooling.
struct Pooling {
  std::string text;
};

/// How many levels a pyramid has; those between the likely and the absurd only fill memory.
struct Levels {
  int count;
};

/// What came out of a call, with the gradients.
struct Trained {
  cupyxx::testing::wild::Outcome outcome;
};

/// Outputs that gradients can start from, and where they arrive.
struct Graph {
  std::vector<Variable> outputs;
  std::vector<Variable> inputs;
  std::vector<ndarray> parameters;  ///< gradients of a function's own
};
/// Goes backward through what a call has left, in any of the ways that there are. What is refused
/// is noted; a gradient of another shape or dtype than its variable is a std::logic_error.
void go_backward(cupyxx::testing::wild::Draw& d, const Graph& graph,
                 cupyxx::testing::wild::Outcome& outcome);

inline void collect(std::vector<Variable>& all, const Variable& x) { all.push_back(x); }
inline void collect(std::vector<Variable>& all, const std::vector<Variable>& xs) {
  all.insert(all.end(), xs.begin(), xs.end());
}
template <std::size_t kCount>
void collect(std::vector<Variable>& all, const std::array<Variable, kCount>& xs) {
  all.insert(all.end(), xs.begin(), xs.end());
}
inline void collect(std::vector<Variable>& all, const Inputs& xs) { collect(all, xs.list); }
template <class T>
void collect(std::vector<Variable>&, const T&) {}

/// Adds what a call returned, and goes backward.
template <class Tuple, class Result>
Trained trained(cupyxx::testing::wild::Draw& d, const Tuple& arguments, const Result& result,
                std::vector<ndarray> parameters = {}) {
  using cupyxx::testing::wild::add;
  Trained t;
  add(t.outcome, result);
  Graph graph;
  graph.parameters = std::move(parameters);
  collect(graph.outputs, result);
  std::apply([&](const auto&... one) { (collect(graph.inputs, one), ...); }, arguments);
  go_backward(d, graph, t.outcome);
  return t;
}

/// A function object and the inputs that were drawn last.
template <class Tuple, class F>
Trained applied(cupyxx::testing::wild::Draw& d, const Tuple& arguments, F function) {
  const Inputs& inputs = std::get<std::tuple_size_v<Tuple> - 1>(arguments);
  const Function& base = function;
  return trained(d, arguments, base.call(inputs.list), base.gradients());
}
/// The same of one that `call` applies, and of a set.
template <class Tuple, class F, class Call>
Trained of_layer(cupyxx::testing::wild::Draw& d, Tuple& arguments, F function, Call call) {
  return trained(d, arguments, call(function, arguments), function.gradients());
}
template <class Tuple, class Set, class Call>
Trained of_set(cupyxx::testing::wild::Draw& d, Tuple& arguments, Set&& set, Call call) {
  return trained(d, arguments, call(set, arguments), set.gradients());
}

/// The layers of states (layers, n, units), and the same weights for each.
inline std::int64_t layers_of(const Variable& hx) {
  return hx.is_none() || hx.ndim() == 0 ? 1 : hx.shape()[0];
}
inline functions::WeightLists weights_of(const Variable& hx, const std::vector<Variable>& weights) {
  return functions::WeightLists(static_cast<std::size_t>(layers_of(hx)), weights);
}

std::string printed(const Variable& x);
std::vector<std::string> facts_of(const Variable& x);
bool unchained(const Variable& x);

}  // namespace chainerxx::testing::wild

namespace cupyxx::testing::wild {

inline int pass(chainerxx::testing::wild::Levels& value) { return value.count; }
inline const std::string& pass(chainerxx::testing::wild::Pooling& value) { return value.text; }

void add(Outcome& o, const chainerxx::Variable& x);
void add(Outcome& o, const chainerxx::testing::wild::Trained& t);
inline void add(Outcome& o, const chainerxx::functions::Tree& tree) {
  o.texts.push_back(tree.str().substr(0, 1000));
}
inline void add(Outcome& o, const chainerxx::functions::PooledWithIndices& pooled) {
  add(o, pooled.y);
  add(o, pooled.indices);
}
inline void add(Outcome& o, const chainerxx::Size2D& size) { o.texts.push_back(size.str()); }
inline void add(Outcome& o, const chainerxx::ComputationalGraph& graph) {
  o.texts.push_back(graph.dump());
}

CUPYXX_WILD_MAKE(chainerxx::Variable, {
  const ndarray a = d.planned_array();
  if (a.is_none()) return {};
  if (d.chance(0.1)) return a;  // a constant
  return chainerxx::Variable(a, d.chance(0.03));
});
// A list takes one word of a plan.
template <>
struct Make<std::vector<chainerxx::Variable>> {
  static std::vector<chainerxx::Variable> from(Draw& d) {
    std::vector<chainerxx::Variable> list;
    d.hold_plan(true);
    for (std::int64_t i = d.below(5); i > 0; --i) {
      if (i == 1) d.hold_plan(false);
      list.push_back(Make<chainerxx::Variable>::from(d));
    }
    d.hold_plan(false);
    return list;
  }
};
CUPYXX_WILD_MAKE(chainerxx::testing::wild::Inputs, {
  chainerxx::testing::wild::Inputs inputs;
  std::int64_t count = d.planned_count();
  if (d.chance(0.04)) count += d.below(3) - 1;
  for (; count > 0; --count) inputs.list.push_back(Make<chainerxx::Variable>::from(d));
  return inputs;
});
CUPYXX_WILD_MAKE(chainerxx::testing::wild::Pooling, {
  constexpr const char* kNames[] = {"max", "avg", "max", "avg", "", "min"};
  return {kNames[d.below(6)]};
});
CUPYXX_WILD_MAKE(chainerxx::testing::wild::Levels, {
  const int levels = Make<int>::from(d);
  return {levels > 4 && levels <= 20 ? levels % 4 + 1 : levels};
});
CUPYXX_WILD_MAKE(chainerxx::Size2D, {
  if (d.chance(0.45)) return d.below(3) + 1;
  if (d.chance(0.4)) return {d.below(3) + 1, d.below(3) + 1};
  if (d.chance(0.3)) return {};
  if (d.chance(0.5)) return d.below(2);
  const std::int64_t h = d.integer();
  return {h, d.integer()};
});
CUPYXX_WILD_MAKE(chainerxx::InputSize, {
  if (d.chance(0.4)) return cupyxx::none;
  return Make<std::int64_t>::from(d);
});
CUPYXX_WILD_MAKE(chainerxx::StartOfBias, { return Make<double>::from(d); });
CUPYXX_WILD_MAKE(chainerxx::SizeND, {
  if (d.chance(0.5)) return d.below(3) + 1;
  if (d.chance(0.3)) return {};
  if (d.chance(0.3)) return d.integer();
  cupyxx::Shape each;
  for (std::int64_t i = d.below(4); i >= 0; --i) each.push_back(d.below(3) + 1);
  return each;
});
CUPYXX_WILD_MAKE(chainerxx::AxesArg, {
  if (d.chance(0.2)) return {};
  return d.axes();
});
CUPYXX_WILD_MAKE(chainerxx::IndexArg, {
  std::vector<cupyxx::Index> list;
  for (std::int64_t i = d.below(4); i > 0; --i) list.push_back(d.index());
  return list;
});
CUPYXX_WILD_MAKE(chainerxx::initializers::Initial, {
  constexpr const char* kNames[] = {"HeNormal", "GlorotUniform", "Orthogonal", "Identity",
                                    "One",      "NaN",           "Uniform",    "Normal"};
  if (d.chance(0.4)) return {};
  if (d.chance(0.5)) return kNames[d.below(8)];
  if (d.chance(0.5)) return d.array();
  return d.real();
});
CUPYXX_WILD_MAKE(chainerxx::functions::BatchNormalization::Mode, {
  const bool test = d.chance(0.3);
  return {.test = test, .finetune = d.chance(0.2)};
});
CUPYXX_WILD_MAKE(chainerxx::functions::Tree, {
  using chainerxx::functions::Tree;
  Tree tree = d.chance(0.9) ? 0 : d.integer();
  const std::int64_t leaves = d.chance(0.7) ? 3 : d.below(20);
  for (std::int64_t i = 1; i < leaves; ++i) {
    const Tree leaf = d.chance(0.98) ? i : d.integer();
    tree = d.chance(0.5) ? Tree(tree, leaf) : Tree(leaf, tree);
  }
  return tree;
});

}  // namespace cupyxx::testing::wild
