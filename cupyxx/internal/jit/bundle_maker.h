// SPDX-License-Identifier: MIT
// The program that makes a kernel bundle, for each library's list.
#pragma once

#include <vector>

#include "cupyxx/internal/jit/kernel.h"

namespace cupyxx::internal::jit {

/// Compiles programs for architectures, through the disk cache, into one file; the arguments are
/// OUTPUT [ARCHITECTURE ...]. What main() returns.
int make_bundle(int argc, char** argv, const std::vector<Program>& programs);

}  // namespace cupyxx::internal::jit
