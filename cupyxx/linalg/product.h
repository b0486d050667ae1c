// SPDX-License-Identifier: MIT
// Stacks of matrix products over strided memory, cut into calls of the matrix libraries.
#pragma once

#include <cstdint>

#include "cupyxx/core/body.h"
#include "cupyxx/internal/gemm_call.h"
#include "cupyxx/ndarray.h"

namespace cupyxx::internal {

/// One operand: matrices that lie `step` apart along each axis of the stack. Distances in bytes.
struct ProductSide {
  Storage* storage = nullptr;
  char* data = nullptr;
  std::int64_t row = 0, column = 0;
  std::int64_t step[kMaxNdim];  // those of the stack's axes are set
};

/// C = A B for every element of the stack.
struct Product {
  cupyxx::dtype dtype;
  Device device;
  std::int64_t m = 0, n = 0, k = 0;
  int stack_ndim = 0;
  std::int64_t stack[kMaxNdim];
  ProductSide a, b, c;  // the rows of C have no gaps
};

/// Merges axes of the stack and runs the product. A and B must fit a library (see for_product).
void run_product(Product& product);

/// Whether a matrix of these extents and distances in bytes has a leading dimension; sets it, and
/// whether the memory holds the transpose.
bool leading_dimension(std::int64_t rows, std::int64_t columns, std::int64_t row,
                       std::int64_t column, std::int64_t itemsize, bool* transposed,
                       std::int64_t* ld);

/// Runs a call on a device; the storages (null ones are left out) are noted as used there.
void run_gemm(const GemmCall& call, Device device, Storage* a, Storage* b, Storage* c,
              Storage* bias);

/// The promoted dtype of a product, whose operands must be arrays of dtypes with loops on the host
/// or on devices. Throws TypeError and DtypeError naming `operation`.
cupyxx::dtype product_dtype(const char* operation, const ndarray& a, const ndarray& b);

/// `x` with a dtype, on a device, in a layout whose last two axes (or one) are fit for a library:
/// `x` itself where it is so already, else `made`.
const ndarray& for_product(const ndarray& x, cupyxx::dtype dtype, Device device, ndarray& made);

}  // namespace cupyxx::internal
