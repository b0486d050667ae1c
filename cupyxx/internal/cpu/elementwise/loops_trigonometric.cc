// SPDX-License-Identifier: MIT
#include "cupyxx/internal/cpu/loops.h"
#include "cupyxx/ops/trigonometric.h"

CUPYXX_DEFINE_LOOPS(TrigonometricOps)
