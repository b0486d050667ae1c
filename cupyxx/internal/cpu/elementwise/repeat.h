// SPDX-License-Identifier: MIT
// Copies whose innermost axis repeats one element a few times.
#pragma once

#include "cupyxx/internal/elementwise.h"

namespace cupyxx::internal::cpu {

/// Runs a copy of that form, and says whether it was one.
bool copy_repeated(const ElementwiseCall& call);

}  // namespace cupyxx::internal::cpu
