// SPDX-License-Identifier: MIT
#include "cupyxx/internal/registry.h"

// ufunc_of() of these operations is for everybody, so they are, too.
#pragma GCC visibility push(default)
#include "cupyxx/ops/comparison.h"
#pragma GCC visibility pop

CUPYXX_REGISTER_OPS(ComparisonOps, "cupyxx/ops/comparison.h", 96)
