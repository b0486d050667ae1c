// SPDX-License-Identifier: MIT
// Recurrent networks over sequences as functions of lists of weights, in Chainer's order; NStepLSTM
// and its kin own theirs.
//
//   auto [hy, cy, ys] = F::n_step_lstm(2, 0.3, hx, cx, ws, bs, xs);  // ws[layer][0 .. 7]
//
// Unlike the layers they take the steps of all sequences: xs[t] is (n_t, in), the inputs at time t
// of the n_t sequences that are that long, the longest first, as transpose_sequence() gives them;
// so n_t does not grow. ys[t] is (n_t, units). States hx and cx are (layers, n_0, units), zeros
// where they are None. Dropout acts between layers, in training. With two directions there are
// twice as many states and lists of weights: those of layer i are 2 i, from the first step to the
// last, and 2 i + 1, from the last to the first; ys[t] is (n_t, 2 units).
//
// They throw ValueError for a number of layers outside of [1, 10000], a dropout ratio outside of
// [0, 1) and lists of another length, ShapeError for arrays of other shapes, TypeError for None.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "chainerxx/functions/connection/n_step.h"
#include "chainerxx/variable.h"
#include "cupyxx/export.h"
#include "cupyxx/values/choice.h"

namespace chainerxx::functions {

/// What stands behind the products of a simple recurrent network.
enum class RNNActivation : std::uint8_t { tanh, relu };

/// Of each layer and direction a list of matrices (units, in) or (units, units), or of biases
/// (units,).
using WeightLists = std::vector<std::vector<Variable>>;

}  // namespace chainerxx::functions

namespace cupyxx::internal {
template <>
struct Choices<chainerxx::functions::RNNActivation> {
  using Activation = chainerxx::functions::RNNActivation;
  static constexpr std::string_view kWhat = "activation";
  static constexpr NamedValue<Activation> kAll[] = {{"tanh", Activation::tanh},
                                                    {"relu", Activation::relu}};
};
}  // namespace cupyxx::internal

namespace chainerxx::functions {

/// Long short-term memory, with W = ws[layer] and b = bs[layer] of eight each:
/// i = sigmoid(W0 x + W4 h + b0 + b4), f = sigmoid(W1 x + W5 h + b1 + b5),
/// a = tanh(W2 x + W6 h + b2 + b6), o = sigmoid(W3 x + W7 h + b3 + b7), c' = f c + i a,
/// h' = o tanh(c'). It is the order of Chainer's code and of cuDNN; its manual has 2 and 3 the
/// other way round.
CUPYXX_API NStepLSTMResult n_step_lstm(std::int64_t n_layers, double dropout_ratio,
                                       const Variable& hx, const Variable& cx,
                                       const WeightLists& ws, const WeightLists& bs,
                                       const std::vector<Variable>& xs);
/// The same in both directions.
CUPYXX_API NStepLSTMResult n_step_bilstm(std::int64_t n_layers, double dropout_ratio,
                                         const Variable& hx, const Variable& cx,
                                         const WeightLists& ws, const WeightLists& bs,
                                         const std::vector<Variable>& xs);
/// Gated recurrent units, with six each: r = sigmoid(W0 x + W3 h + b0 + b3),
/// z = sigmoid(W1 x + W4 h + b1 + b4), h' = (1 - z) tanh(W2 x + b2 + r (W5 h + b5)) + z h.
CUPYXX_API NStepResult n_step_gru(std::int64_t n_layers, double dropout_ratio, const Variable& hx,
                                  const WeightLists& ws, const WeightLists& bs,
                                  const std::vector<Variable>& xs);
/// The same in both directions.
CUPYXX_API NStepResult n_step_bigru(std::int64_t n_layers, double dropout_ratio, const Variable& hx,
                                    const WeightLists& ws, const WeightLists& bs,
                                    const std::vector<Variable>& xs);
/// Simple recurrent networks, with two each: h' = activation(W0 x + W1 h + b0 + b1).
CUPYXX_API NStepResult n_step_rnn(std::int64_t n_layers, double dropout_ratio, const Variable& hx,
                                  const WeightLists& ws, const WeightLists& bs,
                                  const std::vector<Variable>& xs,
                                  cupyxx::Choice<RNNActivation> activation = RNNActivation::tanh);
/// The same in both directions.
CUPYXX_API NStepResult n_step_birnn(std::int64_t n_layers, double dropout_ratio, const Variable& hx,
                                    const WeightLists& ws, const WeightLists& bs,
                                    const std::vector<Variable>& xs,
                                    cupyxx::Choice<RNNActivation> activation = RNNActivation::tanh);

}  // namespace chainerxx::functions
