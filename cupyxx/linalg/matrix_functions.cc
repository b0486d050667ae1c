// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "cupyxx/core/arrays.h"
#include "cupyxx/core/rows.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/internal/lapack.h"
#include "cupyxx/linalg.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"
#include "cupyxx/type_functions.h"

namespace cupyxx::linalg {

namespace {

void check_matrices(const char* operation, const ndarray& a) {
  internal::check_not_none(operation, a);
  if (a.ndim() < 2) {
    throw LinAlgError(message(operation, ": needs two axes at least; the shape is ", a.shape()));
  }
}

void check_square(const char* operation, const ndarray& a) {
  check_matrices(operation, a);
  const Shape shape = a.shape();
  if (shape.back() == shape[shape.ndim() - 2]) return;
  throw LinAlgError(message(operation, ": the last two axes must be square; ", shape));
}

ndarray identities(const ndarray& a) {
  const DeviceScope scope(a.device());
  return broadcast_to(eye(a.shape().back(), -1, 0, a.dtype()), a.shape()).copy(cupyxx::Order::C);
}

// The dtype in which matrices of `type` are computed.
dtype inexact(dtype type) { return type.is_inexact() ? type : float64; }

double epsilon(dtype type) { return finfo(inexact(type).real_part()).eps; }

// The conjugate transposes.
ndarray adjoint(const ndarray& a) {
  const ndarray transposed = swapaxes(a, -1, -2);
  return a.dtype().is_complex() ? transposed.conj() : transposed;
}

// A bound for each matrix of the stack that has the singular values `s`, as a column beside them;
// numbers stay numbers.
ndarray column_of_bounds(const char* operation, const ndarray& bounds, const ndarray& s) {
  Shape stack = s.shape();
  stack.erase(stack.ndim() - 1);
  broadcast_shapes(operation, stack, bounds.shape());
  return expand_dims(bounds, -1);
}

std::int64_t longer_axis(const ndarray& a) {
  return std::max(a.shape().back(), a.shape()[a.ndim() - 2]);
}

ndarray singular_values(const ndarray& a) { return svd(a, false, false).s; }

// Where the chain i .. j is cut for the fewest multiplications; costs[i][j] and cuts[i][j].
ndarray product_of(std::span<const ndarray> a, const std::vector<std::vector<std::size_t>>& cuts,
                   std::size_t i, std::size_t j) {
  if (i == j) return a[i];
  return dot(product_of(a, cuts, i, cuts[i][j]), product_of(a, cuts, cuts[i][j] + 1, j));
}

std::vector<std::vector<std::size_t>> cheapest_cuts(std::span<const ndarray> a) {
  const std::size_t n = a.size();
  std::vector<double> extents;
  for (const ndarray& m : a) extents.push_back(static_cast<double>(m.shape()[0]));
  extents.push_back(static_cast<double>(a.back().shape()[1]));
  std::vector<std::vector<double>> costs(n, std::vector<double>(n));
  std::vector<std::vector<std::size_t>> cuts(n, std::vector<std::size_t>(n));
  for (std::size_t length = 1; length < n; ++length) {
    for (std::size_t i = 0; i + length < n; ++i) {
      const std::size_t j = i + length;
      costs[i][j] = std::numeric_limits<double>::infinity();
      for (std::size_t k = i; k < j; ++k) {
        const double cost =
            costs[i][k] + costs[k + 1][j] + extents[i] * extents[k + 1] * extents[j + 1];
        if (cost < costs[i][j]) {
          costs[i][j] = cost;
          cuts[i][j] = k;
        }
      }
    }
  }
  return cuts;
}

// The x of least norm that make |a x - b| least, the singular values of `a`, and how many of them
// are above `bound` times the largest one.
struct LeastSquares {
  ndarray x, s;
  std::int64_t rank;
};

LeastSquares by_singular_values(const ndarray& a, const ndarray& b, double bound) {
  if (bound <= 0 || bound >= 1) bound = 0x1p-53;  // as LAPACK's gelsd
  const auto [u, s, vh] = svd(a, false);
  const ndarray kept = s.size() == 0 ? greater(s, 0) : greater(s, multiply(s(0), bound));
  const ndarray inverse = where(kept, divide(1, s), 0);
  return {matmul(adjoint(vh), multiply(expand_dims(inverse, 1), matmul(adjoint(u), b))), s,
          count_nonzero(kept)};
}

LeastSquares by_lapack(const char* operation, const ndarray& a, const ndarray& b, double bound) {
  const std::int64_t m = a.shape()[0], n = a.shape()[1], columns = b.shape()[1];
  const DeviceScope scope(a.device());
  const ndarray matrix = a.T().copy(cupyxx::Order::C).reshape({1, n, m});
  // LAPACK may not end for what is not finite.
  ndarray info = logical_not(all(isfinite(matrix))).astype(int32).reshape({1});
  internal::cpu::check_info(operation, info, internal::LapackDefect::not_convergent);
  const ndarray sides = empty({1, columns, std::max(m, n)}, a.dtype());
  copyto(sides(0, slice(), slice(m)), b.T());
  const ndarray values = empty({std::min(m, n)}, a.dtype().real_part());
  const int rank = internal::cpu::least_squares(operation, matrix, sides, values, bound, info);
  internal::cpu::check_info(operation, info, internal::LapackDefect::not_convergent);
  return {sides(0, slice(), slice(n)).T().copy(cupyxx::Order::C), values, rank};
}

}  // namespace

ndarray matrix_power(const ndarray& a, internal::Int64 n) {
  check_square("linalg.matrix_power", a);
  if (n == 0) return identities(a);
  ndarray base = n < 0 ? inv(a) : a;
  auto left = n < 0 ? 0 - static_cast<std::uint64_t>(n) : static_cast<std::uint64_t>(n);
  ndarray result;
  for (; left != 0; left >>= 1) {
    if ((left & 1) != 0) result = result.is_none() ? base : matmul(result, base);
    if (left > 1) base = matmul(base, base);
  }
  return result.shares_memory(a) ? result.copy(cupyxx::Order::C) : result;
}

ndarray multi_dot(std::span<const ndarray> arrays, const ndarray& out) {
  const std::size_t n = arrays.size();
  if (n < 2) {
    throw ValueError(message("linalg.multi_dot: needs two arrays at least; ", n));
  }
  std::vector<ndarray> chain(arrays.begin(), arrays.end());
  for (const ndarray& a : chain) internal::check_not_none("linalg.multi_dot", a);
  const bool row = chain.front().ndim() == 1, column = chain.back().ndim() == 1;
  if (row) chain.front() = expand_dims(chain.front(), 0);
  if (column) chain.back() = expand_dims(chain.back(), 1);
  for (const ndarray& a : chain) {
    if (a.ndim() != 2) {
      throw LinAlgError(message(
          "linalg.multi_dot: needs matrices, and vectors at the ends; the shape is ", a.shape()));
    }
  }
  ndarray result = product_of(chain, cheapest_cuts(chain), 0, n - 1);
  if (column) result = squeeze(result, 1);
  if (row) result = squeeze(result, 0);
  return internal::deliver_to("linalg.multi_dot", result, out);
}

ndarray pinv(const ndarray& a, const Operand& rcond) {
  check_matrices("linalg.pinv", a);
  if (rcond.is_none()) throw TypeError("linalg.pinv: rcond is None");
  if (a.shape(-1) == 0 || a.shape(-2) == 0) {
    Shape shape = a.shape();
    std::swap(shape[shape.ndim() - 1], shape[shape.ndim() - 2]);
    const DeviceScope scope(a.device());
    return empty(shape, a.dtype());
  }
  const auto [u, s, vh] = svd(a, false);
  const ndarray largest = amax(s, -1, {.keepdims = true});
  rcond.move_list_to(a.device());
  const ndarray bound = rcond.is_array()
                            ? multiply(largest, column_of_bounds("linalg.pinv", rcond.array(), s))
                            : multiply(largest, rcond.scalar());
  const ndarray inverse = where(greater(s, bound), divide(1, s), 0);
  return matmul(adjoint(vh), multiply(expand_dims(inverse, -1), adjoint(u)));
}

ndarray matrix_rank(const ndarray& a, const Operand& tol) {
  internal::check_not_none("linalg.matrix_rank", a);
  if (a.ndim() < 2) return any(not_equal(a, 0)).astype(int64);
  const ndarray s = singular_values(a);
  tol.move_list_to(a.device());
  if (!tol.is_array()) return count_nonzero(greater(s, tol.scalar()), -1);
  if (!tol.is_none()) {
    return count_nonzero(greater(s, column_of_bounds("linalg.matrix_rank", tol.array(), s)), -1);
  }
  if (s.shape().back() == 0) return count_nonzero(s, -1);
  const double scale = static_cast<double>(longer_axis(a)) * epsilon(s.dtype());
  return count_nonzero(greater(s, multiply(amax(s, -1, {.keepdims = true}), scale)), -1);
}

ndarray cond(const ndarray& a, const Order& p) {
  check_matrices("linalg.cond", a);
  const Shape shape = a.shape();
  if (shape.back() == 0 || shape[shape.ndim() - 2] == 0) {
    throw LinAlgError(message("linalg.cond: not defined for an empty array; ", shape));
  }
  ndarray result;
  if (p.is_none() || (!p.is_name() && std::abs(p.number()) == 2)) {
    const ndarray s = singular_values(a);
    const ndarray largest = s(ellipsis, 0), smallest = s(ellipsis, -1);
    result = !p.is_none() && p.number() < 0 ? divide(smallest, largest) : divide(largest, smallest);
  } else {
    check_square("linalg.cond", a);
    const NormOptions options{.ord = p, .axis = {-2, -1}};
    // A singular matrix has no inverse, and no condition.
    const ndarray singular = equal(slogdet(a).sign, 0);
    const ndarray regular = where(expand_dims(singular, Axes{-2, -1}), identities(a), a);
    result = where(singular, std::numeric_limits<double>::infinity(),
                   multiply(norm(a, options), norm(inv(regular), options)));
  }
  // NaN from zeros means a singular matrix; NaN from NaN stays.
  const ndarray given = any(isnan(a.dtype().is_inexact() ? a : a.astype(float64)), {-2, -1});
  return where(logical_and(isnan(result), logical_not(given)),
               std::numeric_limits<double>::infinity(), result);
}

LstsqResult lstsq(const ndarray& a, const ndarray& b, std::optional<double> rcond) {
  const char* operation = "linalg.lstsq";
  internal::check_not_none(operation, a);
  internal::check_not_none(operation, b);
  internal::common_device(operation, a, b);
  if (a.ndim() != 2) {
    throw LinAlgError(message(operation, ": needs a matrix; the shape is ", a.shape()));
  }
  if (b.ndim() < 1 || b.ndim() > 2) {
    throw LinAlgError(
        message(operation, ": the right side must be 1- or 2-D; the shape is ", b.shape()));
  }
  const std::int64_t m = a.shape()[0], n = a.shape()[1];
  if (b.shape()[0] != m) {
    throw LinAlgError(message(operation, ": sizes do not fit; ", a.shape(), " and ", b.shape()));
  }
  const ndarray sides = b.ndim() == 1 ? expand_dims(b, 1) : b;
  const dtype type = promote_types(inexact(a.dtype()), inexact(b.dtype()));
  const dtype wide = type.is_complex() ? complex128 : float64;
  const ndarray matrix = a.astype(wide, false);
  double scale = rcond.value_or(epsilon(type) * static_cast<double>(std::max(m, n)));
  if (scale < 0) scale = epsilon(type);
  const ndarray y = sides.astype(wide, false);
  const bool has_numbers = a.size() != 0 && y.size() != 0;
  const auto [x, s, rank] = a.device().is_cpu() && has_numbers
                                ? by_lapack(operation, matrix, y, scale)
                                : by_singular_values(matrix, y, scale);
  const DeviceScope scope(a.device());
  const dtype part = type.real_part();
  ndarray residuals = zeros({0}, part);
  if (rank == n && m > n) {
    residuals = sum(square(absolute(subtract(y, matmul(matrix, x)))), 0).astype(part, false);
  }
  return {(b.ndim() == 1 ? squeeze(x, 1) : x).astype(type, false), residuals, rank,
          s.astype(part, false)};
}

// Of lists.

ndarray matrix_power(const ArrayLike& a, internal::Int64 n) { return matrix_power(a.array(), n); }

ndarray pinv(const ArrayLike& a) { return pinv(a.array()); }

ndarray matrix_rank(const ArrayLike& a) { return matrix_rank(a.array()); }

ndarray LstsqResult::operator[](internal::Int part) const {
  const ndarray ranks = internal::as_array(Operand(rank));
  return internal::part_of("lstsq", {&x, &residuals, &ranks, &s}, part);
}

LstsqResult lstsq(const ArrayLike& a, const ArrayLike& b, std::optional<double> rcond) {
  return lstsq(a.beside(b), b.beside(a), rcond);
}

}  // namespace cupyxx::linalg
