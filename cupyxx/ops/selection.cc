// SPDX-License-Identifier: MIT
#include "cupyxx/ops/selection.h"

#include "cupyxx/internal/registry.h"

CUPYXX_REGISTER_OPS(SelectionOps, "cupyxx/ops/selection.h", 160)
