// SPDX-License-Identifier: MIT
#include "chainerxx/internal/graph.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "chainerxx/functions/array/cast.h"
#include "chainerxx/internal/backward_observer.h"
#include "chainerxx/internal/finite.h"
#include "chainerxx/internal/form_text.h"
#include "chainerxx/internal/image_layout.h"
#include "chainerxx/internal/input_checks.h"
#include "chainerxx/internal/parameter_variable.h"
#include "chainerxx/internal/put_off.h"
#include "chainerxx/internal/walk_support.h"
#include "chainerxx/scope.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/extension/device_limit.h"
#include "cupyxx/extension/storage.h"
#include "cupyxx/math.h"

namespace chainerxx::internal {
namespace {

/// The role of the results: that of the inputs, which must agree.
Role common_role(const Function& f, VariableSpan inputs) {
  std::optional<std::size_t> recorded, is_volatile;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].is_none()) {
      throw cupyxx::TypeError(cupyxx::message(f.label(), ": input ", i, " is None"));
    }
    const Role role = inputs[i].node()->role;
    if (role == Role::recorded && !recorded) recorded = i;
    if (role == Role::volatile_ && !is_volatile) is_volatile = i;
  }
  if (recorded && is_volatile) {
    if (made_of_parameters(inputs)) return Role::volatile_;
    throw cupyxx::ValueError(
        cupyxx::message(f.label(), ": volatile and non-volatile variables are mixed; input ",
                        *is_volatile, " is volatile, input ", *recorded, " is not"));
  }
  return is_volatile ? Role::volatile_ : Role::recorded;
}

thread_local bool t_adds_to_parameters = true;
thread_local bool t_keeps_gradients = true;  // of what is between; outside of a walk all are seen

/// A function's backward knows the form of the result whose place another variable takes.
void check_takes_place(const Function& f, const VariableNode& made, const VariableNode& other) {
  if (made.shape() == other.shape() && made.dtype() == other.dtype() &&
      made.device() == other.device()) {
    return;
  }
  throw cupyxx::ValueError(cupyxx::message(f.label(), ": set_creator: the variable is not like ",
                                           "the result whose place it takes; ", form_text(other),
                                           " and ", form_text(made)));
}

// Made by the first observer of a thread.
thread_local std::unique_ptr<std::vector<BackwardObserver*>> t_observers;
thread_local bool t_is_observed = false;  // a walk within a walk is a part of it

/// What a function gets for an input of the dtype `from`.
cupyxx::dtype taken_dtype(PrecisionRule rule, Precision precision, cupyxx::dtype from) {
  const cupyxx::dtype narrow =
      precision == Precision::bfloat16 ? cupyxx::bfloat16_ : cupyxx::float16;
  if (rule == PrecisionRule::narrow) return from == cupyxx::float32 ? narrow : from;
  return from == cupyxx::float16 || from == cupyxx::bfloat16_ ? cupyxx::float32 : from;
}

Variable cast_input(const Variable& x, cupyxx::dtype to) {
  if (x.node()->role == Role::constant) {
    return Variable::adopt(new VariableNode(x.node()->data.astype(to), Role::constant));
  }
  return functions::cast(x, to);
}

/// The inputs in the dtypes that a precision gives them; empty when they have them already.
std::vector<Variable> cast_inputs(const Function& f, Precision precision, VariableSpan inputs) {
  std::vector<Variable> cast;
  if (precision != Precision::bfloat16 && precision != Precision::float16) return cast;
  const PrecisionRule rule = f.precision_rule();
  if (rule == PrecisionRule::follow) return cast;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].is_none() || inputs[i].node()->data.is_none()) continue;  // an error, later on
    const cupyxx::dtype from = inputs[i].node()->dtype(), to = taken_dtype(rule, precision, from);
    if (from == to) continue;
    if (cast.empty()) cast.assign(inputs.begin(), inputs.end());
    cast[i] = cast_input(inputs[i], to);
  }
  return cast;
}

/// Arrays, of which some may be null, as a function that does not take any layout is given them.
void make_contiguous(const Function& f, std::vector<ndarray>& arrays) {
  if (f.takes_any_layout()) return;
  for (ndarray& a : arrays) {
    if (!a.is_none() && !a.flags().c_contiguous) a = a.copy(cupyxx::Order::C);
  }
}

bool lower_rank(const Function* a, const Function* b) { return a->rank() < b->rank(); }

}  // namespace

