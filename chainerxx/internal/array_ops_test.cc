// SPDX-License-Identifier: MIT
// Fused operations on sizes and layouts that functions rarely see; the references are loops in
// double.
#include "chainerxx/internal/array_ops.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "cupyxx/creation.h"
#include "cupyxx/math.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx::internal {
namespace {

using cupyxx::Shape;

class ArrayOpsTest : public cupyxx::testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(ArrayOpsTest);

constexpr double kTolerance[] = {4e-3, 1e-6, 1e-14};  // by the element types of the kernels

ndarray waves(const Shape& shape, cupyxx::dtype type) {
  std::vector<double> values;
  for (std::int64_t i = 0; i < shape.element_count(); ++i) {
    values.push_back(2 * std::sin(0.7 * static_cast<double>(i)));
  }
  return cupyxx::array(values, type).reshape(shape);
}

template <class Reference>
void expect_each(const ndarray& actual, const ndarray& a, const ndarray& b, double tolerance,
                 Reference reference) {
  const auto found = actual.to_vector<double>(), x = a.to_vector<double>();
  const auto y = b.is_none() ? x : b.to_vector<double>();
  ASSERT_EQ(actual.shape(), a.shape());
  for (std::size_t i = 0; i < x.size(); ++i) {
    ASSERT_NEAR(found[i], reference(x[i], y[i]), tolerance * 4) << i;
  }
}

TEST_P(ArrayOpsTest, ElementwiseOnAllTypesAndSizes) {
  for (int type = 0; type < 3; ++type) {
    for (const std::int64_t n : {0, 1, 31, 1000, 70001}) {
      const double tolerance = kTolerance[type];
      const ndarray a = waves({n}, kKernelTypes[static_cast<std::size_t>(type)]);
      const ndarray b = waves({n}, a.dtype()) * 0.5;
      expect_each(elementwise(KernelName::relu, a), a, {}, tolerance,
                  [](double x, double) { return x < 0 ? 0 : x; });
      expect_each(elementwise(KernelName::sigmoid, a), a, {}, tolerance,
                  [](double x, double) { return 1 / (1 + std::exp(-x)); });
      expect_each(elementwise(KernelName::relu_grad, a, b), a, b, tolerance,
                  [](double y, double gy) { return y > 0 ? gy : 0; });
      expect_each(elementwise(KernelName::sigmoid_grad, a, b), a, b, tolerance,
                  [](double y, double gy) { return gy * y * (1 - y); });
      expect_each(elementwise(KernelName::tanh_grad, a, b), a, b, tolerance,
                  [](double y, double gy) { return gy * (1 - y * y); });
    }
  }
}

TEST_P(ArrayOpsTest, StridedArraysAreTakenAsTheyAre) {
  const ndarray a = waves({6, 4}, cupyxx::float32).T();
  const ndarray y = elementwise(KernelName::relu, a);
  EXPECT_EQ(y.shape(), Shape({4, 6}));
  expect_each(y, a, {}, 0, [](double x, double) { return x < 0 ? 0 : x; });
  EXPECT_EQ(elementwise(KernelName::relu, waves({}, cupyxx::float32)).shape(), Shape());
}

TEST_P(ArrayOpsTest, SoftmaxOverEveryLayout) {
  for (const Shape& shape :
       {Shape{7, 3}, Shape{5, 33}, Shape{3, 1000}, Shape{2, 5, 7}, Shape{300, 200}}) {
    const ndarray x = waves(shape, cupyxx::float64), gy = waves(shape, cupyxx::float64) * 3;
    const ndarray y = softmax(x);
    const ndarray gx = softmax_grad(y, gy);
    const auto xs = x.to_vector<double>(), gys = gy.to_vector<double>(), ys = y.to_vector<double>(),
               gxs = gx.to_vector<double>();
    const std::int64_t classes = shape[1], inner = shape.ndim() == 3 ? shape[2] : 1;
    for (std::int64_t n = 0; n < shape[0]; ++n) {
      for (std::int64_t d = 0; d < inner; ++d) {
        const auto at = [&](std::int64_t c) {
          return static_cast<std::size_t>((n * classes + c) * inner + d);
        };
        double sum = 0, dot = 0;
        for (std::int64_t c = 0; c < classes; ++c) sum += std::exp(xs[at(c)]);
        for (std::int64_t c = 0; c < classes; ++c) dot += gys[at(c)] * std::exp(xs[at(c)]) / sum;
        for (std::int64_t c = 0; c < classes; ++c) {
          const double expected = std::exp(xs[at(c)]) / sum;
          ASSERT_NEAR(ys[at(c)], expected, 1e-13);
          ASSERT_NEAR(gxs[at(c)], expected * (gys[at(c)] - dot), 1e-12);
        }
      }
    }
  }
}

TEST_P(ArrayOpsTest, ColumnSumsAreAdded) {
  for (const Shape& shape : {Shape{1, 1}, Shape{100, 10}, Shape{3, 1000}, Shape{500, 300}}) {
    const ndarray matrix = cupyxx::ones(shape, cupyxx::float32);
    const ndarray out = cupyxx::full({shape[1]}, 2, cupyxx::float32);
    const auto version = out.version();
    add_column_sums(matrix, out);
    for (const float v : out.to_vector<float>()) ASSERT_EQ(v, 2 + static_cast<float>(shape[0]));
    EXPECT_GT(out.version(), version);
  }
  const ndarray strided = cupyxx::zeros({4, 2}, cupyxx::float32)(cupyxx::slice(), 1);
  add_column_sums(cupyxx::ones({5, 4}, cupyxx::float32), strided);
  EXPECT_EQ(strided.to_vector<float>(), std::vector<float>(4, 5));
}

}  // namespace
}  // namespace chainerxx::internal
