// SPDX-License-Identifier: MIT
// Products of vectors and matrices. NumPy's chapter "Linear algebra". float32 products run in
// oneDNN on the host and cuBLAS on a device, float64 in OpenBLAS and cuBLAS. Both operands must be
// on the host or both on devices; the result has the promoted dtype.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

#include "cupyxx/core/array_like.h"
#include "cupyxx/core/number_argument.h"
#include "cupyxx/core/parts.h"
#include "cupyxx/error.h"
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
/// The same of lists: `dot(a, {1, 2})`, `outer({1, 2}, {3, 4})`.
CUPYXX_API ndarray dot(const ArrayLike& a, const ArrayLike& b, const ndarray& out = {});
CUPYXX_API ndarray matmul(const ArrayLike& a, const ArrayLike& b, const ndarray& out = {});
CUPYXX_API ndarray vdot(const ArrayLike& a, const ArrayLike& b);
CUPYXX_API ndarray inner(const ArrayLike& a, const ArrayLike& b);
CUPYXX_API ndarray outer(const ArrayLike& a, const ArrayLike& b, const ndarray& out = {});
/// Options of dot, matmul and outer: `matmul(a, b, {.out = y})`.
struct ProductOptions {
  ndarray out = {};
};
template <std::same_as<ProductOptions> O = ProductOptions>
ndarray dot(const ArrayLike& a, const ArrayLike& b, const O& options) {
  return dot(a, b, options.out);
}
template <std::same_as<ProductOptions> O = ProductOptions>
ndarray matmul(const ArrayLike& a, const ArrayLike& b, const O& options) {
  return matmul(a, b, options.out);
}
template <std::same_as<ProductOptions> O = ProductOptions>
ndarray outer(const ArrayLike& a, const ArrayLike& b, const O& options) {
  return outer(a, b, options.out);
}
/// By a number: `dot(a, 2)` and `dot({1, 2}, 3)` scale.
template <internal::ElementNumber N>
ndarray dot(const ArrayLike& a, N number) {
  return dot(a.array(), internal::array_beside(number, a.array()));
}
template <internal::ElementNumber N>
ndarray dot(N number, const ArrayLike& a) {
  return dot(internal::array_beside(number, a.array()), a.array());
}
template <internal::ElementNumber N>
ndarray ndarray::dot(N number) const {
  return cupyxx::dot(*this, number);
}
inline ndarray ndarray::dot(const ArrayLike& other) const {
  return cupyxx::dot(*this, other.beside(*this));
}
/// Contracts the last `axes` axes of `a` with the first of `b`.
CUPYXX_API ndarray tensordot(const ndarray& a, const ndarray& b, internal::Int axes = 2);
/// Contracts the named axes pairwise.
CUPYXX_API ndarray tensordot(const ndarray& a, const ndarray& b, const Axes& axes_a,
                             const Axes& axes_b);
CUPYXX_API ndarray tensordot(const ArrayLike& a, const ArrayLike& b, internal::Int axes = 2);
namespace internal {
[[noreturn]] CUPYXX_API void throw_axes_lists(std::size_t count);
}  // namespace internal
/// The axes as in NumPy, those of `a` and those of `b`: `tensordot(a, b, {{1, 0}, {0, 1}})`.
/// Throws ValueError for other than two lists.
template <internal::AxisNumber I>
ndarray tensordot(const ndarray& a, const ndarray& b,
                  std::initializer_list<std::initializer_list<I>> axes) {
  if (axes.size() != 2) internal::throw_axes_lists(axes.size());
  return tensordot(a, b, internal::shape_of(axes.begin()[0]), internal::shape_of(axes.begin()[1]));
}
/// Options of tensordot.
struct TensordotOptions {
  ndarray out = {};  ///< receives the product; its shape exactly, cast by `same_kind`
};
/// The axes of tensordot by name: a number of them, or those of `a` and those of `b`,
/// `tensordot(a, b, {.axes = {{1, 0}, {0, 1}}})`.
class TensordotAxes {
 public:
  // Templates for the reason given at Shape.
  template <internal::AxisNumber I>
  TensordotAxes(I count) : count_(static_cast<int>(count)) {}  // NOLINT
  template <std::convertible_to<Axes> A, std::convertible_to<Axes> B>
  TensordotAxes(const A& a, const B& b) : a_(a), b_(b) {}
  template <internal::AxisNumber I, internal::AxisNumber J>
  TensordotAxes(std::initializer_list<I> a, std::initializer_list<J> b)
      : a_(internal::shape_of(a)), b_(internal::shape_of(b)) {}
  /// Not given where axes are.
  std::optional<int> count() const { return count_; }
  const Axes& a() const { return a_; }
  const Axes& b() const { return b_; }

