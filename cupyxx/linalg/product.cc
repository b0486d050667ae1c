// SPDX-License-Identifier: MIT
#include "cupyxx/linalg/product.h"

#include <algorithm>
#include <string>

#include "cupyxx/core/arrays.h"
#include "cupyxx/error.h"
#include "cupyxx/internal/cpu/blas/gemm.h"
#include "cupyxx/internal/diagnostics/launch_note.h"
#include "cupyxx/internal/gpu/blas/gemm.h"
#include "cupyxx/internal/gpu/device_query.h"
#include "cupyxx/internal/gpu/runtime.h"

namespace cupyxx::internal {
namespace {

// Merges neighbouring axes of the stack that all three sides walk as one.
void merge_stack(Product& p) {
  int last = -1;
  for (int axis = 0; axis < p.stack_ndim; ++axis) {
    if (p.stack[axis] == 1) continue;
    const auto continues = [&](const ProductSide& side) {
      return side.step[last] == side.step[axis] * p.stack[axis];
    };
    if (last >= 0 && continues(p.a) && continues(p.b) && continues(p.c)) {
      p.stack[last] *= p.stack[axis];
    } else {
      ++last;
      p.stack[last] = p.stack[axis];
    }
    for (ProductSide* side : {&p.a, &p.b, &p.c}) side->step[last] = side->step[axis];
  }
  p.stack_ndim = last + 1;
}

// A stack of matrices times one matrix is one tall matrix times that matrix.
void fold_into_rows(Product& p) {
  while (p.stack_ndim > 0) {
    const int axis = p.stack_ndim - 1;
    if (p.b.step[axis] != 0) return;
    if (p.m == 1) {
      p.a.row = p.a.step[axis];
      p.c.row = p.c.step[axis];
    } else if (p.a.step[axis] != p.m * p.a.row || p.c.step[axis] != p.m * p.c.row) {
      return;
    }
    bool transposed;
    std::int64_t ld;
    const std::int64_t rows = p.m * p.stack[axis];
    if (!leading_dimension(rows, p.k, p.a.row, p.a.column, p.dtype.itemsize(), &transposed, &ld)) {
      return;
    }
    p.m = rows;
    --p.stack_ndim;
  }
}

void check_dtype(const char* operation, const ndarray& x) {
  if (static_cast<int>(x.dtype().code()) >= dtype::kComputeCount) {
    throw DtypeError(message(operation, ": no loop for this dtype; ", x.dtype().name()));
  }
}

}  // namespace

bool leading_dimension(std::int64_t rows, std::int64_t columns, std::int64_t row,
                       std::int64_t column, std::int64_t itemsize, bool* transposed,
                       std::int64_t* ld) {
  // Distances along an axis of one element say nothing.
  const auto fits = [itemsize](std::int64_t outer_extent, std::int64_t outer,
                               std::int64_t inner_extent, std::int64_t inner) {
    return (inner_extent <= 1 || inner == itemsize) &&
           (outer_extent <= 1 ||
            (outer >= std::max<std::int64_t>(inner_extent, 1) * itemsize && outer % itemsize == 0));
  };
  if (fits(rows, row, columns, column)) {
    *transposed = false;
    *ld = rows <= 1 ? std::max<std::int64_t>(columns, 1) : row / itemsize;
    return true;
  }
  if (fits(columns, column, rows, row)) {
    *transposed = true;
    *ld = columns <= 1 ? std::max<std::int64_t>(rows, 1) : column / itemsize;
    return true;
  }
  return false;
}

void run_gemm(const GemmCall& call, Device device, Storage* a, Storage* b, Storage* c,
              Storage* bias) {
  if (device.is_cpu()) {
    cpu::gemm(call);
    return;
  }
  const gpu::OnDevice on(device.index);
  void* stream = gpu::current_stream(device.index);
  for (Storage* storage : {a, b, c, bias}) {
    if (storage != nullptr) gpu::record_use(storage, stream);
  }
  const LaunchNote note([&] {
    return "matmul of " + std::to_string(call.m) + " x " + std::to_string(call.k) + " and " +
           std::to_string(call.k) + " x " + std::to_string(call.n) + " " +
           std::string(call.dtype.name());
  });
  gpu::gemm(device.index, stream, call);
}

void run_product(Product& p) {
  if (p.m == 0 || p.n == 0) return;
  for (int axis = 0; axis < p.stack_ndim; ++axis) {
    if (p.stack[axis] == 0) return;
  }
  merge_stack(p);
  fold_into_rows(p);

  const std::int64_t itemsize = p.dtype.itemsize();
  GemmCall call{.dtype = p.dtype, .compute = compute_precision(), .m = p.m, .n = p.n, .k = p.k};
  leading_dimension(p.m, p.k, p.a.row, p.a.column, itemsize, &call.trans_a, &call.lda);
  leading_dimension(p.k, p.n, p.b.row, p.b.column, itemsize, &call.trans_b, &call.ldb);
  call.ldc = p.m == 1 ? p.n : p.c.row / itemsize;
  const int outer = std::max(p.stack_ndim - 1, 0);
  if (p.stack_ndim > 0) {
    call.batch = p.stack[outer];
    call.stride_a = p.a.step[outer] / itemsize;
    call.stride_b = p.b.step[outer] / itemsize;
    call.stride_c = p.c.step[outer] / itemsize;
  }
  const char *a = p.a.data, *b = p.b.data;
  char* c = p.c.data;
  std::int64_t index[kMaxNdim];
  std::fill_n(index, outer, 0);
  while (true) {
    call.a = a;
    call.b = b;
    call.c = c;
    run_gemm(call, p.device, p.a.storage, p.b.storage, p.c.storage, nullptr);
    int axis = outer - 1;
    for (; axis >= 0; --axis) {
      a += p.a.step[axis];
      b += p.b.step[axis];
      c += p.c.step[axis];
      if (++index[axis] < p.stack[axis]) break;
      index[axis] = 0;
      a -= p.a.step[axis] * p.stack[axis];
      b -= p.b.step[axis] * p.stack[axis];
      c -= p.c.step[axis] * p.stack[axis];
    }
    if (axis < 0) return;
  }
}

cupyxx::dtype product_dtype(const char* operation, const ndarray& a, const ndarray& b) {
  for (const ndarray* x : {&a, &b}) {
    check_not_none(operation, *x);
    check_dtype(operation, *x);
  }
  common_device(operation, a, b);
  return a.dtype() == b.dtype() ? a.dtype() : promote_types(a.dtype(), b.dtype());
}

const ndarray& for_product(const ndarray& x, cupyxx::dtype dtype, Device device, ndarray& made) {
  const ndarray* y = &x;
  if (!(y->body()->device() == device)) {
    gpu::require_peer_access("matmul", device.index, y->body()->device().index);
    y = &(made = y->to(device));
  }
  if (!(y->body()->dtype == dtype)) y = &(made = y->astype(dtype));
  const Body* body = y->body();
  const std::int64_t itemsize = dtype.itemsize();
  const int ndim = body->ndim;
  bool fits = true;
  for (int axis = 0; axis < ndim; ++axis) {
    const std::int64_t step = body->strides[axis];
    if (body->shape[axis] > 1 && (step < 0 || step % itemsize != 0)) fits = false;
  }
  bool transposed;
  std::int64_t ld;
  if (fits && ndim == 1) {
    fits = leading_dimension(1, body->shape[0], 0, body->strides[0], itemsize, &transposed, &ld);
  } else if (fits && ndim >= 2) {
    fits = leading_dimension(body->shape[ndim - 2], body->shape[ndim - 1], body->strides[ndim - 2],
                             body->strides[ndim - 1], itemsize, &transposed, &ld);
  }
  return fits ? *y : (made = y->copy(cupyxx::Order::C));
}

}  // namespace cupyxx::internal
