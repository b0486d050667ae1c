// SPDX-License-Identifier: MIT
// The nodes behind variables, and the walks over the graph.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/variable.h"
#include "cupyxx/ndarray.h"

namespace chainerxx::internal {

/// Constants follow the variables beside them and receive no gradient.
enum class Role : std::uint8_t { recorded, volatile_, constant };

struct VariableNode {
  explicit VariableNode(const ndarray& array, Role how) : role(how), data(array) {}

  std::atomic<std::int32_t> refs{1};
  Role role;
  std::int32_t output_index = 0;  // which output of the creator this is
  std::uint64_t visit = 0;        // the last walk that set the gradient
  ndarray data;
  ndarray grad;
  Function* creator = nullptr;  // counted
  VariableNode* next_dead = nullptr;
};

/// Access to what Function keeps private.
struct Graph {
  static void retain(Function* f) noexcept;
  static void release(Function* f) noexcept;

  static std::vector<Variable> apply(std::unique_ptr<Function> f, std::span<const Variable> inputs);
  static void backward(VariableNode* start, bool retain_grad);
  static void unchain_backward(VariableNode* start);
  static void set_creator(VariableNode* node, Function* f, int index);
  /// Cuts a node off its creator.
  static void detach(VariableNode* node) noexcept;
  /// The node is gone: its creator forgets it.
  static void forget_output(VariableNode* node) noexcept;

 private:
  struct Walk;
  static std::vector<ndarray> run_backward(Function& f);
};

/// The read-only 0-d array 1 from which backward() starts on a device, made once.
const ndarray& unit_gradient(cupyxx::Device device, cupyxx::dtype dtype);
/// Whether a gradient is that array, so that multiplying by it can be left out.
bool is_unit_gradient(const ndarray& grad);

/// A text that starts with a function's name.
std::string message(const Function& f, const std::string& what);

}  // namespace chainerxx::internal
