// SPDX-License-Identifier: MIT
#include "cupyxx/ops/arithmetic.h"

#include "cupyxx/internal/registry.h"

CUPYXX_REGISTER_OPS(ArithmeticOps, "cupyxx/ops/arithmetic.h", 0)
