// SPDX-License-Identifier: MIT
#include "cupyxx/internal/registry.h"

// ufunc_of() of these operations is for everybody, so they are, too.
#pragma GCC visibility push(default)
#include "cupyxx/ops/bitwise.h"
#pragma GCC visibility pop

CUPYXX_REGISTER_OPS(BitwiseOps, "cupyxx/ops/bitwise.h", 80)
