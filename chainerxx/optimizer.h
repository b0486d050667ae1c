// SPDX-License-Identifier: MIT
// Numerical optimization of parameters by their gradients. An algorithm of one's own:
//
//   struct MySgd final : chainerxx::Optimizer {
//     void update_one(const ndarray& param, const ndarray& grad, State&) override {
//       param -= 0.01 * grad;
//     }
//   };
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "chainerxx/function_set.h"
#include "chainerxx/loss_scaling.h"
#include "chainerxx/parameter_group.h"
#include "cupyxx/export.h"
#include "cupyxx/ndarray.h"

namespace chainerxx {

namespace internal {
class LossScale;
class TensorTable;
struct UpdateRule;
struct OptimizerEntry;

/// A number that is not a truth value.
template <class T>
concept Amount = std::is_arithmetic_v<T> && !std::same_as<T, bool>;

/// What optimizers of other libraries are made of: a model, a layer, or the parameters of one.
template <class M>
concept ModelOrParameters = std::derived_from<std::remove_cvref_t<M>, FunctionSet> ||
    std::derived_from<std::remove_cvref_t<M>, Function> ||
    std::same_as<std::remove_cvref_t<M>, std::vector<ndarray>> ||
    std::same_as<std::remove_cvref_t<M>, std::vector<SetParameter>>;
/// Options of other libraries' optimizers, which say at compile time what they are called here.
struct RateOfAdam {
  double lr;
  double weight_decay = 0;
};
struct LaterAdam {
  double alpha = 0.001;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-8;
  double eta = 1;
  double weight_decay_rate = 0;
  bool amsgrad = false;
  bool adabound = false;
  double final_lr = 0.1;
  double gamma = 1e-3;
};
struct MomentumOfSgd {
  double lr = 0.01;
  double momentum = 0;
  double weight_decay = 0;
  bool nesterov = false;
};

/// What a number of an algorithm may be.
enum class Bounds : std::uint8_t {
  any,
  not_negative,  // and finite
  or_infinite,   // not negative
  share          // from 0, below 1
};
/// Throws ValueError, which begins with `name`, for another number.
CUPYXX_API void check_number(const char* name, double value, Bounds bounds);
/// The same as an expression.
inline double checked_number(const char* name, double value, Bounds bounds = Bounds::not_negative) {
  check_number(name, value, bounds);
  return value;
}

/// The name of a hook that says one.
template <class Hook>
concept NamedHookType = requires {
  std::string(Hook::kName);
};
}  // namespace internal

/// A number of an algorithm: `opt.lr()` and `double(opt.lr)` are its value, `opt.lr = 0.1` and
/// `opt.lr *= 0.9` set it for the next update. That, and the options that an optimizer is made
/// with, throws ValueError for NaN, infinite and negative numbers; for what is a share, as momentum
/// and beta1 are, from 1 on.
class Hyperparameter {
 public:
  explicit Hyperparameter(double& value) : value_(value) {}
  /// One with a name, as "SGD: lr", for errors.
  Hyperparameter(const char* name, double& value,
                 internal::Bounds bounds = internal::Bounds::not_negative)
      : value_(value), name_(name), bounds_(bounds) {}
  Hyperparameter(const Hyperparameter&) = delete;
  double operator=(double value) {  // NOLINT: gives the number
    if (name_ != nullptr) internal::check_number(name_, value, bounds_);
    return value_ = value;
  }
  double operator=(const Hyperparameter& other) { return *this = other.value_; }  // NOLINT
  double operator+=(double x) { return *this = value_ + x; }
  double operator-=(double x) { return *this = value_ - x; }
  double operator*=(double x) { return *this = value_ * x; }
  double operator/=(double x) { return *this = value_ / x; }
  /// Throws ValueError unless the number is one that the algorithm can compute with.
  void check() const {
    if (name_ != nullptr) internal::check_number(name_, value_, bounds_);
  }
  double operator()() const { return value_; }
  operator double() const { return value_; }  // NOLINT(google-explicit-constructor)

