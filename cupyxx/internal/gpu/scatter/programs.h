// SPDX-License-Identifier: MIT
// The programs of writing through index arrays and of ranges, as the launches and the tests see
// them.
#pragma once

#include "cupyxx/dtype.h"
#include "cupyxx/internal/jit/kernel.h"
#include "cupyxx/internal/op_info.h"

namespace cupyxx::internal::gpu {

jit::Program combine_rows_program();
jit::Program note_winners_program();
jit::Program count_positions_program();
jit::Program scatter_program(int unit_bytes);
/// One loop of an operation on elements stored as `stored`; `tails`: the first of two steps.
jit::Program at_program(const OpInfo& op, int loop, dtype stored, bool tails);
/// Additions in any order: integers of 4 and 8 bytes, float32 and float64.
jit::Program add_atomically_program(dtype type);
bool can_add_atomically(dtype type);
jit::Program range_program(dtype type);
jit::Program linspace_program();

}  // namespace cupyxx::internal::gpu
