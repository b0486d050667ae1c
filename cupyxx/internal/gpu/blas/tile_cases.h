// SPDX-License-Identifier: MIT
// Products that take every variant of the kernels of kernels/gemm_tile.h in each form of the
// operands, on a device of 132 multiprocessors.
#pragma once

#include "cupyxx/internal/cpu/blas/gemm_cases.h"

namespace cupyxx::internal::gemm_cases {

inline constexpr Case kTileCases[] = {
    {.m = 8, .n = 10, .k = 16},
    {.m = 500, .n = 10, .k = 16, .batch = 9},
    {.m = 64, .n = 500, .k = 16, .batch = 9},
    {.m = 8, .n = 500, .k = 16, .batch = 9},
    {.m = 8, .n = 1000, .k = 16, .batch = 9},
    {.m = 64, .n = 1000, .k = 16, .batch = 9},
    {.m = 2000, .n = 10, .k = 4096},
    {.m = 128, .n = 128, .k = 4096},
    {.m = 4096, .n = 128, .k = 128},
};

}  // namespace cupyxx::internal::gemm_cases
