// SPDX-License-Identifier: MIT
// Products that no library takes over: integers, bool, and tiny or vector-like ones of any dtype.
#pragma once

#include <cstdint>

#include "cupyxx/internal/gemm_call.h"

namespace cupyxx::internal::cpu {

/// Computes one product (call.batch is ignored) of any dtype.
void gemm_loops(const GemmCall& call);

/// C = (accumulate ? C : 0) + bias, for libraries that know no bias. Not for types of 16 bits.
void prefill(const GemmCall& call);
/// Replaces negative elements of C by 0.
void apply_relu(const GemmCall& call);

/// float32 of `rows` x `cols` float16 or bfloat16 elements, without gaps, and back.
void widen(cupyxx::dtype type, const void* from, std::int64_t ld, std::int64_t rows,
           std::int64_t cols, float* to);
void narrow(cupyxx::dtype type, const float* from, std::int64_t rows, std::int64_t cols, void* to,
            std::int64_t ld);

}  // namespace cupyxx::internal::cpu
