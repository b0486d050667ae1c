// SPDX-License-Identifier: MIT
#include "chainerxx/functions/noise/zoneout.h"

#include "chainerxx/functions/array/array.h"
#include "chainerxx/functions/array/broadcasting.h"
#include "chainerxx/functions/array/cast.h"
#include "chainerxx/functions/array/parts.h"
#include "chainerxx/functions/math/arithmetic.h"
#include "chainerxx/functions/math/matmul.h"
#include "chainerxx/internal/same_shape.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/math.h"
#include "cupyxx/random.h"
#include "cupyxx/scalar.h"

namespace chainerxx::functions {
namespace {

void check_ratio(const char* name, double ratio) {
  if (ratio >= 0 && ratio < 1) return;
  throw cupyxx::ValueError(
      cupyxx::message(name, ": the ratio is not in [0, 1); ", cupyxx::Scalar(ratio)));
}

/// true with probability `ratio`, whatever the dtype is.
ndarray drawn(const cupyxx::Shape& shape, double ratio, cupyxx::Device where) {
  const cupyxx::DeviceScope device(where);
  return cupyxx::random::uniform(shape, {.dtype = cupyxx::float32}) < ratio;
}

}  // namespace

Variable zoneout(const Variable& h, const Variable& x, double ratio, bool train) {
  internal::expect_same_shape("zoneout", {&h, &x});
  check_ratio("zoneout", ratio);
  return train ? where(drawn(x.shape(), ratio, x.device()), h, x) : x;
}

Variable simplified_dropconnect(const Variable& x, const Variable& W, const Variable& b,
                                double ratio, bool train) {
  const char* const name = "simplified_dropconnect";
  internal::refuse_none(name, {&x, &W});
  check_ratio(name, ratio);
  const cupyxx::Shape rows = x.shape(), weights = W.shape();
  if (rows.ndim() != 2 || weights.ndim() != 2 || rows[1] != weights[1] ||
      (!b.is_none() && b.shape() != cupyxx::Shape{weights[0]})) {
    throw cupyxx::ShapeError(cupyxx::message(name, ": shapes do not fit; ", rows, ", ", weights,
                                             b.is_none() ? "" : " and ",
                                             b.is_none() ? "" : b.shape().str()));
  }
  Variable y;
  if (train) {
    const cupyxx::Shape all = {rows[0], weights[0], weights[1]};
    const Variable none = cupyxx::zeros({}, W.dtype());
    const Variable kept = where(drawn(all, ratio, x.device()), none, broadcast_to(W, all));
    y = reshape(batch_matmul(kept * (1 / (1 - ratio)), reshape(x, {rows[0], rows[1], 1})),
                {rows[0], weights[0]});
  } else {
    y = matmul(x, W, false, true);
  }
  if (b.is_none()) return y;
  return y + broadcast_to(b.dtype() == W.dtype() ? cast(b, y.dtype()) : b, y.shape());
}

}  // namespace chainerxx::functions
