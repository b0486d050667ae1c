// SPDX-License-Identifier: MIT
// Pinned host buffers through which pageable memory travels. Only for sources built with CUDA.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace cupyxx::internal::gpu {

/// The buffers of one transfer at a time.
struct Staging {
  static constexpr std::size_t kSmallBytes = std::size_t{64} << 10;
  static constexpr std::size_t kLargeBytes = std::size_t{4} << 20;

  int device = 0;
  char* small = nullptr;
  char* large[2] = {};       // made on first use
  cudaEvent_t done[2] = {};  // the last copy from or to each large buffer
};

/// Buffers for a device, taken from those at rest.
class StagingLease {
 public:
  explicit StagingLease(int device);
  ~StagingLease();
  StagingLease(const StagingLease&) = delete;
  StagingLease& operator=(const StagingLease&) = delete;

  Staging* operator->() const { return staging_; }
  /// Makes the large buffers exist.
  void need_large();

 private:
  Staging* staging_;
};

}  // namespace cupyxx::internal::gpu
