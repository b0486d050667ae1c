// SPDX-License-Identifier: MIT
// Fused operations of recurrent networks and of losses over labels.
#pragma once

#include "cupyxx/ndarray.h"

namespace chainerxx::internal {

using cupyxx::ndarray;

struct LstmState {
  ndarray c;
  ndarray h;
};
/// One step of the cells: c_prev of shape (n, units, ...), x of (n, 4 units, ...).
LstmState lstm(const ndarray& c_prev, const ndarray& x);
/// The same into contiguous arrays.
void lstm(const ndarray& c_prev, const ndarray& x, const LstmState& out);

struct LstmGradients {
  ndarray c_prev;
  ndarray x;
};
/// Gradients of the results may be null.
LstmGradients lstm_grad(const ndarray& c_prev, const ndarray& x, const ndarray& c,
                        const ndarray& gc, const ndarray& gh);
/// The same into contiguous arrays; out.c_prev may be gc.
void lstm_grad(const ndarray& c_prev, const ndarray& x, const ndarray& c, const ndarray& gc,
               const ndarray& gh, const LstmGradients& out);

/// Whether the two below are for arrays like this one: on devices, batches of few rows.
bool has_lstm_step(const ndarray& h);
/// gates += h_prev U^T and the step of the cells, in one launch; all contiguous, U (4 units,
/// units).
void lstm_step(const ndarray& U, const ndarray& h_prev, const ndarray& c_prev, const ndarray& gates,
               const LstmState& out);
/// gh += gates_after U and the gradients of the step as lstm_grad(), whose out.c_prev is gc, in one
/// launch; `U_T` is the transpose, contiguous, `gates_after` the gradients by the next step's
/// gates.
void lstm_step_grad(const ndarray& U_T, const ndarray& gates_after, const ndarray& c_prev,
                    const ndarray& gates, const ndarray& c, const ndarray& gh,
                    const LstmGradients& out);

/// The cross entropy of each element of sigmoid(x) with its label, 0 where the label is -1.
ndarray sigmoid_cross_entropy(const ndarray& x, const ndarray& labels);
/// Its gradient times a 0-d factor.
ndarray sigmoid_cross_entropy_grad(const ndarray& x, const ndarray& labels, const ndarray& factor);

struct Ctc {
  ndarray loss;  // (batch,), float64
  ndarray grad;  // of the loss by the logits; null unless asked for
};
/// The loss of each sequence: logarithms of a softmax of shape (time, batch, classes), labels of
/// (batch, labels). Lengths of (batch,) may be null. Throws IndexError for a label outside of the
/// classes; on a device at the next synchronising call.
Ctc ctc(const ndarray& log_y, const ndarray& labels, const ndarray& input_lengths,
        const ndarray& label_lengths, int blank, bool with_grad);

}  // namespace chainerxx::internal
