// SPDX-License-Identifier: MIT
#pragma once

#include "cupyxx/internal/elementwise.h"

namespace cupyxx::internal::cpu {

/// Copies between arrays that run fastest along different axes, in tiles. Returns false, and has
/// done nothing, for calls that are no such copy.
bool copy_transposed(const ElementwiseCall& call);

/// Cuts a call with an input that runs fastest along another axis than the output into `blocks` of
/// short rows, so that the cache lines of one row are still there for the next, and the `rest`,
/// which may be empty. Returns false where the call is better run as it is.
bool split_transposed(const ElementwiseCall& call, ElementwiseCall& blocks, ElementwiseCall& rest);

}  // namespace cupyxx::internal::cpu
