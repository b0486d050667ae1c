// SPDX-License-Identifier: MIT
#include "cupyxx/internal/cpu/loops.h"
#include "cupyxx/ops/numeric.h"

CUPYXX_DEFINE_COMPLEX_LOOPS(NumericOps)
