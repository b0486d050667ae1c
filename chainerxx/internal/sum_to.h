// SPDX-License-Identifier: MIT
// The reverse of broadcasting.
#pragma once

#include "cupyxx/error.h"
#include "cupyxx/ndarray.h"
#include "cupyxx/reduction.h"

namespace chainerxx::internal {

/// The sum over the axes along which an array of `shape` was broadcast to the shape of `a`, of a's
/// dtype or another one.
inline cupyxx::ndarray sum_to(const cupyxx::ndarray& a, const cupyxx::Shape& shape,
                              cupyxx::dtype dtype = {}) {
  const cupyxx::Shape wide = a.shape();
  if (wide == shape) return dtype ? a.astype(dtype, false) : a;
  const int lead = wide.ndim() - shape.ndim();
  std::vector<std::int64_t> axes;
  for (int i = 0; i < wide.ndim(); ++i) {
    if (i < lead || (shape[i - lead] == 1 && wide[i] != 1)) axes.push_back(i);
  }
  if (axes.empty()) return (dtype ? a.astype(dtype, false) : a).reshape(shape);
  const cupyxx::ndarray sum = a.sum(axes, {.dtype = dtype, .keepdims = true});
  return sum.reshape(shape);
}

}  // namespace chainerxx::internal
