// SPDX-License-Identifier: MIT
#include "cupyxx/internal/cpu/loops.h"
#include "cupyxx/ops/arithmetic.h"

CUPYXX_DEFINE_COMPLEX_LOOPS(ArithmeticOps)