 private:
  double& value_;
  const char* name_ = nullptr;
  internal::Bounds bounds_ = internal::Bounds::any;
};

namespace internal {
/// Hyperparameter::check of each, in their order.
template <class... Numbers>
void check_all(const Numbers&... numbers) {
  (numbers.check(), ...);
}
}  // namespace internal

/// What an algorithm keeps for one parameter: its arrays are changed in place.
using State = std::vector<ndarray>;

struct GradientClipping;

/// Base of the algorithms. It refers to the parameters of the set given to setup(), which must live
/// as long and may move; parameters that are replaced or moved to another device are followed, and
/// their states move along. Layers that the set gets later take part from the next call on, with
/// states of their own, in the group whose names fit them or in "default"; layers that it loses do
/// no longer. Zeroing, norm, clipping, decay and the built-in updates are one pass, or one kernel
/// launch per device and dtype, over all parameters. What works on gradients or parameters throws
/// ValueError before setup().
class CUPYXX_API Optimizer {
 public:
  Optimizer();
  virtual ~Optimizer();
  Optimizer(const Optimizer&) = delete;
  Optimizer& operator=(const Optimizer&) = delete;

  /// Number of updates so far; during update_one the present one is counted.
  std::int64_t t() const { return t_; }
  /// Throws ValueError for a number that no training reaches: below 0, or above 2 ** 53.
  void set_t(std::int64_t t);

  /// Prepares the states of all parameters and sets t to 0. Parameters that get their size at the
  /// model's first call take part from then on. Throws ValueError for a parameter whose
  /// gradient is missing or has another shape or dtype, for read-only arrays; DtypeError
  /// for a dtype that a built-in algorithm has no kernel for.
  void setup(FunctionSet& model);
  void setup(std::span<const ndarray> parameters, std::span<const ndarray> gradients);
  void setup(std::initializer_list<ndarray> parameters, std::initializer_list<ndarray> gradients) {
    setup(std::span(parameters.begin(), parameters.size()),
          std::span(gradients.begin(), gradients.size()));
  }
  void setup(const ParametersAndGradients& arrays);
  /// Of one layer, whose parameters are named "W", "b". It may move, `std::move(layer)`; what needs
  /// one that is gone, as an update does, throws ValueError.
  void setup(Function& layer);
  /// Not of a variable, which has no place for a gradient that stays.
  template <std::same_as<Variable> V>
  void setup(const V&) {
    static_assert(
        internal::kNever<V>,
        "a Variable is no layer: write chainerxx::Parameter w(array) and setup(w), or the "
        "arrays, setup({w.data()}, {gradient})");
  }
  /// Not of arrays alone, whose gradients nobody knows, nor of parameters, which may go.
  template <class Arrays>
  requires std::same_as<Arrays, std::vector<ndarray>> ||
      std::same_as<Arrays, std::vector<SetParameter>> ||
      std::same_as<Arrays, std::vector<Variable>> || std::same_as<Arrays, ParameterArray>
  void setup(const Arrays&) {
    static_assert(internal::kNever<Arrays>,
                  "write setup(model), setup(layer), or setup(parameters, gradients) with both "
                  "lists");
  }
  /// Of what a pointer points to, `setup(&model)`. Throws ValueError for null.
  template <class Pointer>
  requires requires(const Pointer& p) {
    requires std::convertible_to<decltype(*p), FunctionSet&> ||
        std::convertible_to<decltype(*p), Function&>;
    p == nullptr;
  }
  void setup(const Pointer& model) {
    if (model == nullptr) refuse_null("setup");
    setup(*model);
  }
  /// The set given to setup(), where it is now. Throws ValueError without one, and when it lives no
  /// longer.
  FunctionSet& target() const;
  /// What setup() was given: the arrays and their gradients by name, without those of layers that
  /// wait for their size. A parameter that stands in the model twice comes once.
  std::vector<NamedField> parameters();

