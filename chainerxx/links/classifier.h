// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

#include "chainerxx/function_set.h"
#include "chainerxx/functions/evaluation/accuracy.h"
#include "chainerxx/functions/loss/softmax_cross_entropy.h"
#include "chainerxx/training/callback.h"
#include "chainerxx/training/reporter.h"

namespace chainerxx::links {

/// A network that gives scores of classes, with the loss that it learns from: `model(x, t)` is the
/// loss, and reports itself and the accuracy. The network is called, `predictor(x)`, or has a
/// method `forward(x)` as in later Chainer.
///
///   links::Classifier<Mlp> model(784, 100, 10);            // those of Mlp
///   model.lossfun = [](const Variable& y, const Variable& t) { return F::hinge(y, t); };
template <std::derived_from<FunctionSet> Predictor>
class Classifier : public FunctionSet {
 public:
  /// What is made of scores and labels.
  using Measure = training::Callback<Variable(const Variable& y, const Variable& t)>;

  /// Makes the network of these arguments, or takes one over: `Classifier model(Mlp(100))`.
  template <class... Args>
  explicit Classifier(Args&&... args)
      : predictor(add<Predictor>("predictor", std::forward<Args>(args)...)) {}
  explicit Classifier(Predictor& network) : predictor(network) {
    static_assert(internal::kNever<Predictor>,
                  "a Classifier owns its network: write Classifier<Mlp> model(arguments), or give "
                  "it away by std::move(network)");
  }

  /// The loss; reports "loss", and "accuracy" if `compute_accuracy`. What it computed stays in y,
  /// loss and accuracy until the next call, which starts by giving it up.
  Variable operator()(const Variable& x, const Variable& t) {
    y = loss = accuracy = nullptr;
    y = scores_of(x);
    loss = lossfun(y, t);
    report({{"loss", loss}}, *this);
    if (compute_accuracy) {
      accuracy = accfun(y, t);
      report({{"accuracy", accuracy}}, *this);
    }
    return loss;
  }

  Predictor& predictor;  ///< the network, "predictor" among the names
  Measure lossfun = [](const Variable& scores, const Variable& t) {
    return functions::softmax_cross_entropy(scores, t);
  };
  Measure accfun = [](const Variable& scores, const Variable& t) {
    return functions::accuracy(scores, t);
  };
  bool compute_accuracy = true;

  Variable y;         ///< the scores of the latest call; None before the first
  Variable loss;      ///< its loss: `model.loss.data()`
  Variable accuracy;  ///< its accuracy, None unless that is computed

 private:
  Variable scores_of(const Variable& x) {
    if constexpr (!std::is_invocable_v<Predictor&, const Variable&> &&
                  requires { predictor.forward(x); }) {
      return predictor.forward(x);
    } else {
      return predictor(x);
    }
  }
};

template <class Predictor>
requires std::derived_from<std::remove_cvref_t<Predictor>, FunctionSet> Classifier(Predictor&&)
->Classifier<std::remove_cvref_t<Predictor>>;

}  // namespace chainerxx::links
