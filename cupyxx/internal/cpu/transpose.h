// SPDX-License-Identifier: MIT
#pragma once

#include "cupyxx/internal/elementwise.h"

namespace cupyxx::internal::cpu {

/// Copies between arrays that run fastest along different axes, in tiles. Returns false, and has
/// done nothing, for calls that are no such copy.
bool copy_transposed(const ElementwiseCall& call);

}  // namespace cupyxx::internal::cpu
