// SPDX-License-Identifier: MIT
#include "cupyxx/internal/collapse_axes.h"

#include <cstdlib>
#include <utility>

namespace cupyxx::internal {

namespace {

struct AxisTable {
  std::int64_t* shape;
  std::int64_t (*strides)[kMaxNdim];
  int operands;
};

void swap_axes(const AxisTable& table, int a, int b) {
  std::swap(table.shape[a], table.shape[b]);
  for (int k = 0; k < table.operands; ++k) std::swap(table.strides[k][a], table.strides[k][b]);
}

// Whether axis `a` should stand outside of axis `b`: by the first operand that tells them apart.
bool is_outer(const AxisTable& table, int a, int b) {
  for (int k = 0; k < table.operands; ++k) {
    const std::int64_t x = std::abs(table.strides[k][a]);
    const std::int64_t y = std::abs(table.strides[k][b]);
    if (x != y && x != 0 && y != 0) return x > y;
  }
  return false;
}

bool mergeable(const AxisTable& table, int outer, int inner) {
  for (int k = 0; k < table.operands; ++k) {
    if (table.strides[k][outer] != table.strides[k][inner] * table.shape[inner]) return false;
  }
  return true;
}

}  // namespace

int collapse_axes(int rank, std::int64_t* shape, std::int64_t (*strides)[kMaxNdim], int operands,
                  bool keep_order) {
  const AxisTable table{shape, strides, operands};
  int ndim = 0;
  for (int i = 0; i < rank; ++i) {
    if (shape[i] == 1) continue;
    shape[ndim] = shape[i];
    for (int k = 0; k < operands; ++k) strides[k][ndim] = strides[k][i];
    ++ndim;
  }
  // Insertion sort: ranks are small and axes are nearly always in order.
  for (int i = 1; i < ndim && !keep_order; ++i) {
    for (int j = i; j > 0 && is_outer(table, j, j - 1); --j) swap_axes(table, j, j - 1);
  }
  int kept = 0;
  for (int i = 1; i < ndim; ++i) {
    if (mergeable(table, kept, i)) {
      shape[kept] *= shape[i];
    } else {
      ++kept;
      shape[kept] = shape[i];
    }
    for (int k = 0; k < operands; ++k) strides[k][kept] = strides[k][i];
  }
  return ndim == 0 ? 0 : kept + 1;
}

}  // namespace cupyxx::internal
