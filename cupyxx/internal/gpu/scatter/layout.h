// SPDX-License-Identifier: MIT
// Axes of a view as the kernels that write rows take them.
#pragma once

#include <algorithm>
#include <cstdint>

#include "cupyxx/core/body.h"
#include "cupyxx/internal/collapse_axes.h"
#include "cupyxx/internal/kernels/scatter.h"

namespace cupyxx::internal::gpu {

/// Axes [begin, end) of a view, neighbours merged.
inline kernels::ScatterLayout layout_of(const Body& view, int begin, int end) {
  std::int64_t shape[kMaxNdim] = {}, strides[1][kMaxNdim] = {};
  for (int i = begin; i < end; ++i) {
    shape[i - begin] = view.shape[i];
    strides[0][i - begin] = view.strides[i];
  }
  kernels::ScatterLayout layout{};
  layout.rank = collapse_axes(end - begin, shape, strides, 1, true);
  std::copy_n(shape, layout.rank, layout.extent);
  std::copy_n(strides[0], layout.rank, layout.stride);
  return layout;
}

/// How many elements those axes have.
inline std::int64_t count(const Body& view, int begin, int end) {
  std::int64_t product = 1;
  for (int i = begin; i < end; ++i) product *= view.shape[i];
  return product;
}

}  // namespace cupyxx::internal::gpu
