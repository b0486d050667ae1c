// SPDX-License-Identifier: MIT
#include "chainerxx/functions/loss/ctc.h"

#include <algorithm>
#include <utility>

#include "chainerxx/functions/loss/ctc_composed.h"
#include "chainerxx/internal/array_ops.h"
#include "chainerxx/internal/graph.h"
#include "chainerxx/internal/sequence_ops.h"
#include "cupyxx/error.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"
#include "typecheck/expect.h"

namespace chainerxx::functions {

void ConnectionistTemporalClassification::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() >= 2);
  const auto t = in[0], first = in[1];
  typecheck::expect(t.dtype().kind() == 'i', t.ndim() == 2, first.dtype().kind() == 'f',
                    first.ndim() == 2, first.shape()[0] == t.shape()[0],
                    typecheck::Variable(blank_, "blank_symbol") >= 0,
                    typecheck::Variable(blank_, "blank_symbol") < first.shape()[1]);
  for (std::size_t i = 2; i < in.types().size(); ++i) {
    const auto x = in[static_cast<std::int64_t>(i)];
    typecheck::expect(x.dtype() == first.dtype(), x.shape() == first.shape());
  }
  const auto expect_length = [&](const ndarray& lengths, const char* name) {
    if (lengths.is_none()) return;
    if (lengths.dtype().kind() != 'i') {
      throw cupyxx::DtypeError(cupyxx::message(
          "connectionist_temporal_classification: lengths are integers; ", lengths.dtype().name()));
    }
    typecheck::expect(typecheck::Variable(lengths.size(), name) == t.shape()[0]);
  };
  expect_length(lengths_.input, "input_length.size");
  expect_length(lengths_.label, "label_length.size");
}

CtcLengths ConnectionistTemporalClassification::lengths_on(cupyxx::Device device) const {
  const auto moved = [&](const ndarray& a) { return a.is_none() ? a : a.to(device); };
  return {moved(lengths_.input), moved(lengths_.label), lengths_.reduce};
}

std::int64_t ConnectionistTemporalClassification::divisor() const {
  return lengths_.reduce == Reduce::sum ? 1 : std::max<std::int64_t>(batch_, 1);
}

std::vector<ndarray> ConnectionistTemporalClassification::forward(ArraySpan in) {
  const ndarray x = cupyxx::stack(in.subspan(1), 0);
  const cupyxx::Shape shape = x.shape();
  const ndarray rows = x.reshape({shape[0] * shape[1], shape[2]});
  const ndarray log_y = internal::log_softmax(rows).reshape(shape);
  const CtcLengths lengths = lengths_on(x.device());
  internal::Ctc result =
      internal::ctc(log_y, in[0], lengths.input, lengths.label, blank_, records());
  grad_ = std::move(result.grad);
  batch_ = shape[1];
  if (lengths_.reduce == Reduce::no) return {result.loss.astype(x.dtype())};
  return {(result.loss.sum() / divisor()).astype(x.dtype())};
}

std::vector<ndarray> ConnectionistTemporalClassification::backward(ArraySpan in, ArraySpan gy) {
  const bool is_of_each = lengths_.reduce == Reduce::no;
  const ndarray all = grad_ * (is_of_each ? gy[0].reshape({1, batch_, 1}) : gy[0] / divisor());
  std::vector<ndarray> grads(in.size());
  for (std::size_t i = 1; i < in.size(); ++i) grads[i] = all(static_cast<std::int64_t>(i) - 1);
  return grads;
}

std::vector<Variable> ConnectionistTemporalClassification::backward_variables(VariableSpan in,
                                                                              VariableSpan gy) {
  return internal::differentiate_composed(in, gy, [&](const std::vector<Variable>& v) {
    return std::vector<Variable>{composed_ctc(v, blank_, lengths_on(v[0].data().device()))};
  });
}

Variable connectionist_temporal_classification(const std::vector<Variable>& x, const Variable& t,
                                               int blank_symbol, const CtcLengths& lengths) {
  std::vector<Variable> inputs{t};
  inputs.insert(inputs.end(), x.begin(), x.end());
  return ConnectionistTemporalClassification(blank_symbol, lengths)(inputs);
}

}  // namespace chainerxx::functions
