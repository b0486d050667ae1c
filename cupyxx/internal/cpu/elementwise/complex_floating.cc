// SPDX-License-Identifier: MIT
#include "cupyxx/internal/cpu/loops.h"
#include "cupyxx/ops/floating.h"

CUPYXX_DEFINE_COMPLEX_LOOPS(FloatingOps)