 private:
  std::optional<int> count_;
  Axes a_, b_;
};
/// Options of tensordot with the axes among them.
struct NamedTensordotOptions {
  TensordotAxes axes = 2;
  ndarray out = {};
};
namespace internal {
CUPYXX_API ndarray tensordot_to(const ndarray& product, const ndarray& out);
}  // namespace internal
template <std::same_as<TensordotOptions> O = TensordotOptions>
ndarray tensordot(const ndarray& a, const ndarray& b, internal::Int axes, const O& options) {
  return internal::tensordot_to(tensordot(a, b, axes), options.out);
}
template <std::same_as<TensordotOptions> O = TensordotOptions>
ndarray tensordot(const ndarray& a, const ndarray& b, const Axes& axes_a, const Axes& axes_b,
                  const O& options) {
  return internal::tensordot_to(tensordot(a, b, axes_a, axes_b), options.out);
}

template <std::same_as<NamedTensordotOptions> O = NamedTensordotOptions>
ndarray tensordot(const ArrayLike& a, const ArrayLike& b, const O& options) {
  const TensordotAxes& axes = options.axes;
  const ndarray &x = a.beside(b), &y = b.beside(a);
  return internal::tensordot_to(
      axes.count() ? tensordot(x, y, *axes.count()) : tensordot(x, y, axes.a(), axes.b()),
      options.out);
}

/// Options of trace.
struct TraceOptions {
  int offset = 0;  ///< this and the axes where they do not stand in their places
  int axis1 = 0;
  int axis2 = 1;
  cupyxx::dtype dtype = {};  ///< of the result; small integers become 64-bit
  ndarray out = {};
};
/// Sum of a diagonal.
CUPYXX_API ndarray trace(const ndarray& a, internal::Int offset = 0, internal::Int axis1 = 0,
                         internal::Int axis2 = 1, const TraceOptions& options = {});
template <std::same_as<TraceOptions> O = TraceOptions>
ndarray trace(const ArrayLike& a, const O& options) {
  return trace(a.array(), options.offset, options.axis1, options.axis2, options);
}
inline ndarray trace(const ArrayLike& a, internal::Int offset = 0, internal::Int axis1 = 0,
                     internal::Int axis2 = 1) {
  return trace(a.array(), offset, axis1, axis2);
}

namespace linalg {

/// Which norm: nothing for the 2-norm of the elements, a number, "fro" or "nuc".
class Order {
 public:
  Order() = default;
  template <std::same_as<None> N>
  Order(N) {}  // NOLINT(google-explicit-constructor)
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
/// Of a list: `norm({3, 4})`.
CUPYXX_API ndarray norm(const ArrayLike& a, const NormOptions& options = {});
/// What may stand behind the order.
struct NormAxes {
  Axes axis = {};  ///< as of NormOptions
  bool keepdims = false;
};
/// A number, a name or none.
template <class P>
concept OrderLike =
    std::is_arithmetic_v<P> || std::convertible_to<const P&, const char*> || std::same_as<P, None>;
/// The same with the order in its place: `norm(a, 1)`, `norm(a, "fro")`, `norm(a, inf, 0)`,
/// `norm(a, 2, {.axis = 1})`.
template <OrderLike P>
ndarray norm(const ArrayLike& a, const P& ord, const Axes& axis = {}, bool keepdims = false) {
  return norm(a.array(), NormOptions{.ord = ord, .axis = axis, .keepdims = keepdims});
}
template <OrderLike P, std::same_as<NormAxes> O = NormAxes>
ndarray norm(const ArrayLike& a, const P& ord, O options) {
  return norm(a, ord, options.axis, options.keepdims);
}

}  // namespace linalg

/// What a matrix product writes beside the product, for neural networks.
struct GemmOptions {
  /// C; C-contiguous, of the operands' dtype, or float32 for float16 and bfloat16: sums unrounded
  ndarray out = {};
  bool accumulate = false;  ///< adds to C instead of overwriting it
  ndarray bias = {};        ///< a row added to each row of the product
  bool relu = false;        ///< replaces negative results by 0
  /// A vector to which the sums of a's rows are added; with gy^T x, the gradient of a bias. Of the
  /// dtype of `out`.
  ndarray row_sums = {};
  /// Gives gelu(product + bias), x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2 for an element x
  /// (Hendrycks and Gimpel, 2016), and writes x itself to pre_activation.
  bool gelu = false;
  /// Multiplies the product by the derivative of gelu at the elements of pre_activation.
  bool gelu_gradient = false;
  ndarray pre_activation = {};  ///< of the product's shape and dtype, C-contiguous
};
/// The product of two matrices, either of which may be any strided view (transposed ones cost no
/// copy), in one call of the matrix library. Overwrites or adds to `out`, or makes a new array.
CUPYXX_API ndarray gemm(const ndarray& a, const ndarray& b, const GemmOptions& options = {});

}  // namespace cupyxx

