// SPDX-License-Identifier: MIT
// The short way of an elementwise call: what nearly every call in a user's loop is.
#pragma once

#include "cupyxx/internal/op_info.h"
#include "cupyxx/ndarray.h"

namespace cupyxx::internal {

/// Runs a call without options of one or two operands and one result when its arrays have one
/// dtype, shape and device and are C-contiguous, or dense with equal strides, and its numbers take
/// that dtype. Returns false,
/// and has done nothing, for any other call. `out` is filled when it is null. `ending` is null, or
/// has an entry for each operand: the handle of a temporary, or null. A null `out` may get the
/// memory of one of them, whose handle is None then.
bool call_quickly(const OpInfo& op, const Operand* const* inputs, ndarray& out,
                  ndarray* const* ending = nullptr);

/// Whether an elementwise result of a dtype may be written over the elements of a temporary: nobody
/// else knows of its body and its memory, and neither a stream nor a graph will read them later.
bool may_become_result(const ndarray& temporary, dtype type);

}  // namespace cupyxx::internal
