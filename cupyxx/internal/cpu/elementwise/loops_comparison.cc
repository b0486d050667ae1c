// SPDX-License-Identifier: MIT
#include "cupyxx/internal/cpu/loops.h"
#include "cupyxx/ops/comparison.h"

CUPYXX_DEFINE_LOOPS(ComparisonOps)
