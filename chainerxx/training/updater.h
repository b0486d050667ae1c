// SPDX-License-Identifier: MIT
// One step of a training.
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "chainerxx/function_set.h"
#include "chainerxx/iterators/iterator.h"
#include "chainerxx/optimizer.h"
#include "chainerxx/scope.h"
#include "chainerxx/training/callback.h"
#include "chainerxx/training/serializer.h"
#include "cupyxx/device.h"
#include "cupyxx/export.h"

namespace chainerxx::training {

class Trainer;

/// A number of an optimizer, by its name: "lr", "alpha".
struct NamedRate {
  std::string name;
  Hyperparameter* setting;  ///< null where it can only be read
  Callback<double()> read;
};

/// Base of what a Trainer repeats.
class CUPYXX_API Updater {
 public:
  virtual ~Updater();
  /// One step.
  virtual void update() = 0;
  /// Steps so far.
  virtual std::int64_t iteration() const = 0;
  /// Passes over the data, complete ones and with the part of the present one.
  virtual std::int64_t epoch() const = 0;
  virtual double epoch_detail() const = 0;
  /// Whether the latest step completed a pass.
  virtual bool is_new_epoch() const = 0;

  /// Called by a trainer that takes the updater: names what reports values.
  virtual void connect_trainer(Trainer& trainer);
  /// The iterator, optimizer and model of a name; null where there is none.
  virtual iterators::Iterator* iterator(std::string_view name);
  virtual Optimizer* optimizer(std::string_view name);
  virtual FunctionSet* model(std::string_view name);
  /// The names of its optimizers and their models, and those of its iterators.
  virtual std::vector<std::string> names() const;
  virtual std::vector<std::string> iterator_names() const;
  /// The same as references; IndexError, which lists the names, where there is none.
  iterators::Iterator& get_iterator(std::string_view name);
  Optimizer& get_optimizer(std::string_view name);
  /// A number of an optimizer; null where it has none of that name.
  virtual const NamedRate* rate(std::string_view optimizer, std::string_view name);
  /// Called at the end of a run.
  virtual void finalize();
  /// Writes all that changes in steps, or takes it over.
  virtual void serialize(const Serializer& s) = 0;
};

namespace internal {

template <class F, std::size_t... kAt>
decltype(auto) call_with(F& function, std::span<const Variable> v, std::index_sequence<kAt...>) {
  return function(v[kAt]...);
}
template <class F, std::size_t... kAt>
consteval bool takes(std::index_sequence<kAt...>) {
  return std::is_invocable_v<F&, decltype((static_cast<void>(kAt), std::declval<Variable>()))...>;
}

[[noreturn]] CUPYXX_API void refuse_arrays(const char* operation, std::size_t count);

/// Calls a function of variables with as many as there are: up to six, or as a span.
template <std::size_t kCount = 1, class F>
Variable apply(const char* operation, F& function, std::span<const Variable> v) {
  if constexpr (std::is_invocable_v<F&, std::span<const Variable>>) {
    return function(v);
  } else if constexpr (kCount <= 6) {
    using Sequence = std::make_index_sequence<kCount>;
    if constexpr (takes<F>(Sequence())) {
      if (v.size() == kCount) return call_with(function, v, Sequence());
    }
    return apply<kCount + 1>(operation, function, v);
  } else {
    refuse_arrays(operation, v.size());
  }
}

/// The numbers that an algorithm lets one set, and a rate that it computes.
template <class O>
std::vector<NamedRate> rates_of([[maybe_unused]] O& optimizer) {
  std::vector<NamedRate> rates;
  [[maybe_unused]] const auto add = [&](const char* name, Hyperparameter& setting) {
    rates.push_back({name, &setting, [&setting] { return setting(); }});
  };
  if constexpr (requires { optimizer.lr.operator()(); }) add("lr", optimizer.lr);
  if constexpr (
      requires {
        { optimizer.lr() } -> std::same_as<double>;
      } &&
      !requires { optimizer.lr.operator()(); }) {
    rates.push_back({"lr", nullptr, [&optimizer] { return optimizer.lr(); }});
  }
  if constexpr (requires { optimizer.alpha.operator()(); }) add("alpha", optimizer.alpha);
  if constexpr (requires { optimizer.beta1.operator()(); }) add("beta1", optimizer.beta1);
  if constexpr (requires { optimizer.beta2.operator()(); }) add("beta2", optimizer.beta2);
  if constexpr (requires { optimizer.eps.operator()(); }) add("eps", optimizer.eps);
  if constexpr (requires { optimizer.rho.operator()(); }) add("rho", optimizer.rho);
  if constexpr (requires { optimizer.momentum.operator()(); }) add("momentum", optimizer.momentum);
  return rates;
}

/// The same of an optimizer of this library that is given by its base.
CUPYXX_API std::vector<NamedRate> known_rates(Optimizer& optimizer);

/// The optimizer whose states are saved: what is given, or what a wrapper says.
template <class O>
Optimizer& saved_optimizer(O& optimizer) {
  if constexpr (std::derived_from<O, Optimizer>) {
    return optimizer;
  } else {
    return optimizer.actual_optimizer();
  }
}

}  // namespace internal

/// Options of StandardUpdater.
struct StandardUpdaterOptions {
  /// Where batches go and the step runs; unless given the device that is current when it is made.
  DeviceArg device = {};
  PaddingArg padding = {};  ///< of concat_examples
  /// Makes arrays of a batch, on the host or a device; unless given concat_examples does.
  Callback<std::vector<ndarray>(const iterators::Batch&)> converter = {};
  /// Records the step once and replays it, as chainerxx::capture: fast on devices. Numbers of C++
  /// that the model reports stay those of the record; arrays and variables are new in each step.
  bool capture = false;
  std::optional<Precision> precision = {};  ///< in which the step multiplies: PrecisionScope
  /// While a device computes a step, the next batch goes there through pinned memory on a stream of
  /// its own. Without a device no difference.
  bool overlap = false;
};

/// The usual step: the next batch, its loss, gradients, an update.
///
///   StandardUpdater updater(train_iterator, optimizer, model);
///
/// The iterator, the optimizer (after setup()) and the model must live as long; a model that does
/// not, or moves, is a ValueError at the next step. ValueError for an optimizer without parameters,
/// and for one that was set up with another model. The model is called with a variable for each
/// array of the batch and returns the loss; another function may be given for that. Any class with
/// `update(loss, arguments...)` is an optimizer; one that is not derived from Optimizer has
/// `actual_optimizer()`, whose states are saved. Classes of one's own override update_core().
///
/// Snapshots hold the numbers of optimizers that can be set, "lr" say, and the factors of their
/// groups: what was changed in the course of the training comes back. What the program begins with
/// now stays where that is not what it began with then.
class CUPYXX_API StandardUpdater : public Updater {
 public:
  template <class O, std::derived_from<FunctionSet> Model>
  StandardUpdater(iterators::Iterator& iterator, O& optimizer, Model& model,
                  const StandardUpdaterOptions& options = {})
      : StandardUpdater(iterator, options) {
    set_step(optimizer, model, [&model](std::span<const Variable> v) {
      return internal::apply("StandardUpdater", model, v);
    });
  }
  template <class O, class Loss>
  requires(!std::same_as<Loss, StandardUpdaterOptions>)
      StandardUpdater(iterators::Iterator& iterator, O& optimizer, FunctionSet& model,
                      Loss loss_func, const StandardUpdaterOptions& options = {})
      : StandardUpdater(iterator, options) {
    set_step(optimizer, model, [loss = std::move(loss_func)](std::span<const Variable> v) mutable {
      return internal::apply("StandardUpdater", loss, v);
    });
  }
  /// An optimizer knows the arrays of its model, not how that is called.
  template <class O>
  requires requires(O& o) { o.zero_grads(); }
  StandardUpdater(iterators::Iterator& iterator, O& /*optimizer*/,
                  const StandardUpdaterOptions& options = {})
      : StandardUpdater(iterator, options) {
    static_assert(chainerxx::internal::kNever<O>,
                  "write StandardUpdater(iterator, optimizer, model): the model is what is called");
  }
  ~StandardUpdater() override;

