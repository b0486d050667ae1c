// SPDX-License-Identifier: MIT
#include "chainerxx/functions/connection/stateful.h"

#include <cmath>

#include "chainerxx/functions/activation/lstm.h"
#include "chainerxx/functions/activation/pointwise.h"
#include "chainerxx/functions/array/array.h"
#include "chainerxx/functions/array/parts.h"
#include "chainerxx/functions/connection/recurrent_state.h"
#include "chainerxx/internal/checked_extent.h"
#include "chainerxx/internal/initialize.h"
#include "chainerxx/internal/same_shape.h"
#include "cupyxx/error.h"

namespace chainerxx::functions {
namespace {

using cupyxx::Shape;
using initializers::Initial;
using internal::check_batch, internal::check_input, internal::check_state, internal::follow,
    internal::zeros_beside;

constexpr int kInput = 0, kForget = 2, kGates = 4;  // rows a, i, f, o of each unit

/// Rows of one gate among those of all units, (4 units, ...).
ndarray gate(const ndarray& all, int number) {
  return all(cupyxx::slice(number, cupyxx::none, kGates));
}

std::int64_t gate_rows(const char* name, std::int64_t units) {
  return internal::times(name, kGates, units);
}

/// Draws the gates of all units one by one, each as an array of its own.
class Gates final : public initializers::Initializer {
 public:
  Gates(const Initial& initial, const Initial& forget) : initial_(initial), forget_(forget) {}

  void operator()(const ndarray& array) const override {
    const cupyxx::DeviceScope device(array.device());
    Shape shape = array.shape();
    shape[0] /= kGates;
    for (int number = kInput; number < kGates; ++number) {
      const Initial& initial = number == kForget ? forget_ : initial_;
      if (initial.is_none()) {
        gate(array, number).fill(0);
      } else {
        gate(array, number).set(generate_array(initial, shape, array.dtype()));
      }
    }
  }

