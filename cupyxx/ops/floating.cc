// SPDX-License-Identifier: MIT
#include "cupyxx/ops/floating.h"

#include "cupyxx/internal/registry.h"

CUPYXX_REGISTER_OPS(FloatingOps, "cupyxx/ops/floating.h", 128)
