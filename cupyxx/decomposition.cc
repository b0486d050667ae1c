// SPDX-License-Identifier: MIT
// LAPACK reads matrices column by column; here each matrix is laid out so, and transposed back.
#include "cupyxx/decomposition.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <string>
#include <vector>

#include "cupyxx/creation.h"
#include "cupyxx/internal/cpu/blas/openblas.h"
#include "cupyxx/manipulation.h"

namespace cupyxx::linalg {

LinAlgError::LinAlgError(const std::string& what) : Error(what), ValueError(what) {}
LinAlgError::~LinAlgError() = default;

namespace {

using internal::cpu::openblas;

dtype result_dtype(const char* operation, dtype type) {
  if (type == float32 || type == float64) return type;
  if (type.is_integer() || type.is_bool()) return float64;
  throw DtypeError(std::string(operation) + ": not for this dtype; " + std::string(type.name()));
}

// Matrices column by column, in float64 on the host.
struct Matrices {
  const char* operation;
  dtype type;     // of the results
  Device device;  // of the results
  Shape stack;
  int m = 0, n = 0;
  std::int64_t count = 1;
  std::vector<double> elements;

  Matrices(const char* name, const ndarray& a) : operation(name) {
    if (a.is_none()) throw TypeError(std::string(name) + ": the array is None");
    type = result_dtype(name, a.dtype());
    device = a.device();
    stack = a.shape();
    if (stack.ndim() < 2) {
      throw LinAlgError(std::string(name) + ": needs two axes at least; the shape is " +
                        stack.str());
    }
    const std::int64_t columns = stack.back(), rows = stack[stack.ndim() - 2];
    if (std::max(rows, columns) > INT_MAX) {
      throw ValueError(std::string(name) + ": the matrix is too large for LAPACK; " + stack.str());
    }
    m = static_cast<int>(rows);
    n = static_cast<int>(columns);
    stack.erase(stack.ndim() - 1);
    stack.erase(stack.ndim() - 1);
    count = stack.element_count();
    elements = a.swapaxes(-1, -2).to_vector<double>();
  }

  void check_square() const {
    if (m == n) return;
    throw LinAlgError(std::string(operation) + ": the last two axes must be square; (" +
                      std::to_string(m) + ", " + std::to_string(n) + ")");
  }

  double* at(std::int64_t i) { return elements.data() + i * static_cast<std::int64_t>(m) * n; }

