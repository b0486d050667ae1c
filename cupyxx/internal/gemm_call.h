// SPDX-License-Identifier: MIT
// One matrix product over raw memory: what linalg.cc asks of internal/cpu/blas and
// internal/gpu/blas.
#pragma once

#include <cstdint>

#include "cupyxx/dtype.h"
#include "cupyxx/precision.h"

namespace cupyxx::internal {

/// C = relu(A B + C + bias), of which the last three are optional; A is m x k, B k x n, C m x n.
/// All are row-major; a leading dimension is the distance of two rows in elements, at least their
/// length. With `trans_a` the memory holds the transpose of A (k rows of m). C overlaps
/// neither A nor B.
struct GemmCall {
  cupyxx::dtype dtype;  // of A, B, C and bias
  // C is float32, where A and B are float16 or bfloat16. Only in gpu::gemm_into_float32().
  bool wide_c = false;
  Precision compute = Precision::float32;  // what float32 and complex64 factors may be rounded to
  bool trans_a = false;
  bool trans_b = false;
  bool accumulate = false;  // adds C's old elements
  bool relu = false;        // negative results become 0; not for complex types
  std::int64_t m = 0, n = 0, k = 0;
  const void* a = nullptr;
  std::int64_t lda = 0;
  const void* b = nullptr;
  std::int64_t ldb = 0;
  void* c = nullptr;
  std::int64_t ldc = 0;
  const void* bias = nullptr;  // n elements, added to each row
  // m elements, to which the sums of A's rows are added, or null. Only for products for which
  // gpu::gemm_sums_rows() is true.
  void* row_sums = nullptr;
  // What the library alone can do besides (gpu::gemm_with_epilogue). With `gelu` the result is
  // gelu(A B + bias), and A B + bias goes to `pre_activation`, m x n of the dtype; with
  // `gelu_gradient` it is A B times gelu's derivative there.
  bool gelu = false;
  bool gelu_gradient = false;
  void* pre_activation = nullptr;
  void* sums_of_a = nullptr;  // m elements of C's type: the sums of A's rows; nothing else then
  bool has_epilogue() const { return gelu || gelu_gradient || sums_of_a != nullptr; }
  // So many products, with these distances between their matrices, in elements; 0 repeats one.
  std::int64_t batch = 1;
  std::int64_t stride_a = 0, stride_b = 0, stride_c = 0;

  /// Elements between two rows and two columns of A and B themselves.
  std::int64_t row_a() const { return trans_a ? 1 : lda; }
  std::int64_t col_a() const { return trans_a ? lda : 1; }
  std::int64_t row_b() const { return trans_b ? 1 : ldb; }
  std::int64_t col_b() const { return trans_b ? ldb : 1; }

  /// The i-th product of the batch alone.
  GemmCall item(std::int64_t i) const {
    GemmCall one = *this;
    const std::int64_t bytes = i * dtype.itemsize();
    one.a = static_cast<const char*>(a) + stride_a * bytes;
    one.b = static_cast<const char*>(b) + stride_b * bytes;
    one.c = static_cast<char*>(c) + stride_c * bytes;
    one.batch = 1;
    return one;
  }
};

}  // namespace cupyxx::internal
