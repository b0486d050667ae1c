// SPDX-License-Identifier: MIT
// Powers, inverses in the sense of least squares, ranks. NumPy's chapter "Linear algebra", what is
// made of the decompositions; see decomposition.h for dtypes and devices.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>

#include "cupyxx/linalg.h"
#include "cupyxx/ndarray.h"

namespace cupyxx::linalg {

/// The matrix to an integer power; negative ones are those of the inverse.
CUPYXX_API ndarray matrix_power(const ndarray& a, std::int64_t n);
/// The product of several matrices in the cheapest order; the first and the last may be vectors.
/// `out` as of matmul.
CUPYXX_API ndarray multi_dot(std::span<const ndarray> arrays, const ndarray& out = {});
inline ndarray multi_dot(std::initializer_list<ndarray> arrays, const ndarray& out = {}) {
  return multi_dot(std::span(arrays.begin(), arrays.size()), out);
}
/// The Moore-Penrose inverse; singular values of at most `rcond` times the largest count as zero.
/// `rcond` is a number, or an array that broadcasts against the stack's shape: one for each matrix.
CUPYXX_API ndarray pinv(const ndarray& a, const Operand& rcond = 1e-15);
/// Number of singular values above a bound, a number or an array as of pinv; by default the largest
/// value times eps times the longer axis.
CUPYXX_API ndarray matrix_rank(const ndarray& a, const Operand& tol = {});
/// Condition number in a norm; the ratio of the singular values' ends by default.
CUPYXX_API ndarray cond(const ndarray& a, const Order& p = {});

/// What lstsq makes.
struct LstsqResult {
  ndarray x;
  ndarray residuals;  ///< squared, per column; empty unless M > N = rank
  std::int64_t rank;
  ndarray s;  ///< singular values
};
/// x of the smallest |a x - b|, and the smallest such x. Singular values of at most `rcond` times
/// the largest count as zero: eps times the longer axis unless given, eps for a negative one.
/// Synchronises.
CUPYXX_API LstsqResult lstsq(const ndarray& a, const ndarray& b, std::optional<double> rcond = {});

}  // namespace cupyxx::linalg
