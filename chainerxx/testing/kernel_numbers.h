// SPDX-License-Identifier: MIT
// What tests of kernels on the emulated device share.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "cupyxx/extension/testing/emulated_device.h"

namespace chainerxx::internal::kernels {

using Floats = std::vector<float>;

inline Floats numbers(long n, unsigned seed) {
  Floats values(static_cast<std::size_t>(n));
  for (float& value : values) {
    seed = seed * 1664525u + 1013904223u;
    value = static_cast<float>(seed >> 8) / 8388608.0f - 1;
  }
  return values;
}

template <class Kernel>
void launch(emulated::Index grid, emulated::Index block, const Kernel& kernel) {
  emulated::launch(grid, block, true, kernel);
}

inline void expect_close(const Floats& actual, const Floats& expected, const char* what) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_NEAR(actual[i], expected[i], 1e-5 * (1 + std::abs(expected[i]))) << what << " at " << i;
  }
}

}  // namespace chainerxx::internal::kernels