bool adds_to_parameters() { return t_adds_to_parameters; }

void note_relu(const Variable& y) {
  if (y.node() != nullptr) y.node()->ends_with_relu = true;
}

bool feeds_relu_alone(const Function& f, std::size_t input) {
  if (t_keeps_gradients || FunctionHookScope::innermost() != nullptr) return false;
  const VariableNode& node = *Graph::inputs(f)[input].node();
  return node.ends_with_relu && node.creator != nullptr && node.stamp() == 0;
}

void add_backward_observer(BackwardObserver* observer) {
  if (t_observers == nullptr) t_observers = std::make_unique<std::vector<BackwardObserver*>>();
  t_observers->push_back(observer);
}

void remove_backward_observer(BackwardObserver* observer) noexcept {
  if (t_observers != nullptr) std::erase(*t_observers, observer);
}

void prepare_gradients(Function& f) {
  if (t_observers == nullptr) return;
  for (BackwardObserver* observer : *t_observers) observer->prepare(f);
}

ParameterGradientScope::ParameterGradientScope(bool adds)
    : previous_(std::exchange(t_adds_to_parameters, adds)) {}
ParameterGradientScope::~ParameterGradientScope() { t_adds_to_parameters = previous_; }

RedirectedGradients::RedirectedGradients(Function& f) : fields_(f.fields()) {
  // All of them before the first is exchanged: there may be no memory for one.
  for (const Field& field : fields_) {
    // The gradient itself may not be there: nothing is going to be added to it.
    is_exchanged_.push_back(field.gradient != nullptr && !field.array->is_none());
    own_.push_back(is_exchanged_.back() ? cupyxx::zeros_like(*field.array) : ndarray());
  }
  exchange();
}
RedirectedGradients::~RedirectedGradients() { exchange(); }

void RedirectedGradients::exchange() noexcept {
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    if (is_exchanged_[i]) std::swap(*fields_[i].gradient, own_[i]);
  }
}

ndarray first_gradient(const VariableNode& node) {
  const cupyxx::Shape shape = node.shape();
  if (shape.element_count() != 1) {
    throw cupyxx::ValueError(cupyxx::message(
        "backward: a variable of several elements needs its gradient set; shape ", shape));
  }
  return unit_gradients(node);
}

ndarray unit_gradients(const VariableNode& node) {
  const cupyxx::Shape shape = node.shape();
  if (shape.empty()) return unit_gradient(node.device(), node.dtype());
  const cupyxx::DeviceScope scope(node.device());
  return cupyxx::ones(shape, node.dtype());
}

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

std::vector<Variable> Graph::apply(std::unique_ptr<Function> f, VariableSpan given) {
  const Role role = common_role(*f, given);
  const Precision precision = current_precision();
  const std::vector<Variable> cast = cast_inputs(*f, precision, given);
  const VariableSpan inputs = cast.empty() ? given : VariableSpan(cast);
  // Second forms are made of other functions: those of a wide one stay wide.
  f->precision_ = f->precision_rule() == PrecisionRule::wide ? Precision::float32 : precision;
  f->compute_ = precision == Precision::tf32 ? precision : cupyxx::compute_precision();
  f->records_ = role == Role::recorded && is_recording();
  if (!f->records_) f->visit_ = kUnrecorded;
  std::vector<ndarray> arrays;
  arrays.reserve(inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const ndarray& array = inputs[i].node()->data;
    if (array.is_none()) {
      throw cupyxx::ValueError(cupyxx::message(f->label(), ": the elements of input ", i,
                                               " were freed, because no gradient needs them"));
    }
    arrays.push_back(array);
  }
  const std::vector<Field> fields = f->fields();
  check_parameters(*f, fields);
  if (Function::type_check_enable) check_types(*f, arrays);
  check_devices(*f, arrays, fields);
  const InputDeviceScope device(inputs);
  make_contiguous(*f, arrays);
  if (f->records_) {  // forward may ask which inputs need a gradient
    f->inputs_.reserve(inputs.size());
    f->versions_.reserve(arrays.size());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      f->inputs_.emplace_back(inputs[i]);
      f->versions_.push_back(arrays[i].version() << VariableNode::kStampBits |
                             inputs[i].node()->stamp());
      f->rank_ = std::max(f->rank_, inputs[i].rank());
    }
  }

  const cupyxx::ComputeScope compute(f->compute_);
  const bool is_watched = FunctionHookScope::innermost() != nullptr;
  if (is_watched) [[unlikely]]
    tell_hooks([&](FunctionHook& hook) { hook.forward_preprocess(*f, arrays); });
  const std::vector<ndarray> results = f->forward(arrays);
  if (is_watched) [[unlikely]]
    tell_hooks([&](FunctionHook& hook) { hook.forward_postprocess(*f, arrays); });
  if (is_debug()) [[unlikely]]
    check_results(*f, arrays, results);
  std::vector<Variable> outputs;
  outputs.reserve(results.size());
  for (const ndarray& result : results) {
    if (result.is_none())
      throw cupyxx::ValueError(cupyxx::message(f->label(), ": forward gave None"));
    outputs.push_back(Variable::adopt(new VariableNode(result, role)));
  }
  if (!f->records_) {
    for (const Variable& output : outputs) {
      output.node()->output_index = VariableNode::kUnrecorded;
    }
    return outputs;
  }

  if (f->retained_ != ~std::uint64_t{0}) {
    for (std::size_t i = 0; i < arrays.size(); ++i) {
      if ((f->retained_ >> std::min<std::size_t>(i, 63) & 1u) == 0) arrays[i] = ndarray();
    }
  }
  f->arrays_ = std::move(arrays);
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

