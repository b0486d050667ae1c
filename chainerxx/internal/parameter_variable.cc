// SPDX-License-Identifier: MIT
#include "chainerxx/internal/parameter_variable.h"

#include <unordered_set>
#include <vector>

#include "chainerxx/internal/graph.h"

namespace chainerxx::internal {
namespace {

bool has_parameters(Function& f) {
  for (const Field& field : f.fields()) {
    if (field.gradient != nullptr) return true;
  }
  return false;
}

}  // namespace

bool made_of_parameters(VariableSpan inputs) {
  std::vector<const VariableNode*> left;
  for (const Variable& x : inputs) left.push_back(x.node());
  std::unordered_set<const Function*> seen;
  while (!left.empty()) {
    const VariableNode* const node = left.back();
    left.pop_back();
    if (node->role != Role::recorded) continue;
    Function* const f = node->creator;
    if (f == nullptr) return false;  // a variable of the caller's own
    if (dynamic_cast<ParameterVariable*>(f) != nullptr || !seen.insert(f).second) continue;
    if (has_parameters(*f)) return false;
    for (const InputRef& x : Graph::inputs(*f)) left.push_back(x.node());
  }
  return true;
}

}  // namespace chainerxx::internal
