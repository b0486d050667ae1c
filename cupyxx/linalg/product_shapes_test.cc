// SPDX-License-Identifier: MIT
// Products of many shapes in one process, one after the other: kernels are chosen by the shape and
// kept for the next call. Integers, so that sums are exact in any order.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>

#include "cupyxx/creation.h"
#include "cupyxx/linalg.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx {
namespace {

using testing::expect_array_equal;

class ProductShapes : public testing::DeviceTest {
 protected:
  /// A matrix, or several, whose transposes lie in memory row by row if `trans`.
  static ndarray integers(std::int64_t batch, std::int64_t rows, std::int64_t columns, bool trans) {
    if (trans) return swapaxes(integers(batch, columns, rows, false), -1, -2);
    const Shape shape = batch == 0 ? Shape{rows, columns} : Shape{batch, rows, columns};
    const ndarray k = arange(shape.element_count()) * 7 + rows;
    return (k * k % 31 % 9 - 4).reshape(shape).astype(float32);
  }

  /// Most multiplications of a product.
  std::int64_t most() const { return std::int64_t{1} << (device().is_cuda() ? 26 : 20); }

  std::mt19937_64 bits_{20261127};
  std::int64_t number(std::int64_t last) { return static_cast<std::int64_t>(bits_() % (last + 1)); }
  /// Small numbers are as frequent as large ones; many are multiples of 32.
  std::int64_t extent() {
    const double power = static_cast<double>(number(1200)) / 100;
    const auto drawn = static_cast<std::int64_t>(std::exp2(power));
    return number(2) == 0 ? (drawn + 31) / 32 * 32 : drawn;
  }
};
CUPYXX_TEST_ON_DEVICES(ProductShapes);

TEST_P(ProductShapes, AreExactForIntegersWhateverCameBefore) {
  for (int turn = 0; turn < 300; ++turn) {
    std::int64_t m = extent(), n = extent(), k = extent();
    std::int64_t batch = number(2) == 0 ? 1 + number(40) : 0;
    while (m * n * k * std::max<std::int64_t>(batch, 1) > most()) {
      m = (m + 1) / 2;
      n = (n + 1) / 2;
      k = (k + 1) / 2;
    }
    const ndarray a = integers(batch, m, k, number(1) == 0);
    const ndarray b = integers(batch, k, n, number(1) == 0);
    SCOPED_TRACE(
        message("turn ", turn, ": ", a.shape(), a.strides(), " by ", b.shape(), b.strides()));
    expect_array_equal(matmul(a, b).astype(float64), matmul(a.astype(float64), b.astype(float64)));
    if (HasFailure()) break;
  }
}

}  // namespace
}  // namespace cupyxx
