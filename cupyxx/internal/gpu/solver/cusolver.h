// SPDX-License-Identifier: MIT
// cuSOLVER, opened on first use, one handle per device.
#pragma once

#include <cusolverDn.h>

#include <mutex>

#include "cupyxx/extension/dynamic_library.h"
#include "cupyxx/internal/gpu/runtime.h"

namespace cupyxx::internal::gpu {

/// The functions of cuSOLVER that we call.
struct CuSolver {
  extension::DynamicLibrary library{"cuSOLVER",
                                    {"libcusolver.so.12", "libcusolver.so.11", "libcusolver.so"}};
#define CUPYXX_SOLVER(name)            \
  decltype(&::cusolverDn##name) name = \
      library.symbol<decltype(&::cusolverDn##name)>("cusolverDn" #name)
  CUPYXX_SOLVER(Create);
  CUPYXX_SOLVER(CreateParams);
  CUPYXX_SOLVER(SetStream);
  CUPYXX_SOLVER(Xgetrf_bufferSize);
  CUPYXX_SOLVER(Xgetrf);
  CUPYXX_SOLVER(Xgetrs);
  CUPYXX_SOLVER(Xpotrf_bufferSize);
  CUPYXX_SOLVER(Xpotrf);
  CUPYXX_SOLVER(SpotrfBatched);
  CUPYXX_SOLVER(DpotrfBatched);
  CUPYXX_SOLVER(CpotrfBatched);
  CUPYXX_SOLVER(ZpotrfBatched);
  CUPYXX_SOLVER(Xgeqrf_bufferSize);
  CUPYXX_SOLVER(Xgeqrf);
  CUPYXX_SOLVER(Sorgqr_bufferSize);
  CUPYXX_SOLVER(Sorgqr);
  CUPYXX_SOLVER(Dorgqr_bufferSize);
  CUPYXX_SOLVER(Dorgqr);
  CUPYXX_SOLVER(Cungqr_bufferSize);
  CUPYXX_SOLVER(Cungqr);
  CUPYXX_SOLVER(Zungqr_bufferSize);
  CUPYXX_SOLVER(Zungqr);
  CUPYXX_SOLVER(Xgesvd_bufferSize);
  CUPYXX_SOLVER(Xgesvd);
  CUPYXX_SOLVER(Xsyevd_bufferSize);
  CUPYXX_SOLVER(Xsyevd);
  CUPYXX_SOLVER(XsyevBatched_bufferSize);
  CUPYXX_SOLVER(XsyevBatched);
#undef CUPYXX_SOLVER
};

/// The functions of cuBLAS that factor many small matrices at once.
struct CuBlas {
  extension::DynamicLibrary library{"cuBLAS",
                                    {"libcublas.so.13", "libcublas.so.12", "libcublas.so"}};
#define CUPYXX_BLAS(name) \
  decltype(&::cublas##name) name = library.symbol<decltype(&::cublas##name)>("cublas" #name)
  CUPYXX_BLAS(Create_v2);
  CUPYXX_BLAS(SetStream_v2);
  CUPYXX_BLAS(SgetrfBatched);
  CUPYXX_BLAS(DgetrfBatched);
  CUPYXX_BLAS(CgetrfBatched);
  CUPYXX_BLAS(ZgetrfBatched);
  CUPYXX_BLAS(SgetrsBatched);
  CUPYXX_BLAS(DgetrsBatched);
  CUPYXX_BLAS(CgetrsBatched);
  CUPYXX_BLAS(ZgetrsBatched);
#undef CUPYXX_BLAS
};

/// Both throw Error when the library is missing.
const CuSolver& cusolver();
const CuBlas& cublas();

/// A device's handle on its current stream. One thread at a time has it.
class SolverLease {
 public:
  SolverLease(const char* operation, int device);
  SolverLease(const SolverLease&) = delete;
  SolverLease& operator=(const SolverLease&) = delete;

  cusolverDnHandle_t handle() const { return handle_; }
  cusolverDnParams_t params() const { return params_; }
  /// The device's handle of cuBLAS, on the same stream.
  cublasHandle_t blas() const;
  /// Throws CudaError, naming operation, function and status.
  void check(cusolverStatus_t status, const char* function) const;
  void check(cublasStatus_t status, const char* function) const;
  /// The same for a function that has launched something, which debug mode awaits.
  template <class Status>
  void launched(Status status, const char* function) const {
    check(status, function);
    await(function);
  }

 private:
  void await(const char* function) const;

  const char* operation_;
  int device_;
  OnDevice on_;
  cusolverDnHandle_t handle_ = nullptr;
  cusolverDnParams_t params_ = nullptr;
  std::unique_lock<std::mutex> lock_;
};

}  // namespace cupyxx::internal::gpu
