// SPDX-License-Identifier: MIT
#include "chainerxx/internal/wanted_parameters.h"

#include <algorithm>
#include <utility>

#include "chainerxx/internal/graph.h"
#include "chainerxx/internal/recomputation.h"
#include "cupyxx/creation.h"

namespace chainerxx::internal {
namespace {

thread_local WantedParameters* t_wanted = nullptr;

/// The gradient beside the parameter that a variable is; None for other variables.
ndarray gradient_beside(const Variable& x) {
  Function* const f = x.creator();
  if (f == nullptr || !Graph::inputs(*f).empty()) return {};
  for (const Field& field : f->fields()) {
    if (field.gradient != nullptr && !field.gradient->is_none()) return *field.gradient;
  }
  return {};
}

bool is_same(const ndarray& a, const ndarray& b) {
  return a.data() == b.data() && a.shape() == b.shape() && a.size() > 0;
}

}  // namespace

WantedParameters::WantedParameters(const std::vector<Variable>& inputs) {
  for (const Variable& input : inputs) {
    const ndarray gradient = gradient_beside(input);
    if (!gradient.is_none() && !contains(gradient)) entries_.push_back({gradient, {}});
  }
  outer_ = std::exchange(t_wanted, entries_.empty() ? nullptr : this);
}

WantedParameters::~WantedParameters() { t_wanted = outer_; }

WantedParameters* WantedParameters::current() { return t_wanted; }

const WantedParameters::Entry* WantedParameters::find(const ndarray& gradient) const {
  for (const Entry& entry : entries_) {
    if (is_same(entry.gradient, gradient)) return &entry;
  }
  return nullptr;
}

bool WantedParameters::may_concern(Function& f) const {
  if (dynamic_cast<const RunsAgain*>(&f) != nullptr) return true;
  const std::vector<Field> fields = f.fields();
  return std::any_of(fields.begin(), fields.end(), [&](const Field& field) {
    return field.gradient != nullptr && !field.gradient->is_none() && contains(*field.gradient);
  });
}

void WantedParameters::add(const ndarray& gradient, const Variable& g) {
  Entry* const entry = const_cast<Entry*>(find(gradient));
  if (entry == nullptr) return;
  // As `gradient += g` does.
  Variable part = g.dtype() == gradient.dtype() ? g : g.astype(gradient.dtype());
  if (part.shape() != gradient.shape()) part = part + cupyxx::zeros_like(gradient);
  entry->sum = entry->sum.is_none() ? part : entry->sum + part;
}

void WantedParameters::complete(const std::vector<Variable>& inputs,
                                std::vector<Variable>& results) const {
  for (const Entry& entry : entries_) {
    std::vector<std::size_t> at;
    std::vector<const VariableNode*> nodes;
    Variable sum = entry.sum;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const ndarray gradient = gradient_beside(inputs[i]);
      if (gradient.is_none() || !is_same(gradient, entry.gradient)) continue;
      at.push_back(i);
      const bool is_new = std::find(nodes.begin(), nodes.end(), inputs[i].node()) == nodes.end();
      nodes.push_back(inputs[i].node());
      if (!is_new || results[i].is_none()) continue;
      sum = sum.is_none() ? results[i] : sum + results[i];
    }
    for (const std::size_t i : at) results[i] = sum;
  }
}

}  // namespace chainerxx::internal
