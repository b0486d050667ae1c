// SPDX-License-Identifier: MIT
// The families of loops of one instruction set, which CUPYXX_ARCH names.
#pragma once

#include "cupyxx/internal/cpu/reduce/loops.h"

namespace cupyxx::internal::cpu::CUPYXX_ARCH {

const ReduceLoops* sum_loops(ReduceOp op, dtype in);      // sum, prod, mean, norm
const ReduceLoops* moment_loops(ReduceOp op, dtype in);   // var, std
const ReduceLoops* extreme_loops(ReduceOp op, dtype in);  // amax, amin
const ReduceLoops* arg_loops(ReduceOp op, dtype in);      // argmax, argmin
const ReduceLoops* truth_loops(ReduceOp op, dtype in);    // all, any, count_nonzero

}  // namespace cupyxx::internal::cpu::CUPYXX_ARCH
