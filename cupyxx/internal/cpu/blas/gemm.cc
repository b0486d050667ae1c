// SPDX-License-Identifier: MIT
#include "cupyxx/internal/cpu/blas/gemm.h"

#include <oneapi/dnnl/dnnl.h>

#include <algorithm>
#include <climits>
#include <memory>

#include "cupyxx/error.h"
#include "cupyxx/internal/cpu/blas/loops.h"
#include "cupyxx/internal/cpu/blas/openblas.h"
#include "cupyxx/internal/cpu/parallel.h"
#include "cupyxx/internal/cpu/signals.h"

namespace cupyxx::internal::cpu {
namespace {

// Below this many multiplications a call of a library costs more than the product.
constexpr double kTinyWork = 128;
// Up to this many float32 products are OpenBLAS's, which has half the cost there; beyond it oneDNN
// has four fifths of OpenBLAS's (one core of a Xeon with AVX-512).
constexpr double kSmallWork = 1 << 20;
// Below this many (about 50 us of one CPU) waking a team does not pay.
constexpr double kTeamWork = 1 << 23;

double work_of(const GemmCall& call) {
  return static_cast<double>(call.m) * static_cast<double>(call.n) * static_cast<double>(call.k);
}

void float32_product(const GemmCall& call) {
  const WithoutSignals quiet;
  const dnnl_status_t status =
      dnnl_sgemm(call.trans_a ? 'T' : 'N', call.trans_b ? 'T' : 'N', call.m, call.n, call.k, 1.0f,
                 static_cast<const float*>(call.a), call.lda, static_cast<const float*>(call.b),
                 call.ldb, call.accumulate ? 1.0f : 0.0f, static_cast<float*>(call.c), call.ldc);
  if (status != dnnl_success) {
    throw Error(message("gemm: dnnl_sgemm failed; status ", static_cast<int>(status)));
  }
}

constexpr int kRowMajor = 101, kPlain = 111, kTransposed = 112;  // CBLAS's codes

// A matrix times a vector, or a vector times a matrix, reads the matrix once; the product of
// matrices packs it first.
void vector_product(const OpenBlas& blas, const GemmCall& call) {
  const bool matrix_first = call.n == 1;
  const std::int64_t out_step = matrix_first ? call.ldc : 1;
  auto* const out = static_cast<double*>(call.c);
  if (!call.accumulate) {  // what stood there may be NaN, whose product with 0 is not 0
    for (std::int64_t i = 0; i < call.m * call.n; ++i) out[i * out_step] = 0;
  }
  const bool transposed = matrix_first ? call.trans_a : !call.trans_b;
  const void* const matrix = matrix_first ? call.a : call.b;
  const void* const vector = matrix_first ? call.b : call.a;
  const std::int64_t step = matrix_first ? call.row_b() : call.col_a();
  const std::int64_t results = call.m * call.n;
  const auto rows = static_cast<int>(transposed ? call.k : results);
  const auto columns = static_cast<int>(transposed ? results : call.k);
  blas.dgemv(kRowMajor, transposed ? kTransposed : kPlain, rows, columns, 1.0,
             static_cast<const double*>(matrix),
             static_cast<int>(matrix_first ? call.lda : call.ldb),
             static_cast<const double*>(vector), static_cast<int>(step), 1.0, out,
             static_cast<int>(out_step));
}

void openblas_product(const GemmCall& call) {
  // OpenBLAS counts in 32 bits; a matrix with a longer side is left to the loops.
  const std::int64_t longest = std::max({call.m, call.n, call.k, call.lda, call.ldb, call.ldc});
  if (longest > INT_MAX) {
    gemm_loops(call);
    return;
  }
  const OpenBlas& blas = openblas("gemm");
  if (call.dtype == float64 && (call.m == 1 || call.n == 1)) return vector_product(blas, call);
  const int trans_a = call.trans_a ? kTransposed : kPlain;
  const int trans_b = call.trans_b ? kTransposed : kPlain;
  const int m = static_cast<int>(call.m), n = static_cast<int>(call.n);
  const int k = static_cast<int>(call.k), lda = static_cast<int>(call.lda);
  const int ldb = static_cast<int>(call.ldb), ldc = static_cast<int>(call.ldc);
  if (call.dtype == float32) {
    blas.sgemm(kRowMajor, trans_a, trans_b, m, n, k, 1.0f, static_cast<const float*>(call.a), lda,
               static_cast<const float*>(call.b), ldb, call.accumulate ? 1.0f : 0.0f,
               static_cast<float*>(call.c), ldc);
    return;
  }
  if (call.dtype == float64) {
    blas.dgemm(kRowMajor, trans_a, trans_b, m, n, k, 1.0, static_cast<const double*>(call.a), lda,
               static_cast<const double*>(call.b), ldb, call.accumulate ? 1.0 : 0.0,
               static_cast<double*>(call.c), ldc);
    return;
  }
  const complex<float> one(1), zero(0);
  const complex<double> one_double(1), zero_double(0);
  if (call.dtype == complex64) {
    blas.cgemm(kRowMajor, trans_a, trans_b, m, n, k, &one, call.a, lda, call.b, ldb,
               call.accumulate ? &one : &zero, call.c, ldc);
  } else {
    blas.zgemm(kRowMajor, trans_a, trans_b, m, n, k, &one_double, call.a, lda, call.b, ldb,
               call.accumulate ? &one_double : &zero_double, call.c, ldc);
  }
}

// 16-bit floats are widened: products and sums are those of float32, rounded once.
void narrow_product(const GemmCall& call) {
  const std::int64_t rows_a = call.trans_a ? call.k : call.m;
  const std::int64_t cols_a = call.trans_a ? call.m : call.k;
  const std::int64_t rows_b = call.trans_b ? call.n : call.k;
  const std::int64_t cols_b = call.trans_b ? call.k : call.n;
  const auto floats = [](std::int64_t count) {
    return std::make_unique_for_overwrite<float[]>(static_cast<std::size_t>(count));
  };
  const auto a = floats(rows_a * cols_a), b = floats(rows_b * cols_b), c = floats(call.m * call.n);
  widen(call.dtype, call.a, call.lda, rows_a, cols_a, a.get());
  widen(call.dtype, call.b, call.ldb, rows_b, cols_b, b.get());
  if (call.accumulate) widen(call.dtype, call.c, call.ldc, call.m, call.n, c.get());

  GemmCall wide = call;
  wide.dtype = float32;
  wide.a = a.get();
  wide.lda = cols_a;
  wide.b = b.get();
  wide.ldb = cols_b;
  wide.c = c.get();
  wide.ldc = call.n;
  std::unique_ptr<float[]> bias;
  if (call.bias != nullptr) {
    bias = floats(call.n);
    widen(call.dtype, call.bias, call.n, 1, call.n, bias.get());
    wide.bias = bias.get();
    prefill(wide);
    wide.accumulate = true;
  }
  float32_product(wide);
  if (call.relu) apply_relu(wide);
  narrow(call.dtype, c.get(), call.m, call.n, call.c, call.ldc);
}

bool in_library(const GemmCall& call) {
  return (call.dtype.is_floating() || call.dtype.is_complex()) && work_of(call) > kTinyWork &&
         (call.m > 1 || call.n > 1);
}

void one_product(const GemmCall& call) {
  if (!in_library(call)) {
    gemm_loops(call);
    return;
  }
  if (call.dtype.itemsize() == 2) {
    narrow_product(call);
    return;
  }
  GemmCall plain = call;
  if (call.bias != nullptr) {
    prefill(call);
    plain.accumulate = true;
    plain.bias = nullptr;
  }
  plain.relu = false;
  if (call.dtype == float32 && work_of(call) > kSmallWork) {
    float32_product(plain);
  } else {
    openblas_product(plain);
  }
  if (call.relu) apply_relu(call);
}

}  // namespace

void gemm(const GemmCall& call) {
  if (call.m == 0 || call.n == 0 || call.batch == 0) return;
  const double work = work_of(call);
  if (call.batch == 1) {
    if (!in_library(call)) {
      gemm_loops(call);
    } else {
      const LibraryTeam team(work < kTeamWork || in_team() ? 1 : thread_count());
      one_product(call);
    }
    return;
  }
  const double total = work * static_cast<double>(call.batch);
  if (work >= kTeamWork || total < kTeamWork || in_team()) {
    const LibraryTeam team(work < kTeamWork || in_team() ? 1 : thread_count());
    for (std::int64_t i = 0; i < call.batch; ++i) one_product(call.item(i));
    return;
  }
  // Many small products: one thread each.
  run_tasks(thread_count(), call.batch, [&](std::int64_t i) { one_product(call.item(i)); });
}

}  // namespace cupyxx::internal::cpu
