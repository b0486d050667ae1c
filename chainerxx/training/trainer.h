// SPDX-License-Identifier: MIT
// The loop of a training: steps, and what happens between them.
//
//   training::StandardUpdater updater(train_iterator, optimizer, model);
//   training::Trainer trainer(updater, {20, "epoch"}, "result");
//   trainer.extend(extensions::Evaluator(test_iterator, model));
//   trainer.extend(extensions::LogReport());
//   trainer.extend(extensions::PrintReport({"epoch", "main/loss", "validation/main/loss"}));
//   trainer.extend(extensions::snapshot());
//   trainer.run();
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "chainerxx/training/extension.h"
#include "chainerxx/training/reporter.h"
#include "chainerxx/training/serializer.h"
#include "chainerxx/training/trigger.h"
#include "chainerxx/training/updater.h"
#include "cupyxx/export.h"

namespace chainerxx::training {

/// Options of Trainer::extend; what is left out is the extension's own.
struct ExtendOptions {
  std::string name = {};
  TriggerArg trigger = {};
  std::optional<int> priority = {};
  std::optional<bool> call_before_training = {};
};

/// Repeats the step of an updater until a trigger fires, and calls extensions when their triggers
/// fire, those of high priority first. The updater must live as long.
class CUPYXX_API Trainer {
 public:
  /// `out` is the folder of all files, which is made when a run begins.
  explicit Trainer(Updater& updater, TriggerArg stop_trigger = {}, std::string out = "result");
  ~Trainer();
  Trainer(const Trainer&) = delete;
  Trainer& operator=(const Trainer&) = delete;

  /// Takes an extension over and returns it where it now lives: `auto& log = trainer.extend(
  /// LogReport())`. A name that is taken gets a number: "LogReport_1".
  template <class E>
  requires std::derived_from<std::remove_cvref_t<E>, Extension> std::remove_cvref_t<E>
  &extend(E&& extension, const ExtendOptions& options = {}) {
    static_assert(!std::is_lvalue_reference_v<E>,
                  "a trainer owns its extensions: write auto& log = trainer.extend(LogReport()), "
                  "or give one away by std::move(log)");
    auto owned = std::make_unique<std::remove_cvref_t<E>>(std::forward<E>(extension));
    auto& place = *owned;
    insert(std::move(owned), options);
    return place;
  }
  /// A function of the trainer as an extension.
  template <std::invocable<Trainer&> F>
  requires(!std::derived_from<F, Extension>) void extend(F function,
                                                         const ExtendOptions& options = {}) {
    struct FunctionExtension final : Extension {
      explicit FunctionExtension(F f) : call(std::move(f)) {}
      void operator()(Trainer& trainer) override { call(trainer); }
      F call;
    };
    insert(std::make_unique<FunctionExtension>(std::move(function)), options);
  }
  /// The same with the trigger alone: `extend(LogReport(), {1, "epoch"})`.
  template <class E>
  decltype(auto) extend(E&& extension, TriggerArg trigger) {
    return extend(std::forward<E>(extension), ExtendOptions{.trigger = std::move(trigger)});
  }
  /// The extension of a name. Throws IndexError, which lists the names.
  Extension& get_extension(std::string_view name) const;
  /// All of them, those of high priority first.
  std::vector<Extension*> extensions() const;

  /// Trains. What an update or an extension throws leaves by way of the extensions' on_error; all
  /// are finalized, and what one of them throws in the course of that gives way to what came first.
  /// A training that a file shows to be as long as the stop trigger says, or longer, ends at once.
  /// Throws IOError where the folder cannot be made or written to, ValueError for a second run, and
  /// where an iterator that does not repeat is to give more than one epoch.
  void run();
  /// Lets run() return after the present step.
  void stop() { stops_ = true; }

  Updater& updater() const { return updater_; }
  /// What this step has reported.
  const Observation& observation() const { return observation_; }
  Reporter& reporter() { return reporter_; }
  /// The folder of all files.
  const std::string& out() const { return out_; }
  /// Seconds of training, earlier runs that a file was loaded from included.
  double elapsed_time() const;
  /// When the training will be over; nothing where that is not known.
  std::optional<TrainingLength> training_length() const { return stop_trigger_.training_length(); }
  /// Where the run began: 0, or what an earlier one reached.
  double started_at(Unit unit) const {
    return unit == Unit::epoch ? start_epoch_ : start_iteration_;
  }
  bool is_before_training() const { return updater_.iteration() == 0; }

  /// Writes all that a training needs to go on as if it had never stopped, or takes it over: the
  /// updater, what the last step reported, triggers, extensions, random numbers of the host and of
  /// the current device, time. Written by an extension, it goes on with those behind it.
  void serialize(const Serializer& s);

 private:
  struct Entry {
    std::string name;
    std::unique_ptr<Extension> extension;
    TriggerArg trigger;
    int priority;
    bool call_before_training;
  };
  void insert(std::unique_ptr<Extension> extension, const ExtendOptions& options);
  void make_folder() const;
  void check_iterator() const;
  bool is_over() const;
  void loop();
  void call(std::size_t at);
  void serialize_observation(const Serializer& s);
  void serialize_pending(const Serializer& s);

  Updater& updater_;
  TriggerArg stop_trigger_;
  std::string out_;
  Reporter reporter_;
  Observation observation_;
  Observation resumed_;                 // what a file has of the step before it
  std::vector<Entry> entries_;          // by priority
  std::optional<std::size_t> calling_;  // the entry that is being called
  std::vector<std::string> pending_;    // those that a file's step had not come to yet
  double start_ = 0;                    // of the present run, on the clock
  double elapsed_before_ = 0;
  double start_epoch_ = 0, start_iteration_ = 0;
  bool runs_ = false, done_ = false, stops_ = false;
};

}  // namespace chainerxx::training

namespace chainerxx {

/// Writes a whole training to an npz file, and goes on from one. Loading throws IOError for a file
/// that is missing or damaged, ValueError, which names the entry, for one of another network,
/// optimizer or dataset; then nothing has changed.
CUPYXX_API void save_npz(const std::string& path, training::Trainer& trainer);
CUPYXX_API void load_npz(const std::string& path, training::Trainer& trainer);

namespace serializers {
using chainerxx::load_npz, chainerxx::save_npz;
}  // namespace serializers

}  // namespace chainerxx
