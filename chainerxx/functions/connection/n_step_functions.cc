// SPDX-License-Identifier: MIT
#include "chainerxx/functions/connection/n_step_functions.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "chainerxx/functions/activation/lstm.h"
#include "chainerxx/functions/activation/pointwise.h"
#include "chainerxx/functions/array/array.h"
#include "chainerxx/functions/array/cast.h"
#include "chainerxx/functions/array/parts.h"
#include "chainerxx/functions/connection/linear.h"
#include "chainerxx/functions/math/arithmetic.h"
#include "chainerxx/functions/noise/dropout.h"
#include "chainerxx/internal/narrow_types.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/scalar.h"

namespace chainerxx::functions {
namespace {

using cupyxx::Shape;
using List = std::vector<Variable>;

/// What is computed, and how many weights of x there are in a list, in front of those of h.
struct Network {
  const char* name;
  std::size_t gates;
  std::size_t directions;
  bool has_cells;
};

/// One layer in one direction: the product of all its inputs, and a step from its rows and the
/// state.
struct Layer {
  Variable W, b;
  std::function<void(const Variable& of_x, Variable& h, Variable& c)> step;
};
using MakeLayer = std::function<Layer(const List& w, const List& b)>;

Variable rows(const Variable& x, std::int64_t begin, std::int64_t end) {
  if (begin == 0 && end == x.shape()[0]) return x;
  return get_item(x, {cupyxx::slice(begin, end)});
}
Variable joined(const List& parts, int axis) {
  return parts.size() == 1 ? parts[0] : concat(parts, axis);
}

void expect_shape(const Network& network, const char* what, std::size_t list, std::size_t number,
                  const Variable& x, const Shape& shape) {
  if (x.is_none()) {
    throw cupyxx::TypeError(
        cupyxx::message(network.name, ": input ", what, "[", list, "][", number, "] is None"));
  }
  if (x.shape() != shape) {
    throw cupyxx::ShapeError(cupyxx::message(network.name, ": ", what, "[", list, "][", number,
                                             "] is not ", shape, "; ", x.shape()));
  }
}

/// How many sequences have each of the steps.
std::vector<std::int64_t> checked_steps(const Network& network, const List& xs) {
  if (xs.empty()) throw cupyxx::ValueError(cupyxx::message(network.name, ": there are no steps"));
  std::vector<std::int64_t> counts;
  for (std::size_t t = 0; t < xs.size(); ++t) {
    if (xs[t].is_none()) {
      throw cupyxx::TypeError(cupyxx::message(network.name, ": input xs[", t, "] is None"));
    }
    const Shape shape = xs[t].shape(), first = xs[0].shape();
    if (shape.ndim() != 2 || shape[1] != first[1]) {
      throw cupyxx::ShapeError(
          cupyxx::message(network.name, ": xs[", t, "] is not (n, in); ", shape));
    }
    if (t > 0 && shape[0] > counts.back()) {
      throw cupyxx::ValueError(
          cupyxx::message(network.name, ": xs[", t, "] has more sequences than the step before, ",
                          shape[0], " and ", counts.back(),
                          "; transpose_sequence makes steps of sequences, the longest first"));
    }
    counts.push_back(shape[0]);
  }
  return counts;
}

/// Refuses lists of other lengths and arrays of other shapes, and returns the units.
std::int64_t checked_units(const Network& network, std::int64_t n_layers, double dropout_ratio,
                           const WeightLists& ws, const WeightLists& bs, std::int64_t in) {
  if (n_layers < 1 || n_layers > 10000) {
    throw cupyxx::ValueError(
        cupyxx::message(network.name, ": the number of layers is not in [1, 10000]; ", n_layers));
  }
  if (!(dropout_ratio >= 0 && dropout_ratio < 1)) {
    throw cupyxx::ValueError(cupyxx::message(network.name, ": the dropout ratio is not in [0, 1); ",
                                             cupyxx::Scalar(dropout_ratio)));
  }
  const std::size_t lists = static_cast<std::size_t>(n_layers) * network.directions;
  const auto expect_lists = [&](const char* what, const WeightLists& all) {
    if (all.size() != lists) {
      throw cupyxx::ValueError(
          cupyxx::message(network.name, ": ", what, " are not ", lists, " lists; ", all.size()));
    }
    for (std::size_t i = 0; i < lists; ++i) {
      if (all[i].size() == 2 * network.gates) continue;
      throw cupyxx::ValueError(cupyxx::message(network.name, ": ", what, "[", i, "] are not ",
                                               2 * network.gates, " arrays; ", all[i].size()));
    }
  };
  expect_lists("ws", ws);
  expect_lists("bs", bs);
  const Variable& first = ws[0][network.gates];
  const Shape square = first.is_none() ? Shape{0, 0} : first.shape();
  if (square.ndim() != 2) {
    throw cupyxx::ShapeError(cupyxx::message(network.name, ": ws[0][", network.gates,
                                             "] is not (units, units); ", square));
  }
  const std::int64_t units = square[0];
  const auto directions = static_cast<std::int64_t>(network.directions);
  if (first.is_none()) expect_shape(network, "ws", 0, network.gates, first, square);
  for (std::size_t i = 0; i < lists; ++i) {
    const std::int64_t of_x = i < network.directions ? in : directions * units;
    for (std::size_t k = 0; k < 2 * network.gates; ++k) {
      expect_shape(network, "ws", i, k, ws[i][k], {units, k < network.gates ? of_x : units});
      expect_shape(network, "bs", i, k, bs[i][k], {units});
    }
  }
  return units;
}

Variable state(const Network& network, const char* what, const Variable& given, const Shape& shape,
               cupyxx::dtype dtype) {
  if (given.is_none()) return cupyxx::zeros(shape, dtype);
  if (given.shape() != shape) {
    throw cupyxx::ShapeError(
        cupyxx::message(network.name, ": ", what, " is not ", shape, "; ", given.shape()));
  }
  // Where a scope narrows; what is of another dtype than x the first sum refuses.
  const bool is_narrowed = given.dtype() != dtype && internal::narrowed(given.dtype()) == dtype;
  return is_narrowed ? cast(given, dtype) : given;
}

/// One layer from the first step to the last. What ends before the next step is put aside.
void forwards(const Layer& layer, const List& of_x, Variable& h, Variable& c, List& ys) {
  List ended_h, ended_c;
  for (const Variable& x : of_x) {
    const std::int64_t now = x.shape()[0], before = h.shape()[0];
    if (now < before) {
      ended_h.push_back(rows(h, now, before));
      h = rows(h, 0, now);
      if (!c.is_none()) {
        ended_c.push_back(rows(c, now, before));
        c = rows(c, 0, now);
      }
    }
    layer.step(x, h, c);
    ys.push_back(h);
  }
  const auto with_ended = [](Variable& x, List& ended) {
    ended.push_back(x);
    std::reverse(ended.begin(), ended.end());
    x = joined(ended, 0);
  };
  with_ended(h, ended_h);
  if (!c.is_none()) with_ended(c, ended_c);
}

/// The same from the last step to the first: sequences begin where they end.
void backwards(const Layer& layer, const List& of_x, Variable& h, Variable& c, List& ys) {
  const Variable first_h = h, first_c = c;
  const auto with_begun = [](const Variable& x, const Variable& first, std::int64_t now) {
    const std::int64_t before = x.is_none() ? 0 : x.shape()[0];
    if (before == now) return x;
    const Variable begun = rows(first, before, now);
    return before == 0 ? begun : concat({x, begun}, 0);
  };
  h = rows(first_h, 0, of_x.back().shape()[0]);
  if (!c.is_none()) c = rows(first_c, 0, of_x.back().shape()[0]);
  for (std::size_t t = of_x.size(); t-- > 0;) {
    const std::int64_t now = of_x[t].shape()[0];
    h = with_begun(h, first_h, now);
    if (!c.is_none()) c = with_begun(c, first_c, now);
    layer.step(of_x[t], h, c);
    ys.push_back(h);
  }
  std::reverse(ys.begin(), ys.end());
}

NStepLSTMResult unroll(const Network& network, std::int64_t n_layers, double dropout_ratio,
                       const Variable& hx, const Variable& cx, const WeightLists& ws,
                       const WeightLists& bs, const List& xs, const MakeLayer& make) {
  const std::vector<std::int64_t> counts = checked_steps(network, xs);
  const std::int64_t units =
      checked_units(network, n_layers, dropout_ratio, ws, bs, xs[0].shape()[1]);
  const cupyxx::DeviceScope device(xs[0].device());
  const Shape shape = {static_cast<std::int64_t>(ws.size()), counts[0], units};
  const cupyxx::dtype dtype = internal::narrowed(xs[0].dtype());
  const Variable h0 = state(network, "hx", hx, shape, dtype);
  const Variable c0 = network.has_cells ? state(network, "cx", cx, shape, dtype) : Variable();
  std::vector<std::int64_t> ends;
  std::int64_t end = 0;
  for (std::size_t t = 0; t + 1 < counts.size(); ++t) ends.push_back(end += counts[t]);
  const auto by_steps = [&](const Variable& all) {
    return ends.empty() ? List{all} : split_axis(all, ends, 0);
  };

  Variable x = joined(xs, 0);
  List last_h, last_c, ys;
  for (std::size_t i = 0; i < ws.size(); i += network.directions) {
    if (i > 0) x = dropout(x, dropout_ratio);
    List both;
    for (std::size_t direction = 0; direction < network.directions; ++direction) {
      const std::size_t number = i + direction;
      const Layer layer = make(ws[number], bs[number]);
      Variable h = get_item(h0, {static_cast<std::int64_t>(number)});
      Variable c = network.has_cells ? get_item(c0, {static_cast<std::int64_t>(number)}) : c0;
      ys.clear();
      const List of_x = by_steps(linear(x, layer.W, layer.b));
      (direction == 0 ? forwards : backwards)(layer, of_x, h, c, ys);
      both.push_back(joined(ys, 0));
      last_h.push_back(h);
      if (network.has_cells) last_c.push_back(c);
    }
    x = joined(both, 1);
  }
  if (network.directions > 1) ys = by_steps(x);
  return {stack(last_h), network.has_cells ? stack(last_c) : Variable(), std::move(ys)};
}

/// Arrays one behind the other, or row by row, as lstm() has its gates.
Variable interleaved(const List& parts) {
  const Variable all = stack(parts, 1);
  const Shape s = all.shape();
  return s.ndim() == 2 ? reshape(all, {s[0] * s[1]}) : reshape(all, {s[0] * s[1], s[2]});
}

Layer lstm_layer(const List& w, const List& b) {
  const Variable U = interleaved({w[6], w[4], w[5], w[7]});
  return {interleaved({w[2], w[0], w[1], w[3]}),
          interleaved({b[2] + b[6], b[0] + b[4], b[1] + b[5], b[3] + b[7]}),
          [U](const Variable& of_x, Variable& h, Variable& c) {
            const auto [cell, hidden] = lstm(c, of_x + linear(h, U));
            h = hidden;
            c = cell;
          }};
}

Layer gru_layer(const List& w, const List& b) {
  const Variable U = concat({w[3], w[4], w[5]}, 0), of_h = concat({b[3], b[4], b[5]}, 0);
  return {concat({w[0], w[1], w[2]}, 0), concat({b[0], b[1], b[2]}, 0),
          [U, of_h](const Variable& of_x, Variable& h, Variable&) {
            const List x = split_axis(of_x, 3, 1), y = split_axis(linear(h, U, of_h), 3, 1);
            const Variable r = sigmoid(x[0] + y[0]), z = sigmoid(x[1] + y[1]);
            const Variable candidate = tanh(x[2] + r * y[2]);
            h = candidate + z * (h - candidate);
          }};
}

MakeLayer rnn_layers(RNNActivation activation) {
  return [activation](const List& w, const List& b) -> Layer {
    const Variable U = w[1];
    return {w[0], b[0] + b[1], [U, activation](const Variable& of_x, Variable& h, Variable&) {
              const Variable sum = of_x + linear(h, U);
              h = activation == RNNActivation::relu ? relu(sum) : tanh(sum);
            }};
  };
}

NStepResult without_cells(NStepLSTMResult out) { return {std::move(out.hy), std::move(out.ys)}; }

}  // namespace

NStepLSTMResult n_step_lstm(std::int64_t n_layers, double dropout_ratio, const Variable& hx,
                            const Variable& cx, const WeightLists& ws, const WeightLists& bs,
                            const std::vector<Variable>& xs) {
  return unroll({"n_step_lstm", 4, 1, true}, n_layers, dropout_ratio, hx, cx, ws, bs, xs,
                lstm_layer);
}
NStepLSTMResult n_step_bilstm(std::int64_t n_layers, double dropout_ratio, const Variable& hx,
                              const Variable& cx, const WeightLists& ws, const WeightLists& bs,
                              const std::vector<Variable>& xs) {
  return unroll({"n_step_bilstm", 4, 2, true}, n_layers, dropout_ratio, hx, cx, ws, bs, xs,
                lstm_layer);
}
NStepResult n_step_gru(std::int64_t n_layers, double dropout_ratio, const Variable& hx,
                       const WeightLists& ws, const WeightLists& bs,
                       const std::vector<Variable>& xs) {
  return without_cells(
      unroll({"n_step_gru", 3, 1, false}, n_layers, dropout_ratio, hx, {}, ws, bs, xs, gru_layer));
}
NStepResult n_step_bigru(std::int64_t n_layers, double dropout_ratio, const Variable& hx,
                         const WeightLists& ws, const WeightLists& bs,
                         const std::vector<Variable>& xs) {
  return without_cells(unroll({"n_step_bigru", 3, 2, false}, n_layers, dropout_ratio, hx, {}, ws,
                              bs, xs, gru_layer));
}
NStepResult n_step_rnn(std::int64_t n_layers, double dropout_ratio, const Variable& hx,
                       const WeightLists& ws, const WeightLists& bs,
                       const std::vector<Variable>& xs, cupyxx::Choice<RNNActivation> activation) {
  return without_cells(unroll({"n_step_rnn", 1, 1, false}, n_layers, dropout_ratio, hx, {}, ws, bs,
                              xs, rnn_layers(activation)));
}
NStepResult n_step_birnn(std::int64_t n_layers, double dropout_ratio, const Variable& hx,
                         const WeightLists& ws, const WeightLists& bs,
                         const std::vector<Variable>& xs,
                         cupyxx::Choice<RNNActivation> activation) {
  return without_cells(unroll({"n_step_birnn", 1, 2, false}, n_layers, dropout_ratio, hx, {}, ws,
                              bs, xs, rnn_layers(activation)));
}

}  // namespace chainerxx::functions