  /// Takes parameters out of the group "default" into one with factors of its own; updates remain
  /// one pass over all parameters. A name stands for everything below it and '*' for any text:
  ///
  ///   optimizer.add_group("biases", {"*/b"}, {.rate = 2, .decay = 0});
  ///   optimizer.add_group("frozen", {"features"}, {.rate = 0});
  ///
  /// Updates leave parameters of rate 0 and their states as they are, as if they were not there.
  /// Parameters given to setup() as arrays are named by their numbers. Groups last until the next
  /// setup(). Throws ValueError for a name that is taken, a name without parameters, a parameter
  /// that another group has, and factors that are negative or NaN.
  ParameterGroup& add_group(const std::string& name, const std::vector<std::string>& parameters,
                            const GroupOptions& options = {});
  /// The group of a name; "default" is that of the parameters in no other. Throws IndexError.
  ParameterGroup& group(const std::string& name);
  /// All groups, "default" first; empty before setup().
  std::vector<ParameterGroup*> groups() const;

  /// Sets all gradients to 0; as PyTorch calls it, too. Zeros of large ones are written when
  /// somebody reads them, and not at all where backward overwrites them with a product.
  void zero_grads();
  void zero_grad() { zero_grads(); }
  /// The L2 norm of all gradients together. Synchronises.
  double compute_grads_norm();
  /// Scales the gradients down to the norm `maxnorm` if theirs is larger. Does not synchronise when
  /// all parameters are on one CUDA device. Throws ValueError when it is negative or NaN.
  void clip_grads(double maxnorm);
  /// Adds `decay` times the parameters to the gradients, and times the decay of their groups.
  /// Throws ValueError unless it is at least 0 and finite.
  void weight_decay(double decay);
  /// Adds `rate` times the signs of the parameters to the gradients, and times the decay of their
  /// groups: the gradient of an L1 penalty. Throws ValueError unless it is at least 0 and finite.
  void lasso(double rate);
  /// Moves each number of the gradients to the nearest of two bounds. Throws ValueError unless they
  /// are in order.
  void clip_grad_values(double lower, double upper);
  /// Adds normal random numbers of a deviation to the gradients, each drawn where its gradient
  /// lives. Not part of a captured step. Throws ValueError unless it is at least 0 and finite.
  void add_noise(double deviation);
  /// Adds `decay` times each parameter to its gradient and scales that by |p| / (|g| + decay |p| +
  /// eps), the norms of both before; a parameter of a norm of at most `threshold` is not scaled.
  /// Waits for no device. Not part of a captured step. Throws ValueError for negative numbers.
  void scale_to_parameters(double threshold, double decay, double eps);
  /// Adds arrays, which may be on other devices, to the gradients, in the order of the parameters.
  /// Throws ValueError for another number of arrays or None, ShapeError for another shape, before
  /// anything is added.
  void accumulate_grads(std::span<const ndarray> grads);
  /// From now on backward() multiplies losses by a factor, which keeps small gradients of float16
  /// from becoming 0, and updates divide by it, before hooks and clipping see the gradients. An
  /// update with a gradient that is not finite is left out, parameters and states stay, and the
  /// factor becomes smaller; after a time without such the factor grows. All of that happens on the
  /// device: nothing waits. Updates that were left out count in t(). Micikevicius et al., "Mixed
  /// precision training", 2018. Throws ValueError before setup(), for parameters on several devices
  /// and factors out of range.
  void scale_loss(const LossScaling& options = {});
  /// The factor now; 1 without scale_loss(). Synchronises.
  double loss_scale() const;
  /// How many updates were left out. Synchronises.
  std::int64_t skipped_updates() const;
  /// Goes backward from a loss of one element, multiplied by the factor of scale_loss().
  void backward(const Variable& loss);

