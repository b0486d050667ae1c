// SPDX-License-Identifier: MIT
#include "cupyxx/ops/comparison.h"

#include "cupyxx/internal/registry.h"

CUPYXX_REGISTER_OPS(ComparisonOps, "cupyxx/ops/comparison.h", 96)
