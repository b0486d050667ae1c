// SPDX-License-Identifier: MIT
#include "chainerxx/functions/math/compositions.h"

#include <limits>

#include "chainerxx/functions/array/array.h"
#include "chainerxx/functions/array/broadcasting.h"
#include "chainerxx/functions/array/cast.h"
#include "chainerxx/functions/array/parts.h"
#include "chainerxx/functions/math/arithmetic.h"
#include "chainerxx/functions/math/extremes.h"
#include "chainerxx/functions/math/sum.h"
#include "chainerxx/internal/narrow_types.h"
#include "chainerxx/internal/same_shape.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/math.h"
#include "cupyxx/scalar.h"

namespace chainerxx::functions {

Variable normalize(const Variable& x, double eps, const AxesArg& axis) {
  internal::refuse_none("normalize", {&x});
  if (!(eps >= 0)) {
    throw cupyxx::ValueError(cupyxx::message("normalize: eps is negative; ", cupyxx::Scalar(eps)));
  }
  if (!(eps <= 1)) {  // the order of a norm, which stands there in PyTorch
    throw cupyxx::ValueError(
        cupyxx::message("normalize: eps, which is added to the L2 norm, is above 1; ",
                        cupyxx::Scalar(eps), ": write normalize(x, {.axis = 1}) for that norm"));
  }
  // Squares leave the range of float16 long before norms do.
  if (internal::is_narrow(x.dtype())) {
    return cast(normalize(cast(x, cupyxx::float32), eps, axis), x.dtype());
  }
  const Variable squares = sum(square(x), axis, true);
  // The root has no slope at 0: there it is taken of 1 and not used. Where eps is 0, perhaps only
  // in x's dtype, the row is divided by 1.
  const ndarray is_zero = cupyxx::equal(squares.data(), 0);
  const Variable one = cupyxx::ones({}, x.dtype());
  const Variable at_zero = cupyxx::equal(cupyxx::full({}, eps, x.dtype()), 0).astype(x.dtype());
  const Variable norm = where(is_zero, at_zero, sqrt(where(is_zero, one, squares))) + eps;
  return x / broadcast_to(norm, x.shape());
}

Variable batch_l2_norm_squared(const Variable& x) {
  internal::refuse_none("batch_l2_norm_squared", {&x});
  if (x.ndim() < 2) {
    throw cupyxx::ShapeError(
        cupyxx::message("batch_l2_norm_squared: x is not (n, ...); ", x.shape()));
  }
  std::vector<std::int64_t> axes;
  for (int i = 1; i < x.ndim(); ++i) axes.push_back(i);
  return sum(square(x), axes);
}

Variable linear_interpolate(const Variable& p, const Variable& x, const Variable& y) {
  internal::expect_same_shape("linear_interpolate", {&p, &x, &y});
  return y + p * (x - y);
}

Variable bias(const Variable& x, const Variable& y, int axis) {
  internal::refuse_none("bias", {&x, &y});
  const cupyxx::Shape own = y.shape(), shape = x.shape();
  cupyxx::Shape along = shape;
  bool fits = axis >= 0 && axis <= shape.ndim() && axis + own.ndim() <= shape.ndim();
  for (int i = 0; fits && i < shape.ndim(); ++i) {
    const bool is_own = i >= axis && i < axis + own.ndim();
    along[i] = is_own ? own[i - axis] : 1;
    fits = !is_own || own[i - axis] == shape[i];
  }
  if (!fits) {
    throw cupyxx::ShapeError(
        cupyxx::message("bias: ", own, " does not fit ", shape, " from axis ", axis, " on"));
  }
  return x + broadcast_to(reshape(y, along), shape);
}

}  // namespace chainerxx::functions