// ---- Solving and decomposing. NumPy's chapter "Linear algebra".
//
// All work on stacks of matrices (the last two axes), where they live: by LAPACK in OpenBLAS on the
// host, by cuSOLVER on a device. float32, complex64 and complex128 are computed in their own type,
// integers and float64 in float64; other dtypes are a DtypeError. What cannot be done is a
// LinAlgError: at once on the host, at the next synchronising call on a device.

namespace cupyxx::linalg {

/// x with `a` x = `b`, where `b` is a vector if it has one axis, else a matrix or a stack of them
/// (NumPy 2's rule). Throws LinAlgError for a singular matrix, ShapeError.
CUPYXX_API ndarray solve(const ndarray& a, const ndarray& b);
/// The same of lists: `solve(a, {9, 8})`, `solve({{3, 1}, {1, 2}}, {9, 8})`.
CUPYXX_API ndarray solve(const ArrayLike& a, const ArrayLike& b);
/// The inverse. Throws LinAlgError for a singular matrix.
CUPYXX_API ndarray inv(const ndarray& a);
CUPYXX_API ndarray inv(const ArrayLike& a);
/// The determinant.
CUPYXX_API ndarray det(const ndarray& a);
CUPYXX_API ndarray det(const ArrayLike& a);
/// What slogdet makes: the determinant is sign * exp(logdet).
struct SlogdetResult {
  ndarray sign;
  ndarray logdet;
  /// The parts by their places in NumPy's tuple, `slogdet(a)[1]`.
  ndarray operator[](internal::Int part) const {
    return internal::part_of("slogdet", {&sign, &logdet}, part);
  }
};
/// Sign and logarithm of the magnitude of the determinant; 0 and -inf for a singular matrix.
CUPYXX_API SlogdetResult slogdet(const ndarray& a);
CUPYXX_API SlogdetResult slogdet(const ArrayLike& a);
/// The lower triangular L with L L^H = `a`, of which the lower triangle is read. Throws LinAlgError
/// for a matrix that is not positive definite.
CUPYXX_API ndarray cholesky(const ndarray& a);

/// What qr makes.
struct QrResult {
  ndarray q;
  ndarray r;
  /// The parts by their places in NumPy's tuple, `qr(a)[1]`.
  ndarray operator[](internal::Int part) const { return internal::part_of("qr", {&q, &r}, part); }
};
/// Which parts of a QR decomposition are made.
enum class QrMode : std::uint8_t {
  reduced,   ///< q has min(M, N) columns
  complete,  ///< q is square
  r,         ///< only r
};
}  // namespace cupyxx::linalg

namespace cupyxx::internal {
template <>
struct Choices<linalg::QrMode> {
  static constexpr std::string_view kWhat = "mode";
  static constexpr NamedValue<linalg::QrMode> kAll[] = {{"reduced", linalg::QrMode::reduced},
                                                        {"complete", linalg::QrMode::complete},
                                                        {"r", linalg::QrMode::r}};
};
}  // namespace cupyxx::internal

