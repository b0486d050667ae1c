// SPDX-License-Identifier: MIT
#include "cupyxx/internal/gpu/current.h"

#include "cupyxx/error.h"
#include "cupyxx/internal/gpu/runtime.h"

namespace cupyxx::internal::gpu {

constinit thread_local Current t_current;

int current_device() { return t_current.cuda >= 0 ? t_current.cuda : bound_device(); }

Device known(Device device, const char* operation) {
  if (device.is_cpu() || device.is_cuda()) return device;
  throw ValueError(message(operation, ": there is no kind of device ",
                           static_cast<int>(device.kind), "; cpu is 0, cuda 1"));
}

void make_current(const char* operation, Device device) {
  if (known(device, operation).is_cuda()) {
    check_device(operation, device.index);
    const int own = t_current.cuda < 0 ? bound_device() : t_current.own;
    set_device(device.index);
    t_current.own = own;
    t_current.cuda = device.index;
  }
  t_current.arrays = device;
}

void restore_current(Device arrays, int cuda) noexcept {
  t_current.arrays = arrays;
  if (t_current.cuda == cuda) return;
  t_current.cuda = cuda;
  return_to_device(cuda >= 0 ? cuda : t_current.own);
}

}  // namespace cupyxx::internal::gpu
