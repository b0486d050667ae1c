// SPDX-License-Identifier: MIT
// Sums over the windows of a sequence on the host.
#pragma once

#include <cstdint>

#include "cupyxx/ndarray.h"

namespace cupyxx::internal::cpu {

/// out[i] = sum of a[i - before + j] * taps[j] in the order of j, over the j whose element exists.
/// 1-D C-contiguous arrays of one dtype: bool, an integer, float32 or float64.
struct ConvolveCall {
  const ndarray* a;
  const ndarray* taps;
  const ndarray* out;
  std::int64_t before;
};
void convolve(const ConvolveCall& call);

}  // namespace cupyxx::internal::cpu
