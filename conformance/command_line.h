// SPDX-License-Identifier: MIT
// The arguments of the conformance programs:
//   --cases=DIR [--device=cpu|cuda] [--only=REGEX] [--groups] [--shard=I/N]
#pragma once

#include <iosfwd>

#include "conformance/array/runner.h"

namespace conformance {

using Run = Count (*)(const RunOptions& options, std::ostream& out);

/// The whole of main(): parses the arguments, runs the cases of DIR (`default_folder` when it is
/// not given) and prints `N passed, N failed, N skipped`. The exit status is 0 when every case that
/// ran has passed, 1 when one failed or none ran, 2 for wrong arguments.
int run_main(int argc, char** argv, const char* program, const char* default_folder, Run run);

}  // namespace conformance