namespace cupyxx::linalg {

/// Orthonormal q and upper triangular r with q r = `a`.
CUPYXX_API QrResult qr(const ndarray& a, QrMode mode = QrMode::reduced);
/// The mode by its name: `qr(a, "complete")`. Throws ValueError for another one.
CUPYXX_API QrResult qr(const ndarray& a, std::string_view mode);
/// Options of qr.
struct QrOptions {
  Choice<QrMode> mode = QrMode::reduced;
};
template <std::same_as<QrOptions> O = QrOptions>
QrResult qr(const ArrayLike& a, const O& options) {
  return qr(a.array(), QrMode(options.mode));
}

/// What svd makes: singular values largest first, `a` = u diag(s) vh.
struct SvdResult {
  ndarray u;
  ndarray s;
  ndarray vh;
  /// The parts by their places in NumPy's tuple, `svd(a)[1]`.
  ndarray operator[](internal::Int part) const {
    return internal::part_of("svd", {&u, &s, &vh}, part);
  }
};
/// Singular value decomposition; with `full_matrices` u and vh are square. Throws LinAlgError where
/// it does not converge.
CUPYXX_API SvdResult svd(const ndarray& a, bool full_matrices = true, bool compute_uv = true);
/// Options of svd.
struct SvdOptions {
  bool full_matrices = true;
  bool compute_uv = true;
  bool hermitian = false;  ///< taken over from NumPy; the decomposition is the same
};
template <std::same_as<SvdOptions> O = SvdOptions>
SvdResult svd(const ArrayLike& a, const O& options) {
  return svd(a.array(), options.full_matrices, options.compute_uv);
}

/// What eigh makes: eigenvalues in ascending order, eigenvectors as columns.
struct EighResult {
  ndarray eigenvalues;
  ndarray eigenvectors;
  /// The parts by their places in NumPy's tuple, `eigh(a)[1]`.
  ndarray operator[](internal::Int part) const {
    return internal::part_of("eigh", {&eigenvalues, &eigenvectors}, part);
  }
};
/// Real eigenvalues and eigenvectors of a symmetric or Hermitian matrix, of which one triangle ('L'
/// or 'U') is read.
CUPYXX_API EighResult eigh(const ndarray& a, char uplo = 'L');
/// The eigenvalues alone.
CUPYXX_API ndarray eigvalsh(const ndarray& a, char uplo = 'L');
/// The triangle as NumPy's text: `eigh(a, "U")`.
CUPYXX_API EighResult eigh(const ndarray& a, std::string_view uplo);
CUPYXX_API ndarray eigvalsh(const ndarray& a, std::string_view uplo);
/// Options of eigh and eigvalsh.
struct EighOptions {
  std::string_view UPLO = "L";
};
template <std::same_as<EighOptions> O = EighOptions>
EighResult eigh(const ArrayLike& a, const O& options) {
  return eigh(a.array(), options.UPLO);
}
template <std::same_as<EighOptions> O = EighOptions>
ndarray eigvalsh(const ArrayLike& a, const O& options) {
  return eigvalsh(a.array(), options.UPLO);
}

/// What eig makes: eigenvalues in LAPACK's order, eigenvectors of length 1 as columns.
struct EigResult {
  ndarray eigenvalues;
  ndarray eigenvectors;
  /// The parts by their places in NumPy's tuple, `eig(a)[1]`.
  ndarray operator[](internal::Int part) const {
    return internal::part_of("eig", {&eigenvalues, &eigenvectors}, part);
  }
};
/// Eigenvalues and right eigenvectors of any square matrix; real results where the matrix is real
/// and all its eigenvalues are. Computed on the host, also for arrays on a device, so it
/// synchronises. Throws LinAlgError for NaN and infinities.
CUPYXX_API EigResult eig(const ndarray& a);
/// The eigenvalues alone.
CUPYXX_API ndarray eigvals(const ndarray& a);

/// The same of lists: `cholesky({{4, 2}, {2, 3}})`.
CUPYXX_API ndarray cholesky(const ArrayLike& a);
CUPYXX_API QrResult qr(const ArrayLike& a);
CUPYXX_API SvdResult svd(const ArrayLike& a);
CUPYXX_API EighResult eigh(const ArrayLike& a);
CUPYXX_API ndarray eigvalsh(const ArrayLike& a);
CUPYXX_API EigResult eig(const ArrayLike& a);
CUPYXX_API ndarray eigvals(const ArrayLike& a);

/// x with tensordot(a, x, x.ndim()) = b; `axes` of `a` are moved to its end first.
CUPYXX_API ndarray tensorsolve(const ndarray& a, const ndarray& b, const Axes& axes = {});
/// The inverse of tensordot(a, x, ind), of which the first `ind` axes of `a` are the result's.
CUPYXX_API ndarray tensorinv(const ndarray& a, internal::Int ind = 2);
/// Options of tensorinv.
struct TensorinvOptions {
  int ind = 2;
};
template <std::same_as<TensorinvOptions> O = TensorinvOptions>
ndarray tensorinv(const ndarray& a, const O& options) {
  return tensorinv(a, options.ind);
}

// ---- Powers, inverses in the sense of least squares, ranks. NumPy's chapter "Linear algebra",
// what is made of the decompositions; see decomposition.h for dtypes and devices.

/// The matrix to an integer power; negative ones are those of the inverse.
CUPYXX_API ndarray matrix_power(const ndarray& a, internal::Int64 n);
CUPYXX_API ndarray matrix_power(const ArrayLike& a, internal::Int64 n);
/// The product of several matrices in the cheapest order; the first and the last may be vectors.
/// `out` as of matmul.
CUPYXX_API ndarray multi_dot(std::span<const ndarray> arrays, const ndarray& out = {});
inline ndarray multi_dot(std::initializer_list<internal::ListedArray> arrays,
                         const ndarray& out = {}) {
  return multi_dot(internal::as_span(arrays), out);
}
/// Options of multi_dot.
struct MultiDotOptions {
  ndarray out = {};
};
template <std::same_as<MultiDotOptions> O = MultiDotOptions>
ndarray multi_dot(std::span<const ndarray> arrays, const O& options) {
  return multi_dot(arrays, options.out);
}
inline ndarray multi_dot(std::initializer_list<internal::ListedArray> arrays,
                         const MultiDotOptions& options) {
  return multi_dot(internal::as_span(arrays), options.out);
}
/// The Moore-Penrose inverse; singular values of at most `rcond` times the largest count as zero.
/// `rcond` is a number, or an array that broadcasts against the stack's shape: one for each matrix.
CUPYXX_API ndarray pinv(const ndarray& a, const Operand& rcond = 1e-15);
CUPYXX_API ndarray pinv(const ArrayLike& a);
/// Options of pinv.
struct PinvOptions {
  ArrayValue rcond = 1e-15;
  bool hermitian = false;  ///< taken over from NumPy; the inverse is the same
};
template <std::same_as<PinvOptions> O = PinvOptions>
ndarray pinv(const ArrayLike& a, const O& options) {
  return pinv(a.array(), options.rcond.beside(a.array()));
}
/// Number of singular values above a bound, a number or an array as of pinv; by default the largest
/// value times eps times the longer axis.
CUPYXX_API ndarray matrix_rank(const ndarray& a, const Operand& tol = {});
CUPYXX_API ndarray matrix_rank(const ArrayLike& a);
/// Options of matrix_rank.
struct MatrixRankOptions {
  ArrayValue tol = {};
  bool hermitian = false;  ///< taken over from NumPy; the rank is the same
};
template <std::same_as<MatrixRankOptions> O = MatrixRankOptions>
ndarray matrix_rank(const ArrayLike& a, const O& options) {
  return matrix_rank(a.array(), options.tol.beside(a.array()));
}
/// Condition number in a norm; the ratio of the singular values' ends by default.
CUPYXX_API ndarray cond(const ndarray& a, const Order& p = {});
/// Options of cond.
struct CondOptions {
  Order p = {};
};
template <std::same_as<CondOptions> O = CondOptions>
ndarray cond(const ArrayLike& a, const O& options) {
  return cond(a.array(), options.p);
}

/// What lstsq makes.
struct LstsqResult {
  ndarray x;
  ndarray residuals;  ///< squared, per column; empty unless M > N = rank
  std::int64_t rank;
  ndarray s;  ///< singular values
  /// The parts by their places in NumPy's tuple, `lstsq(a, b)[0]`; the rank as a 0-d array.
  CUPYXX_API ndarray operator[](internal::Int part) const;
};
/// x of the smallest |a x - b|, and the smallest such x. Singular values of at most `rcond` times
/// the largest count as zero: eps times the longer axis unless given; eps for what is not within
/// (0, 1), as LAPACK has it. Synchronises.
CUPYXX_API LstsqResult lstsq(const ndarray& a, const ndarray& b, std::optional<double> rcond = {});
CUPYXX_API LstsqResult lstsq(const ArrayLike& a, const ArrayLike& b,
                             std::optional<double> rcond = {});
/// Options of lstsq.
struct LstsqOptions {
  std::optional<double> rcond = {};
};
template <std::same_as<LstsqOptions> O = LstsqOptions>
LstsqResult lstsq(const ArrayLike& a, const ArrayLike& b, const O& options) {
  return lstsq(a.beside(b), b.beside(a), options.rcond);
}
/// NumPy's `rcond=None`: the bound that is the default here.
template <std::same_as<None> N>
LstsqResult lstsq(const ArrayLike& a, const ArrayLike& b, N) {
  return lstsq(a.beside(b), b.beside(a));
}

}  // namespace cupyxx::linalg

