// SPDX-License-Identifier: MIT
#include "cupyxx/ops/exp_log.h"

#include "cupyxx/internal/registry.h"

CUPYXX_REGISTER_OPS(ExpLogOps, "cupyxx/ops/exp_log.h", 32)
