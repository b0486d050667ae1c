// SPDX-License-Identifier: MIT
// Where whoever launches a kernel keeps it.
#pragma once

#include <atomic>

#include "cupyxx/extension/device_limit.h"

namespace cupyxx::internal::jit {
struct Kernel;
struct Program;
const Kernel* load(int device, const Program& program);
bool slots_are_checked();
void check_slot(int device, const Kernel* kept, const Program& meant);
}  // namespace cupyxx::internal::jit

namespace cupyxx::extension {

/// One kernel, as loaded for each device: after the first launch there no more than a read. Lives
/// for ever. With CUPYXX_DEBUG=sync each use asks whether the slot has the kernel that is meant:
/// two kernels that came to share one would compute each other's results.
class KernelSlot {
 public:
  /// `make` makes the program, at the first use on a device.
  template <class Make>
  const internal::jit::Kernel* get(int device, Make&& make) {
    std::atomic<const internal::jit::Kernel*>& slot = loaded_[device];
    const internal::jit::Kernel* kernel = slot.load(std::memory_order_acquire);
    if (kernel == nullptr) [[unlikely]] {
      kernel = internal::jit::load(device, make());
      slot.store(kernel, std::memory_order_release);
    } else if (internal::jit::slots_are_checked()) [[unlikely]] {
      internal::jit::check_slot(device, kernel, make());
    }
    return kernel;
  }

 private:
  std::atomic<const internal::jit::Kernel*> loaded_[kMaxDevices] = {};
};

}  // namespace cupyxx::extension