 private:
  Initial initial_, forget_;
};

/// The layers of cells without peepholes, as the options say.
Linear upward_layer(const char* name, const InputSize& in_size, std::int64_t out_size,
                    const StatefulLSTMOptions& options) {
  LinearOptions how{.initial_bias = Gates(options.bias_init, options.forget_bias_init)};
  if (!options.upward_init.is_none())
    how.initialW = Gates(options.upward_init, options.upward_init);
  return Linear(in_size, gate_rows(name, out_size), how);
}

Linear lateral_layer(const char* name, std::int64_t out_size, const StatefulLSTMOptions& options) {
  LinearOptions how{.nobias = true};
  if (!options.lateral_init.is_none()) {
    how.initialW = Gates(options.lateral_init, options.lateral_init);
  }
  return Linear(out_size, gate_rows(name, out_size), how);
}

}  // namespace

StatefulLSTM::StatefulLSTM(const InputSize& in_size, std::int64_t out_size,
                           const StatefulLSTMOptions& options)
    : upward(add("upward", upward_layer("StatefulLSTM", in_size, out_size, options))),
      lateral(add("lateral", lateral_layer("StatefulLSTM", out_size, options))) {}

Variable StatefulLSTM::operator()(const Variable& x) {
  check_input("StatefulLSTM", x);
  follow(c_, x);
  follow(h_, x);
  Variable gates = upward(x);
  Variable resting_c, resting_h;  // of sequences that have ended
  if (!h_.is_none()) {
    const std::int64_t before = h_.shape()[0], n = x.shape()[0];
    if (n > before) {
      throw cupyxx::ShapeError(cupyxx::message(
          "StatefulLSTM: the batch is larger than the one before; ", n, " and ", before));
    }
    if (n < before) {
      const std::vector<Variable> c = split_axis(c_, {n}, 0), h = split_axis(h_, {n}, 0);
      c_ = c[0];
      h_ = h[0];
      resting_c = c[1];
      resting_h = h[1];
    }
    gates = gates + lateral(h_);
  }
  if (c_.is_none()) c_ = zeros_beside(gates, lateral.W.shape()[1]);
  const auto [c, h] = lstm(c_, gates);
  c_ = resting_c.is_none() ? c : concat({c, resting_c}, 0);
  h_ = resting_h.is_none() ? h : concat({h, resting_h}, 0);
  return h;
}

void StatefulLSTM::reset_state() { c_ = h_ = Variable(); }

void StatefulLSTM::set_state(const Variable& c, const Variable& h) {
  internal::expect_same_shape("StatefulLSTM", {&c, &h});
  check_state("StatefulLSTM", c, lateral.W.shape()[1]);
  c_ = c;
  h_ = h;
}

StatelessLSTM::StatelessLSTM(const InputSize& in_size, std::int64_t out_size,
                             const StatefulLSTMOptions& options)
    : upward(add("upward", upward_layer("StatelessLSTM", in_size, out_size, options))),
      lateral(add("lateral", lateral_layer("StatelessLSTM", out_size, options))) {}

VariableArray<2> StatelessLSTM::operator()(const Variable& c, const Variable& h,
                                           const Variable& x) const {
  check_input("StatelessLSTM", x);
  check_batch("StatelessLSTM", h, x);
  const Variable gates = h.is_none() ? upward(x) : upward(x) + lateral(h);
  return lstm(c.is_none() ? zeros_beside(gates, lateral.W.shape()[1]) : c, gates);
}

Variable StatefulGRU::operator()(const Variable& x) {
  check_input("StatefulGRU", x);
  follow(h_, x);
  check_batch("StatefulGRU", h_, x);
  if (h_.is_none()) {
    h_ = sigmoid(W_z(x)) * tanh(W(x));
  } else {
    h_ = GRU::operator()(h_, x);
  }
  return h_;
}

void StatefulGRU::reset_state() { h_ = Variable(); }

void StatefulGRU::set_state(const Variable& h) {
  internal::refuse_none("StatefulGRU", {&h});
  check_state("StatefulGRU", h, U.W.shape()[1]);
  h_ = h;
}

StatefulPeepholeLSTM::StatefulPeepholeLSTM(const InputSize& in_size, std::int64_t out_size)
    : upward(add("upward", Linear(in_size, gate_rows("StatefulPeepholeLSTM", out_size)))),
      lateral(add("lateral",
                  Linear(out_size, gate_rows("StatefulPeepholeLSTM", out_size), {.nobias = true}))),
      peep_i(add("peep_i", Linear(out_size, out_size, {.nobias = true}))),
      peep_f(add("peep_f", Linear(out_size, out_size, {.nobias = true}))),
      peep_o(add("peep_o", Linear(out_size, out_size, {.nobias = true}))) {}

Variable StatefulPeepholeLSTM::operator()(const Variable& x) {
  check_input("StatefulPeepholeLSTM", x);
  follow(c_, x);
  follow(h_, x);
  check_batch("StatefulPeepholeLSTM", h_, x);
  Variable all = upward(x);
  if (!h_.is_none()) all = all + lateral(h_);
  const std::int64_t units = peep_i.W.shape()[0];
  if (c_.is_none()) c_ = zeros_beside(all, units);
  const Variable gates = reshape(all, {all.shape()[0], units, kGates});
  const auto part = [&](int k) { return get_item(gates, {cupyxx::slice(), cupyxx::slice(), k}); };
  const Variable a = tanh(part(0)), i = sigmoid(part(1) + peep_i(c_)),
                 f = sigmoid(part(2) + peep_f(c_));
  c_ = a * i + f * c_;
  h_ = sigmoid(part(3) + peep_o(c_)) * tanh(c_);
  return h_;
}

void StatefulPeepholeLSTM::reset_state() { c_ = h_ = Variable(); }

void StatefulPeepholeLSTM::set_state(const Variable& c, const Variable& h) {
  internal::expect_same_shape("StatefulPeepholeLSTM", {&c, &h});
  check_state("StatefulPeepholeLSTM", c, peep_i.W.shape()[0]);
  c_ = c;
  h_ = h;
}

}  // namespace chainerxx::functions
