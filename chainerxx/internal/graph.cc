// SPDX-License-Identifier: MIT
#include "chainerxx/internal/graph.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <optional>
#include <utility>

#include "chainerxx/scope.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/internal/body.h"
#include "cupyxx/math.h"
#include "typecheck/invalid_type.h"
#include "typecheck/type_infos.h"

namespace chainerxx::internal {
namespace {

/// The role of the results: that of the inputs, which must agree.
Role common_role(const Function& f, std::span<const Variable> inputs) {
  std::optional<std::size_t> recorded, is_volatile;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].is_none()) {
      throw cupyxx::TypeError(message(f, "input " + std::to_string(i) + " is None"));
    }
    const Role role = inputs[i].node()->role;
    if (role == Role::recorded && !recorded) recorded = i;
    if (role == Role::volatile_ && !is_volatile) is_volatile = i;
  }
  if (recorded && is_volatile) {
    throw cupyxx::ValueError(message(f, "volatile and non-volatile variables are mixed; input " +
                                            std::to_string(*is_volatile) + " is volatile, input " +
                                            std::to_string(*recorded) + " is not"));
  }
  return is_volatile ? Role::volatile_ : Role::recorded;
}

/// Makes the device of the first array current while a function runs.
class InputDeviceScope {
 public:
  explicit InputDeviceScope(std::span<const ndarray> arrays) {
    if (!arrays.empty() && arrays[0].device() != cupyxx::current_device()) {
      scope_.emplace(arrays[0].device());
    }
  }

 private:
  std::optional<cupyxx::DeviceScope> scope_;
};

void check_types(const Function& f, std::span<const ndarray> arrays) {
  constexpr std::size_t kInline = 4;
  std::array<typecheck::TypeInfo, kInline> few;
  std::vector<typecheck::TypeInfo> many;
  if (arrays.size() > kInline) many.resize(arrays.size());
  const std::span infos = many.empty() ? std::span(few).first(arrays.size()) : std::span(many);
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    infos[i] = typecheck::TypeInfo(arrays[i].shape(), arrays[i].dtype());
  }
  try {
    f.check_type_forward(typecheck::TypeInfos(infos));
  } catch (const typecheck::InvalidType& error) {
    throw error.in(f.label());
  }
}

/// Whether nobody else can see the elements, so that they may be changed.
bool is_unshared(const ndarray& a) {
  const cupyxx::internal::Body* body = a.body();
  return body->writeable && body->refs.load(std::memory_order_relaxed) == 1 &&
         body->storage->refs.load(std::memory_order_relaxed) == 1;
}

bool lower_rank(const Function* a, const Function* b) { return a->rank() < b->rank(); }

}  // namespace

void Graph::retain(Function* f) noexcept { f->refs_.fetch_add(1, std::memory_order_relaxed); }

