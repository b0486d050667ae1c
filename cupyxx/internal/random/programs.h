// SPDX-License-Identifier: MIT
// The programs of random numbers; no device is needed to make them.
#pragma once

#include <vector>

#include "cupyxx/internal/random/fill.h"
#include "cupyxx/internal/random/sample.h"

namespace cupyxx::internal::gpu {

jit::Program fill_program(Fill fill, dtype type);
jit::Program sample_program(Sample sample, dtype type);
jit::Program rows_program(Rows kind);

/// Those that everybody uses, for the kernel bundle.
std::vector<jit::Program> common_random_programs();
/// All of them.
std::vector<jit::Program> all_random_programs();

}  // namespace cupyxx::internal::gpu
