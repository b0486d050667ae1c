// SPDX-License-Identifier: MIT
#include "cupyxx/internal/collapse_axes.h"
#include "cupyxx/internal/elementwise.h"

namespace cupyxx::internal {

void collapse(ElementwiseCall& call) {
  call.ndim = collapse_axes(call.ndim, call.shape, call.strides, call.operands(), false);
}

}  // namespace cupyxx::internal
