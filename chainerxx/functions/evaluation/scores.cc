// SPDX-License-Identifier: MIT
#include "chainerxx/functions/evaluation/scores.h"

#include "cupyxx/creation.h"
#include "cupyxx/indexing.h"
#include "cupyxx/logic.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"
#include "typecheck/expect.h"

namespace chainerxx::functions {

void BinaryAccuracy::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 2);
  const auto y = in[0], t = in[1];
  typecheck::expect(y.dtype().kind() == 'f', t.dtype().kind() == 'i', y.shape() == t.shape());
}

std::vector<ndarray> BinaryAccuracy::forward(ArraySpan in) {
  const ndarray counted = cupyxx::not_equal(in[1], -1);
  const ndarray is_right = cupyxx::equal((in[0] >= 0).astype(cupyxx::int64), in[1]);
  const ndarray right = cupyxx::logical_and(counted, is_right).sum();
  return {(right / cupyxx::maximum(counted.sum(), 1)).astype(in[0].dtype())};
}

void R2Score::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 2, in[0].dtype().kind() == 'f', in[0].dtype() == in[1].dtype(),
                    in[0].shape() == in[1].shape(), in[0].ndim() >= 1);
}

std::vector<ndarray> R2Score::forward(ArraySpan in) {
  const cupyxx::dtype type = in[0].dtype();
  const ndarray pred = in[0].astype(cupyxx::float64, false);
  const ndarray truth = in[1].astype(cupyxx::float64, false);
  if (pred.size() == 0) {  // means of nothing are no numbers
    const cupyxx::Shape outputs = pred.sum(0).shape();
    const bool is_one = multioutput_ == MultiOutput::uniform_average;
    return {cupyxx::zeros(is_one ? cupyxx::Shape{} : outputs, type)};
  }
  const ndarray missed = cupyxx::square(truth - pred).sum(0);
  const ndarray spread = cupyxx::square(truth - truth.mean(0)).sum(0);
  const ndarray varies = cupyxx::not_equal(spread, 0);
  const ndarray score = cupyxx::where(varies, 1 - missed / cupyxx::where(varies, spread, 1.0), 0.0);
  const ndarray result = multioutput_ == MultiOutput::raw_values ? score : score.mean();
  return {result.astype(type)};
}

Variable binary_accuracy(const Variable& y, const Variable& t) { return BinaryAccuracy()(y, t); }
Variable r2_score(const Variable& pred, const Variable& truth, MultiOutput multioutput) {
  return R2Score(multioutput)(pred, truth);
}

}  // namespace chainerxx::functions
