// SPDX-License-Identifier: MIT
#include "chainerxx/optimizer.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <string>

#include "chainerxx/internal/form_text.h"
#include "chainerxx/internal/loss_scale.h"
#include "chainerxx/internal/optimizer_entries.h"
#include "chainerxx/internal/tensor_table.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/extension/capture.h"
#include "cupyxx/extension/storage.h"
#include "cupyxx/indexing.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/random.h"
#include "cupyxx/reduction.h"
#include "cupyxx/scalar.h"

namespace chainerxx {
namespace {

using internal::check_entry, internal::check_has_kernel, internal::check_one_device;
using internal::OptimizerEntry;
using internal::UpdateRule;

// Hooks that were removed while hooks of this thread run; null when none do.
thread_local std::vector<std::shared_ptr<void>>* t_removed_hooks = nullptr;

struct HookCalls {
  HookCalls() {
    if (t_removed_hooks == nullptr) t_removed_hooks = &removed;
  }
  HookCalls(const HookCalls&) = delete;
  HookCalls& operator=(const HookCalls&) = delete;
  ~HookCalls() {
    if (t_removed_hooks == &removed) t_removed_hooks = nullptr;
  }
  std::vector<std::shared_ptr<void>> removed;
};

bool fits(const ndarray& state, const ndarray& param, const internal::RuleFamily& family) {
  return state.dtype() == family.state_type(param.dtype()) && state.shape() == param.shape();
}

/// Throws ValueError unless the states are those of an algorithm: as many as it has, writeable, of
/// the parameter's shape and device.
void check_states(const char* operation, const OptimizerEntry& entry,
                  const internal::RuleFamily& family) {
  const auto needed = static_cast<std::size_t>(family.touches.states);
  if (entry.state.size() != needed) {
    throw cupyxx::ValueError(cupyxx::message(operation, ": the state has ", entry.state.size(),
                                             " arrays, the algorithm needs ", needed,
                                             "; init_state(param, grad) makes them"));
  }
  for (const ndarray& s : entry.state) {
    if (!s.is_none() && fits(s, *entry.param, family) && s.device() == entry.param->device() &&
        s.flags().writeable) {
      continue;
    }
    throw cupyxx::ValueError(cupyxx::message(
        operation, ": a state does not match its parameter ", entry.name, "; ",
        s.is_none() ? std::string("None")
                    : internal::form_text(s) + (s.flags().writeable ? "" : ", read-only"),
        " and ", internal::form_text(*entry.param), "; init_state(param, grad) makes one"));
  }
}

}  // namespace

namespace internal {

void check_number(const char* name, double value, Bounds bounds) {
  const bool is_share = bounds == Bounds::share;
  const double end = is_share ? 1 : std::numeric_limits<double>::infinity();
  if (value >= 0 && value < end) return;
  if (bounds == Bounds::or_infinite && value == end) return;
  const char* const what = is_share                        ? " is not in [0, 1); "
                           : bounds == Bounds::or_infinite ? " is negative or NaN; "
                                                           : " is negative or not finite; ";
  throw cupyxx::ValueError(cupyxx::message(name, what, cupyxx::Scalar(value)));
}

}  // namespace internal

Optimizer::Optimizer() : life_(std::make_shared<char>()) {}
Optimizer::~Optimizer() = default;
Optimizer::HookBase::~HookBase() = default;

void Optimizer::set_t(std::int64_t t) {
  constexpr std::int64_t kMost = std::int64_t{1} << 53;
  if (t < 0 || t > kMost) {
    throw cupyxx::ValueError(
        cupyxx::message("Optimizer.set_t: the number of updates must be from 0 to 2**53; ", t));
  }
  t_ = t;
}

void Optimizer::check_setup(const char* operation) const {
  if (!groups_.empty()) return;
  throw cupyxx::ValueError(
      cupyxx::message(operation, ": setup() comes first; the optimizer has no parameters yet"));
}

/// The table of the arrays as they are now; states follow their parameters.
internal::TensorTable& Optimizer::table() {
  take_up_new();
  if (table_ != nullptr && table_->is_current(entries_)) return *table_;
  const auto fused = rule();
  for (OptimizerEntry& entry : entries_) {
    check_entry("Optimizer", entry);
    const bool fit = !fused || std::all_of(entry.state.begin(), entry.state.end(), [&](auto& s) {
      return !s.is_none() && fits(s, *entry.param, *fused->family);
    });
    if (!fit) entry.state = init_state(*entry.param, *entry.grad);
    for (ndarray& s : entry.state) {
      if (!s.is_none()) s = s.to(entry.param->device());
    }
    if (!fused) continue;
    check_has_kernel("Optimizer", entry);
    check_states("Optimizer", entry, *fused->family);
  }
  if (table_ == nullptr) table_ = std::make_unique<internal::TensorTable>();
  table_->build(entries_);
  return *table_;
}

/// The table of what an update moves: momentum would carry parameters of rate 0 on.
internal::TensorTable& Optimizer::moving_table() {
  internal::TensorTable& all = table();
  const auto is_frozen = [](const OptimizerEntry& entry) { return entry.group->rate == 0; };
  if (std::none_of(entries_.begin(), entries_.end(), is_frozen)) return all;
  std::vector<OptimizerEntry> moving;
  std::remove_copy_if(entries_.begin(), entries_.end(), std::back_inserter(moving), is_frozen);
  if (moving_ == nullptr) moving_ = std::make_unique<internal::TensorTable>();
  if (!moving_->is_current(moving)) moving_->build(moving);
  return *moving_;
}

void Optimizer::scale_loss(const LossScaling& options) {
  check_setup("scale_loss");
  const bool fits = options.initial > 0 && options.initial < 1e30 && options.growth >= 1 &&
                    options.growth < 1e6 && options.backoff > 0 && options.backoff <= 1 &&
                    options.interval >= 1 && options.interval <= (1 << 24);
  if (!fits) {
    throw cupyxx::ValueError(cupyxx::message(
        "scale_loss: a number is out of range; initial ", cupyxx::Scalar(options.initial),
        ", growth ", cupyxx::Scalar(options.growth), ", backoff ", cupyxx::Scalar(options.backoff),
        ", interval ", options.interval));
  }
  check_one_device(entries_);
  const cupyxx::Device device =
      entries_.empty() ? cupyxx::current_device() : entries_[0].param->device();
  loss_scale_ = std::make_unique<internal::LossScale>(options, device);
  gradients_are_scaled_ = gradients_were_scaled_ = false;
}

double Optimizer::loss_scale() const { return loss_scale_ != nullptr ? loss_scale_->scale() : 1; }

std::int64_t Optimizer::skipped_updates() const {
  return loss_scale_ != nullptr ? static_cast<std::int64_t>(loss_scale_->skipped()) : 0;
}

void Optimizer::backward(const Variable& loss) {
  check_setup("Optimizer.backward");
  if (loss.is_none()) throw cupyxx::TypeError("Optimizer.backward: the loss is None");
  if (loss_scale_ != nullptr) {
    take_up_new();
    if (!entries_.empty()) loss_scale_->follow(entries_[0].param->device());
    loss.set_grad(loss_scale_->gradient_of(loss.data()));
    scale_gradients_again();
    gradients_are_scaled_ = true;
  }
  loss.backward();
}

/// Before the gradients are used: divides them by the scale, once for each backward.
void Optimizer::unscale_gradients() {
  if (!gradients_are_scaled_) return;
  internal::TensorTable& tensors = table();
  cupyxx::extension::note_write(loss_scale_->checked_state());
  tensors.run(UpdateRule::of<internal::kernels::Unscale>({.state = loss_scale_->numbers()}));
  constexpr int kNotFinite = internal::kernels::kNotFinite;
  internal::take_largest_of_ranks(loss_scale_->state()(cupyxx::slice(kNotFinite, kNotFinite + 1)));
  gradients_are_scaled_ = false;
  gradients_were_scaled_ = true;
}

/// Where backward() adds to gradients that somebody has looked at: those are divided already, and
/// will be once more.
void Optimizer::scale_gradients_again() {
  if (!gradients_were_scaled_ || gradients_are_scaled_) return;
  using internal::kernels::kScale;
  const ndarray scale = loss_scale_->checked_state()(cupyxx::slice(kScale, kScale + 1)).reshape({});
  for (const OptimizerEntry& entry : entries_) {
    check_entry("Optimizer.backward", entry);
    const ndarray& grad = *entry.grad;
    // 16 bits have no room for the scale.
    cupyxx::copyto(grad, (grad * scale).astype(grad.dtype(), false));
  }
}

void Optimizer::zero_grads() {
  check_setup("zero_grads");
  table().zero_grads();
  gradients_are_scaled_ = gradients_were_scaled_ = false;
}

double Optimizer::compute_grads_norm() {
  check_setup("compute_grads_norm");
  unscale_gradients();
  return std::sqrt(table().sum_of_squares());
}

void Optimizer::clip_grads(double maxnorm) {
  check_setup("clip_grads");
  if (!(maxnorm >= 0)) {
    throw cupyxx::ValueError(
        cupyxx::message("clip_grads: the norm is negative or NaN; ", cupyxx::Scalar(maxnorm)));
  }
  unscale_gradients();
  table().clip(maxnorm);
}

void Optimizer::weight_decay(double decay) {
  check_setup("weight_decay");
  internal::check_number("weight_decay: decay", decay, internal::Bounds::not_negative);
  unscale_gradients();
  table().run(UpdateRule::of<internal::kernels::WeightDecay>({.decay = decay}));
}

void Optimizer::lasso(double rate) {
  check_setup("lasso");
  internal::check_number("lasso: rate", rate, internal::Bounds::not_negative);
  unscale_gradients();
  table().run(UpdateRule::of<internal::kernels::Lasso>({.decay = rate}));
}

void Optimizer::clip_grad_values(double lower, double upper) {
  check_setup("clip_grad_values");
  if (!(lower <= upper)) {
    throw cupyxx::ValueError(cupyxx::message("clip_grad_values: the bounds are not in order; ",
                                             cupyxx::Scalar(lower), " and ",
                                             cupyxx::Scalar(upper)));
  }
  unscale_gradients();
  table().run(UpdateRule::of<internal::kernels::HardClipping>({.lower = lower, .upper = upper}));
}

GradientHardClipping::GradientHardClipping(double the_lower_bound, double the_upper_bound)
    : lower_bound(the_lower_bound), upper_bound(the_upper_bound) {
  if (lower_bound <= upper_bound) return;
  throw cupyxx::ValueError(cupyxx::message("GradientHardClipping: the bounds are not in order; ",
                                           cupyxx::Scalar(lower_bound), " and ",
                                           cupyxx::Scalar(upper_bound)));
}

void Optimizer::add_noise(double deviation) {
  check_setup("add_noise");
  if (!(deviation >= 0 && deviation <= std::numeric_limits<double>::max())) {
    throw cupyxx::ValueError(cupyxx::message("add_noise: the deviation is negative or not finite; ",
                                             cupyxx::Scalar(deviation)));
  }
  take_up_new();
  unscale_gradients();
  for (const OptimizerEntry& entry : entries_) {
    check_entry("add_noise", entry);
    const ndarray& grad = *entry.grad;
    const cupyxx::DeviceScope device(grad.device());
    const bool wide = grad.dtype() == cupyxx::float64;
    const ndarray noise = cupyxx::random::normal(
        grad.shape(), {.scale = deviation, .dtype = wide ? cupyxx::float64 : cupyxx::float32});
    grad += noise.astype(grad.dtype(), false);
  }
}

void Optimizer::scale_to_parameters(double threshold, double decay, double eps) {
  check_setup("scale_to_parameters");
  if (!(threshold >= 0 && decay >= 0 && eps >= 0)) {
    throw cupyxx::ValueError(cupyxx::message("scale_to_parameters: a number is negative or NaN; ",
                                             cupyxx::Scalar(threshold), ", ", cupyxx::Scalar(decay),
                                             " and ", cupyxx::Scalar(eps)));
  }
  take_up_new();
  unscale_gradients();
  for (const OptimizerEntry& entry : entries_) {
    check_entry("scale_to_parameters", entry);
    const ndarray &param = *entry.param, &grad = *entry.grad;
    // Squares of 16 bits would overflow.
    const auto norm = [](const ndarray& a) {
      const bool wide = a.dtype() == cupyxx::float64;
      const ndarray numbers = a.astype(wide ? cupyxx::float64 : cupyxx::float32, false);
      return cupyxx::sqrt(cupyxx::square(numbers).sum());
    };
    const double own_decay = decay * entry.group->decay;
    const ndarray of_param = norm(param);
    const ndarray rate = of_param / (norm(grad) + own_decay * of_param + eps);
    if (own_decay != 0) grad += own_decay * param;
    const ndarray scaled = grad * cupyxx::where(of_param > threshold, rate, 1.0);
    cupyxx::copyto(grad, scaled.astype(grad.dtype(), false));
  }
}

void Optimizer::accumulate_grads(std::span<const ndarray> grads) {
  check_setup("accumulate_grads");
  take_up_new();
  unscale_gradients();
  if (grads.size() != entries_.size()) {
    throw cupyxx::ValueError(cupyxx::message("accumulate_grads: the number of arrays differs; ",
                                             grads.size(), " for ", entries_.size(), " gradients"));
  }
  for (std::size_t i = 0; i < grads.size(); ++i) {
    check_entry("accumulate_grads", entries_[i]);
    if (grads[i].is_none()) {
      throw cupyxx::ValueError(cupyxx::message("accumulate_grads: array ", i, " is None"));
    }
    if (grads[i].shape() == entries_[i].grad->shape()) continue;
    throw cupyxx::ShapeError(cupyxx::message("accumulate_grads: array ", i, " has another shape; ",
                                             grads[i].shape(), " for ", entries_[i].grad->shape()));
  }
  std::vector<ndarray> summands;
  std::vector<OptimizerEntry> pairs;
  summands.reserve(grads.size());
  for (std::size_t i = 0; i < grads.size(); ++i) {
    ndarray* const sum = entries_[i].grad;
    // In C order: the table would write other layouts back.
    summands.push_back(cupyxx::ascontiguousarray(grads[i].to(sum->device()), sum->dtype()));
    pairs.push_back({entries_[i].name, &summands.back(), sum});
  }
  internal::TensorTable tensors;
  tensors.build(pairs);
  // Decay by 1 adds the first of each pair to the second.
  tensors.run(UpdateRule::of<internal::kernels::WeightDecay>({.decay = 1}));
}

void Optimizer::update() {
  check_setup("update");
  if (entries_.empty()) check_has_parameters();
  if (cupyxx::extension::Capture::current()) {
    capture_update();
  } else {
    update_now();
  }
  gradients_were_scaled_ = false;
  if (loss_scale_ != nullptr) loss_scale_->advance();
}

/// Within a graph the hooks, t and the rates are still those of the host: each run asks for them.
void Optimizer::capture_update() {
  const auto capture = cupyxx::extension::Capture::current();
  if (!rule()) {
    throw cupyxx::Error(
        "capture: an optimizer with an update_one of its own; its numbers would stay those of the "
        "capture");
  }
  const bool are_scaled = gradients_are_scaled_;
  const auto replay = std::make_shared<internal::UpdateReplay>();
  const std::size_t nodes_before = capture.node_count();
  // A recording that fails later has not been a step.
  const auto is_counted = std::make_shared<bool>(false);
  capture.undo([this, is_counted, life = std::weak_ptr<char>(life_)] {
    if (*is_counted && !life.expired()) --t_;
  });
  {
    const internal::UpdateReplayScope scope(replay, false);
    update_now();
  }
  *is_counted = true;
  if (capture.node_count() - nodes_before != replay->launches.size() + replay->exchanged) {
    throw cupyxx::Error(
        "capture: the optimizer does more than updates, decay and clipping; a hook that computes "
        "with arrays, or a parameter that is not contiguous, would not follow the host's numbers");
  }
  capture.require([this, life = std::weak_ptr<char>(life_), builds = table_->builds()] {
    if (life.expired() || table_ == nullptr) return false;
    follow_model();
    return !has_newly_sized() && table_->is_current(entries_) && table_->builds() == builds;
  });
  capture.before_run([this, replay, are_scaled] {
    const internal::UpdateReplayScope scope(replay, true);
    gradients_are_scaled_ = are_scaled;
    update_now();
  });
}

void Optimizer::update_now() {
  for (const auto& group : groups_) {
    if (group->rate >= 0 && group->decay >= 0) continue;
    throw cupyxx::ValueError(cupyxx::message(
        "update: the rate or the decay of group \"", group->name, "\" is negative or NaN; ",
        cupyxx::Scalar(group->rate), " and ", cupyxx::Scalar(group->decay)));
  }
  unscale_gradients();
  // Where the last hook clips to a norm, the kernel of the update does it as it reads the
  // gradients.
  HookBase* const last = hooks_.empty() ? nullptr : hooks_.back().hook.get();
  const double maxnorm = last != nullptr ? last->norm() : -1;
  bool clips = call_hooks_but(maxnorm >= 0 ? last : nullptr);
  internal::TensorTable& tensors = moving_table();  // needs memory, before anything changes
  const ndarray scale = loss_scale_ != nullptr ? loss_scale_->checked_state() : ndarray();
  ++t_;
  try {
    const auto fused = rule();
    if (clips && !(fused && &tensors == table_.get() && tensors.can_clip_in(*fused))) {
      table().clip(maxnorm);
      clips = false;
    }
    if (fused) {
      tensors.obey(scale);
      clips ? tensors.clip_and_run(maxnorm, *fused) : tensors.run(*fused);
      return;
    }
    if (loss_scale_ != nullptr && loss_scale_->is_overflown()) return;
    const internal::UpdateOfUser running(this);
    for (OptimizerEntry& entry : entries_) {
      if (entry.group->rate == 0) continue;
      group_rate_ = entry.group->rate;
      group_decay_ = entry.group->decay;
      update_one(*entry.param, *entry.grad, entry.state);
    }
    group_rate_ = group_decay_ = 1;
  } catch (...) {
    --t_;
    group_rate_ = group_decay_ = 1;
    throw;
  }
}

std::string Optimizer::free_hook_name() const {
  std::string name = "hook";
  const auto is_taken = [&] {
    return std::any_of(hooks_.begin(), hooks_.end(),
                       [&](const NamedHook& hook) { return hook.name == name; });
  };
  for (int i = 1; is_taken(); ++i) name = "hook" + std::to_string(i);
  return name;
}

void Optimizer::insert_hook(const std::string& name, std::unique_ptr<HookBase> hook) {
  for (const NamedHook& other : hooks_) {
    if (other.name == name) {
      throw cupyxx::ValueError(cupyxx::message("add_hook: the name is taken; \"", name, "\""));
    }
  }
  hooks_.push_back({name, std::move(hook)});
}

void Optimizer::remove_hook(const std::string& name) {
  const auto at = std::find_if(hooks_.begin(), hooks_.end(),
                               [&](const NamedHook& hook) { return hook.name == name; });
  if (at == hooks_.end()) {
    throw cupyxx::IndexError(
        cupyxx::message("remove_hook: there is no hook of this name; \"", name, "\""));
  }
  // One that runs takes itself away: it lives until it returns.
  if (t_removed_hooks != nullptr) t_removed_hooks->emplace_back(std::move(at->hook));
  hooks_.erase(at);
}

void Optimizer::call_hooks() { call_hooks_but(nullptr); }

/// Whether the last one, which is not called, is still there.
bool Optimizer::call_hooks_but(const HookBase* last) {
  const HookCalls calls;
  std::vector<HookBase*> now;  // a hook may add others, which begin with the next update
  for (const NamedHook& hook : hooks_) now.push_back(hook.hook.get());
  for (HookBase* hook : now) {
    const bool is_there = std::any_of(hooks_.begin(), hooks_.end(), [&](const NamedHook& other) {
      return other.hook.get() == hook;
    });
    if (hook == last) return is_there;
    if (is_there) hook->call(*this);
  }
  return false;
}

State Optimizer::init_state(const ndarray& param, const ndarray& grad) {
  if (const auto fused = rule()) {
    State state;
    for (int i = 0; i < fused->family->touches.states; ++i) {
      state.push_back(cupyxx::zeros_like(param, fused->family->state_type(param.dtype())));
    }
    return state;
  }
  return param.device().is_cuda() ? init_state_gpu(param, grad) : init_state_cpu(param, grad);
}

State Optimizer::init_state_cpu(const ndarray&, const ndarray&) { return {}; }
State Optimizer::init_state_gpu(const ndarray&, const ndarray&) { return {}; }

void Optimizer::update_one(const ndarray& param, const ndarray& grad, State& state) {
  const auto fused = rule();
  if (!fused) {
    return param.device().is_cuda() ? update_one_gpu(param, grad, state)
                                    : update_one_cpu(param, grad, state);
  }
  ndarray p = param, g = grad;
  const OptimizerEntry entry{"param", &p, &g, state};
  check_entry("update_one", entry);
  check_has_kernel("update_one", entry);
  check_states("update_one", entry, *fused->family);
  internal::TensorTable single;
  single.build({&entry, 1});
  single.run(*fused);
}

void Optimizer::update_one_cpu(const ndarray&, const ndarray&, State&) {
  throw cupyxx::TypeError("Optimizer: it defines neither update_one nor update_one_cpu");
}

void Optimizer::update_one_gpu(const ndarray&, const ndarray&, State&) {
  throw cupyxx::TypeError("Optimizer: it defines neither update_one nor update_one_gpu");
}

std::vector<std::string> Optimizer::state_names() const { return {}; }

std::optional<UpdateRule> Optimizer::rule() const { return std::nullopt; }

std::vector<NamedField> Optimizer::fields() {
  take_up_new();
  const std::vector<std::string> names = state_names();
  std::vector<NamedField> fields;
  for (OptimizerEntry& entry : entries_) {
    for (std::size_t i = 0; i < entry.state.size(); ++i) {
      if (entry.state[i].is_none()) continue;  // one of the user's that is not there yet
      const std::string name = i < names.size() ? names[i] : std::to_string(i);
      fields.push_back({entry.name + "/" + name, &entry.state[i], nullptr});
    }
  }
  if (loss_scale_ != nullptr) fields.push_back({"loss_scale", &loss_scale_->state(), nullptr});
  return fields;
}

}  // namespace chainerxx
