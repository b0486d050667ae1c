// SPDX-License-Identifier: MIT
// OpenBLAS, opened on first use so that its kernels can be chosen from our own look at the CPU.
#pragma once

#include <cstdint>

namespace cupyxx::internal::cpu {

/// The functions of OpenBLAS that we call. Row-major CBLAS, column-major Fortran LAPACK.
struct OpenBlas {
  void (*dgemm)(int order, int trans_a, int trans_b, int m, int n, int k, double alpha,
                const double* a, int lda, const double* b, int ldb, double beta, double* c,
                int ldc);
  void (*dgesdd)(const char* job, const int* m, const int* n, double* a, const int* lda, double* s,
                 double* u, const int* ldu, double* vt, const int* ldvt, double* work,
                 const int* lwork, int* iwork, int* info);
  void (*dgesv)(const int* n, const int* columns, double* a, const int* lda, int* pivots, double* b,
                const int* ldb, int* info);
  void (*dgetrf)(const int* m, const int* n, double* a, const int* lda, int* pivots, int* info);
  void (*dpotrf)(const char* uplo, const int* n, double* a, const int* lda, int* info);
  void (*dgeqrf)(const int* m, const int* n, double* a, const int* lda, double* tau, double* work,
                 const int* lwork, int* info);
  void (*dorgqr)(const int* m, const int* n, const int* k, double* a, const int* lda,
                 const double* tau, double* work, const int* lwork, int* info);
  void (*dsyevd)(const char* job, const char* uplo, const int* n, double* a, const int* lda,
                 double* w, double* work, const int* lwork, int* iwork, const int* liwork,
                 int* info);
  const char* core;  // the kernels it uses: "SkylakeX"
};

/// Loads OpenBLAS. Throws Error, naming `operation`, the library and the paths tried.
const OpenBlas& openblas(const char* operation);

}  // namespace cupyxx::internal::cpu
