// SPDX-License-Identifier: MIT
#include "cupyxx/internal/gpu/blas/gemm.h"

#include "cupyxx/internal/gpu/blas/cublaslt.h"
#include "cupyxx/internal/gpu/blas/generic.h"
#include "cupyxx/internal/gpu/blas/thin.h"
#include "cupyxx/internal/gpu/blas/tile.h"

namespace cupyxx::internal::gpu {
namespace {

bool is_dot(const GemmCall& call) { return call.m == 1 && call.n == 1 && call.batch == 1; }

// Some of cuBLASLt's float16 algorithms round C + A B before they add the bias (seen on an H200
// with 20 x 40 x 30).
bool rounds_twice(const GemmCall& call) {
  return (call.dtype == float16 || call.dtype == bfloat16_) && call.accumulate &&
         call.bias != nullptr;
}

// cuBLASLt adds nothing to complex products.
bool for_library(const GemmCall& call) {
  if (call.k == 0) return false;
  return call.dtype.is_complex() ? call.bias == nullptr && !call.relu
                                 : call.dtype.is_floating() && !rounds_twice(call);
}

}  // namespace

bool gemm_sums_rows(int device, const GemmCall& call) {
  return call.batch == 1 && !is_dot(call) && takes_gemm_tile(device, call);
}

bool gemm_into_float32(int device, void* stream, const GemmCall& call) {
  return call.k != 0 && gemm_cublaslt(device, stream, call);
}

bool gemm_with_epilogue(int device, void* stream, const GemmCall& call) {
  const bool is_real = call.dtype.is_floating() && call.m != 0 && call.n != 0 && call.k != 0;
  return is_real && gemm_cublaslt(device, stream, call);
}

void gemm(int device, void* stream, const GemmCall& call) {
  if (call.m == 0 || call.n == 0 || call.batch == 0) return;
  if (is_dot(call)) {
    dot_generic(device, stream, call);
  } else if (gemm_tile(device, stream, call) || gemm_thin(device, stream, call)) {
    return;
  } else if (!for_library(call) || !gemm_cublaslt(device, stream, call)) {
    gemm_generic(device, stream, call);
  }
}

}  // namespace cupyxx::internal::gpu