  // Results: one number, a vector or a matrix (column by column) for each matrix.
  ndarray result(const std::vector<double>& values, std::initializer_list<std::int64_t> extents,
                 bool transposed) const {
    const DeviceScope host(Device::cpu());
    Shape shape = stack;
    for (const std::int64_t extent : extents) shape.push_back(extent);
    if (transposed) std::swap(shape[shape.ndim() - 1], shape[shape.ndim() - 2]);
    ndarray x = array(values).reshape(shape);
    if (transposed) x = x.swapaxes(-1, -2);
    return x.astype(type, false).copy().to(device);
  }
};

std::vector<double> reserve(std::int64_t count, std::int64_t rows, std::int64_t columns = 1) {
  return std::vector<double>(static_cast<std::size_t>(count * rows * columns));
}

// Calls a routine twice: for the size of its workspace, then with it.
template <class Call>
void with_workspace(const Call& call) {
  double size = 0;
  int length = -1;
  call(&size, &length);
  length = std::max(1, static_cast<int>(size));
  std::vector<double> work(static_cast<std::size_t>(length));
  call(work.data(), &length);
}

[[noreturn]] void throw_lapack(const char* operation, const char* what, int info) {
  throw LinAlgError(std::string(operation) + ": " + what + "; info " + std::to_string(info));
}

// Solves in place for `columns` right-hand sides of each matrix.
void solve_all(Matrices& a, std::vector<double>& b, int columns) {
  if (a.n == 0 || columns == 0) return;
  std::vector<int> pivots(static_cast<std::size_t>(a.n));
  for (std::int64_t i = 0; i < a.count; ++i) {
    int info = 0;
    openblas(a.operation)
        .dgesv(&a.n, &columns, a.at(i), &a.n, pivots.data(), b.data() + i * a.n * columns, &a.n,
               &info);
    if (info > 0) throw_lapack(a.operation, "the matrix is singular", info);
  }
}

void check_uplo(const char* operation, char uplo) {
  if (uplo == 'L' || uplo == 'U') return;
  throw ValueError(std::string(operation) + ": the triangle must be 'L' or 'U'; '" + uplo + "'");
}

// Eigenvalues; the vectors, if wanted, take the place of the matrices.
std::vector<double> eigenvalues(Matrices& a, char uplo, bool vectors) {
  check_uplo(a.operation, uplo);
  a.check_square();
  std::vector<double> values = reserve(a.count, a.n);
  const char job = vectors ? 'V' : 'N';
  for (std::int64_t i = 0; i < a.count && a.n > 0; ++i) {
    int info = 0, integer_size = 0, query = -1;
    double size = 0;
    const auto call = [&](double* work, int length, int* integers, int integer_length) {
      openblas(a.operation)
          .dsyevd(&job, &uplo, &a.n, a.at(i), &a.n, values.data() + i * a.n, work, &length,
                  integers, &integer_length, &info);
    };
    call(&size, query, &integer_size, query);
    std::vector<double> work(static_cast<std::size_t>(std::max(1.0, size)));
    std::vector<int> integers(static_cast<std::size_t>(std::max(1, integer_size)));
    call(work.data(), static_cast<int>(work.size()), integers.data(),
         static_cast<int>(integers.size()));
    if (info > 0) throw_lapack(a.operation, "eigenvalues did not converge", info);
  }
  return values;
}

}  // namespace

ndarray solve(const ndarray& a, const ndarray& b) {
  const char* operation = "linalg.solve";
  Matrices left(operation, a);
  left.check_square();
  if (b.is_none()) throw TypeError("linalg.solve: the right side is None");
  if (b.device().is_cpu() != a.device().is_cpu()) {
    throw TypeError("linalg.solve: operands on different devices; " + a.device().name() + " and " +
                    b.device().name());
  }
  left.type = promote_types(left.type, result_dtype(operation, b.dtype()));
  const bool is_vector = b.ndim() == 1;
  const ndarray sides = is_vector ? expand_dims(b, 1) : b;
  const Shape shape = sides.shape();
  if (shape.ndim() < 2 || shape[shape.ndim() - 2] != left.n) {
    throw ShapeError("linalg.solve: sizes do not fit; " + a.shape().str() + " and " +
                     b.shape().str());
  }
  Shape right_stack = shape;
  right_stack.erase(shape.ndim() - 1);
  right_stack.erase(shape.ndim() - 2);
  const Shape stack = broadcast_shapes(operation, left.stack, right_stack);
  Shape left_shape = stack, right_shape = stack;
  left_shape.push_back(left.n);
  left_shape.push_back(left.n);
  right_shape.push_back(left.n);
  right_shape.push_back(shape.back());
  if (!(stack == left.stack)) {
    const dtype type = left.type;
    left = Matrices(operation, broadcast_to(a, left_shape));
    left.type = type;
  }
  std::vector<double> x = broadcast_to(sides, right_shape).swapaxes(-1, -2).to_vector<double>();
  const int columns = static_cast<int>(shape.back());
  solve_all(left, x, columns);
  const ndarray result = left.result(x, {left.n, columns}, true);
  return is_vector ? squeeze(result, -1) : result;
}

ndarray inv(const ndarray& a) {
  Matrices x("linalg.inv", a);
  x.check_square();
  std::vector<double> inverse = reserve(x.count, x.n, x.n);
  for (std::int64_t i = 0; i < x.count * x.n; ++i) {
    inverse[static_cast<std::size_t>(i * x.n + i % x.n)] = 1;
  }
  solve_all(x, inverse, x.n);
  return x.result(inverse, {x.n, x.n}, true);
}

ndarray det(const ndarray& a) {
  Matrices x("linalg.det", a);
  x.check_square();
  std::vector<double> values(static_cast<std::size_t>(x.count), 1.0);
  std::vector<int> pivots(static_cast<std::size_t>(x.n));
  for (std::int64_t i = 0; i < x.count && x.n > 0; ++i) {
    int info = 0;
    openblas(x.operation).dgetrf(&x.n, &x.n, x.at(i), &x.n, pivots.data(), &info);
    double& value = values[static_cast<std::size_t>(i)];
    for (int k = 0; k < x.n; ++k) {
      value *= x.at(i)[static_cast<std::int64_t>(k) * x.n + k];
      if (pivots[static_cast<std::size_t>(k)] != k + 1) value = -value;
    }
  }
  return x.result(values, {}, false);
}

ndarray cholesky(const ndarray& a) {
  Matrices x("linalg.cholesky", a);
  x.check_square();
  for (std::int64_t i = 0; i < x.count && x.n > 0; ++i) {
    int info = 0;
    openblas(x.operation).dpotrf("L", &x.n, x.at(i), &x.n, &info);
    if (info > 0) throw_lapack(x.operation, "the matrix is not positive definite", info);
    for (int column = 1; column < x.n; ++column) {
      std::fill_n(x.at(i) + static_cast<std::int64_t>(column) * x.n, column, 0.0);
    }
  }
  return x.result(x.elements, {x.n, x.n}, true);
}

QrResult qr(const ndarray& a, QrMode mode) {
  Matrices x("linalg.qr", a);
  const int k = std::min(x.m, x.n);
  const int inner = mode == QrMode::complete ? x.m : k;
  std::vector<double> q = reserve(x.count, x.m, inner), r = reserve(x.count, inner, x.n);
  std::vector<double> scales(static_cast<std::size_t>(std::max(k, 1)));
  const int ld = std::max(x.m, 1);
  const auto& lapack = openblas(x.operation);
  for (std::int64_t i = 0; i < x.count && x.m > 0; ++i) {
    int info = 0;
    if (k > 0) {
      with_workspace([&](double* work, int* length) {
        lapack.dgeqrf(&x.m, &x.n, x.at(i), &ld, scales.data(), work, length, &info);
      });
    }
    double* upper = r.data() + i * inner * x.n;
    for (int column = 0; column < x.n; ++column) {
      for (int row = 0; row < std::min(column + 1, k); ++row) {
        upper[static_cast<std::int64_t>(column) * inner + row] =
            x.at(i)[static_cast<std::int64_t>(column) * x.m + row];
      }
    }
    if (mode == QrMode::r || inner == 0) continue;
    double* basis = q.data() + i * x.m * inner;
    std::copy_n(x.at(i), static_cast<std::int64_t>(x.m) * k, basis);
    with_workspace([&](double* work, int* length) {
      lapack.dorgqr(&x.m, &inner, &k, basis, &ld, scales.data(), work, length, &info);
    });
  }
  QrResult result;
  if (mode != QrMode::r) result.q = x.result(q, {x.m, inner}, true);
  result.r = x.result(r, {inner, x.n}, true);
  return result;
}

SvdResult svd(const ndarray& a, bool full_matrices, bool compute_uv) {
  Matrices x("linalg.svd", a);
  if (!std::all_of(x.elements.begin(), x.elements.end(),
                   [](double value) { return std::isfinite(value); })) {
    throw LinAlgError("linalg.svd: does not converge; an element is not finite");
  }
  const int k = std::min(x.m, x.n);
  const int left = full_matrices ? x.m : k, right = full_matrices ? x.n : k;
  std::vector<double> values = reserve(x.count, k), u, vh;
  if (compute_uv) {
    u = reserve(x.count, x.m, left);
    vh = reserve(x.count, right, x.n);
  }
  const char job = !compute_uv ? 'N' : full_matrices ? 'A' : 'S';
  const int ld_u = std::max(x.m, 1), ld_vh = std::max(right, 1);
  std::vector<int> integers(static_cast<std::size_t>(8 * std::max(k, 1)));
  for (std::int64_t i = 0; i < x.count; ++i) {
    double* basis = compute_uv ? u.data() + i * x.m * left : nullptr;
    double* rows = compute_uv ? vh.data() + i * right * x.n : nullptr;
    if (k == 0) {
      for (int d = 0; compute_uv && d < left; ++d) basis[d * (x.m + 1)] = 1;
      for (int d = 0; compute_uv && d < right; ++d) rows[d * (right + 1)] = 1;
      continue;
    }
    int info = 0;
    with_workspace([&](double* work, int* length) {
      openblas(x.operation)
          .dgesdd(&job, &x.m, &x.n, x.at(i), &x.m, values.data() + i * k, basis, &ld_u, rows,
                  &ld_vh, work, length, integers.data(), &info);
    });
    if (info > 0) throw_lapack(x.operation, "does not converge", info);
  }
  SvdResult result;
  result.s = x.result(values, {k}, false);
  if (compute_uv) {
    result.u = x.result(u, {x.m, left}, true);
    result.vh = x.result(vh, {right, x.n}, true);
  }
  return result;
}

EighResult eigh(const ndarray& a, char uplo) {
  Matrices x("linalg.eigh", a);
  const std::vector<double> values = eigenvalues(x, uplo, true);
  return {x.result(values, {x.n}, false), x.result(x.elements, {x.n, x.n}, true)};
}

ndarray eigvalsh(const ndarray& a, char uplo) {
  Matrices x("linalg.eigvalsh", a);
  return x.result(eigenvalues(x, uplo, false), {x.n}, false);
}

}  // namespace cupyxx::linalg
