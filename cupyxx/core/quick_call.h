// SPDX-License-Identifier: MIT
// The short way of an elementwise call: what nearly every call in a user's loop is.
#pragma once

#include "cupyxx/internal/op_info.h"
#include "cupyxx/ndarray.h"

namespace cupyxx::internal {

/// Runs a call without options of one or two operands and one result when its arrays have one
/// dtype, shape and device and are C-contiguous, or dense with equal strides, and its numbers take
/// that dtype. Returns false,
/// and has done nothing, for any other call. `out` is filled when it is null.
bool call_quickly(const OpInfo& op, const Operand* const* inputs, ndarray& out);

}  // namespace cupyxx::internal
