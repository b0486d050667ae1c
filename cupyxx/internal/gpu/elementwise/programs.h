// SPDX-License-Identifier: MIT
// The programs of the built-in operations, as the launchers, the bundle and the tests see them.
#pragma once

#include <optional>

#include "cupyxx/internal/jit/elementwise_source.h"
#include "cupyxx/internal/jit/kernel.h"
#include "cupyxx/internal/kernels/elementwise_any.h"
#include "cupyxx/internal/op_info.h"

namespace cupyxx::internal::gpu {

/// The source of one loop for operands stored as `stored` (outputs first).
jit::ElementwiseSource elementwise_source(const OpInfo& op, int loop, const dtype* stored,
                                          unsigned immediate, const jit::ElementwiseLayout& layout,
                                          bool masked);
/// The program of that source, with a name for messages.
jit::Program elementwise_program(const OpInfo& op, const jit::ElementwiseSource& source);

/// The program of a loop for operands of any layout and everyday types, in the loop's own types.
jit::Program any_program(const OpInfo& op, int loop);
/// How a dtype is stored, for that program; nothing where it cannot be.
std::optional<kernels::Stored> stored_code(dtype type);

/// Copies between arrays of elements of `itemsize` bytes (1, 2, 4, 8 or 16) that are contiguous
/// along different axes; `rank` is 2, 3, 4, 8 or 32.
jit::Program transpose_program(int itemsize, int rank);
/// The same of bytes by large tiles, in blocks of kernels::kLargeBlock threads.
jit::Program transpose_bytes_large_program(int rank);

/// Gathers units of `unit_bytes` (1, 2, 4, 8 or 16) by int32 or int64 positions.
jit::Program take_program(int unit_bytes, bool index64, bool wide);

}  // namespace cupyxx::internal::gpu
