// SPDX-License-Identifier: MIT
#include "cupyxx/internal/registry.h"

// ufunc_of() of these operations is for everybody, so they are, too.
#pragma GCC visibility push(default)
#include "cupyxx/ops/exp_log.h"
#pragma GCC visibility pop

CUPYXX_REGISTER_OPS(ExpLogOps, "cupyxx/ops/exp_log.h", 32)
