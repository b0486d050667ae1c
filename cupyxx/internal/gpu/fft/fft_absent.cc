// SPDX-License-Identifier: MIT
// Without CUDA no array can be on a device, so nothing gets here.

#include "cupyxx/error.h"
#include "cupyxx/internal/fft.h"

namespace cupyxx::internal::gpu {

void fft(const char* operation, const ndarray& a, bool) {
  throw DeviceError(
      message(operation, ": ", a.device().name(), " is not available; this build has no CUDA"));
}

}  // namespace cupyxx::internal::gpu
