// SPDX-License-Identifier: MIT
#include "chainerxx/functions/loss/sampled_losses.h"

#include <limits>

#include "chainerxx/functions/activation/pointwise.h"
#include "chainerxx/functions/array/array.h"
#include "chainerxx/functions/array/axes.h"
#include "chainerxx/functions/array/copying.h"
#include "chainerxx/functions/array/parts.h"
#include "chainerxx/functions/loss/reduced.h"
#include "chainerxx/functions/math/arithmetic.h"
#include "chainerxx/functions/math/elementary.h"
#include "chainerxx/functions/math/exponential.h"
#include "chainerxx/functions/math/reductions.h"
#include "chainerxx/functions/math/sum.h"
#include "chainerxx/internal/narrow_types.h"
#include "chainerxx/internal/same_shape.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"

namespace chainerxx::functions {
namespace {

using cupyxx::Shape;

void check_words(const char* name, const Variable& words, const char* which) {
  if (words.dtype().kind() == 'i' || words.dtype().kind() == 'u') return;
  throw cupyxx::TypeError(
      cupyxx::message(name, ": ", which, " are no integers; ", words.dtype().name()));
}

void check(const char* name, const Variable& x, const Variable& t, const Variable& W,
           const Variable& samples) {
  internal::refuse_none(name, {&x, &t, &W, &samples});
  const Shape rows = x.shape(), words = W.shape(), drawn = samples.shape();
  if (rows.ndim() != 2 || words.ndim() != 2 || rows[1] != words[1] || t.shape() != Shape{rows[0]} ||
      drawn.ndim() != 2 || drawn[0] != rows[0]) {
    throw cupyxx::ShapeError(
        cupyxx::message(name,
                        ": x, t, W and samples are not (n, in), (n,), (words, in) and "
                        "(n, drawn); ",
                        rows, ", ", t.shape(), ", ", words, " and ", drawn));
  }
  check_words(name, t, "labels");
  check_words(name, samples, "samples");
}

/// The answers w x (n, 1 + drawn): of the right word, and of those that were drawn.
Variable answers(const Variable& x, const Variable& t, const Variable& W, const Variable& samples) {
  const std::int64_t n = x.shape()[0], in = x.shape()[1], drawn = samples.shape()[1];
  const cupyxx::DeviceScope device(x.device());
  const ndarray right = t.data().astype(cupyxx::int64, false).reshape({n, 1});
  const ndarray words =
      cupyxx::concatenate({right, samples.data().astype(cupyxx::int64, false)}, 1);
  // A negative word must not count from the end.
  const ndarray ids = cupyxx::where(words < 0, W.shape()[0], words);
  const Shape all = {n, drawn + 1, in};
  const Variable rows = get_item(internal::in_float32(W), {ids});
  const Variable beside = broadcast_to(expand_dims(internal::in_float32(x), 1), all);
  return sum(rows * beside, 2);
}

}  // namespace

Variable negative_sampling(const Variable& x, const Variable& t, const Variable& W,
                           const Variable& samples, ReduceChoice reduce) {
  check("negative_sampling", x, t, W, samples);
  const Variable y = answers(x, t, W, samples);
  const std::vector<Variable> parts = split_axis(y, {std::int64_t{1}}, 1);
  const Variable losses = sum(softplus(-parts[0]), 1) + sum(softplus(parts[1]), 1);
  return internal::typed_as(x, internal::reduced(losses, reduce));
}

Variable negative_sampling(const Variable& x, const Variable& t, const Variable& W,
                           const utils::WalkerAlias& sampler, std::int64_t sample_size,
                           ReduceChoice reduce) {
  const char* const name = "negative_sampling";
  internal::refuse_none(name, {&x, &t, &W});
  if (sample_size < 0) {
    throw cupyxx::ValueError(cupyxx::message(name, ": sample_size is negative; ", sample_size));
  }
  if (x.ndim() < 1) throw cupyxx::ShapeError(cupyxx::message(name, ": x is not (n, in); ()"));
  const ndarray drawn = sampler.sample({x.shape()[0], sample_size}).to(x.device());
  return negative_sampling(x, t, W, Variable(drawn, x.volatile_()), reduce);
}

Variable black_out(const Variable& x, const Variable& t, const Variable& W, const Variable& samples,
                   ReduceChoice reduce) {
  const char* const name = "black_out";
  check(name, x, t, W, samples);
  if (samples.shape()[1] == 0) {
    throw cupyxx::ShapeError(cupyxx::message(name, ": there are no samples; ", samples.shape()));
  }
  const Variable y = answers(x, t, W, samples);
  const Shape shape = y.shape();
  const cupyxx::DeviceScope device(y.device());
  const auto beside = [&](const Variable& v) { return broadcast_to(expand_dims(v, 1), shape); };
  const Variable logz = logsumexp(y, 1);
  const Variable logp = y - beside(logz);
  // log(1 - p) of all but the largest p of a row, which may be so near to 1 that nothing is left:
  // of that one it is the log of the sum of the others.
  if (shape[0] == 0) return internal::typed_as(x, internal::reduced(sum(logp, 1), reduce));
  const ndarray is_largest =
      cupyxx::equal(cupyxx::arange(shape[1]), cupyxx::expand_dims(y.data().argmax(1), 1));
  const Variable never = cupyxx::full({}, -std::numeric_limits<double>::infinity(), y.dtype());
  const Variable some = cupyxx::full({}, -1, y.dtype());
  const Variable rest = logsumexp(where(is_largest, never, y), 1) - logz;
  const Variable others = log(-expm1(where(is_largest, some, logp)));
  const Variable log_not = where(is_largest, beside(rest), others);
  const auto part = [](const Variable& v, int k) {
    return split_axis(v, {std::int64_t{1}}, 1)[static_cast<std::size_t>(k)];
  };
  const Variable losses = -(sum(part(logp, 0), 1) + sum(part(log_not, 1), 1));
  return internal::typed_as(x, internal::reduced(losses, reduce));
}

}  // namespace chainerxx::functions
