// SPDX-License-Identifier: MIT
#pragma once

#include "cupyxx/internal/jit/kernel.h"

namespace cupyxx::internal::gpu {

/// Reports to the error word what a library says of each matrix.
jit::Program check_info_program();

}  // namespace cupyxx::internal::gpu
