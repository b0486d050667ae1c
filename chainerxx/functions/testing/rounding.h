// SPDX-License-Identifier: MIT
// Bounds that follow from a dtype, and the layout that images have.
#pragma once

#include <gtest/gtest.h>

#include "cupyxx/dtype.h"
#include "cupyxx/ndarray.h"

namespace chainerxx::testing {

/// Half the distance of 1 from the next number: what rounding once costs at most.
inline double rounding(cupyxx::dtype type) {
  return type == cupyxx::bfloat16_ ? 0x1p-8
         : type == cupyxx::float16 ? 0x1p-11
         : type == cupyxx::float32 ? 0x1p-24
                                   : 0x1p-53;
}

/// The rounding of a convolution's multiplication, where TF32 may stand for float32; more for
/// float32 and float64, whose sums are what counts.
inline double product_rounding(cupyxx::dtype type, bool tf32) {
  return type == cupyxx::bfloat16_         ? 0x1p-8
         : type == cupyxx::float16         ? 0x1p-11
         : type == cupyxx::float32 && tf32 ? 0x1p-10
         : type == cupyxx::float32         ? 0x1p-22
                                           : 0x1p-50;
}

/// The channels of each pixel of a (n, c, h, w) lie side by side.
inline void expect_channels_last(const cupyxx::ndarray& a) {
  const cupyxx::Shape s = a.shape();
  const auto strides = a.strides();
  EXPECT_EQ(strides[1], a.itemsize());
  EXPECT_EQ(strides[3], a.itemsize() * s[1]);
  EXPECT_EQ(strides[2], a.itemsize() * s[1] * s[3]);
  EXPECT_EQ(strides[0], a.itemsize() * s[1] * s[3] * s[2]);
}

}  // namespace chainerxx::testing
