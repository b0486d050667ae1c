// SPDX-License-Identifier: MIT
#include "chainerxx/functions/loss/decorrelation.h"

#include <algorithm>

#include "chainerxx/functions/array/array.h"
#include "chainerxx/functions/array/copying.h"
#include "chainerxx/functions/math/extremes.h"
#include "chainerxx/functions/math/matmul.h"
#include "chainerxx/functions/math/reductions.h"
#include "chainerxx/functions/math/sum.h"
#include "chainerxx/internal/masked.h"
#include "chainerxx/internal/narrow_types.h"
#include "chainerxx/internal/same_shape.h"
#include "chainerxx/scope.h"
#include "cupyxx/error.h"
#include "cupyxx/math.h"

namespace chainerxx::functions {
namespace {

/// a^T a, in float32 whatever the thread's precision is.
Variable products_of_columns(const Variable& a) {
  const PrecisionScope wide(Precision::float32);
  return matmul(a, a, true);
}

}  // namespace

Variable decov(const Variable& given, cupyxx::Choice<DeCovReduce> reduce) {
  internal::refuse_none("decov", {&given});
  const cupyxx::Shape shape = given.shape();
  if (shape.ndim() != 2) {
    throw cupyxx::ShapeError(cupyxx::message("decov: h is not (n, units); ", shape));
  }
  const Variable h = internal::in_float32(given);
  const auto n = static_cast<double>(std::max<std::int64_t>(shape[0], 1));
  // The mean of no rows is none.
  const Variable centred = shape[0] == 0 ? h : h - broadcast_to(mean(h, AxesArg(0), true), shape);
  const Variable all = products_of_columns(centred) * (1 / n);
  const cupyxx::DeviceScope device(h.device());
  const ndarray unit = cupyxx::arange(shape[1]);
  const ndarray others = cupyxx::not_equal(unit.reshape({shape[1], 1}), unit);
  const Variable covariance = internal::masked(others, all);
  if (reduce == DeCovReduce::no) return internal::typed_as(given, covariance);
  return internal::typed_as(given, sum(square(covariance)) * 0.5);
}

}  // namespace chainerxx::functions
