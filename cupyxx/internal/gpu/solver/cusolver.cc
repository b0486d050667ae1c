// SPDX-License-Identifier: MIT
#include "cupyxx/internal/gpu/solver/cusolver.h"

#include "cupyxx/error.h"
#include "cupyxx/extension/device_limit.h"
#include "cupyxx/internal/gpu/await.h"
#include "cupyxx/internal/gpu/check.h"
#include "cupyxx/internal/gpu/runtime.h"

namespace cupyxx::internal::gpu {

namespace {

struct Handle {
  std::mutex mutex;
  cusolverDnHandle_t handle = nullptr;
  cusolverDnParams_t params = nullptr;
  cublasHandle_t blas = nullptr;
};

// Never destroyed: arrays may outlive main().
Handle& handle_of(int device) {
  static Handle* const handles = new Handle[extension::kMaxDevices];
  return handles[device];
}

const char* status_name(cusolverStatus_t status) {
  switch (status) {
    case CUSOLVER_STATUS_NOT_INITIALIZED:
      return "not initialised";
    case CUSOLVER_STATUS_ALLOC_FAILED:
      return "allocation failed";
    case CUSOLVER_STATUS_INVALID_VALUE:
      return "invalid value";
    case CUSOLVER_STATUS_ARCH_MISMATCH:
      return "architecture mismatch";
    case CUSOLVER_STATUS_EXECUTION_FAILED:
      return "execution failed";
    case CUSOLVER_STATUS_INTERNAL_ERROR:
      return "internal error";
    case CUSOLVER_STATUS_NOT_SUPPORTED:
      return "not supported";
    default:
      return "failed";
  }
}

}  // namespace

const CuSolver& cusolver() {
  static const CuSolver& functions = *new CuSolver;
  return functions;
}

const CuBlas& cublas() {
  static const CuBlas& functions = *new CuBlas;
  return functions;
}

SolverLease::SolverLease(const char* operation, int device)
    : operation_(operation), device_(device), on_(device) {
  Handle& handle = handle_of(device);
  lock_ = std::unique_lock(handle.mutex);
  if (handle.handle == nullptr) {
    check(cusolver().Create(&handle.handle), "cusolverDnCreate");
    check(cusolver().CreateParams(&handle.params), "cusolverDnCreateParams");
  }
  handle_ = handle.handle;
  params_ = handle.params;
  check(cusolver().SetStream(handle_, as_stream(current_stream(device))), "cusolverDnSetStream");
}

cublasHandle_t SolverLease::blas() const {
  Handle& handle = handle_of(device_);
  if (handle.blas == nullptr) check(cublas().Create_v2(&handle.blas), "cublasCreate");
  check(cublas().SetStream_v2(handle.blas, as_stream(current_stream(device_))), "cublasSetStream");
  return handle.blas;
}

void SolverLease::await(const char* function) const {
  await_library(function, device_, current_stream(device_));
}

void SolverLease::check(cublasStatus_t status, const char* function) const {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw CudaError(
      message(operation_, ": ", function, " failed; status ", static_cast<int>(status)));
}

void SolverLease::check(cusolverStatus_t status, const char* function) const {
  if (status == CUSOLVER_STATUS_SUCCESS) return;
  throw CudaError(message(operation_, ": ", function, " failed; ", status_name(status), " (",
                          static_cast<int>(status), ")"));
}

}  // namespace cupyxx::internal::gpu
