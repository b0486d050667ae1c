// SPDX-License-Identifier: MIT
// Handles of cuBLAS for programs that call it themselves.
#pragma once

namespace cupyxx::internal::gpu {

/// The cublasHandle_t of a device and this thread, set to the thread's current stream there. Throws
/// DeviceError, CudaError, and Error when the library is missing.
void* cublas_handle(int device);

}  // namespace cupyxx::internal::gpu
