// SPDX-License-Identifier: MIT
// The instruction set that this machine's loops use.
#pragma once

#include "cupyxx/internal/op_info.h"

namespace cupyxx::internal::cpu {

/// The best compiled instruction set of this CPU; CUPYXX_CPU=baseline|avx2|avx512 lowers it.
Arch arch();
/// "avx512".
const char* arch_name(Arch arch);

}  // namespace cupyxx::internal::cpu
