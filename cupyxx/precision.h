// SPDX-License-Identifier: MIT
// How exactly products of float32 are computed.
//
//   const cupyxx::ComputeScope tf32(cupyxx::Precision::tf32);
//   ndarray c = cupyxx::matmul(a, b);  // on a GPU: operands of 10 bits, sums of float32
#pragma once

#include <cstdint>
#include <string_view>

#include "cupyxx/export.h"

namespace cupyxx {

/// The type in which factors are multiplied. Sums are those of float32 always.
enum class Precision : std::uint8_t {
  float32,   ///< 23 bits, as the arrays have them
  tf32,      ///< 10 bits, the range of float32; float32 arrays stay what they are
  bfloat16,  ///< 7 bits, the range of float32
  float16    ///< 10 bits, up to 65504
};

/// "float32", "tf32", "bfloat16" or "float16". Throws ValueError for a number that was made a
/// Precision and is none, as the scopes do.
CUPYXX_API std::string_view name_of(Precision precision);
/// The precision of a name. Throws ValueError, which begins with `what`, for any other.
CUPYXX_API Precision precision_of(std::string_view name, std::string_view what = "precision_of");

namespace internal {

// `precision`, or a ValueError that begins with `what` where it is none of the four.
CUPYXX_API Precision known(Precision precision, std::string_view what);

}  // namespace internal

/// How exactly this thread's products of float32 and complex64 arrays are computed on devices:
/// float32 outside of ComputeScope.
CUPYXX_API Precision compute_precision();

/// Chooses it until the end of the scope, for matmul, dot, tensordot, einsum, gemm and what is made
/// of them. The arrays keep their dtype: a narrower precision rounds the factors within the matrix
/// units of the device. It is a permission: products that gain nothing by it, those of other dtypes
/// and those on the host stay exact.
class CUPYXX_API ComputeScope {
 public:
  [[nodiscard("give it a name")]] explicit ComputeScope(Precision precision);
  ~ComputeScope();
  ComputeScope(const ComputeScope&) = delete;
  ComputeScope& operator=(const ComputeScope&) = delete;

 private:
  Precision previous_;
};

}  // namespace cupyxx