// ---- Sums of products in Einstein's notation.

namespace cupyxx {

/// Options of einsum.
struct EinsumOptions {
  ndarray out = {};
  cupyxx::dtype dtype = {};  ///< in which it is computed; common to the operands unless given
  Choice<Casting> casting = Casting::safe;  ///< rule for the operands and for `out`
  bool optimize = false;  ///< taken over from NumPy; the order of contraction is the same
};
/// NumPy's einsum: `einsum("ij,jk->ik", {a, b})`. Without "->" the labels that occur once are kept,
/// in alphabetical order; "..." stands for broadcast axes; a label given twice to one operand is
/// its diagonal. Operands are contracted from left to right, by matrix products. Throws ValueError
/// for subscripts that do not fit.
CUPYXX_API ndarray einsum(std::string_view subscripts, std::span<const ndarray> operands,
                          const EinsumOptions& options = {});
inline ndarray einsum(std::string_view subscripts,
                      std::initializer_list<internal::ListedArray> operands,
                      const EinsumOptions& options = {}) {
  return einsum(subscripts, internal::as_span(operands), options);
}
/// Of the operands of a call: `einsum("ij,jk->ik", a, b)`.
template <internal::PlainArray A, internal::PlainArray... More>
ndarray einsum(std::string_view subscripts, const A& first, const More&... more) {
  return einsum(subscripts, {first, more...});
}
namespace internal {
using EinsumLabels = std::initializer_list<int>;
CUPYXX_API ndarray einsum_of(std::initializer_list<ndarray> operands,
                             std::initializer_list<EinsumLabels> labels);
}  // namespace internal
/// Labels as lists of numbers from 0 to 51, those of the result last where they are given:
/// `einsum(a, {0, 1}, b, {1, 2}, {0, 2})`. Throws ValueError for other numbers.
inline ndarray einsum(const ndarray& a, internal::EinsumLabels of_a) {
  return internal::einsum_of({a}, {of_a});
}
inline ndarray einsum(const ndarray& a, internal::EinsumLabels of_a,
                      internal::EinsumLabels result) {
  return internal::einsum_of({a}, {of_a, result});
}
inline ndarray einsum(const ndarray& a, internal::EinsumLabels of_a, const ndarray& b,
                      internal::EinsumLabels of_b) {
  return internal::einsum_of({a, b}, {of_a, of_b});
}
inline ndarray einsum(const ndarray& a, internal::EinsumLabels of_a, const ndarray& b,
                      internal::EinsumLabels of_b, internal::EinsumLabels result) {
  return internal::einsum_of({a, b}, {of_a, of_b, result});
}
inline ndarray einsum(const ndarray& a, internal::EinsumLabels of_a, const ndarray& b,
                      internal::EinsumLabels of_b, const ndarray& c, internal::EinsumLabels of_c) {
  return internal::einsum_of({a, b, c}, {of_a, of_b, of_c});
}
inline ndarray einsum(const ndarray& a, internal::EinsumLabels of_a, const ndarray& b,
                      internal::EinsumLabels of_b, const ndarray& c, internal::EinsumLabels of_c,
                      internal::EinsumLabels result) {
  return internal::einsum_of({a, b, c}, {of_a, of_b, of_c, result});
}

}  // namespace cupyxx
