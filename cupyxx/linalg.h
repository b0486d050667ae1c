// SPDX-License-Identifier: MIT
// Products of vectors and matrices. NumPy's chapter "Linear algebra". float32 products run in
// oneDNN on the host and cuBLAS on a device, float64 in OpenBLAS and cuBLAS. Both operands must be
// on the host or both on devices; the result has the promoted dtype.
#pragma once

#include <concepts>
#include <string_view>
#include <type_traits>

#include "cupyxx/ndarray.h"

namespace cupyxx {

/// NumPy's dot: inner product of the last axis of `a` and the last but one of `b`; a product for a
/// 0-d operand. `out` must be C-contiguous and have the result's shape and dtype.
CUPYXX_API ndarray dot(const ndarray& a, const ndarray& b, const ndarray& out = {});
/// Matrix product of the last two axes; the others broadcast. `out` may have any layout and any
/// dtype to which the result can be cast by `same_kind`.
CUPYXX_API ndarray matmul(const ndarray& a, const ndarray& b, const ndarray& out = {});
/// Dot product of the flattened arrays, the first one conjugated.
CUPYXX_API ndarray vdot(const ndarray& a, const ndarray& b);
/// Sums of products over the last axes of both; a product for a 0-d operand.
CUPYXX_API ndarray inner(const ndarray& a, const ndarray& b);
/// All products of an element of `a` and an element of `b`, as a matrix.
CUPYXX_API ndarray outer(const ndarray& a, const ndarray& b, const ndarray& out = {});
/// Contracts the last `axes` axes of `a` with the first of `b`.
CUPYXX_API ndarray tensordot(const ndarray& a, const ndarray& b, int axes = 2);
/// Contracts the named axes pairwise.
CUPYXX_API ndarray tensordot(const ndarray& a, const ndarray& b, const Axes& axes_a,
                             const Axes& axes_b);
/// Options of tensordot.
struct TensordotOptions {
  ndarray out = {};  ///< receives the product; its shape exactly, cast by `same_kind`
};
namespace internal {
CUPYXX_API ndarray tensordot_to(const ndarray& product, const ndarray& out);
}  // namespace internal
template <std::same_as<TensordotOptions> O = TensordotOptions>
ndarray tensordot(const ndarray& a, const ndarray& b, int axes, const O& options) {
  return internal::tensordot_to(tensordot(a, b, axes), options.out);
}
template <std::same_as<TensordotOptions> O = TensordotOptions>
ndarray tensordot(const ndarray& a, const ndarray& b, const Axes& axes_a, const Axes& axes_b,
                  const O& options) {
  return internal::tensordot_to(tensordot(a, b, axes_a, axes_b), options.out);
}

/// Options of trace.
struct TraceOptions {
  cupyxx::dtype dtype = {};  ///< of the result; small integers become 64-bit
  ndarray out = {};
};
/// Sum of a diagonal.
CUPYXX_API ndarray trace(const ndarray& a, int offset = 0, int axis1 = 0, int axis2 = 1,
                         const TraceOptions& options = {});

namespace linalg {

/// Which norm: nothing for the 2-norm of the elements, a number, "fro" or "nuc".
class Order {
 public:
  Order() = default;
  template <class T>
  requires std::is_arithmetic_v<T> Order(T p)  // NOLINT(google-explicit-constructor)
      : kind_(Kind::number), p_(static_cast<double>(p)) {}
  /// `name` must live as long as the order.
  Order(const char* name)  // NOLINT(google-explicit-constructor)
      : kind_(Kind::name), name_(name) {}

  bool is_none() const { return kind_ == Kind::none; }
  bool is_name() const { return kind_ == Kind::name; }
  double number() const { return p_; }
  std::string_view name() const { return name_; }

 private:
  enum class Kind : unsigned char { none, number, name };
  Kind kind_ = Kind::none;
  double p_ = 0;
  std::string_view name_;
};

/// Options of norm.
struct NormOptions {
  Order ord = {};
  Axes axis = {};  ///< one axis: vectors; two: matrices; none: all of `a`
  bool keepdims = false;
};
/// Norm of vectors or matrices; by default the 2-norm of the flattened array. Integers become
/// float64. The orders 2, -2 and "nuc" of matrices take singular values on the host, so they
/// synchronise.
CUPYXX_API ndarray norm(const ndarray& a, const NormOptions& options = {});

}  // namespace linalg

/// What a matrix product writes beside the product, for neural networks.
struct GemmOptions {
  ndarray out = {};         ///< C; C-contiguous, of the operands' dtype
  bool accumulate = false;  ///< adds to C instead of overwriting it
  ndarray bias = {};        ///< a row added to each row of the product
  bool relu = false;        ///< replaces negative results by 0
  /// A vector to which the sums of a's rows are added; with gy^T x, the gradient of a bias.
  ndarray row_sums = {};
};
/// The product of two matrices, either of which may be any strided view (transposed ones cost no
/// copy), in one call of the matrix library. Overwrites or adds to `out`, or makes a new array.
CUPYXX_API ndarray gemm(const ndarray& a, const ndarray& b, const GemmOptions& options = {});

}  // namespace cupyxx
