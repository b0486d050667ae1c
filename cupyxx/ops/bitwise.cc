// SPDX-License-Identifier: MIT
#include "cupyxx/ops/bitwise.h"

#include "cupyxx/internal/registry.h"

CUPYXX_REGISTER_OPS(BitwiseOps, "cupyxx/ops/bitwise.h", 80)
