// SPDX-License-Identifier: MIT
#include "chainerxx/internal/gpu/cudnn_handle.h"

#include <algorithm>

#include "cupyxx/extension/cuda_call.h"
#include "cupyxx/extension/device_limit.h"

namespace chainerxx::internal::gpu {
namespace {

namespace extension = cupyxx::extension;

struct Handle {
  std::mutex mutex;
  cudnnHandle_t handle = nullptr;
  void* stream = nullptr;
};

Handle& handle_of(int device) {
  static Handle* const handles = new Handle[extension::kMaxDevices];
  return handles[device];
}

}  // namespace

LockedHandle::LockedHandle(int device) : stream_(extension::current_stream(device)) {
  Handle& handle = handle_of(device);
  lock_ = std::unique_lock(handle.mutex);
  if (handle.handle == nullptr) check_cudnn(cudnn().Create(&handle.handle), "cudnnCreate");
  if (handle.stream != stream_) {
    check_cudnn(cudnn().SetStream(handle.handle, static_cast<cudaStream_t>(stream_)),
                "cudnnSetStream");
    handle.stream = stream_;
  }
  handle_ = handle.handle;
}

std::size_t most_workspace(int device) {
  return std::max(kLittleWorkspace, extension::total_memory(device) / 64);
}

}  // namespace chainerxx::internal::gpu
