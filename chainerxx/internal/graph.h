// SPDX-License-Identifier: MIT
// The nodes behind variables, and the walks over the graph.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/scope.h"
#include "chainerxx/variable.h"
#include "cupyxx/device.h"
#include "cupyxx/ndarray.h"
#include "cupyxx/shape.h"

namespace chainerxx::internal {

/// Constants follow the variables beside them and receive no gradient.
enum class Role : std::uint8_t { recorded, volatile_, constant };

/// What is still known of an array whose elements are gone.
struct ArrayKind {
  static constexpr int kMaxNdim = 6;  // arrays of more axes are kept

  cupyxx::dtype dtype;
  cupyxx::Device device;
  int ndim = 0;
  std::int64_t dims[kMaxNdim];
};

struct VariableNode {
  // The lower half counts handles, the upper half inputs of functions.
  static constexpr std::uint64_t kHandle = 1;
  static constexpr std::uint64_t kInput = std::uint64_t{1} << 32;
  static constexpr std::uint64_t kHandles = kInput - 1;
  /// For output_index: the result of a function that has left no graph behind.
  static constexpr std::int32_t kUnrecorded = -1;

  VariableNode(const ndarray& array, Role how) : role(how), data(array) {}

  cupyxx::Shape shape() const {
    return data.is_none() ? cupyxx::Shape(kind.dims, static_cast<std::size_t>(kind.ndim))
                          : data.shape();
  }
  cupyxx::dtype dtype() const { return data.is_none() ? kind.dtype : data.dtype(); }
  cupyxx::Device device() const { return data.is_none() ? kind.device : data.device(); }
  /// Beside the version of an input's memory a function notes what set_data had done until forward.
  static constexpr int kStampBits = 24;
  std::uint64_t stamp() const { return static_cast<std::uint64_t>(renewals) << 8 | reforms; }
  bool has_handles() const { return (refs.load(std::memory_order_relaxed) & kHandles) != 0; }
  /// Frees what only handles can see; for the moment before the last one goes.
  void fade() noexcept;

  std::atomic<std::uint64_t> refs{kHandle};
  Role role;
  // How often set_data gave it other elements, and elements of another shape, dtype or device.
  std::uint8_t reforms = 0;
  bool ends_with_relu = false;  // the creator has a ReLU at its end
  std::uint16_t renewals = 0;
  std::int32_t output_index = 0;  // which output of the creator this is, or kUnrecorded
  std::uint64_t visit = 0;        // the last walk that set the gradient
  ndarray data;                   // null when only functions hold the node
  ndarray grad;
  Variable grad_var;            // the gradient with the graph behind it, or null
  Function* creator = nullptr;  // counted
  VariableNode* next_dead = nullptr;
  ArrayKind kind;  // of the data, once they are gone
};

/// How Graph::differentiate works.
struct DifferentiateOptions {
  bool second_order = false;       ///< records the gradients' functions
  bool retain_grad = false;        ///< leaves gradients at intermediate variables
  bool adds_to_parameters = true;  ///< functions add to the gradients of their parameters
  /// Goes to all roots, whose gradients it adds to, but through the inputs.
  bool to_roots = false;
  /// What lies behind an input is not its concern, though another input may lie there: the walk
  /// around it brings that its part.
  bool stops_at_inputs = false;
};

/// Access to what Function keeps private.
struct Graph {
  /// The visit of a function that runs without leaving a graph behind.
  static constexpr std::uint64_t kUnrecorded = ~std::uint64_t{1};

  static void retain(Function* f) noexcept;
  static void release(Function* f) noexcept;

  static std::vector<Variable> apply(std::unique_ptr<Function> f, VariableSpan inputs);
  /// Walks from `start`, which it holds as the last one if the caller gave it away.
  static void backward(Variable start, const BackwardOptions& options);
  /// The gradients, as variables, of `outputs` by `inputs`; null where an input is not reached. The
  /// walk goes no further than the inputs. A null gradient of an output is 1 for a single element.
  static std::vector<Variable> differentiate(VariableSpan outputs, VariableSpan grad_outputs,
                                             VariableSpan inputs,
                                             const DifferentiateOptions& options);
  static void unchain_backward(VariableNode* start);
  static void set_creator(VariableNode* node, Function* f, int index);
  /// Cuts a node off its creator.
  static void detach(VariableNode* node) noexcept;
  /// The node is gone: its creator forgets it.
  static void forget_output(VariableNode* node) noexcept;
  /// The creator's arrays of its inputs, null where they are not retained.
  static ArraySpan arrays(const Function& f) { return f.arrays_; }
  static std::span<const InputRef> inputs(const Function& f) { return f.inputs_; }

  static void check_count(const Function& f, std::size_t found);
  [[noreturn]] static void refuse_changed_gradient(const Function& f);

 private:
  struct Walk;
  struct VariableWalk;
  static void check_versions(const Function& f);
  static void check_renewals(const Function& f);
  static void check_parameter_gradients(Function& f);
  static std::vector<ndarray> run_backward(Function& f);
  static void check_gradient(const Function& f, std::size_t input, const ndarray& gx);
  static void backward_variables(const Variable& start, const BackwardOptions& options);
};

/// The inputs, each a variable of its own where one was given several times.
std::vector<Variable> distinct(VariableSpan inputs);
/// Graph::differentiate for the outputs that have a gradient; recorded when `second_order`.
std::vector<Variable> differentiate_present(VariableSpan outputs, VariableSpan grad_outputs,
                                            VariableSpan inputs, bool second_order);

/// The inputs as variables of a graph that ends there.
std::vector<Variable> aliases(VariableSpan inputs);
/// differentiate_present that adds to the gradients of all roots it meets on other ways.
std::vector<Variable> differentiate_all(VariableSpan outputs, VariableSpan grad_outputs,
                                        VariableSpan inputs, bool second_order);

/// The gradients of a composition of functions, outputs = f(inputs), for `grad_outputs`: the second
/// form of backward for functions that are one kernel in the first.
template <class F>
std::vector<Variable> differentiate_composed(VariableSpan inputs, VariableSpan grad_outputs,
                                             const F& f) {
  const bool second_order = is_recording();
  const std::vector<Variable> own = distinct(inputs);
  std::vector<Variable> outputs;
  {
    const RecordScope recorded(true);
    outputs = f(own);
  }
  return differentiate_present(outputs, grad_outputs, own, second_order);
}

/// Whether the walk of this thread adds to the gradients of parameters; not within grad().
bool adds_to_parameters();

/// Notes that a ReLU stands at the end of the function that made y, so that gradients of y do not
/// matter where y is not positive.
void note_relu(const Variable& y);
/// In a function's backward: whether the gradient of an input goes to such a function, and to
/// nobody else who could see it.
bool feeds_relu_alone(const Function& f, std::size_t input);

/// The read-only 0-d array 1 from which backward() starts on a device, made once.
const ndarray& unit_gradient(cupyxx::Device device, cupyxx::dtype dtype);
/// Whether a gradient is that array, so that multiplying by it can be left out.
bool is_unit_gradient(const ndarray& grad);

}  // namespace chainerxx::internal
