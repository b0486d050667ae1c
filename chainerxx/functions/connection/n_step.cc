// SPDX-License-Identifier: MIT
#include "chainerxx/functions/connection/n_step.h"

#include <algorithm>
#include <numeric>

#include "chainerxx/functions/activation/pointwise.h"
#include "chainerxx/functions/array/array.h"
#include "chainerxx/functions/array/cast.h"
#include "chainerxx/functions/array/parts.h"
#include "chainerxx/functions/noise/dropout.h"
#include "chainerxx/internal/checked_extent.h"
#include "chainerxx/internal/narrow_types.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/scalar.h"

namespace chainerxx::internal {

/// Sequences as rows of one matrix, the first steps of all of them before the second ones, from the
/// longest sequence to the shortest.
struct PackedSequences {
  /// Steps in a row that `active` sequences have: rows `begin` to `end` of the matrix.
  struct Segment {
    std::int64_t begin, end, active;
    std::int64_t steps() const { return (end - begin) / active; }
  };
  std::vector<Segment> segments;
  std::vector<std::int64_t> order;  // the sequences by their lengths
  ndarray gather;                   // the rows of the sequences one behind the other, in this order
  ndarray scatter;                  // and back
  ndarray reversed;                 // rows of the matrix with each sequence from its end
  std::vector<std::int64_t> ends;   // of the sequences one behind the other, but for the last
};

}  // namespace chainerxx::internal

