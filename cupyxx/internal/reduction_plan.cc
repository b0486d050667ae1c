// SPDX-License-Identifier: MIT
#include "cupyxx/internal/reduction_plan.h"

#include <utility>

#include "cupyxx/internal/element_types.h"
#include "cupyxx/ops/reductions.h"

namespace cupyxx::internal {

namespace {

template <class... Op>
const char* name_in(ops::OpList<Op...>, ReduceOp op) {
  constexpr const char* kNames[] = {Op::name...};
  static_assert(sizeof...(Op) == kReduceOpCount);
  return kNames[static_cast<int>(op)];
}

template <class Op, class... T>
dtype result_of(TypeList<T...>, dtype in) {
  constexpr dtype kResults[] = {dtype_of<typename Op::template Out<T>>()...};
  return kResults[static_cast<int>(in.code())];
}

template <class... Op>
dtype result_in(ops::OpList<Op...>, ReduceOp op, dtype in) {
  constexpr dtype (*kResults[])(ElementTypes, dtype) = {result_of<Op>...};
  return kResults[static_cast<int>(op)](ElementTypes{}, in);
}

std::uint64_t distance(std::int64_t stride) {
  const auto forward = static_cast<std::uint64_t>(stride);
  return stride < 0 ? 0 - forward : forward;
}

/// Sorts axes from far to near in memory; equal ones stay in their order.
void sort(ReduceAxis* axes, int ndim) {
  for (int i = 1; i < ndim; ++i) {
    for (int j = i; j > 0 && distance(axes[j - 1].stride) < distance(axes[j].stride); --j) {
      std::swap(axes[j - 1], axes[j]);
    }
  }
}

/// Makes one axis of neighbours that continue each other; returns the number of axes left.
int merge(ReduceAxis* axes, int ndim) {
  int last = 0;
  for (int i = 1; i < ndim; ++i) {
    ReduceAxis& a = axes[last];
    const ReduceAxis& b = axes[i];
    if (a.stride == b.stride * b.extent && a.out_stride == b.out_stride * b.extent) {
      a = {a.extent * b.extent, b.stride, b.out_stride};
    } else {
      axes[++last] = b;
    }
  }
  return ndim == 0 ? 0 : last + 1;
}

}  // namespace

const char* name(ReduceOp op) { return name_in(ops::ReductionOps{}, op); }

dtype reduction_result(ReduceOp op, dtype in) { return result_in(ops::ReductionOps{}, op, in); }

Reduction plan_reduction(ReduceOp op, dtype in, const void* data, int ndim,
                         const std::int64_t* shape, const std::int64_t* strides, std::uint32_t mask,
                         void* result, const std::int64_t* result_strides, double ddof,
                         bool unrounded) {
  Reduction r;
  r.op = op;
  r.in = in;
  r.out = unrounded ? float32 : reduction_result(op, in);
  r.data = static_cast<const char*>(data);
  r.result = static_cast<char*>(result);
  r.ddof = ddof;

  std::int64_t out_strides[kMaxNdim];
  std::int64_t out_stride = r.out.itemsize();
  for (int i = ndim - 1; i >= 0; --i) {
    out_strides[i] = result_strides == nullptr ? out_stride : result_strides[i];
    if ((mask >> i & 1) == 0) out_stride *= shape[i];
  }
  for (int i = 0; i < ndim; ++i) {
    ReduceAxis axis{shape[i], strides[i], 0};
    const bool reduced = (mask >> i & 1) != 0;
    (reduced ? r.reduced : r.kept) *= axis.extent;
    if (axis.extent == 1) continue;
    if (!reduced) {
      axis.out_stride = out_strides[i];
      r.kept_axes[r.kept_ndim++] = axis;
    } else {
      if (!is_arg(op) && axis.stride < 0 && axis.extent > 0) {
        r.data += (axis.extent - 1) * axis.stride;
        axis.stride = -axis.stride;
      }
      r.reduced_axes[r.reduced_ndim++] = axis;
    }
  }
  sort(r.kept_axes, r.kept_ndim);
  if (!is_arg(op)) sort(r.reduced_axes, r.reduced_ndim);
  r.kept_ndim = merge(r.kept_axes, r.kept_ndim);
  r.reduced_ndim = merge(r.reduced_axes, r.reduced_ndim);
  if (r.kept_ndim == 0) r.kept_axes[r.kept_ndim++] = {1, 0, 0};
  if (r.reduced_ndim == 0) r.reduced_axes[r.reduced_ndim++] = {1, 0, 0};
  return r;
}

}  // namespace cupyxx::internal
