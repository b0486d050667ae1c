// SPDX-License-Identifier: MIT
// OpenBLAS, opened on first use so that its kernels can be chosen from our own look at the CPU.
#pragma once

#include "cupyxx/complex.h"

namespace cupyxx::internal::cpu {

/// LAPACK's routines that look the same for every type, without their letter.
template <class T>
struct LapackOfAll {
  void (*getrf)(const int* m, const int* n, T* a, const int* lda, int* pivots, int* info);
  void (*getrs)(const char* trans, const int* n, const int* columns, const T* a, const int* lda,
                const int* pivots, T* b, const int* ldb, int* info);
  void (*getri)(const int* n, T* a, const int* lda, const int* pivots, T* work, const int* lwork,
                int* info);
  void (*potrf)(const char* uplo, const int* n, T* a, const int* lda, int* info);
  void (*geqrf)(const int* m, const int* n, T* a, const int* lda, T* tau, T* work, const int* lwork,
                int* info);
  /// ungqr for complex types.
  void (*orgqr)(const int* m, const int* n, const int* k, T* a, const int* lda, const T* tau,
                T* work, const int* lwork, int* info);
};

/// Those and the others of one real type.
template <class T>
struct Lapack : LapackOfAll<T> {
  void (*gesdd)(const char* job, const int* m, const int* n, T* a, const int* lda, T* s, T* u,
                const int* ldu, T* vt, const int* ldvt, T* work, const int* lwork, int* iwork,
                int* info);
  void (*gelsd)(const int* m, const int* n, const int* columns, T* a, const int* lda, T* b,
                const int* ldb, T* s, const T* bound, int* rank, T* work, const int* lwork,
                int* iwork, int* info);
  void (*syevd)(const char* job, const char* uplo, const int* n, T* a, const int* lda, T* w,
                T* work, const int* lwork, int* iwork, const int* liwork, int* info);
  void (*geev)(const char* left, const char* right, const int* n, T* a, const int* lda, T* wr,
               T* wi, T* vl, const int* ldvl, T* vr, const int* ldvr, T* work, const int* lwork,
               int* info);
};

/// Those of one complex type, which also take real workspaces.
template <class P>
struct Lapack<complex<P>> : LapackOfAll<complex<P>> {
  using T = complex<P>;
  void (*gesdd)(const char* job, const int* m, const int* n, T* a, const int* lda, P* s, T* u,
                const int* ldu, T* vt, const int* ldvt, T* work, const int* lwork, P* rwork,
                int* iwork, int* info);
  void (*gelsd)(const int* m, const int* n, const int* columns, T* a, const int* lda, T* b,
                const int* ldb, P* s, const P* bound, int* rank, T* work, const int* lwork,
                P* rwork, int* iwork, int* info);
  /// heevd.
  void (*syevd)(const char* job, const char* uplo, const int* n, T* a, const int* lda, P* w,
                T* work, const int* lwork, P* rwork, const int* lrwork, int* iwork,
                const int* liwork, int* info);
  void (*geev)(const char* left, const char* right, const int* n, T* a, const int* lda, T* w, T* vl,
               const int* ldvl, T* vr, const int* ldvr, T* work, const int* lwork, P* rwork,
               int* info);
};

/// The functions of OpenBLAS that we call. Row-major CBLAS, column-major Fortran LAPACK.
struct OpenBlas {
  void (*sgemm)(int order, int trans_a, int trans_b, int m, int n, int k, float alpha,
                const float* a, int lda, const float* b, int ldb, float beta, float* c, int ldc);
  void (*dgemm)(int order, int trans_a, int trans_b, int m, int n, int k, double alpha,
                const double* a, int lda, const double* b, int ldb, double beta, double* c,
                int ldc);
  void (*dgemv)(int order, int trans, int m, int n, double alpha, const double* a, int lda,
                const double* x, int step_x, double beta, double* y, int step_y);
  void (*cgemm)(int order, int trans_a, int trans_b, int m, int n, int k, const void* alpha,
                const void* a, int lda, const void* b, int ldb, const void* beta, void* c, int ldc);
  void (*zgemm)(int order, int trans_a, int trans_b, int m, int n, int k, const void* alpha,
                const void* a, int lda, const void* b, int ldb, const void* beta, void* c, int ldc);
  Lapack<float> s;
  Lapack<double> d;
  Lapack<complex<float>> c;
  Lapack<complex<double>> z;
  const char* core;  // the kernels it uses: "SkylakeX"
};

/// Loads OpenBLAS. Throws Error, naming `operation`, the library and the paths tried.
const OpenBlas& openblas(const char* operation);

}  // namespace cupyxx::internal::cpu
