// SPDX-License-Identifier: MIT
#include "cupyxx/ops/trigonometric.h"

#include "cupyxx/internal/registry.h"

CUPYXX_REGISTER_OPS(TrigonometricOps, "cupyxx/ops/trigonometric.h", 48)
