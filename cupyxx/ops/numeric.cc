// SPDX-License-Identifier: MIT
#include "cupyxx/ops/numeric.h"

#include "cupyxx/internal/registry.h"

CUPYXX_REGISTER_OPS(NumericOps, "cupyxx/ops/numeric.h", 144)
