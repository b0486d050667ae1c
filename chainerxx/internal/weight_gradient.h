// SPDX-License-Identifier: MIT
// The gradients of a layer's weights and bias, y = x W^T + b.
#pragma once

#include "chainerxx/function.h"
#include "cupyxx/ndarray.h"

namespace chainerxx::internal {

/// gW += gy^T x, and gb += the sums of gy's columns unless gb is None. x and gy have a row for each
/// input.
///
/// In a walk that meets few rows again and again for one gW, a loop of recurrent cells, the first
/// product is made at once; those of later uses are put off, and their rows joined, up to 1,024 at
/// a time: to go through a large gW costs more than the arithmetic of a few rows. The sum then has
/// another order, the same each time. All of it is there when Variable::backward returns.
void add_weight_gradient(const Function& f, const ndarray& gy, const ndarray& x, const ndarray& gW,
                         const ndarray& gb);

}  // namespace chainerxx::internal
