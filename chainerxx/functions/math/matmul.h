// SPDX-License-Identifier: MIT
// Products of matrices and of batches of matrices.
#pragma once

#include <concepts>
#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/variable.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// Options of matmul and batch_matmul.
struct MatMulOptions {
  bool transa = false;  ///< transposes the first matrix
  bool transb = false;  ///< the second
};

/// The product of two matrices, or of batches of matrices.
class CUPYXX_API MatMul final : public FunctionOf<MatMul> {
 public:
  explicit MatMul(bool transa = false, bool transb = false) : transa_(transa), transb_(transb) {}
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan in) override;
  std::vector<ndarray> backward(ArraySpan in, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan in, VariableSpan gy) override;
  PrecisionRule precision_rule() const override { return PrecisionRule::narrow; }

 private:
  bool transa_, transb_;
};

/// The products of the matrices of two batches.
class CUPYXX_API BatchMatMul final : public FunctionOf<BatchMatMul> {
 public:
  explicit BatchMatMul(bool transa = false, bool transb = false)
      : transa_(transa), transb_(transb) {}
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan in) override;
  std::vector<ndarray> backward(ArraySpan in, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan in, VariableSpan gy) override;
  PrecisionRule precision_rule() const override { return PrecisionRule::narrow; }

 private:
  bool transa_, transb_;
};

/// a b, each transposed where asked for. A vector is a matrix of one column; the result of vectors
/// and matrices is always a matrix. Of three and more axes the last two are multiplied and those
/// before them broadcast, as in NumPy's matmul; a matrix goes with each of a batch, and a vector
/// beside a batch is refused.
CUPYXX_API Variable matmul(const Variable& a, const Variable& b, bool transa = false,
                           bool transb = false);
template <std::same_as<MatMulOptions> O = MatMulOptions>
Variable matmul(const Variable& a, const Variable& b, O options) {
  return matmul(a, b, options.transa, options.transb);
}
/// The products over the last two axes; the axes before them broadcast. A matrix beside a batch is
/// a batch of vectors, each of one column.
CUPYXX_API Variable batch_matmul(const Variable& a, const Variable& b, bool transa = false,
                                 bool transb = false);
template <std::same_as<MatMulOptions> O = MatMulOptions>
Variable batch_matmul(const Variable& a, const Variable& b, O options) {
  return batch_matmul(a, b, options.transa, options.transb);
}

}  // namespace chainerxx::functions
