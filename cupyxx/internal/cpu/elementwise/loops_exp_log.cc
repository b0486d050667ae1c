// SPDX-License-Identifier: MIT
#include "cupyxx/internal/cpu/loops.h"
#include "cupyxx/ops/exp_log.h"

CUPYXX_DEFINE_LOOPS(ExpLogOps)
