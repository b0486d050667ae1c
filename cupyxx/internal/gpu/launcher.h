// SPDX-License-Identifier: MIT
// Launches of kernels in blocks of 256 threads that take one struct, on the current stream.
#pragma once

#include <algorithm>
#include <cstdint>

#include "cupyxx/core/body.h"
#include "cupyxx/extension/kernel_slot.h"
#include "cupyxx/internal/gpu/runtime.h"
#include "cupyxx/internal/jit/kernel.h"
#include "cupyxx/ndarray.h"

namespace cupyxx::internal::gpu {

using extension::KernelSlot;

/// The stream of a call, and the launches on it.
class Launcher {
 public:
  explicit Launcher(Device device)
      : on_(device.index), device_(device.index), stream_(current_stream(device.index)) {}

  int device() const { return device_; }
  void* stream() const { return stream_; }

  /// The address of an array that the launches use; null for none.
  template <class T = void>
  T* use(const ndarray* a) const {
    if (a == nullptr) return nullptr;
    record_use(a->body()->storage, stream_);
    return static_cast<T*>(a->elements());
  }

  /// One number of the device, once the stream has come to it: waits.
  template <class T>
  T read_back(const T* from) const {
    T number;
    copy(&number, from, sizeof(T), CopyKind::device_to_host, device_, stream_);
    synchronize(device_, stream_);
    return number;
  }

  /// One block of 256 threads for each of `blocks`. `make` makes the program on the first call.
  template <class Make>
  void blocks(KernelSlot& slot, Make make, std::int64_t blocks, const void* args) const {
    launch(slot, make, blocks, args);
  }

  /// Enough blocks for n elements that the kernel walks over.
  template <class Make>
  void elements(KernelSlot& slot, Make make, std::int64_t n, const void* args) const {
    const std::int64_t most = std::int64_t{64} * device_info(device_).multiprocessors;
    launch(slot, make, std::clamp<std::int64_t>((n + 255) / 256, 1, most), args);
  }

 private:
  template <class Make>
  void launch(KernelSlot& slot, Make make, std::int64_t blocks, const void* args) const {
    jit::launch(slot.get(device_, make), {.grid_x = static_cast<unsigned>(blocks), .block_x = 256},
                stream_, args);
  }

  OnDevice on_;
  int device_;
  void* stream_;
};

}  // namespace cupyxx::internal::gpu
