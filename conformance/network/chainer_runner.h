// SPDX-License-Identifier: MIT
#pragma once

#include <iosfwd>

#include "conformance/array/runner.h"

namespace conformance {

/// Runs a folder of Chainer's results: the functions, optimizers and trainings of cases.json by
/// "FUNCTION/NAME", the expressions of typecheck.json by "typecheck/NUMBER". Throws
/// std::runtime_error when the folder holds neither.
Count run_chainer(const RunOptions& options, std::ostream& out);

}  // namespace conformance
