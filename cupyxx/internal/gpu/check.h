// SPDX-License-Identifier: MIT
// Results of CUDA calls as exceptions. Only for sources that are built with CUDA.
#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "cupyxx/internal/gpu/runtime.h"

namespace cupyxx::internal::gpu {

/// Throws CudaError: the call, what went wrong, its name and number; for what a kernel did earlier,
/// also the latest kernels of the thread.
[[noreturn]] void throw_cuda_error(cudaError_t code, const char* call);

/// Who knows the names of the latest kernels of a thread.
void set_launch_history(std::string (*recent_kernels)());

inline void check(cudaError_t code, const char* call) {
  if (code != cudaSuccess) [[unlikely]] {
    throw_cuda_error(code, call);
  }
}

inline cudaStream_t as_stream(void* stream) { return static_cast<cudaStream_t>(stream); }
inline cudaEvent_t as_event(void* event) { return static_cast<cudaEvent_t>(event); }

}  // namespace cupyxx::internal::gpu
