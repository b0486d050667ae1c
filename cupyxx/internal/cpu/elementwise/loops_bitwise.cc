// SPDX-License-Identifier: MIT
#include "cupyxx/internal/cpu/loops.h"
#include "cupyxx/ops/bitwise.h"

CUPYXX_DEFINE_LOOPS(BitwiseOps)