/// One walk from a variable towards the roots. It holds the functions that wait, and the variables
/// whose gradient waits with them: a graph that nobody else holds is freed behind the walk.
struct Graph::Walk {
  explicit Walk(std::uint64_t number) : id(number) {}
  Walk(const Walk&) = delete;
  Walk& operator=(const Walk&) = delete;
  ~Walk() {
    for (Function* f : heap) finish(f);
  }

  struct Observed;

  std::uint64_t id;
  std::vector<Function*> heap{};  // the highest rank first

  void visit(Function* f) {
    if (f->visit_ == id) return;
    heap.push_back(f);  // before it is held: there may be no memory for it
    f->visit_ = id;
    retain(f);
    std::push_heap(heap.begin(), heap.end(), lower_rank);
  }

  Function* next() {
    std::pop_heap(heap.begin(), heap.end(), lower_rank);
    Function* f = heap.back();
    heap.pop_back();
    return f;
  }

  void hold(VariableNode* node) {
    node->visit = id;
    internal::retain(node);
  }

  void finish(Function* f) noexcept {
    for (std::size_t i = 0; i < f->outputs_.size(); ++i) {
      VariableNode* const node = f->outputs_[i];
      if (node == nullptr || node->visit != id) continue;
      node->visit = 0;
      internal::release(node);
    }
    release(f);
  }

  /// The first contribution is taken over, later ones are added: in place when nobody else can see
  /// the sum. A root keeps what earlier walks left.
  void add(const Function& f, std::size_t input, VariableNode* node, ndarray gx) {
    const bool is_root = node->creator == nullptr;
    const bool is_first = is_root ? node->grad.is_none() : node->visit != id;
    if (!is_root) visit(node->creator);  // who lets go of the variable, however the walk ends
    if (is_root) {
      if (!node->grad_var.is_none()) node->grad_var = Variable();
    } else if (is_first) {
      hold(node);
    }
    if (is_first) {
      // What the user will read has no gaps, and is nobody else's: neither a view, nor what a sum
      // handed to its other input as well, which `x.grad() *= 2` would change with it.
      const cupyxx::Flags flags = gx.flags();
      const bool has_gaps = !flags.c_contiguous && !(is_channels_last(gx) && has_layout(gx, true));
      const bool is_shared = !cupyxx::extension::is_unshared(gx);
      node->grad = is_root && (has_gaps || is_shared) ? gx.copy() : std::move(gx);
    } else {
      const bool in_place = cupyxx::extension::is_unshared(node->grad);
      ndarray before;
      if (is_debug()) [[unlikely]]
        before = node->grad.copy();
      if (in_place) {
        node->grad += gx;
      } else {
        node->grad = node->grad + gx;
      }
      if (!before.is_none()) [[unlikely]]
        check_sum(f, input, before, gx, node->grad);
    }
  }
};

void Graph::check_count(const Function& f, std::size_t found) {
  if (found == f.inputs_.size()) return;
  throw cupyxx::ValueError(cupyxx::message(
      f.label(), ": backward gave another number of gradients than there are inputs; ", found,
      " and ", f.inputs_.size()));
}

