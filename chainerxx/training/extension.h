// SPDX-License-Identifier: MIT
// What happens beside the updates of a training. An extension of one's own:
//
//   struct Beep final : training::Extension {
//     void operator()(training::Trainer& trainer) override { std::cout << '\a'; }
//   };
//   trainer.extend(Beep(), {.trigger = {10, "epoch"}});
#pragma once

#include <exception>
#include <string>

#include "chainerxx/training/serializer.h"
#include "chainerxx/training/trigger.h"
#include "cupyxx/export.h"

namespace chainerxx::training {

/// Extensions of higher priority are called first: those that report values, those that change
/// them, those that read them.
inline constexpr int kPriorityWriter = 300;
inline constexpr int kPriorityEditor = 200;
inline constexpr int kPriorityReader = 100;
/// The same by Chainer's names.
inline constexpr int PRIORITY_WRITER = kPriorityWriter;  // NOLINT(readability-identifier-naming)
inline constexpr int PRIORITY_EDITOR = kPriorityEditor;  // NOLINT(readability-identifier-naming)
inline constexpr int PRIORITY_READER = kPriorityReader;  // NOLINT(readability-identifier-naming)

/// Base of all extensions.
class CUPYXX_API Extension {
 public:
  virtual ~Extension();
  /// Called when the trigger fires.
  virtual void operator()(Trainer& trainer) = 0;

  /// Its name unless another one is given, its trigger, its priority.
  virtual std::string default_name() const { return "Extension"; }
  virtual TriggerArg default_trigger() const { return {1, "iteration"}; }
  virtual int default_priority() const { return kPriorityReader; }
  /// Whether it is called before the first update, too.
  virtual bool calls_before_training() const { return false; }

  /// Called by extend(), with the name that it has there.
  virtual void set_name(const std::string& name);
  /// Called before the first update of a run.
  virtual void initialize(Trainer& trainer);
  /// Called when an update or an extension has thrown.
  virtual void on_error(Trainer& trainer, const std::exception_ptr& error);
  /// Called at the end of a run, after an error, too.
  virtual void finalize(Trainer& trainer);
  /// Writes what it keeps, or takes it over.
  virtual void serialize(const Serializer& s);
};

}  // namespace chainerxx::training
