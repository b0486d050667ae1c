// SPDX-License-Identifier: MIT
// A device's handle of cuDNN.
#pragma once

#include <cstddef>
#include <mutex>

#include "chainerxx/internal/gpu/cudnn.h"

namespace chainerxx::internal::gpu {

/// The handle of a device, on the current stream, for this call alone until its end. Throws
/// CudaError.
class LockedHandle {
 public:
  explicit LockedHandle(int device);
  LockedHandle(const LockedHandle&) = delete;
  LockedHandle& operator=(const LockedHandle&) = delete;

  cudnnHandle_t get() const { return handle_; }
  void* stream() const { return stream_; }

 private:
  std::unique_lock<std::mutex> lock_;
  cudnnHandle_t handle_;
  void* stream_;
};

/// What a call may use beside its arrays where a part of the device's memory cannot be had.
inline constexpr std::size_t kLittleWorkspace = std::size_t{256} << 20;
/// What it may use else.
std::size_t most_workspace(int device);

}  // namespace chainerxx::internal::gpu