  /// Calls the hooks, counts t up and updates all parameters. An update that throws is not counted;
  /// where memory ran out, those of built-in algorithms have changed no parameter and no state.
  /// Throws ValueError for a model of one's own without parameters, whose layers were not added.
  void update();
  /// The same, as PyTorch calls it.
  void step() { update(); }
  /// One step of training: sets the gradients to 0, goes backward from loss(arguments...), updates.
  /// Returns the loss.
  template <class Loss, class... Args>
  requires std::invocable<Loss&, Args...> Variable update(Loss&& loss, Args&&... arguments) {
    check_setup("update");
    Variable value = loss(std::forward<Args>(arguments)...);
    zero_grads();
    backward(value);
    update();
    return value;
  }

  /// Adds something to be called with this optimizer at the start of update(), after the earlier
  /// hooks. Throws ValueError for a name that is taken.
  template <std::invocable<Optimizer&> Hook>
  void add_hook(const std::string& name, Hook hook) {
    struct Holder final : HookBase {
      explicit Holder(Hook h) : callable(std::move(h)) {}
      void call(Optimizer& optimizer) override { callable(optimizer); }
      double norm() const override {
        if constexpr (std::is_same_v<Hook, GradientClipping>) return callable.threshold;
        return -1;
      }
      Hook callable;
    };
    insert_hook(name, std::make_unique<Holder>(std::move(hook)));
  }
  /// The same by the name that the hook has, "WeightDecay"; hooks without one are "hook", "hook1",
  /// "hook2", ...
  template <std::invocable<Optimizer&> Hook>
  void add_hook(Hook hook) {
    if constexpr (internal::NamedHookType<Hook>) {
      add_hook(std::string(Hook::kName), std::move(hook));
    } else {
      add_hook(free_hook_name(), std::move(hook));
    }
  }
  /// As in Chainer 1.5, whose hook stands before its name.
  template <std::invocable<Optimizer&> Hook>
  void add_hook(Hook hook, const std::string& name) {
    add_hook(name, std::move(hook));
  }
  /// Throws IndexError for an unknown name.
  void remove_hook(const std::string& name);
  void call_hooks();

  // What an algorithm overrides.
  /// The starting state of a parameter; calls init_state_gpu or init_state_cpu by default.
  virtual State init_state(const ndarray& param, const ndarray& grad);
  virtual State init_state_cpu(const ndarray& param, const ndarray& grad);
  virtual State init_state_gpu(const ndarray& param, const ndarray& grad);
  /// Changes a parameter and its state in place; calls update_one_gpu or update_one_cpu by default.
  virtual void update_one(const ndarray& param, const ndarray& grad, State& state);
  virtual void update_one_cpu(const ndarray& param, const ndarray& grad, State& state);
  virtual void update_one_gpu(const ndarray& param, const ndarray& grad, State& state);
  /// Names of the arrays of a state, for saving: "m", "v".
  virtual std::vector<std::string> state_names() const;

  /// The arrays of all states by name, as "l1/W/m"; for saving and loading.
  std::vector<NamedField> fields();

 protected:
  /// The fused kernel that does what update_one does; none for algorithms of users.
  virtual std::optional<internal::UpdateRule> rule() const;
  /// For update_one: the factor by which the present parameter's group wants its rate.
  double group_rate() const { return group_rate_; }
  /// The factor by which it wants a decay of weights.
  double group_decay() const { return group_decay_; }

 private:
  struct CUPYXX_API HookBase {
    virtual ~HookBase();
    virtual void call(Optimizer& optimizer) = 0;
    /// Of a hook that does no more than clip_grads(norm): the norm, which update() may clip to by
    /// itself; else -1.
    virtual double norm() const { return -1; }
  };
  struct NamedHook {
    std::string name;
    std::unique_ptr<HookBase> hook;
  };

  void check_setup(const char* operation) const;
  void check_has_parameters();
  [[noreturn]] static void refuse_null(const char* operation);
  void setup_fields(const std::vector<NamedField>& fields);
  std::string free_hook_name() const;
  void insert_hook(const std::string& name, std::unique_ptr<HookBase> hook);
  bool call_hooks_but(const HookBase* last);
  void update_now();
  void capture_update();
  void start(std::vector<internal::OptimizerEntry> entries,
             std::vector<internal::OptimizerEntry> waiting);
  bool has_newly_sized() const;
  void follow_model();
  void follow_layer();
  void place_in_group(internal::OptimizerEntry& entry);
  void take_up_new();
  internal::TensorTable& table();
  internal::TensorTable& moving_table();
  void unscale_gradients();
  void scale_gradients_again();