  void update() override;
  std::int64_t iteration() const override { return iteration_; }
  std::int64_t epoch() const override { return iterator_.epoch(); }
  double epoch_detail() const override { return iterator_.epoch_detail(); }
  bool is_new_epoch() const override { return iterator_.is_new_epoch(); }
  void connect_trainer(Trainer& trainer) override;
  iterators::Iterator* iterator(std::string_view name) override;
  Optimizer* optimizer(std::string_view name) override;
  FunctionSet* model(std::string_view name) override;
  std::vector<std::string> names() const override;
  std::vector<std::string> iterator_names() const override;
  const NamedRate* rate(std::string_view optimizer, std::string_view name) override;
  void finalize() override;
  void serialize(const Serializer& s) override;

 protected:
  /// For classes of one's own, which add their models and optimizers by name and override
  /// update_core().
  StandardUpdater(iterators::Iterator& iterator, const StandardUpdaterOptions& options);
  template <class O>
  void add_optimizer(const std::string& name, O& optimizer, FunctionSet& model) {
    Optimizer& saved = internal::saved_optimizer(optimizer);
    std::vector<NamedRate> rates = internal::rates_of(optimizer);
    if (rates.empty()) rates = internal::known_rates(saved);
    add_target(name, saved, model, std::move(rates));
  }
  /// Another iterator that update_core() takes from, which must live as long: snapshots hold where
  /// it stands, as of "main". Throws ValueError for a name that is taken.
  void add_iterator(const std::string& name, iterators::Iterator& iterator);
  /// The arrays of the next batch of "main", on the device, and those of another iterator.
  std::vector<ndarray> next_arrays();
  std::vector<ndarray> next_arrays(std::string_view iterator);
  /// A step: by default all of it.
  virtual void update_core();

