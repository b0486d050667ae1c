// SPDX-License-Identifier: MIT
// Launches in a build without CUDA: no array can be on a device, so nothing gets here.
#include "cupyxx/error.h"
#include "cupyxx/internal/elementwise.h"
#include "cupyxx/internal/take.h"

namespace cupyxx::internal::gpu {

void run_elementwise(const ElementwiseCall& call, int device) {
  throw DeviceError(
      message(call.op->name, ": cuda:", device, " is not available; this build has no CUDA"));
}

void take(const TakeCall& call, int device) {
  throw DeviceError(
      message(call.operation, ": cuda:", device, " is not available; this build has no CUDA"));
}

}  // namespace cupyxx::internal::gpu
