// SPDX-License-Identifier: MIT
// The programs that are compiled when we build, so that no first call waits for a compiler.
#pragma once

#include <vector>

#include "cupyxx/internal/jit/kernel.h"
#include "cupyxx/ufunc.h"

namespace cupyxx::internal::jit {

std::vector<Program> bundled_programs();

/// Those of one operation, of cupyxx or not (Op::bundled).
void add_operation_programs(std::vector<Program>& programs, const ufunc& f);

}  // namespace cupyxx::internal::jit
