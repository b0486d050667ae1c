// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "chainerxx/iterators/iterator.h"
#include "chainerxx/training/extension.h"
#include "chainerxx/training/updater.h"

namespace chainerxx::training::extensions {

/// Options of Evaluator.
struct EvaluatorOptions {
  DeviceArg device = {};    ///< unless given the current one when it is made
  PaddingArg padding = {};  ///< of concat_examples
  Callback<std::vector<ndarray>(const iterators::Batch&)> converter = {};
  std::optional<Precision> precision = {};
};

/// Goes through data that is not trained with, and reports the means over its batches of what the
/// model reports: "validation/main/loss". No graph is made, and functions such as dropout behave as
/// in evaluation. Each epoch, before those that read values.
class CUPYXX_API Evaluator : public Extension {
 public:
  /// The model is called with a variable for each array of a batch. The iterator and the model must
  /// live as long. Throws ValueError for an iterator that repeats.
  template <std::derived_from<FunctionSet> Model>
  Evaluator(iterators::Iterator& iterator, Model& model, const EvaluatorOptions& options = {})
      : Evaluator(
            iterator, model,
            [&model](std::span<const Variable> v) { internal::apply("Evaluator", model, v); },
            options, Erased()) {}
  /// The same with another function than the model itself; what it returns, if anything, is not
  /// looked at.
  template <class Eval>
  requires(!std::same_as<Eval, EvaluatorOptions>)
      Evaluator(iterators::Iterator& iterator, FunctionSet& model, Eval eval_func,
                const EvaluatorOptions& options = {})
      : Evaluator(
            iterator, model,
            [eval = std::move(eval_func)](std::span<const Variable> v) mutable {
              const auto call = [&eval]<class... V>(
                  const V&... x) -> Variable requires std::is_invocable_v<Eval&, const V&...> {
                static_cast<void>(eval(x...));
                return Variable();
              };
              internal::apply("Evaluator", call, v);
            },
            options, Erased()) {}

  /// Evaluates and reports.
  void operator()(Trainer& trainer) override;
  /// The means, by names such as "main/loss", with "validation/" before them in a trainer. Classes
  /// of one's own may compute others. Throws ValueError for an iterator without a batch.
  virtual Observation evaluate();
  Observation operator()() { return evaluate(); }

  std::string default_name() const override { return "validation"; }
  TriggerArg default_trigger() const override { return {1, "epoch"}; }
  int default_priority() const override { return kPriorityWriter; }
  void set_name(const std::string& name) override { prefix_ = name + "/"; }
  void finalize(Trainer& trainer) override;

 private:
  struct Erased {};
  using Call = Callback<void(std::span<const Variable>)>;
  Evaluator(iterators::Iterator& iterator, FunctionSet& model, Call call,
            const EvaluatorOptions& options, Erased);

  iterators::Iterator* iterator_;
  FunctionSet* model_;
  Call call_;
  EvaluatorOptions options_;
  cupyxx::Device device_;
  std::string prefix_;
};

}  // namespace chainerxx::training::extensions