void Graph::refuse_changed_gradient(const Function& f) {
  throw cupyxx::ValueError(cupyxx::message(
      f.label(), ": backward changed a gradient that it was given in place; others are given it, ",
      "too: write gy[0] * 2, not gy[0] *= 2"));
}

void Graph::check_gradient(const Function& f, std::size_t input, const ndarray& gx) {
  const VariableNode& node = *f.inputs_[input].node();
  const bool shape_fits = gx.shape() == node.shape();
  if (shape_fits && gx.dtype() == node.dtype() && gx.device() == node.device()) return;
  const std::string what =
      cupyxx::message(f.label(), ": the gradient of input ", input, " does not match the input; ",
                      form_text(gx), " and ", form_text(node));
  if (!shape_fits) throw cupyxx::ShapeError(what);
  throw cupyxx::DtypeError(what);
}

void Graph::check_parameter_gradients(Function& f) {
  for (const Field& field : f.fields()) {
    if (field.gradient == nullptr || field.array->is_none()) continue;
    if (field.gradient->is_none()) {
      throw cupyxx::TypeError(
          cupyxx::message(f.label(), ": the gradient g", field.name, " of a parameter is None"));
    }
    check_gradient_of(f, field);
    check_gradient_is_written(f, field);
  }
}

std::vector<ndarray> Graph::run_backward(Function& f) {
  check_versions(f);
  if (internal::adds_to_parameters()) {
    prepare_gradients(f);
    check_parameter_gradients(f);
  }
  std::vector<ndarray> grad_outputs;
  grad_outputs.reserve(f.outputs_.size());
  for (const VariableNode* output : f.outputs_) {
    grad_outputs.push_back(output != nullptr ? output->grad : ndarray());
  }
  const InputDeviceScope device(f.inputs_);
  const PrecisionScope precision(f.precision_);
  const cupyxx::ComputeScope compute(f.compute_);
  make_contiguous(f, grad_outputs);
  const bool adds = internal::adds_to_parameters();
  PutOffScope::set_running(adds ? &f : nullptr);
  if (!adds) [[unlikely]] {
    const RedirectedGradients elsewhere(f);
    std::vector<ndarray> grads = watched_backward(f, f.arrays_, grad_outputs);
    check_count(f, grads.size());
    return grads;
  }
  std::optional<GradientCheck> check;
  if (is_debug()) [[unlikely]]
    check.emplace(f, f.arrays_, grad_outputs);
  std::vector<ndarray> grads = watched_backward(f, f.arrays_, grad_outputs);
  check_count(f, grads.size());
  if (check) [[unlikely]]
    check->compare(grads);
  return grads;
}

/// The observers of one walk; mostly there are none.
struct Graph::Walk::Observed {
  Observed() = default;
  Observed(const Observed&) = delete;
  Observed& operator=(const Observed&) = delete;
  ~Observed() {
    if (!is_told) return;
    t_is_observed = false;
    for (BackwardObserver* observer : observers) observer->fail();
  }
  /// Tells what the walk can reach; marks it with `id`.
  void begin(Function* first, std::uint64_t id) {
    if (t_observers == nullptr || t_observers->empty() || t_is_observed) return;
    observers = *t_observers;
    t_is_observed = is_told = true;
    for (BackwardObserver* observer : observers) observer->begin();
    std::vector<Function*> pending{first};
    first->visit_ = id;
    while (!pending.empty()) {
      Function* const f = pending.back();
      pending.pop_back();
      for (BackwardObserver* observer : observers) observer->reach(*f);
      for (const InputRef& input : f->inputs_) {
        Function* const creator = input.node()->creator;
        if (creator == nullptr || creator->visit_ == id) continue;
        creator->visit_ = id;
        pending.push_back(creator);
      }
    }
    for (BackwardObserver* observer : observers) observer->start();
  }
  void finish(Function& f) const {
    for (BackwardObserver* observer : observers) observer->finish(f);
  }
  void end() {
    if (!is_told) return;
    t_is_observed = is_told = false;
    for (BackwardObserver* observer : observers) observer->end();
  }

  std::vector<BackwardObserver*> observers{};
  bool is_told = false;
};

