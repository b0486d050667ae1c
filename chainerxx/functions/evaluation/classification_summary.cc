// SPDX-License-Identifier: MIT
#include "chainerxx/functions/evaluation/classification_summary.h"

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/logic.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"
#include "cupyxx/statistics.h"
#include "typecheck/expect.h"

namespace chainerxx::functions {
namespace {

/// How often each class stands in `which` where the condition holds.
ndarray counts(const ndarray& condition, const ndarray& which, std::int64_t classes) {
  const ndarray places = cupyxx::where(condition, which, classes).ravel();
  return cupyxx::bincount(places, {.minlength = classes + 1})(cupyxx::slice(0, classes));
}

/// a / b, and 0 where nothing is to be divided.
ndarray share(const ndarray& a, const ndarray& b) {
  const ndarray is_something = cupyxx::not_equal(b, 0);
  return cupyxx::where(is_something, a / cupyxx::where(is_something, b, 1.0), 0.0);
}

}  // namespace

ClassificationSummary::ClassificationSummary(const ClassificationSummaryOptions& options)
    : options_(options) {
  if (options.beta > 0) return;
  throw cupyxx::ValueError(cupyxx::message("classification_summary: beta is not positive; ",
                                           cupyxx::Scalar(options.beta)));
}

void ClassificationSummary::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 2);
  const auto y = in[0], t = in[1];
  typecheck::expect(y.dtype().kind() == 'f', t.dtype().kind() == 'i', y.ndim() >= 2,
                    t.ndim() == y.ndim() - 1, y.shape()[0] == t.shape()[0],
                    y.shape()[typecheck::slice(2, typecheck::none)] ==
                        t.shape()[typecheck::slice(1, typecheck::none)],
                    y.shape()[1] >= 1);
}

std::vector<ndarray> ClassificationSummary::forward(ArraySpan in) {
  const std::int64_t classes = in[0].shape()[1];
  const ndarray counted = cupyxx::not_equal(in[1], options_.ignore_label);
  const ndarray given = in[1].astype(cupyxx::int64, false);
  // Taking the labels among the classes reports those out of range; -1 must not count from the end.
  const ndarray t = cupyxx::take(
      cupyxx::arange(classes), cupyxx::where(counted, cupyxx::where(given < 0, classes, given), 0));
  const ndarray found = in[0].argmax(1);
  const ndarray is_right = cupyxx::logical_and(counted, cupyxx::equal(found, t));
  const ndarray support = counts(counted, t, classes);
  const ndarray right = counts(is_right, t, classes).astype(cupyxx::float64);
  const ndarray precision = share(right, counts(counted, found, classes).astype(cupyxx::float64));
  const ndarray recall = share(right, support.astype(cupyxx::float64));
  const double square = options_.beta * options_.beta;
  const ndarray score = share(precision * recall * (1 + square), precision * square + recall);
  const cupyxx::dtype type = in[0].dtype();
  return {precision.astype(type), recall.astype(type), score.astype(type), support};
}

VariableArray<4> classification_summary(const Variable& y, const Variable& t,
                                        const ClassificationSummaryOptions& options) {
  return ClassificationSummary(options)(y, t);
}
VariableArray<2> precision(const Variable& y, const Variable& t,
                           const ClassificationSummaryOptions& options) {
  const auto summary = classification_summary(y, t, options);
  return {summary[0], summary[3]};
}
VariableArray<2> recall(const Variable& y, const Variable& t,
                        const ClassificationSummaryOptions& options) {
  const auto summary = classification_summary(y, t, options);
  return {summary[1], summary[3]};
}
VariableArray<2> f1_score(const Variable& y, const Variable& t,
                          const ClassificationSummaryOptions& options) {
  const auto summary = classification_summary(y, t, options);
  return {summary[2], summary[3]};
}

}  // namespace chainerxx::functions
