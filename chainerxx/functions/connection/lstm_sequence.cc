// SPDX-License-Identifier: MIT
#include "chainerxx/functions/connection/lstm_sequence.h"

#include <cmath>

#include "chainerxx/functions/activation/lstm.h"
#include "chainerxx/functions/array/array.h"
#include "chainerxx/functions/array/parts.h"
#include "chainerxx/functions/connection/linear.h"
#include "chainerxx/internal/array_ops.h"
#include "chainerxx/internal/checked_extent.h"
#include "chainerxx/internal/contiguous_sum.h"
#include "chainerxx/internal/graph.h"
#include "chainerxx/internal/initial_value.h"
#include "chainerxx/internal/parameter_shapes.h"
#include "chainerxx/internal/parameter_variable.h"
#include "chainerxx/internal/precision.h"
#include "chainerxx/internal/sequence_ops.h"
#include "chainerxx/internal/takes_beside.h"
#include "cupyxx/creation.h"
#include "cupyxx/indexing.h"
#include "cupyxx/linalg.h"
#include "typecheck/expect.h"

namespace chainerxx::functions {
namespace {

/// All steps as the rows of one matrix.
ndarray as_rows(const ndarray& x) {
  const cupyxx::Shape s = x.shape();
  return x.reshape({s[0] * s[1], s[2]});
}

/// gW += gates^T x, and the sums of the gates to `gb`, if given.
void add_weight_gradient(const ndarray& gates, const ndarray& x, const ndarray& gW,
                         const ndarray& gb) {
  const ndarray rows = as_rows(gates);
  const bool together = gates.dtype() == cupyxx::float32 && gW.device().is_cuda();
  const internal::ContiguousSum weights(gW), bias(together ? gb : ndarray());
  cupyxx::gemm(rows.T(), as_rows(x),
               {.out = weights.get(), .accumulate = true, .row_sums = bias.get()});
  weights.finish();
  bias.finish();
  if (!gb.is_none() && !together) internal::add_column_sums(rows, gb);
}

/// Whether a step's product by itself is so fast that the gradients of a cell may follow it: few
/// rows by a matrix of odd pairs in TF32, for which cupyxx has kernels of its own.
bool has_fast_product(const ndarray& h) {
  const std::int64_t n = h.shape()[0], units = h.shape()[1];
  return h.dtype() == cupyxx::float32 && cupyxx::compute_precision() != Precision::float32 &&
         n >= 5 && n <= 32 && units % 4 == 2;
}

}  // namespace

LSTMSequence::LSTMSequence(std::int64_t in_size, std::int64_t units,
                           const LSTMSequenceOptions& options) {
  internal::check_sizes("LSTMSequence", {in_size, units});
  internal::check_floating("LSTMSequence", options.dtype);
  if (internal::skips_initialization()) return;
  const std::int64_t rows = internal::times("LSTMSequence", 4, units);
  const auto matrix = [&](std::int64_t columns) {
    const double deviation = options.wscale * std::sqrt(1.0 / static_cast<double>(columns));
    return internal::normal({rows, columns}, deviation, options.dtype);
  };
  const char* const name = "LSTMSequence";
  W = internal::initial_weights(name, "initialW", options.initialW, {rows, in_size}, options.dtype,
                                [&] { return matrix(in_size); });
  U = options.initialU.array().is_none()
          ? internal::initial_weights(name, "initialU", options.initialU, {rows, units}, W.dtype(),
                                      [&] { return matrix(units).astype(W.dtype(), false); })
          : internal::checked_bias(name, "initialU", options.initialU.array(), {rows, units},
                                   W.dtype());
  b = internal::initial_bias(name, "initial_bias", options.initial_bias, {rows}, W.dtype(), 0);
  gW = cupyxx::zeros_like(W, {.order = cupyxx::Order::C});
  gU = cupyxx::zeros_like(U, {.order = cupyxx::Order::C});
  gb = cupyxx::zeros_like(b);
}

std::vector<Field> LSTMSequence::fields() {
  return {{"W", &W, &gW, true}, {"U", &U, &gU, true}, {"b", &b, &gb, true}};
}

void LSTMSequence::check_type_forward(const typecheck::TypeInfos& in) const {
  internal::expect_rank("LSTMSequence", "W", W, 2);
  internal::expect_rank("LSTMSequence", "U", U, 2);
  const std::int64_t rows = 4 * U.shape()[1];
  internal::expect_beside("LSTMSequence", "U", U, "W", W, {rows, W.shape()[1]});
  internal::expect_beside("LSTMSequence", "W", W, "U", U, {rows, U.shape()[1]});
  internal::expect_beside("LSTMSequence", "U", U, "b", b, {rows});
  typecheck::expect(in.size() == 3);
  const auto x = in[0], c = in[1], h = in[2];
  if (!internal::takes_beside(W.dtype(), in.types()[0].dtype())) {
    typecheck::expect(x.dtype() == W.dtype());
  }
  typecheck::expect(c.dtype() == x.dtype(), h.dtype() == x.dtype(), x.ndim() == 3, c.ndim() == 2,
                    h.ndim() == 2, x.shape()[2] == typecheck::Variable(W.shape()[1], "W.shape[1]"),
                    c.shape()[1] == typecheck::Variable(U.shape()[1], "U.shape[1]"),
                    c.shape()[0] == x.shape()[1], h.shape() == c.shape());
}

std::vector<ndarray> LSTMSequence::forward(ArraySpan in) {
  const cupyxx::Shape x = in[0].shape();
  const std::int64_t steps = x[0], n = x[1], units = U.shape()[1];
  const cupyxx::dtype dtype = in[0].dtype();
  const ndarray narrow_W = internal::narrow_parameter(W, dtype);
  const ndarray narrow_U = internal::narrow_parameter(U, dtype);
  const ndarray bias = internal::narrow_parameter(b, dtype);
  const ndarray gates_of_x = cupyxx::gemm(as_rows(in[0]), narrow_W.T(), {.bias = bias});
  gates_ = gates_of_x.reshape({steps, n, 4 * units});
  c_ = internal::empty_beside(in[0], {steps + 1, n, units}, dtype);
  h_ = cupyxx::empty_like(c_);
  c_(0) = in[1];
  h_(0) = in[2];
  const bool in_one = internal::has_lstm_step(in[2]);
  const ndarray weights = in_one ? internal::contiguous(narrow_U) : narrow_U;
  const ndarray columns = narrow_U.T();
  for (std::int64_t t = 0; t < steps; ++t) {
    const ndarray gates = gates_(t);
    const internal::LstmState next{c_(t + 1), h_(t + 1)};
    if (in_one) {
      internal::lstm_step(weights, h_(t), c_(t), gates, next);
    } else {
      cupyxx::gemm(h_(t), columns, {.out = gates, .accumulate = true});
      internal::lstm(c_(t), gates, next);
    }
  }
  const ndarray y = h_(cupyxx::slice(1, steps + 1)), c = ndarray(c_(steps)).copy();
  if (records()) {
    saved_W_ = internal::SavedArray(W);
    saved_U_ = internal::SavedArray(U);
    return {y.copy(), c};  // so that nobody changes what backward reads
  }
  return {y, c};
}

LSTMSequence::Unrolled LSTMSequence::unroll_backward(const ndarray& gy, const ndarray& gc) const {
  const std::int64_t steps = gates_.shape()[0];
  const ndarray weights = internal::narrow_parameter(saved_U_.get(*this), gates_.dtype());
  Unrolled out{cupyxx::empty_like(gates_), cupyxx::zeros_like(ndarray(c_(0))), {}};
  if (!gc.is_none()) out.c.set(gc);
  const ndarray gh = gy.is_none() ? cupyxx::zeros_like(ndarray(c_(cupyxx::slice(1, steps + 1))))
                                  : gy.copy(cupyxx::Order::C);
  if (steps == 0) {
    out.h = cupyxx::zeros_like(out.c);
    return out;
  }
  const bool in_one = internal::has_lstm_step(out.c) && !has_fast_product(out.c);
  const ndarray transposed = in_one ? internal::contiguous(weights.T()) : ndarray();
  for (std::int64_t t = steps - 1; t >= 0; --t) {
    const internal::LstmGradients grads{out.c, out.gates(t)};
    const bool is_last = t == steps - 1;
    if (in_one && !is_last) {
      internal::lstm_step_grad(transposed, out.gates(t + 1), c_(t), gates_(t), c_(t + 1), gh(t),
                               grads);
      continue;
    }
    if (!is_last) cupyxx::gemm(out.gates(t + 1), weights, {.out = gh(t), .accumulate = true});
    internal::lstm_grad(c_(t), gates_(t), c_(t + 1), out.c, gh(t), grads);
  }
  out.h = cupyxx::gemm(out.gates(0), weights);
  return out;
}

std::vector<ndarray> LSTMSequence::backward(ArraySpan in, ArraySpan gy) {
  const Unrolled grads = unroll_backward(gy[0], gy[1]);
  add_weight_gradient(grads.gates, in[0], gW, gb);
  add_weight_gradient(grads.gates, h_(cupyxx::slice(0, -1)), gU, {});
  ndarray gx;
  if (needs_gradient(0)) {
    const ndarray weights = internal::narrow_parameter(saved_W_.get(*this), gates_.dtype());
    gx = cupyxx::gemm(as_rows(grads.gates), weights).reshape(in[0].shape());
  }
  return {gx, grads.c, grads.h};
}

std::vector<Variable> LSTMSequence::backward_variables(VariableSpan in, VariableSpan gy) {
  const std::vector<Variable> all = {in[0],
                                     in[1],
                                     in[2],
                                     internal::parameter(saved_W_.get(*this), gW),
                                     internal::parameter(saved_U_.get(*this), gU),
                                     internal::parameter(b, gb)};
  const std::vector<Variable> grads =
      internal::differentiate_composed(all, gy, [](const std::vector<Variable>& v) {
        const cupyxx::Shape x = v[0].shape();
        const Variable rows = linear(reshape(v[0], {x[0] * x[1], x[2]}), v[3], v[5]);
        const Variable gates = reshape(rows, {x[0], x[1], rows.shape()[1]});
        Variable c = v[1], h = v[2];
        std::vector<Variable> y;
        for (std::int64_t t = 0; t < x[0]; ++t) {
          const auto [next_c, next_h] = lstm(c, get_item(gates, {t}) + linear(h, v[4]));
          c = next_c;
          h = next_h;
          y.push_back(h);
        }
        return std::vector<Variable>{stack(y), c};
      });
  internal::add_gradient(gW, grads[3]);
  internal::add_gradient(gU, grads[4]);
  internal::add_gradient(gb, grads[5]);
  return {grads[0], grads[1], grads[2]};
}

}  // namespace chainerxx::functions