namespace chainerxx::functions {
namespace {

using Packed = internal::PackedSequences;

Packed pack(const std::vector<Variable>& xs) {
  const std::size_t n = xs.size();
  std::vector<std::int64_t> lengths, starts;
  std::int64_t total = 0;
  Packed out;
  for (const Variable& x : xs) {
    lengths.push_back(x.shape()[0]);
    starts.push_back(total);
    total += lengths.back();
    out.ends.push_back(total);
  }
  out.ends.pop_back();
  out.order.resize(n);
  std::iota(out.order.begin(), out.order.end(), 0);
  const auto length = [&](std::size_t place) {
    return lengths[static_cast<std::size_t>(out.order[place])];
  };
  std::stable_sort(out.order.begin(), out.order.end(), [&](std::int64_t a, std::int64_t b) {
    return lengths[static_cast<std::size_t>(a)] > lengths[static_cast<std::size_t>(b)];
  });

  std::vector<std::int64_t> gather, scatter(static_cast<std::size_t>(total)),
      first(static_cast<std::size_t>(length(0)));  // of each step, its first row
  std::size_t active = n;
  for (std::int64_t step = 0; step < length(0); ++step) {
    while (length(active - 1) <= step) --active;
    const auto begin = static_cast<std::int64_t>(gather.size());
    const auto count = static_cast<std::int64_t>(active);
    first[static_cast<std::size_t>(step)] = begin;
    for (std::size_t place = 0; place < active; ++place) {
      const std::int64_t row = starts[static_cast<std::size_t>(out.order[place])] + step;
      scatter[static_cast<std::size_t>(row)] = static_cast<std::int64_t>(gather.size());
      gather.push_back(row);
    }
    if (out.segments.empty() || out.segments.back().active != count) {
      out.segments.push_back({begin, begin, count});
    }
    out.segments.back().end += count;
  }
  std::vector<std::int64_t> reversed(static_cast<std::size_t>(total));
  for (std::size_t place = 0; place < n; ++place) {
    const auto row_of = [&](std::int64_t step) {
      return first[static_cast<std::size_t>(step)] + static_cast<std::int64_t>(place);
    };
    for (std::int64_t step = 0; step < length(place); ++step) {
      reversed[static_cast<std::size_t>(row_of(step))] = row_of(length(place) - 1 - step);
    }
  }
  out.gather = cupyxx::array(gather);
  out.scatter = cupyxx::array(scatter);
  out.reversed = cupyxx::array(reversed);
  return out;
}

Variable rows(const Variable& x, std::int64_t begin, std::int64_t end) {
  return get_item(x, {cupyxx::slice(begin, end)});
}

/// The states behind the last step of each sequence, from those behind each segment.
Variable joined(std::vector<Variable> parts) {
  std::reverse(parts.begin(), parts.end());  // longer sequences stand before shorter ones
  return parts.size() == 1 ? parts[0] : concat(parts, 0);
}

/// Steps through the segments. `step` makes new states of the rows of a segment and the states of
/// the sequences that have them; what ends before the next segment is put aside.
template <class Step>
void through(const Packed& packed, std::vector<Variable> state, std::vector<Variable>& last,
             std::vector<Variable>& ys, const Step& step) {
  std::vector<std::vector<Variable>> done(state.size());
  for (std::size_t i = 0; i < packed.segments.size(); ++i) {
    const Packed::Segment& segment = packed.segments[i];
    state = step(segment, state, ys);
    const std::int64_t next = i + 1 < packed.segments.size() ? packed.segments[i + 1].active : 0;
    for (std::size_t k = 0; k < state.size(); ++k) {
      done[k].push_back(next == 0 ? state[k] : rows(state[k], next, segment.active));
      if (next != 0) state[k] = rows(state[k], 0, next);
    }
  }
  for (std::vector<Variable>& parts : done) last.push_back(joined(std::move(parts)));
}

/// The same of cells of one step, from the rows of W x of all.
template <class Cell>
void step_by_step(const Packed& packed, const Variable& of_x, const Variable& h,
                  std::vector<Variable>& last, std::vector<Variable>& ys, const Cell& cell) {
  through(packed, {h}, last, ys,
          [&](const Packed::Segment& segment, std::vector<Variable> state,
              std::vector<Variable>& hidden) {
            for (std::int64_t row = segment.begin; row < segment.end; row += segment.active) {
              state[0] = cell(rows(of_x, row, row + segment.active), state[0]);
              hidden.push_back(state[0]);
            }
            return state;
          });
}

/// A set of two products, of the input and of the hidden state.
struct Products : FunctionSet {
  Products(std::int64_t in, std::int64_t units, std::int64_t gates)
      : x(add("x", Linear(in, gates))), h(add("h", Linear(units, gates))) {}
  Linear& x;
  Linear& h;
};

}  // namespace

NStepNetwork::NStepNetwork(const char* name, std::int64_t n_layers, std::int64_t in_size,
                           std::int64_t out_size, double dropout, int directions)
    : name_(name),
      n_layers_(n_layers),
      in_size_(in_size),
      out_size_(out_size),
      dropout_(dropout),
      directions_(directions) {
  if (n_layers < 1 || n_layers > 10000) {
    throw cupyxx::ValueError(
        cupyxx::message(name, ": the number of layers is not in [1, 10000]; ", n_layers));
  }
  if (!(dropout >= 0 && dropout < 1)) {
    throw cupyxx::ValueError(
        cupyxx::message(name, ": the dropout ratio is not in [0, 1); ", cupyxx::Scalar(dropout)));
  }
  if (in_size < 0 || out_size < 0) {
    throw cupyxx::ValueError(
        cupyxx::message(name, ": a size is negative; ", in_size, " and ", out_size));
  }
  internal::times(name, internal::times(name, 4, out_size), 2);
}

Variable NStepNetwork::state(const Variable& given, const char* what, const Variable& like,
                             std::int64_t n) const {
  const cupyxx::Shape shape = {states(), n, out_size_};
  const cupyxx::dtype dtype = internal::narrowed(like.dtype());
  if (given.is_none()) return cupyxx::zeros(shape, dtype);
  if (given.shape() != shape) {
    throw cupyxx::ShapeError(
        cupyxx::message(name_, ": ", what, " is not ", shape, "; ", given.shape()));
  }
  return cast(given, dtype);
}

NStepLSTMResult NStepNetwork::unroll(const Variable& hx, const Variable& cx,
                                     const std::vector<Variable>& xs, bool has_cells) {
  if (xs.empty()) throw cupyxx::ValueError(cupyxx::message(name_, ": there are no sequences"));
  for (std::size_t i = 0; i < xs.size(); ++i) {
    if (xs[i].is_none()) {
      throw cupyxx::TypeError(cupyxx::message(name_, ": sequence ", i, " is None"));
    }
    const cupyxx::Shape shape = xs[i].shape();
    if (shape.ndim() != 2 || shape[1] != in_size_) {
      throw cupyxx::ShapeError(
          cupyxx::message(name_, ": sequence ", i, " is not (length, ", in_size_, "); ", shape));
    }
    if (shape[0] == 0) {
      throw cupyxx::ValueError(cupyxx::message(name_, ": sequence ", i, " is empty"));
    }
  }
  const cupyxx::DeviceScope device(xs[0].device());
  const auto n = static_cast<std::int64_t>(xs.size());
  const Packed packed = pack(xs);
  const ndarray order = cupyxx::array(packed.order);
  const auto sorted = [&](const Variable& states, std::int64_t number) {
    return get_item(states, {number, order});
  };
  const Variable h = state(hx, "hx", xs[0], n);
  const Variable c = has_cells ? state(cx, "cx", xs[0], n) : Variable();

  Variable x = get_item(xs.size() == 1 ? xs[0] : concat(xs, 0), {packed.gather});
  std::vector<Variable> last_h, last_c;
  for (std::int64_t layer = 0; layer < n_layers_; ++layer) {
    if (layer > 0) x = dropout(x, dropout_);
    std::vector<Variable> both;
    for (int direction = 0; direction < directions_; ++direction) {
      const std::int64_t number = layer * directions_ + direction;
      const auto turned = [&](const Variable& rows) {
        return direction == 0 ? rows : get_item(rows, {packed.reversed});
      };
      const Step step = run(number, turned(x), packed, sorted(h, number),
                            has_cells ? sorted(c, number) : Variable());
      both.push_back(turned(step.y));
      last_h.push_back(step.h);
      if (has_cells) last_c.push_back(step.c);
    }
    x = both.size() == 1 ? both[0] : concat(both, 1);
  }

  std::vector<std::int64_t> places(packed.order.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    places[static_cast<std::size_t>(packed.order[i])] = static_cast<std::int64_t>(i);
  }
  const ndarray back = cupyxx::array(places);
  const auto unsorted = [&](const std::vector<Variable>& states) {
    return get_item(stack(states), {cupyxx::slice(), back});
  };
  return {unsorted(last_h), has_cells ? unsorted(last_c) : Variable(),
          split_axis(get_item(x, {packed.scatter}), packed.ends, 0)};
}

NStepLSTM::NStepLSTM(const char* name, std::int64_t n_layers, std::int64_t in_size,
                     std::int64_t out_size, double dropout, int directions)
    : NStepNetwork(name, n_layers, in_size, out_size, dropout, directions) {
  for (std::int64_t i = 0; i < states(); ++i) {
    layers_.push_back(&add(std::to_string(i), LSTMSequence(input_of(i), out_size)));
  }
}

NStepNetwork::Step NStepLSTM::run(std::int64_t number, const Variable& x, const Packed& packed,
                                  const Variable& h, const Variable& c) {
  const LSTMSequence& layer = *layers_[static_cast<std::size_t>(number)];
  std::vector<Variable> last, ys;
  through(packed, {h, c}, last, ys,
          [&](const Packed::Segment& segment, const std::vector<Variable>& state,
              std::vector<Variable>& hidden) {
            const Variable part = rows(x, segment.begin, segment.end);
            const auto [y, cells] =
                layer(reshape(part, {segment.steps(), segment.active, input_of(number)}), state[1],
                      state[0]);
            hidden.push_back(reshape(y, {segment.end - segment.begin, out_size()}));
            return std::vector<Variable>{get_item(y, {-1}), cells};
          });
  return {ys.size() == 1 ? ys[0] : concat(ys, 0), last[0], last[1]};
}

NStepLSTMResult NStepLSTM::operator()(const Variable& hx, const Variable& cx,
                                      const std::vector<Variable>& xs) {
  return unroll(hx, cx, xs, true);
}

NStepProducts::NStepProducts(const char* name, std::int64_t n_layers, std::int64_t in_size,
                             std::int64_t out_size, double dropout, int directions,
                             std::int64_t gates)
    : NStepNetwork(name, n_layers, in_size, out_size, dropout, directions) {
  for (std::int64_t i = 0; i < states(); ++i) {
    auto& layer = add<Products>(std::to_string(i), input_of(i), out_size, gates * out_size);
    of_x_.push_back(&layer.x);
    of_h_.push_back(&layer.h);
  }
}

NStepNetwork::Step NStepProducts::run(std::int64_t number, const Variable& x, const Packed& packed,
                                      const Variable& h, const Variable&) {
  const auto i = static_cast<std::size_t>(number);
  std::vector<Variable> last, ys;
  step_by_step(packed, (*of_x_[i])(x), h, last, ys,
               [&](const Variable& of_x, const Variable& state) {
                 return next(of_x, (*of_h_[i])(state), state);
               });
  return {ys.size() == 1 ? ys[0] : concat(ys, 0), last[0], {}};
}

NStepResult NStepProducts::operator()(const Variable& hx, const std::vector<Variable>& xs) {
  NStepLSTMResult out = unroll(hx, {}, xs, false);
  return {std::move(out.hy), std::move(out.ys)};
}

Variable NStepGRU::next(const Variable& of_x, const Variable& of_h, const Variable& h) const {
  const std::vector<Variable> a = split_axis(of_x, 3, 1), b = split_axis(of_h, 3, 1);
  const Variable r = sigmoid(a[0] + b[0]), z = sigmoid(a[1] + b[1]);
  const Variable candidate = tanh(a[2] + r * b[2]);
  return candidate + z * (h - candidate);
}

Variable NStepRNN::next(const Variable& of_x, const Variable& of_h, const Variable&) const {
  return activation_(of_x + of_h, true);
}

NStepRNNTanh::NStepRNNTanh(std::int64_t n_layers, std::int64_t in_size, std::int64_t out_size,
                           double dropout)
    : NStepRNN("NStepRNNTanh", n_layers, in_size, out_size, dropout, 1, tanh) {}
NStepRNNReLU::NStepRNNReLU(std::int64_t n_layers, std::int64_t in_size, std::int64_t out_size,
                           double dropout)
    : NStepRNN("NStepRNNReLU", n_layers, in_size, out_size, dropout, 1, relu) {}
NStepBiRNNTanh::NStepBiRNNTanh(std::int64_t n_layers, std::int64_t in_size, std::int64_t out_size,
                               double dropout)
    : NStepRNN("NStepBiRNNTanh", n_layers, in_size, out_size, dropout, 2, tanh) {}
NStepBiRNNReLU::NStepBiRNNReLU(std::int64_t n_layers, std::int64_t in_size, std::int64_t out_size,
                               double dropout)
    : NStepRNN("NStepBiRNNReLU", n_layers, in_size, out_size, dropout, 2, relu) {}

}  // namespace chainerxx::functions
