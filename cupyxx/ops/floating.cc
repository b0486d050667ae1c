// SPDX-License-Identifier: MIT
#include "cupyxx/internal/registry.h"

// ufunc_of() of these operations is for everybody, so they are, too.
#pragma GCC visibility push(default)
#include "cupyxx/ops/floating.h"
#pragma GCC visibility pop

CUPYXX_REGISTER_OPS(FloatingOps, "cupyxx/ops/floating.h", 128)
