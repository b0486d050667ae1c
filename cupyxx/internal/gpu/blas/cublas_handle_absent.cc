// SPDX-License-Identifier: MIT
#include "cupyxx/error.h"
#include "cupyxx/internal/gpu/blas/cublas_handle.h"
#include "cupyxx/internal/gpu/runtime.h"

namespace cupyxx::internal::gpu {

void* cublas_handle(int device) {
  check_device("cublas_handle", device);
  throw DeviceError("cublas_handle: this build has no CUDA");
}

}  // namespace cupyxx::internal::gpu
