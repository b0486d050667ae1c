// SPDX-License-Identifier: MIT
// Whether what backward reads is what forward read.
#include <cstddef>
#include <cstdint>

#include "chainerxx/internal/graph.h"
#include "cupyxx/error.h"

namespace chainerxx::internal {
namespace {

constexpr std::uint64_t kStampMask = (std::uint64_t{1} << VariableNode::kStampBits) - 1;
constexpr std::uint64_t kReformMask = 0xff;

}  // namespace

void Graph::check_versions(const Function& f) {
  for (std::size_t i = 0; i < f.arrays_.size(); ++i) {
    const ndarray& array = f.arrays_[i];
    const std::uint64_t then = f.versions_[i];
    if (!array.is_none() && array.version() << VariableNode::kStampBits != (then & ~kStampMask)) {
      throw cupyxx::ValueError(cupyxx::message(
          f.label(), ": input ", i, " was changed in place after forward; shape ", array.shape()));
    }
    const VariableNode& node = *f.inputs_[i].node();
    if (node.reforms == (then & kReformMask)) continue;
    throw cupyxx::ValueError(cupyxx::message(
        f.label(), ": input ", i, " was given data of another shape or dtype after ",
        "forward; set_data to ", node.shape(), " ", node.dtype().name(),
        "; go backward first, or make a new Variable"));
  }
}

/// Gradients as variables are made of what the variables hold now.
void Graph::check_renewals(const Function& f) {
  const auto refuse = [&](const char* what, std::size_t i) {
    throw cupyxx::ValueError(cupyxx::message(f.label(), ": ", what, " ", i,
                                             " was given other data by set_data after ",
                                             "forward; go backward first, or make a new Variable"));
  };
  for (std::size_t i = 0; i < f.inputs_.size(); ++i) {
    if (f.inputs_[i].node()->stamp() != (f.versions_[i] & kStampMask)) refuse("input", i);
  }
  for (std::size_t i = 0; i < f.outputs_.size(); ++i) {
    if (f.outputs_[i] != nullptr && f.outputs_[i]->renewals != 0) refuse("result", i);
  }
}

}  // namespace chainerxx::internal
