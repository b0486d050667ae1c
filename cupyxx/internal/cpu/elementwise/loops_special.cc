// SPDX-License-Identifier: MIT
#include "cupyxx/internal/cpu/loops.h"
#include "cupyxx/ops/special.h"

CUPYXX_DEFINE_LOOPS(SpecialOps)