 private:
  struct Target {
    std::string name;
    Optimizer* optimizer;
    FunctionSet* model;
    std::vector<NamedRate> rates;
    std::shared_ptr<FunctionSet* const> place;  // where the model is now
    std::vector<double> first{};                // the numbers before the first step; empty before
  };
  struct Staging;
  struct Recording;

  template <class O, class Loss>
  void set_step(O& optimizer, FunctionSet& model, Loss loss) {
    add_optimizer("main", optimizer, model);
    step_ = [&optimizer, loss = std::move(loss)](std::span<const Variable> v) mutable {
      with_arguments(optimizer, loss, v);
    };
  }
  /// optimizer.update(loss, v[0], v[1], ...): who divides a batch among devices sees the parts.
  template <std::size_t kCount = 1, class O, class Loss>
  static void with_arguments(O& optimizer, Loss& loss, std::span<const Variable> v) {
    if constexpr (kCount <= 6) {
      if (v.size() != kCount) return with_arguments<kCount + 1>(optimizer, loss, v);
      update_with(optimizer, loss, v, std::make_index_sequence<kCount>());
    } else if constexpr (std::derived_from<O, Optimizer>) {
      optimizer.update([&] { return loss(v); });  // of a model that takes a span
    } else {
      internal::refuse_arrays("StandardUpdater", v.size());
    }
  }
  template <class O, class Loss, std::size_t... kAt>
  static void update_with(O& optimizer, Loss& loss, std::span<const Variable> v,
                          std::index_sequence<kAt...>) {
    optimizer.update(
        [&loss](const std::same_as<Variable> auto&... part) {
          const Variable all[] = {part...};
          return loss(std::span<const Variable>(all));
        },
        v[kAt]...);
  }
  void add_target(const std::string& name, Optimizer& optimizer, FunctionSet& model,
                  std::vector<NamedRate> rates);
  const Target* find(std::string_view name) const;
  static void serialize_numbers(const Serializer& s, Target& target);
  void check_models() const;
  std::vector<ndarray> arrays_of(const iterators::Batch& batch) const;
  void run_recorded(std::span<const ndarray> arrays);
  void run_step(std::span<const ndarray> arrays);
  void stage_next();

  iterators::Iterator& iterator_;
  StandardUpdaterOptions options_;
  cupyxx::Device device_;
  std::vector<Target> targets_;
  std::vector<std::pair<std::string, iterators::Iterator*>> others_;  // beside iterator_
  Callback<void(std::span<const Variable>)> step_;
  std::unique_ptr<Staging> staging_;
  std::unique_ptr<Recording> recording_;
  std::int64_t iteration_ = 0;
};

/// Chainer's place of these names.
namespace updaters {
using training::StandardUpdater;
}  // namespace updaters

}  // namespace chainerxx::training
