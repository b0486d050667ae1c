// SPDX-License-Identifier: MIT
#include "chainerxx/functions/loss/errors.h"

#include <algorithm>
#include <limits>

#include "chainerxx/functions/activation/activation.h"
#include "chainerxx/functions/array/parts.h"
#include "chainerxx/functions/loss/reduced.h"
#include "chainerxx/functions/math/arithmetic.h"
#include "chainerxx/functions/math/elementary.h"
#include "chainerxx/functions/math/extremes.h"
#include "chainerxx/functions/math/sum.h"
#include "chainerxx/internal/narrow_types.h"
#include "chainerxx/internal/same_shape.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/math.h"

namespace chainerxx::functions {
namespace {

Variable difference(const char* name, const Variable& x0, const Variable& x1) {
  internal::expect_same_shape(name, {&x0, &x1});
  return internal::in_float32(x0) - internal::in_float32(x1);
}

/// A length whose square and its reciprocal are numbers of the type.
double shortest_length(cupyxx::dtype type) { return type == cupyxx::float64 ? 1e-150 : 1e-18; }

}  // namespace

Variable absolute_error(const Variable& x0, const Variable& x1) {
  return internal::typed_as(x0, absolute(difference("absolute_error", x0, x1)));
}

Variable squared_error(const Variable& x0, const Variable& x1) {
  return internal::typed_as(x0, square(difference("squared_error", x0, x1)));
}

Variable mean_absolute_error(const Variable& x0, const Variable& x1) {
  const Variable error = absolute(difference("mean_absolute_error", x0, x1));
  return internal::typed_as(x0, internal::reduced(error, Reduce::mean));
}

Variable kl_div(const Variable& x, const Variable& target, ReduceChoice reduce) {
  internal::expect_same_shape("kl_div", {&x, &target});
  const Variable p = internal::in_float32(target);
  // Where the target is 0 its logarithm must not count, nor have a slope.
  const Variable one = cupyxx::ones({}, p.dtype());
  const Variable log_p = log(where(p.data() > 0, p, one));
  const Variable losses = p * (log_p - internal::in_float32(x));
  return internal::typed_as(x, internal::reduced(losses, reduce));
}

Variable cosine_similarity(const Variable& x0, const Variable& x1, int axis, double eps) {
  if (!(eps > 0)) {
    throw cupyxx::ValueError(
        cupyxx::message("cosine_similarity: eps is not positive; ", cupyxx::Scalar(eps)));
  }
  internal::expect_same_shape("cosine_similarity", {&x0, &x1});
  const Variable a = internal::in_float32(x0), b = internal::in_float32(x1);
  const double least = std::max(eps, shortest_length(a.dtype()));
  const double most = std::numeric_limits<double>::infinity();
  // The square is bounded, not its root, which has no slope at 0.
  const auto length = [&](const Variable& v) {
    return sqrt(clip(sum(square(v), axis), least * least, most));
  };
  return internal::typed_as(x0, sum(a * b, axis) / length(a) / length(b));
}

Variable cosine_embedding_loss(const Variable& x0, const Variable& x1, const Variable& t,
                               double margin, ReduceChoice reduce) {
  if (!(margin >= -1 && margin <= 1)) {
    throw cupyxx::ValueError(cupyxx::message("cosine_embedding_loss: margin is not in [-1, 1]; ",
                                             cupyxx::Scalar(margin)));
  }
  internal::refuse_none("cosine_embedding_loss", {&x0, &x1, &t});
  if (x0.ndim() != 2 || x0.shape() != x1.shape() || t.shape() != cupyxx::Shape{x0.shape()[0]}) {
    throw cupyxx::ShapeError(cupyxx::message("cosine_embedding_loss: shapes do not fit; ",
                                             x0.shape(), ", ", x1.shape(), " and ", t.shape()));
  }
  const Variable cosine = cosine_similarity(internal::in_float32(x0), internal::in_float32(x1));
  const Variable is_alike(cupyxx::equal(t.data(), 1), x0.volatile_());
  const Variable losses = where(is_alike, 1 - cosine, relu(cosine - margin));
  return internal::typed_as(x0, internal::reduced(losses, reduce));
}

}  // namespace chainerxx::functions
