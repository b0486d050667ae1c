// SPDX-License-Identifier: MIT
// LAPACK and cuSOLVER read matrices column by column; here each matrix is laid out so, and
// transposed back.
#include <algorithm>
#include <cstdint>

#include "cupyxx/core/arrays.h"
#include "cupyxx/creation.h"
#include "cupyxx/indexing.h"
#include "cupyxx/internal/lapack.h"
#include "cupyxx/linalg.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"

namespace cupyxx::linalg {

namespace {

namespace cpu = internal::cpu;
namespace gpu = internal::gpu;
using internal::LapackDefect;

dtype result_dtype(const char* operation, dtype type) {
  if (type == float32 || type == float64 || type.is_complex()) return type;
  if (type.is_integer() || type.is_bool()) return float64;
  throw DtypeError(message(operation, ": not for this dtype; ", type.name()));
}

// A stack of matrices, and what is made for each of them.
struct Matrices {
  const char* operation;
  ndarray source;
  dtype type;  // of the results
  Device device;
  Shape stack;
  std::int64_t m = 0, n = 0, count = 1;

  Matrices(const char* name, const ndarray& a) : operation(name), source(a) {
    if (a.is_none()) throw TypeError(message(name, ": the array is None"));
    type = result_dtype(name, a.dtype());
    device = a.device();
    stack = a.shape();
    if (stack.ndim() < 2) {
      throw LinAlgError(message(name, ": needs two axes at least; the shape is ", stack));
    }
    n = stack.back();
    stack.erase(stack.ndim() - 1);
    m = stack.back();
    stack.erase(stack.ndim() - 1);
    count = stack.element_count();
  }

  bool on_host() const { return device.is_cpu(); }
  bool empty() const { return count == 0 || m == 0 || n == 0; }

  void check_square() const {
    if (m == n) return;
    throw LinAlgError(message(operation, ": the last two axes must be square; (", m, ", ", n, ")"));
  }

  // A copy that may be overwritten, (count, n, m): column by column.
  ndarray columns() const {
    return source.astype(type, false)
        .swapaxes(-1, -2)
        .copy(cupyxx::Order::C)
        .reshape({count, n, m});
  }
  // Row by row: the columns of the transposed matrices.
  ndarray rows() const {
    return source.astype(type, false).copy(cupyxx::Order::C).reshape({count, m, n});
  }

  // The same, perhaps without a copy.
  ndarray as_they_are() const {
    return internal::contiguous(source.astype(type, false)).reshape({count, m, n});
  }

  // Unset numbers for each matrix.
  ndarray make(std::initializer_list<std::int64_t> extents, dtype of) const {
    Shape shape{count};
    for (const std::int64_t extent : extents) shape.push_back(extent);
    return internal::make_array(operation, shape, of, device);
  }
  ndarray make(std::initializer_list<std::int64_t> extents) const { return make(extents, type); }
  dtype part() const { return type.real_part(); }

  // The stack's axes in place of the first one.
  ndarray stacked(const ndarray& a) const {
    Shape shape = stack;
    for (int i = 1; i < a.ndim(); ++i) shape.push_back(a.shape()[i]);
    return a.reshape(shape);
  }
  // From columns to rows.
  ndarray matrices(const ndarray& columns_first) const {
    return stacked(columns_first.swapaxes(-1, -2).copy(cupyxx::Order::C));
  }

  void check(const ndarray& info, LapackDefect defect) const {
    on_host() ? cpu::check_info(operation, info, defect) : gpu::check_info(operation, info, defect);
  }
};

// The diagonals of the triangular factors of square matrices, and which rows were swapped.
struct Lu {
  ndarray diagonals, pivots;

  explicit Lu(const Matrices& a) : pivots(a.make({a.n}, int64)) {
    if (a.on_host()) {
      diagonals = a.make({a.n});
      cpu::lu_diagonals(a.operation, a.as_they_are(), diagonals, pivots);
      return;
    }
    const ndarray factors = a.columns();
    gpu::lu(a.operation, factors, pivots, a.make({}, int32));
    diagonals = diagonal(factors, 0, 1, 2);
  }

