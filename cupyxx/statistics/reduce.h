// SPDX-License-Identifier: MIT
// From arrays to a planned reduction on their device.
#pragma once

#include <cstdint>

#include "cupyxx/internal/reduction_plan.h"
#include "cupyxx/ndarray.h"

namespace cupyxx::internal {

/// One call of a reduction whose dtypes are settled.
struct ReduceCall {
  ReduceOp op;
  ndarray a;               // of a dtype with loops
  std::uint32_t mask = 0;  // reduced axes
  bool keepdims = false;
  double ddof = 0;
  bool unrounded = false;  // a device's sum of a narrow dtype stays float32
};

/// The axes' bits. Axis 0 and -1 of a 0-d array are allowed, as in NumPy.
std::uint32_t axes_mask(const char* operation, const Axes& axes, int ndim);
/// What is left of a shape.
Shape reduced_shape(const Shape& shape, std::uint32_t mask, bool keepdims);

/// Throws unless `out` is null or a writeable array of the shape and device of the result, to which
/// `computed` may be cast.
void check_reduce_out(const ReduceCall& call, const ndarray& out, dtype computed);

/// Runs the loops: the result has the dtype of reduction_result(), or is unrounded. It is `out`
/// where `out` can take it as it is, else a new array. Reductions of nothing give the operation's
/// identity.
ndarray reduce(const ReduceCall& call, const ndarray& out = {});
/// Brings a result into `out`, if there is one.
ndarray deliver(const ReduceCall& call, const ndarray& result, const ndarray& out);

}  // namespace cupyxx::internal