namespace {

/// Throws ValueError for a result that has no graph because none was recorded.
void check_recorded(const VariableNode& node) {
  if (node.creator != nullptr || node.output_index != VariableNode::kUnrecorded) return;
  throw cupyxx::ValueError(
      node.role == Role::volatile_
          ? "backward: the variable is a volatile result, which has no graph; make the inputs "
            "without volatile, or call set_volatile(false) where gradients should stop"
          : "backward: the variable was computed without a graph, in NoGradScope "
            "(no_backprop_mode) or with enable_backprop off");
}

}  // namespace

void Graph::backward(Variable start_variable, const BackwardOptions& options) {
  if (start_variable.is_none()) throw cupyxx::TypeError("backward: the variable is None");
  check_recorded(*start_variable.node());
  if (options.enable_double_backprop) {
    backward_variables(start_variable, options);
    if (options.release_graph) forget_output(start_variable.node());
    return;
  }
  VariableNode* const start = start_variable.node();
  Function* const first = start->creator;
  if (first == nullptr) return;
  if (start->grad.is_none()) start->grad = first_gradient(*start);
  static std::atomic<std::uint64_t> walks{0};
  Walk::Observed observed;
  observed.begin(first, ++walks);
  const PutOffScope put_off(!observed.is_told);
  struct KeepScope {
    ~KeepScope() { t_keeps_gradients = outer; }
    bool outer;
  } const keep{std::exchange(t_keeps_gradients, options.retain_grad)};
  Walk walk(++walks);
  walk.visit(first);
  walk.hold(start);
  start_variable = Variable();
  while (!walk.heap.empty()) {
    Function* const f = walk.next();
    struct Finish {
      Walk& walk;
      Function* f;
      ~Finish() { walk.finish(f); }
    } const finish{walk, f};
    std::vector<ndarray> grads = run_backward(*f);
    if (observed.is_told) [[unlikely]]
      observed.finish(*f);
    for (VariableNode* output : f->outputs_) {
      if (output == nullptr || output == start || output->grad.is_none()) continue;
      // What is kept is nobody else's: identities and sums hand one array on to several.
      output->grad = options.retain_grad ? output->grad.copy() : ndarray();
    }
    for (std::size_t i = 0; i < grads.size(); ++i) {
      VariableNode* const input = f->inputs_[i].node();
      if (grads[i].is_none() || input->role == Role::constant) continue;
      check_gradient(*f, i, grads[i]);
      walk.add(*f, i, input, std::move(grads[i]));
    }
    if (f == first && options.release_graph) {
      start->visit = 0;
      forget_output(start);
      internal::release(start);
    }
  }
  put_off.run();
  observed.end();
}

void Graph::unchain_backward(VariableNode* start) {
  if (start->creator == nullptr) return;
  static constexpr std::uint64_t kSeen = ~std::uint64_t{0};
  std::vector<Function*> pending;
  const auto visit = [&](Function* f) {
    if (f == nullptr || f->visit_ == kSeen) return;
    pending.push_back(f);
    f->visit_ = kSeen;
    retain(f);
  };
  visit(start->creator);
  while (!pending.empty()) {
    Function* const f = pending.back();
    pending.pop_back();
    for (const InputRef& input : f->inputs_) visit(input.node()->creator);
    f->unchain();
    release(f);
  }
}

void Graph::set_creator(VariableNode* node, Function* f, int index) {
  if (f->refs_.load(std::memory_order_relaxed) == 0) {
    throw cupyxx::ValueError(
        cupyxx::message(f->label(), ": set_creator: the function is not part of a graph"));
  }
  if (index < 0 || static_cast<std::size_t>(index) >= f->outputs_.size()) {
    throw cupyxx::IndexError(cupyxx::message(f->label(), ": set_creator: there is no such output; ",
                                             index, " of ", f->outputs_.size()));
  }
  VariableNode*& slot = f->outputs_[static_cast<std::size_t>(index)];
  if (slot != nullptr && slot != node) check_takes_place(*f, *slot, *node);
  retain(f);
  if (slot != nullptr) detach(slot);
  forget_output(node);
  slot = node;
  node->creator = f;
  node->output_index = index;
  node->ends_with_relu = false;
}

const ndarray& unit_gradient(cupyxx::Device device, cupyxx::dtype dtype) {
  static std::atomic<const ndarray*> table[cupyxx::extension::kMaxPlaces][cupyxx::dtype::kCount];
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
  return grad.ndim() == 0 && !grad.flags().writeable &&
         grad.body() == unit_gradient(grad.device(), grad.dtype()).body();
}

}  // namespace chainerxx::internal
