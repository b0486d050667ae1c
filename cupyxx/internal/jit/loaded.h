// SPDX-License-Identifier: MIT
// What a Kernel is in a build with CUDA.
#pragma once

#include <cuda_runtime_api.h>

#include <atomic>
#include <string>

#include "cupyxx/internal/gpu/memory/thread_state.h"
#include "cupyxx/internal/jit/kernel.h"

namespace cupyxx::internal::jit {

struct Kernel {
  cudaKernel_t handle = nullptr;
  cudaLibrary_t library = nullptr;
  std::string name;
  bool begins_early = false;  // it waits for the kernel before it by itself
  bool lets_next_begin = false;
  unsigned uncrowded = 0;  // blocks that may begin early beside others
  // The dynamic shared memory that each device has been told to allow, beyond the usual 48 KiB.
  mutable std::atomic<unsigned> shared_bytes[gpu::kMaxDevices] = {};
};

}  // namespace cupyxx::internal::jit
