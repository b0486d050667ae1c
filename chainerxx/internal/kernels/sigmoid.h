// SPDX-License-Identifier: MIT
// Device-safe. The logistic function.
#pragma once

#include "cupyxx/ops/prelude.h"

namespace chainerxx::internal::kernels {

/// 1 / (1 + exp(-x)). Never overflows, and small results keep their digits.
template <class T>
CUPYXX_FN T sigmoid(T x) {
  const T e = cupyxx::ops::m::exp(-cupyxx::ops::m::fabs(x));
  return (x < T(0) ? e : T(1)) / (T(1) + e);
}

}  // namespace chainerxx::internal::kernels