void Graph::release(Function* f) noexcept {
  if (f->refs_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete f;
}

void Graph::forget_output(VariableNode* node) noexcept {
  if (Function* f = std::exchange(node->creator, nullptr)) {
    f->outputs_[static_cast<std::size_t>(node->output_index)] = nullptr;
    release(f);
  }
}

void Graph::detach(VariableNode* node) noexcept {
  if (Function* f = std::exchange(node->creator, nullptr)) release(f);
}

std::vector<Variable> Graph::apply(std::unique_ptr<Function> f, std::span<const Variable> inputs) {
  const Role role = common_role(*f, inputs);
  f->records_ = role == Role::recorded && is_recording();
  std::vector<ndarray> arrays;
  arrays.reserve(inputs.size());
  for (const Variable& input : inputs) arrays.push_back(input.data());
  if (Function::type_check_enable) check_types(*f, arrays);
  if (f->records_) {  // forward may ask which inputs need a gradient
    f->inputs_.assign(inputs.begin(), inputs.end());
    f->versions_.reserve(arrays.size());
    for (const ndarray& a : arrays) f->versions_.push_back(a.version());
    for (const Variable& input : inputs) f->rank_ = std::max(f->rank_, input.rank());
  }

  const InputDeviceScope device(arrays);
  const std::vector<ndarray> results = f->forward(arrays);
  std::vector<Variable> outputs;
  outputs.reserve(results.size());
  for (const ndarray& result : results) {
    if (result.is_none()) throw cupyxx::ValueError(message(*f, "forward gave None"));
    outputs.push_back(Variable::adopt(new VariableNode(result, role)));
  }
  if (!f->records_) return outputs;

  f->outputs_.reserve(outputs.size());
  for (const Variable& output : outputs) {
    VariableNode* node = output.node();
    node->output_index = static_cast<std::int32_t>(f->outputs_.size());
    f->outputs_.push_back(node);
  }
  if (outputs.empty()) return outputs;
  Function* const owned = f.release();
  for (const Variable& output : outputs) {
    retain(owned);
    output.node()->creator = owned;
  }
  return outputs;
}

/// One walk from a variable towards the roots.
struct Graph::Walk {
  std::uint64_t id;
  std::vector<Function*> heap{};  // the highest rank first

  void visit(Function* f) {
    if (std::exchange(f->visit_, id) == id) return;
    heap.push_back(f);
    std::push_heap(heap.begin(), heap.end(), lower_rank);
  }

  Function* next() {
    std::pop_heap(heap.begin(), heap.end(), lower_rank);
    Function* f = heap.back();
    heap.pop_back();
    return f;
  }

  void check(const Function& f, std::size_t input, const VariableNode& node, const ndarray& gx) {
    const bool shape_fits = gx.shape() == node.data.shape();
    if (shape_fits && gx.dtype() == node.data.dtype() && gx.device() == node.data.device()) return;
    const auto text = [](const ndarray& a) {
      return a.shape().str() + " " + std::string(a.dtype().name()) + " on " + a.device().name();
    };
    const std::string what =
        message(f, "the gradient of input " + std::to_string(input) +
                       " does not match the input; " + text(gx) + " and " + text(node.data));
    if (!shape_fits) throw cupyxx::ShapeError(what);
    throw cupyxx::DtypeError(what);
  }

  /// The first contribution is taken over, later ones are added: in place when nobody else can see
  /// the sum. A root keeps what earlier walks left.
  void add(VariableNode* node, ndarray gx) {
    const bool is_root = node->creator == nullptr;
    const bool is_first = is_root ? node->grad.is_none() : node->visit != id;
    node->visit = id;
    if (is_first) {
      // What the user will read is an array of its own layout, not a view of somebody's.
      const bool is_plain = gx.body()->c_contiguous && gx.body()->writeable;
      node->grad = is_root && !is_plain ? gx.copy() : std::move(gx);
    } else if (is_unshared(node->grad)) {
      node->grad += gx;
    } else {
      node->grad = node->grad + gx;
    }
    if (!is_root) visit(node->creator);
  }
};

std::vector<ndarray> Graph::run_backward(Function& f) {
  std::vector<ndarray> data;
  data.reserve(f.inputs_.size());
  for (std::size_t i = 0; i < f.inputs_.size(); ++i) {
    data.push_back(f.inputs_[i].data());
    if (data[i].version() != f.versions_[i]) {
      throw cupyxx::ValueError(message(f, "input " + std::to_string(i) +
                                              " was changed in place after forward; shape " +
                                              data[i].shape().str()));
    }
  }
  std::vector<ndarray> grad_outputs;
  grad_outputs.reserve(f.outputs_.size());
  for (const VariableNode* output : f.outputs_) {
    grad_outputs.push_back(output != nullptr ? output->grad : ndarray());
  }
  const InputDeviceScope device(data);
  std::vector<ndarray> grads = f.backward(data, grad_outputs);
  if (grads.size() != f.inputs_.size()) {
    throw cupyxx::ValueError(
        message(f, "backward gave another number of gradients than there are inputs; " +
                       std::to_string(grads.size()) + " and " + std::to_string(f.inputs_.size())));
  }
  return grads;
}

void Graph::backward(VariableNode* start, bool retain_grad) {
  if (start->creator == nullptr) return;
  if (start->grad.is_none()) {
    if (start->data.size() != 1) {
      throw cupyxx::ValueError(
          "backward: a variable of several elements needs its gradient set; "
          "shape " +
          start->data.shape().str());
    }
    start->grad = start->data.ndim() == 0 ? unit_gradient(start->data.device(), start->data.dtype())
                                          : cupyxx::ones_like(start->data);
  }
  static std::atomic<std::uint64_t> walks{0};
  internal::retain(start);
  const Variable held = Variable::adopt(start);
  Walk walk{++walks};
  start->visit = walk.id;
  walk.visit(start->creator);
  while (!walk.heap.empty()) {
    Function* const f = walk.next();
    std::vector<ndarray> grads = run_backward(*f);
    if (!retain_grad) {
      for (VariableNode* output : f->outputs_) {
        if (output != nullptr && output != start) output->grad = ndarray();
      }
    }
    for (std::size_t i = 0; i < grads.size(); ++i) {
      VariableNode* const input = f->inputs_[i].node();
      if (grads[i].is_none() || input->role == Role::constant) continue;
      walk.check(*f, i, *input, grads[i]);
      walk.add(input, std::move(grads[i]));
    }
  }
}

void Graph::unchain_backward(VariableNode* start) {
  if (start->creator == nullptr) return;
  static constexpr std::uint64_t kSeen = ~std::uint64_t{0};
  std::vector<Function*> pending;
  const auto visit = [&](Function* f) {
    if (f == nullptr || std::exchange(f->visit_, kSeen) == kSeen) return;
    retain(f);
    pending.push_back(f);
  };
  visit(start->creator);
  while (!pending.empty()) {
    Function* const f = pending.back();
    pending.pop_back();
    for (const Variable& input : f->inputs_) visit(input.creator());
    f->unchain();
    release(f);
  }
}

void Graph::set_creator(VariableNode* node, Function* f, int index) {
  if (f->refs_.load(std::memory_order_relaxed) == 0) {
    throw cupyxx::ValueError(message(*f, "set_creator: the function is not part of a graph"));
  }
  if (index < 0 || static_cast<std::size_t>(index) >= f->outputs_.size()) {
    throw cupyxx::IndexError(message(*f, "set_creator: there is no such output; " +
                                             std::to_string(index) + " of " +
                                             std::to_string(f->outputs_.size())));
  }
  retain(f);
  VariableNode*& slot = f->outputs_[static_cast<std::size_t>(index)];
  if (slot != nullptr) detach(slot);
  forget_output(node);
  slot = node;
  node->creator = f;
  node->output_index = index;
}

const ndarray& unit_gradient(cupyxx::Device device, cupyxx::dtype dtype) {
  constexpr int kDevices = 65;  // the host and the CUDA devices
  static std::atomic<const ndarray*> table[kDevices][cupyxx::dtype::kCount];
  static std::mutex mutex;
  const int row = device.is_cpu() ? 0 : 1 + device.index;
  std::atomic<const ndarray*>& slot = table[row][static_cast<int>(dtype.code())];
  if (const ndarray* unit = slot.load(std::memory_order_acquire)) return *unit;
  const std::lock_guard lock(mutex);
  if (const ndarray* unit = slot.load(std::memory_order_relaxed)) return *unit;
  const cupyxx::DeviceScope scope(device);
  auto* unit = new ndarray(cupyxx::ones({}, dtype));
  if (device.is_cuda()) (void)unit->item();  // waits: other streams may read it at once
  unit->set_writeable(false);
  slot.store(unit, std::memory_order_release);
  return *unit;
}

bool is_unit_gradient(const ndarray& grad) {
  return grad.ndim() == 0 && !grad.body()->writeable &&
         grad.body() == unit_gradient(grad.device(), grad.dtype()).body();
}

}  // namespace chainerxx::internal