  std::shared_ptr<FunctionSet* const> target_;  // of a set, wherever it is; null for arrays
  std::shared_ptr<Function* const> layer_;      // of a single layer, likewise
  Function* layer_was_ = nullptr;               // where the entries were taken from
  std::uint64_t layer_changes_ = 0;             // that the entries know of
  std::int64_t t_ = 0;
  double group_rate_ = 1, group_decay_ = 1;
  std::vector<std::unique_ptr<ParameterGroup>> groups_;
  std::vector<std::vector<std::string>> patterns_;  // that each of them was made with
  std::vector<internal::OptimizerEntry> entries_;
  std::vector<internal::OptimizerEntry> waiting_;  // of layers that have no size yet
  std::vector<std::unique_ptr<ndarray>> owned_;    // handles of parameters given as arrays
  std::unique_ptr<internal::TensorTable> table_;
  std::unique_ptr<internal::TensorTable> moving_;  // without parameters of rate 0
  std::vector<NamedHook> hooks_;
  std::unique_ptr<internal::LossScale> loss_scale_;
  bool gradients_are_scaled_ = false;
  bool gradients_were_scaled_ = false;  // and are not any more, before an update
  std::shared_ptr<char> life_;  // graphs with an update look whether the optimizer still lives
};

/// Hooks: `optimizer.add_hook(WeightDecay(0.0005))`.
struct WeightDecay {
  static constexpr const char* kName = "WeightDecay";
  /// Throws ValueError unless the rate is at least 0 and finite.
  explicit WeightDecay(double the_rate)
      : rate(internal::checked_number("WeightDecay: rate", the_rate)) {}
  void operator()(Optimizer& optimizer) const { optimizer.weight_decay(rate); }
  double rate;
};
/// A hook that adds `rate` times the sign of each parameter to its gradient: see Optimizer::lasso.
struct Lasso {
  static constexpr const char* kName = "Lasso";
  /// Throws ValueError unless the rate is at least 0 and finite.
  explicit Lasso(double the_rate) : rate(internal::checked_number("Lasso: rate", the_rate)) {}
  void operator()(Optimizer& optimizer) const { optimizer.lasso(rate); }
  double rate;
};
/// A hook that moves each number of a gradient to the nearest of two bounds.
struct GradientHardClipping {
  static constexpr const char* kName = "GradientHardClipping";
  /// Throws ValueError unless the bounds are in order.
  CUPYXX_API GradientHardClipping(double the_lower_bound, double the_upper_bound);
  void operator()(Optimizer& optimizer) const {
    optimizer.clip_grad_values(lower_bound, upper_bound);
  }
  double lower_bound, upper_bound;
};
/// A hook that scales all gradients so that their norm is at most `threshold`.
struct GradientClipping {
  static constexpr const char* kName = "GradientClipping";
  /// Throws ValueError where the threshold is negative or NaN.
  explicit GradientClipping(double the_threshold)
      : threshold(internal::checked_number("GradientClipping: threshold", the_threshold,
                                           internal::Bounds::or_infinite)) {}
  void operator()(Optimizer& optimizer) const { optimizer.clip_grads(threshold); }
  double threshold;
};

/// Hooks at their places in Chainer, before version 4 and since.
namespace optimizer {
using chainerxx::GradientClipping, chainerxx::GradientHardClipping;
using chainerxx::Lasso, chainerxx::WeightDecay;
}  // namespace optimizer
namespace optimizer_hooks {
using chainerxx::GradientClipping, chainerxx::GradientHardClipping;
using chainerxx::Lasso, chainerxx::WeightDecay;
}  // namespace optimizer_hooks

}  // namespace chainerxx
