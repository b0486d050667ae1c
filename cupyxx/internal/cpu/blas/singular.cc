// SPDX-License-Identifier: MIT
#include "cupyxx/internal/cpu/blas/singular.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "cupyxx/error.h"
#include "cupyxx/internal/cpu/blas/openblas.h"

namespace cupyxx::internal::cpu {

void singular_values(double* matrix, std::int64_t rows, std::int64_t columns, double* values) {
  const std::int64_t count = std::min(rows, columns);
  if (std::max(rows, columns) > INT_MAX) {
    throw ValueError("singular values: the matrix is too large for LAPACK; " +
                     std::to_string(rows) + " x " + std::to_string(columns));
  }
  // LAPACK may not end for these.
  if (!std::all_of(matrix, matrix + rows * columns, [](double x) { return std::isfinite(x); })) {
    std::fill_n(values, count, std::numeric_limits<double>::quiet_NaN());
    return;
  }
  // LAPACK reads columns first: it sees the transpose, whose singular values are the same.
  const int m = static_cast<int>(columns), n = static_cast<int>(rows), one = 1;
  std::vector<int> integers(static_cast<std::size_t>(8 * count));
  double size = 0;
  int info = 0, length = -1;
  const auto& lapack = openblas("singular values");
  lapack.dgesdd("N", &m, &n, matrix, &m, values, nullptr, &one, nullptr, &one, &size, &length,
                integers.data(), &info);
  length = static_cast<int>(size);
  std::vector<double> work(static_cast<std::size_t>(std::max(length, 1)));
  lapack.dgesdd("N", &m, &n, matrix, &m, values, nullptr, &one, nullptr, &one, work.data(), &length,
                integers.data(), &info);
  if (info != 0) {
    throw Error("singular values: dgesdd did not converge; info " + std::to_string(info));
  }
}

}  // namespace cupyxx::internal::cpu