  // 1 or -1: the parity of the swaps, for each matrix.
  ndarray sign(const Matrices& a) const {
    if (a.on_host()) {
      const ndarray signs = a.make({}, float64);
      const auto* pivot = static_cast<const std::int64_t*>(pivots.elements());
      for (std::int64_t i = 0; i < a.count; ++i) {
        bool odd = false;
        for (std::int64_t k = 1; k <= a.n; ++k) odd ^= *pivot++ != k;
        static_cast<double*>(signs.elements())[i] = odd ? -1 : 1;
      }
      return signs.astype(a.type, false);
    }
    const ndarray odd = not_equal(remainder(sum(not_equal(pivots, arange(1, a.n + 1)), -1), 2), 0);
    return where(odd, array(-1, a.type), array(1, a.type));
  }
};

// Solves for (count, columns, n) in place, on a device.
void solve_in_place(const Matrices& a, const ndarray& b) {
  if (a.empty() || b.size() == 0) return;
  const ndarray factors = a.columns(), pivots = a.make({a.n}, int64), info = a.make({}, int32);
  gpu::lu(a.operation, factors, pivots, info);
  a.check(info, LapackDefect::singular);
  gpu::lu_solve(a.operation, factors, pivots, b);
}

// The same for `b` row by row, on the host.
ndarray solve_on_host(const Matrices& a, const Matrices& b) {
  const ndarray x = b.make({b.m, b.n});
  if (x.size() != 0) {
    const ndarray info = a.make({}, int32);
    cpu::solve(a.operation, a.as_they_are(), b.as_they_are(), x, info);
    a.check(info, LapackDefect::singular);
  }
  return b.stacked(x);
}

// A stack of identity matrices.
ndarray identities(const Matrices& a, std::int64_t size) {
  return broadcast_to(eye(size, size, 0, a.type), {a.count, size, size}).copy(cupyxx::Order::C);
}

// Eigenvalues; the vectors, if wanted, take the place of the columns.
ndarray eigenvalues(const Matrices& a, const ndarray& columns, char uplo, bool vectors) {
  if (uplo != 'L' && uplo != 'U') {
    throw ValueError(message(a.operation, ": the triangle must be 'L' or 'U'; '", uplo, "'"));
  }
  a.check_square();
  const ndarray values = a.make({a.n}, a.part());
  if (a.empty()) return values;
  const ndarray info = a.make({}, int32);
  (a.on_host() ? cpu::eigh : gpu::eigh)(a.operation, columns, values, vectors, uplo == 'L', info);
  a.check(info, LapackDefect::not_convergent);
  return values;
}

}  // namespace

ndarray solve(const ndarray& a, const ndarray& b) {
  const char* operation = "linalg.solve";
  Matrices left(operation, a);
  left.check_square();
  if (b.is_none()) throw TypeError("linalg.solve: the right side is None");
  internal::common_device(operation, a, b);
  const DeviceScope scope(left.device);
  const dtype type = promote_types(left.type, result_dtype(operation, b.dtype()));
  const bool is_vector = b.ndim() == 1;
  const ndarray sides = is_vector ? expand_dims(b, 1) : b;
  const Shape shape = sides.shape();
  if (shape.ndim() < 2 || shape[shape.ndim() - 2] != left.n) {
    const bool is_stack = b.ndim() > 1 && b.ndim() + 1 == a.ndim() && b.shape(-1) == left.n;
    throw ShapeError(message("linalg.solve: sizes do not fit; ", a.shape(), " and ", b.shape(),
                             is_stack ? "; several axes are matrices: of a stack of vectors write "
                                        "b(ellipsis, newaxis)"
                                      : ""));
  }
  Shape right_stack = shape;
  right_stack.erase(shape.ndim() - 1);
  right_stack.erase(shape.ndim() - 2);
  Shape left_shape = broadcast_shapes(operation, left.stack, right_stack);
  Shape right_shape = left_shape;
  for (const std::int64_t extent : {left.n, left.n}) left_shape.push_back(extent);
  for (const std::int64_t extent : {left.n, shape.back()}) right_shape.push_back(extent);
  left = Matrices(operation, broadcast_to(a, left_shape));
  left.type = type;
  Matrices right(operation, broadcast_to(sides, right_shape));
  right.type = type;
  ndarray result;
  if (left.on_host()) {
    result = solve_on_host(left, right);
  } else {
    const ndarray x = right.columns();
    solve_in_place(left, x);
    result = right.matrices(x);
  }
  return is_vector ? squeeze(result, -1) : result;
}

ndarray inv(const ndarray& a) {
  const Matrices x("linalg.inv", a);
  x.check_square();
  const DeviceScope scope(x.device);
  if (!x.on_host()) {
    const ndarray inverse = identities(x, x.n);
    solve_in_place(x, inverse);
    return x.matrices(inverse);
  }
  const ndarray inverse = x.rows();
  if (!x.empty()) {
    const ndarray info = x.make({}, int32);
    cpu::invert(x.operation, inverse, info);
    x.check(info, LapackDefect::singular);
  }
  return x.stacked(inverse);
}

ndarray det(const ndarray& a) {
  const Matrices x("linalg.det", a);
  x.check_square();
  const DeviceScope scope(x.device);
  if (x.empty()) return x.stacked(ones({x.count}, x.type));
  const Lu lu(x);
  return x.stacked(prod(lu.diagonals, -1) * lu.sign(x));
}

SlogdetResult slogdet(const ndarray& a) {
  const Matrices x("linalg.slogdet", a);
  x.check_square();
  const DeviceScope scope(x.device);
  if (x.empty()) return {x.stacked(ones({x.count}, x.type)), x.stacked(zeros({x.count}, x.part()))};
  const Lu lu(x);
  const ndarray factors = lu.diagonals, lengths = absolute(factors);
  const ndarray directions =
      x.type.is_complex() ? where(equal(lengths, 0), array(0, x.type), divide(factors, lengths))
                          : cupyxx::sign(factors);
  // 0 is added to make +0 of -0.
  const ndarray sign = prod(directions, -1) * lu.sign(x) + array(0, x.type);
  return {x.stacked(sign), x.stacked(sum(log(lengths), -1))};
}

ndarray cholesky(const ndarray& a) {
  const Matrices x("linalg.cholesky", a);
  x.check_square();
  const DeviceScope scope(x.device);
  const ndarray factor = x.on_host() ? x.rows() : x.columns();
  if (!x.empty()) {
    const ndarray info = x.make({}, int32);
    (x.on_host() ? cpu::cholesky : gpu::cholesky)(x.operation, factor, info);
    x.check(info, LapackDefect::not_positive_definite);
  }
  return x.stacked(x.on_host() ? factor : tril(factor.swapaxes(-1, -2)));
}

QrResult qr(const ndarray& a, QrMode mode) {
  const Matrices x("linalg.qr", a);
  const DeviceScope scope(x.device);
  const std::int64_t k = std::min(x.m, x.n);
  const std::int64_t inner = mode == QrMode::complete ? x.m : k;
  const ndarray columns = x.columns(), tau = x.make({k});
  if (!x.empty()) (x.on_host() ? cpu::qr : gpu::qr)(x.operation, columns, tau);
  QrResult result;
  result.r = x.stacked(triu(columns.swapaxes(-1, -2)(slice(), slice(inner))));
  if (mode == QrMode::r) return result;
  if (k == 0) {
    result.q = x.stacked(identities(x, x.m)(slice(), slice(), slice(inner)).copy(cupyxx::Order::C));
    return result;
  }
  const ndarray q = zeros({x.count, inner, x.m}, x.type);
  q(slice(), slice(k)) = columns(slice(), slice(k));
  if (!x.empty()) (x.on_host() ? cpu::form_q : gpu::form_q)(x.operation, q, tau);
  result.q = x.matrices(q);
  return result;
}

QrResult qr(const ndarray& a, std::string_view mode) {
  return qr(a, internal::named<QrMode>(mode, "linalg.qr"));
}

SvdResult svd(const ndarray& a, bool full_matrices, bool compute_uv) {
  const Matrices x("linalg.svd", a);
  const DeviceScope scope(x.device);
  const std::int64_t k = std::min(x.m, x.n);
  const std::int64_t left = full_matrices ? x.m : k, right = full_matrices ? x.n : k;
  SvdResult result;
  if (x.empty()) {
    result.s = x.stacked(x.make({k}, x.part()));
    if (compute_uv) {
      result.u =
          x.stacked(identities(x, x.m)(slice(), slice(), slice(left)).copy(cupyxx::Order::C));
      result.vh = x.stacked(identities(x, x.n)(slice(), slice(right)).copy(cupyxx::Order::C));
    }
    return result;
  }
  // cuSOLVER takes no matrices that are wider than tall: their transposes have the same values, and
  // the vectors change places.
  const bool transposed = !x.on_host() && x.m < x.n;
  ndarray matrices = transposed ? x.rows() : x.columns();
  const ndarray finite = all(isfinite(matrices), {1, 2}, {.keepdims = true});
  x.check(logical_not(finite).ravel().astype(int32), LapackDefect::not_convergent);
  if (!x.on_host()) matrices = where(finite, matrices, array(0, x.type));
  const ndarray values = x.make({k}, x.part()), info = x.make({}, int32);
  ndarray u, vt;
  if (compute_uv) {
    u = transposed ? x.make({right, x.n}) : x.make({left, x.m});
    vt = transposed ? x.make({x.m, x.m}) : x.make({x.n, right});
  }
  (x.on_host() ? cpu::svd : gpu::svd)(x.operation, matrices, values, u, vt, info);
  x.check(info, LapackDefect::not_convergent);
  result.s = x.stacked(values);
  if (!compute_uv) return result;
  result.u = transposed ? x.stacked(vt) : x.matrices(u);
  result.vh = transposed ? x.stacked(u) : x.matrices(vt);
  return result;
}

namespace {

char triangle(const char* operation, std::string_view uplo) {
  if (uplo.size() == 1) return uplo[0];
  throw ValueError(message(operation, ": the triangle must be 'L' or 'U'; '", uplo, "'"));
}

}  // namespace

EighResult eigh(const ndarray& a, std::string_view uplo) {
  return eigh(a, triangle("linalg.eigh", uplo));
}

ndarray eigvalsh(const ndarray& a, std::string_view uplo) {
  return eigvalsh(a, triangle("linalg.eigvalsh", uplo));
}

EighResult eigh(const ndarray& a, char uplo) {
  const Matrices x("linalg.eigh", a);
  const ndarray columns = x.columns();
  const ndarray values = eigenvalues(x, columns, uplo, true);
  return {x.stacked(values), x.matrices(columns)};
}

ndarray eigvalsh(const ndarray& a, char uplo) {
  const Matrices x("linalg.eigvalsh", a);
  return x.stacked(eigenvalues(x, x.columns(), uplo, false));
}

namespace {

// Eigenvalues of matrices on the host; the vectors, if wanted, as columns.
EigResult eigenvalues_of_any(const Matrices& x, bool wanted) {
  x.check_square();
  EigResult result;
  const dtype type = promote_types(x.type, complex64);
  result.eigenvalues = x.make({x.n}, type);
  if (wanted) result.eigenvectors = x.make({x.n, x.n}, type);
  if (x.empty()) return result;
  const ndarray columns = x.columns();
  if (!static_cast<bool>(all(isfinite(columns)))) {
    throw LinAlgError(message(x.operation, ": the array must not contain infs or NaNs"));
  }
  const ndarray info = x.make({}, int32);
  cpu::eig(x.operation, columns, result.eigenvalues, result.eigenvectors, info);
  x.check(info, LapackDefect::not_convergent);
  return result;
}

// As the result of `a`: on its device, and real where nothing is imaginary.
EigResult eig_of(const char* operation, const ndarray& a, bool vectors) {
  if (a.is_none()) throw TypeError(message(operation, ": the array is None"));
  const Matrices given(operation, a);  // says what is wrong before anything is copied
  given.check_square();
  const DeviceScope scope(Device::cpu());
  const Matrices x(operation, a.to_cpu());
  EigResult result = eigenvalues_of_any(x, vectors);
  const bool is_real =
      !x.type.is_complex() && !static_cast<bool>(any(not_equal(result.eigenvalues.imag(), 0)));
  const auto finished = [&](const ndarray& made) {
    return (is_real ? made.real().copy(cupyxx::Order::C) : made).to(given.device);
  };
  result.eigenvalues = finished(x.stacked(result.eigenvalues));
  if (vectors) result.eigenvectors = finished(x.matrices(result.eigenvectors));
  return result;
}

}  // namespace

EigResult eig(const ndarray& a) { return eig_of("linalg.eig", a, true); }
ndarray eigvals(const ndarray& a) { return eig_of("linalg.eigvals", a, false).eigenvalues; }

ndarray tensorsolve(const ndarray& a, const ndarray& b, const Axes& axes) {
  const char* operation = "linalg.tensorsolve";
  internal::check_not_none(operation, a);
  internal::check_not_none(operation, b);
  ndarray left = a;
  if (!axes.is_all()) {
    const std::uint32_t moved = axes.mask(operation, a.ndim());
    Shape order;
    for (int axis = 0; axis < a.ndim(); ++axis) {
      if ((moved >> axis & 1) == 0) order.push_back(axis);
    }
    for (const std::int64_t axis : axes.list()) {
      order.push_back(normalize_axis(operation, axis, a.ndim()));
    }
    left = a.transpose(order);
  }
  Shape shape;
  for (int axis = b.ndim(); axis < left.ndim(); ++axis) shape.push_back(left.shape()[axis]);
  const std::int64_t n = shape.element_count();
  const bool is_square = n == 0 ? a.size() == 0 : a.size() % n == 0 && a.size() / n == n;
  if (!is_square || b.size() != n) {
    throw LinAlgError(
        message(operation, ": the tensor must be square; ", a.shape(), " and ", b.shape()));
  }
  return solve(left.reshape({n, n}), b.ravel()).reshape(shape);
}

ndarray tensorinv(const ndarray& a, internal::Int ind) {
  const char* operation = "linalg.tensorinv";
  internal::check_not_none(operation, a);
  if (ind <= 0) {
    throw ValueError(message(operation, ": ind must be positive; ", ind));
  }
  const int first = std::min<int>(ind, a.ndim());
  Shape rows, shape;
  for (int axis = 0; axis < first; ++axis) rows.push_back(a.shape()[axis]);
  for (int axis = first; axis < a.ndim(); ++axis) shape.push_back(a.shape()[axis]);
  const std::int64_t m = rows.element_count(), n = shape.element_count();
  if (m != n) {
    throw LinAlgError(
        message(operation, ": the tensor must be square; ", a.shape(), " with ind ", ind));
  }
  for (const std::int64_t extent : rows) shape.push_back(extent);
  return inv(a.reshape({m, n})).reshape(shape);
}

// Of lists.

ndarray solve(const ArrayLike& a, const ArrayLike& b) { return solve(a.beside(b), b.beside(a)); }

ndarray inv(const ArrayLike& a) { return inv(a.array()); }

ndarray det(const ArrayLike& a) { return det(a.array()); }

SlogdetResult slogdet(const ArrayLike& a) { return slogdet(a.array()); }

ndarray cholesky(const ArrayLike& a) { return cholesky(a.array()); }

QrResult qr(const ArrayLike& a) { return qr(a.array()); }

SvdResult svd(const ArrayLike& a) { return svd(a.array()); }

EighResult eigh(const ArrayLike& a) { return eigh(a.array()); }

ndarray eigvalsh(const ArrayLike& a) { return eigvalsh(a.array()); }

EigResult eig(const ArrayLike& a) { return eig(a.array()); }

ndarray eigvals(const ArrayLike& a) { return eigvals(a.array()); }

}  // namespace cupyxx::linalg
