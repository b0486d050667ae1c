// SPDX-License-Identifier: MIT
// The programs that are compiled when we build, so that no first call waits for a compiler.
#pragma once

#include <vector>

#include "cupyxx/internal/jit/kernel.h"

namespace cupyxx::internal::jit {

std::vector<Program> bundled_programs();

}  // namespace cupyxx::internal::jit
