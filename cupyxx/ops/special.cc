// SPDX-License-Identifier: MIT
#include "cupyxx/ops/special.h"

#include "cupyxx/internal/registry.h"

CUPYXX_REGISTER_OPS(SpecialOps, "cupyxx/ops/special.h", 192)
