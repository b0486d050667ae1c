// SPDX-License-Identifier: MIT
#include <cstdlib>
#include <utility>

#include "cupyxx/internal/elementwise.h"

namespace cupyxx::internal {

namespace {

void swap_axes(ElementwiseCall& call, int operands, int a, int b) {
  std::swap(call.shape[a], call.shape[b]);
  for (int k = 0; k < operands; ++k) std::swap(call.strides[k][a], call.strides[k][b]);
}

// Whether axis `a` should stand outside of axis `b`: by the first operand that tells them apart.
bool is_outer(const ElementwiseCall& call, int operands, int a, int b) {
  for (int k = 0; k < operands; ++k) {
    const std::int64_t x = std::abs(call.strides[k][a]);
    const std::int64_t y = std::abs(call.strides[k][b]);
    if (x != y && x != 0 && y != 0) return x > y;
  }
  return false;
}

bool mergeable(const ElementwiseCall& call, int operands, int outer, int inner) {
  for (int k = 0; k < operands; ++k) {
    if (call.strides[k][outer] != call.strides[k][inner] * call.shape[inner]) return false;
  }
  return true;
}

}  // namespace

void collapse(ElementwiseCall& call) {
  const int operands = call.operands();
  int ndim = 0;
  for (int i = 0; i < call.ndim; ++i) {
    if (call.shape[i] == 1) continue;
    call.shape[ndim] = call.shape[i];
    for (int k = 0; k < operands; ++k) call.strides[k][ndim] = call.strides[k][i];
    ++ndim;
  }
  // Insertion sort: ranks are small and axes are nearly always in order.
  for (int i = 1; i < ndim; ++i) {
    for (int j = i; j > 0 && is_outer(call, operands, j, j - 1); --j) {
      swap_axes(call, operands, j, j - 1);
    }
  }
  int kept = 0;
  for (int i = 1; i < ndim; ++i) {
    if (mergeable(call, operands, kept, i)) {
      call.shape[kept] *= call.shape[i];
    } else {
      ++kept;
      call.shape[kept] = call.shape[i];
    }
    for (int k = 0; k < operands; ++k) call.strides[k][kept] = call.strides[k][i];
  }
  call.ndim = ndim == 0 ? 0 : kept + 1;
}

}  // namespace cupyxx::internal
