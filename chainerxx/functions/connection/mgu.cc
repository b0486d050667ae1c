// SPDX-License-Identifier: MIT
#include "chainerxx/functions/connection/mgu.h"

#include "chainerxx/functions/activation/lstm.h"
#include "chainerxx/functions/activation/pointwise.h"
#include "chainerxx/functions/array/array.h"
#include "chainerxx/functions/array/cast.h"
#include "chainerxx/functions/connection/recurrent_state.h"
#include "chainerxx/functions/noise/zoneout.h"
#include "chainerxx/internal/checked_extent.h"
#include "chainerxx/internal/initialize.h"
#include "chainerxx/internal/narrow_types.h"
#include "cupyxx/scalar.h"

namespace chainerxx::functions {
namespace {

constexpr const char* kMGU = "MGU";
constexpr const char* kZoneout = "StatefulZoneoutLSTM";

std::int64_t joined(std::int64_t in_size, std::int64_t out_size) {
  internal::check_sizes(kMGU, {in_size, out_size});
  return internal::product_plus(kMGU, 1, in_size, out_size);
}

double checked_ratio(double ratio) {
  if (ratio >= 0 && ratio < 1) return ratio;
  throw cupyxx::ValueError(
      cupyxx::message(kZoneout, ": the ratio is not in [0, 1); ", cupyxx::Scalar(ratio)));
}

}  // namespace

StatelessMGU::StatelessMGU(std::int64_t in_size, std::int64_t out_size)
    : W_f(add("W_f", Linear(joined(in_size, out_size), out_size))),
      W_h(add("W_h", Linear(joined(in_size, out_size), out_size))) {}

Variable StatelessMGU::operator()(const Variable& state, const Variable& input) const {
  internal::refuse_none(kMGU, {&state, &input});
  const Variable h = cast(state, internal::narrowed(state.dtype()));
  const Variable x = cast(input, internal::narrowed(input.dtype()));
  if (h.ndim() != 2 || x.ndim() != 2 || h.shape()[0] != x.shape()[0]) {
    throw cupyxx::ShapeError(
        cupyxx::message(kMGU, ": the state and the input are not (n, out) and (n, in); ", h.shape(),
                        " and ", x.shape()));
  }
  const Variable f = sigmoid(W_f(concat({h, x}, 1)));
  const Variable candidate = tanh(W_h(concat({f * h, x}, 1)));
  return h + f * (candidate - h);
}

StatefulMGU::StatefulMGU(std::int64_t in_size, std::int64_t out_size)
    : StatelessMGU(in_size, out_size) {}

Variable StatefulMGU::operator()(const Variable& x) {
  internal::check_input(kMGU, x);
  internal::follow(h_, x);
  const std::int64_t units = W_f.W.shape()[0];
  h_ = StatelessMGU::operator()(h_.is_none() ? internal::zeros_beside(x, units) : h_, x);
  return h_;
}

void StatefulMGU::reset_state() { h_ = Variable(); }

void StatefulMGU::set_state(const Variable& h) {
  internal::refuse_none(kMGU, {&h});
  internal::check_state(kMGU, h, W_f.W.shape()[0]);
  h_ = h;
}

StatefulZoneoutLSTM::StatefulZoneoutLSTM(std::int64_t in_size, std::int64_t out_size,
                                         double c_ratio, double h_ratio)
    : upward(add("upward", Linear(in_size, internal::times(kZoneout, 4, out_size)))),
      lateral(add("lateral",
                  Linear(out_size, internal::times(kZoneout, 4, out_size), {.nobias = true}))),
      c_ratio_(checked_ratio(c_ratio)),
      h_ratio_(checked_ratio(h_ratio)) {}

Variable StatefulZoneoutLSTM::operator()(const Variable& x, bool train) {
  internal::check_input(kZoneout, x);
  internal::follow(c_, x);
  internal::follow(h_, x);
  internal::check_batch(kZoneout, h_, x);
  Variable gates = upward(x);
  const std::int64_t units = lateral.W.shape()[1];
  if (h_.is_none()) {
    h_ = internal::zeros_beside(gates, units);
    c_ = internal::zeros_beside(gates, units);
  } else {
    gates = gates + lateral(h_);
  }
  const auto [c, h] = lstm(c_, gates);
  c_ = zoneout(cast(c_, c.dtype()), c, c_ratio_, train);
  h_ = zoneout(cast(h_, h.dtype()), h, h_ratio_, train);
  return h_;
}

void StatefulZoneoutLSTM::reset_state() { c_ = h_ = Variable(); }

void StatefulZoneoutLSTM::set_state(const Variable& c, const Variable& h) {
  internal::expect_same_shape(kZoneout, {&c, &h});
  internal::check_state(kZoneout, c, lateral.W.shape()[1]);
  c_ = c;
  h_ = h;
}

}  // namespace chainerxx::functions
