// SPDX-License-Identifier: MIT
// Fused operations on sizes and layouts that functions rarely see; the references are loops in
// double.
#include "chainerxx/internal/array_ops.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "cupyxx/creation.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx::internal {
namespace {

using cupyxx::Shape;

class ArrayOpsTest : public cupyxx::testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(ArrayOpsTest);

struct Type {
  cupyxx::dtype dtype;
  double tolerance;
};
constexpr Type kTypes[] = {{cupyxx::float16, 4e-3},
                           {cupyxx::bfloat16_, 3e-2},
                           {cupyxx::float32, 1e-5},  // of sums of 33,001
                           {cupyxx::float64, 1e-14}};

/// Within a share of the largest magnitude.
void expect_near(const ndarray& found, const ndarray& expected, double share) {
  const auto largest = cupyxx::absolute(expected).max().item<double>();
  cupyxx::testing::expect_allclose(found.astype(cupyxx::float64), expected, 0, share * largest);
}

ndarray waves(const Shape& shape, cupyxx::dtype type) {
  std::vector<double> values;
  for (std::int64_t i = 0; i < shape.element_count(); ++i) {
    values.push_back(2 * std::sin(0.7 * static_cast<double>(i)));
  }
  return cupyxx::array(values, type).reshape(shape);
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

/// Rows that a warp or a block keeps in registers, and longer ones; rows and arrays that do not
/// begin where packs do. Beside the results in double.
TEST_P(ArrayOpsTest, SoftmaxOfLongRows) {
  for (const auto& [dtype, tolerance] : kTypes) {
    for (const Shape& shape :
         {Shape{9, 101}, Shape{3, 2048}, Shape{4, 5003}, Shape{2, 33001}, Shape{280, 33000}}) {
      if (shape[0] > 100 && dtype != cupyxx::bfloat16_) continue;  // several rows for each block

      const std::int64_t size = shape[0] * shape[1];
      for (const std::int64_t first : {0, 1}) {
        const ndarray all = waves({first + size}, dtype);
        const ndarray x = ndarray(all(cupyxx::slice(first, first + size))).reshape(shape);
        const ndarray wide = x.astype(cupyxx::float64), y = softmax(x), precise = softmax(wide);
        expect_near(y, precise, tolerance);
        const ndarray gy = x * 0.5;
        expect_near(softmax_grad(y, gy), softmax_grad(precise, gy.astype(cupyxx::float64)),
                    tolerance);
      }
    }
  }
}

TEST_P(ArrayOpsTest, CrossEntropyOfLongRows) {
  for (const Shape& shape : {Shape{700, 200}, Shape{90, 1501}, Shape{5, 50257}}) {
    std::vector<std::int32_t> labels;
    for (std::int64_t i = 0; i < shape[0]; ++i) {
      labels.push_back(i == 2 ? -1 : static_cast<std::int32_t>(i * 7919 % shape[1]));
    }
    labels.back() = static_cast<std::int32_t>(shape[1] - 1);
    const ndarray x = waves(shape, cupyxx::float32), t = cupyxx::array(labels);
    const CrossEntropy result = cross_entropy(x, t, true, true, x.dtype());
    const ndarray y = softmax(x.astype(cupyxx::float64));
    const auto ys = y.to_vector<double>(), grads = result.grad.to_vector<double>();
    const auto count = static_cast<double>(shape[0] - 1);
    double loss = 0;
    for (std::int64_t n = 0; n < shape[0]; ++n) {
      const std::int32_t label = labels[static_cast<std::size_t>(n)];
      for (std::int64_t c = 0; c < shape[1]; ++c) {
        const auto k = static_cast<std::size_t>(n * shape[1] + c);
        const double expected = label == -1 ? 0 : (ys[k] - (c == label ? 1 : 0)) / count;
        ASSERT_NEAR(grads[k], expected, 1e-6 / count) << n << ", " << c;
        if (c == label) loss -= std::log(ys[k]);
      }
    }
    EXPECT_NEAR(result.loss.item<double>(), loss / count, 1e-5);
    const CrossEntropy alone = cross_entropy(x, t, true, false, x.dtype());
    EXPECT_EQ(alone.loss.item<float>(), result.loss.item<float>());
  }
}

/// 16-bit logits with a loss of float32, and a factor that the gradient takes before it is rounded.
TEST_P(ArrayOpsTest, CrossEntropyOfNarrowLogits) {
  for (const auto& [dtype, rounding] :
       {std::pair(cupyxx::bfloat16_, 0x1p-8), std::pair(cupyxx::float16, 0x1p-11)}) {
    for (const Shape& shape : {Shape{5, 50257}, Shape{3, 50304}, Shape{70, 33}, Shape{4100, 40},
                               Shape{90, 1501}, Shape{40, 7, 5}}) {
      const ndarray x = waves(shape, dtype), wide = x.astype(cupyxx::float64);
      Shape places = shape;
      places.erase(1);
      const ndarray t = (cupyxx::arange(places.element_count()) * 7919 % shape[1]).reshape(places);
      const CrossEntropy expected = cross_entropy(wide, t, true, true, cupyxx::float64);
      const CrossEntropy found = cross_entropy(x, t, true, true, cupyxx::float32);
      EXPECT_EQ(found.loss.dtype(), cupyxx::float32);
      EXPECT_EQ(found.grad.dtype(), dtype);
      EXPECT_NEAR(found.loss.item<double>(), expected.loss.item<double>(), 1e-5);
      expect_near(found.grad, expected.grad, rounding);
      const ndarray scaled =
          cross_entropy_grad(x, t, true, cupyxx::full({}, 3000, cupyxx::float32));
      expect_near(scaled, expected.grad * 3000, rounding);
      const ndarray narrow_loss = cross_entropy(x, t, true, false, dtype).loss;
      EXPECT_EQ(narrow_loss.dtype(), dtype);
      EXPECT_NEAR(narrow_loss.item<double>(), expected.loss.item<double>(), 10 * rounding);
    }
  }
}

TEST_P(ArrayOpsTest, DropoutIsTheSameFromAnyPlace) {
  const cupyxx::random::PhiloxState state{11, 5};
  for (const std::int64_t n : {1, 4, 6, 100003}) {
    const ndarray x = waves({n}, cupyxx::float32) + 3, y = dropout(x, 0.25, state);
    const ndarray other = waves({n + 1}, cupyxx::float32);
    const ndarray moved = other(cupyxx::slice(1, n + 1));
    moved.set(x);
    cupyxx::testing::expect_array_equal(dropout(moved, 0.25, state), y);
    cupyxx::testing::expect_array_equal(y.to(cupyxx::Device()),
                                        dropout(x.to(cupyxx::Device()), 0.25, state));
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
  // Divided between blocks; rows that are left over, columns beside the last block's.
  for (const cupyxx::dtype type : {cupyxx::float16, cupyxx::bfloat16_, cupyxx::float32}) {
    for (const Shape& shape : {Shape{5003, 264}, Shape{20011, 24}, Shape{40, 4104}}) {
      const ndarray matrix =
          (cupyxx::arange(shape[0] * shape[1]).reshape(shape) % 7 - 3).astype(type);
      const ndarray out = cupyxx::full({shape[1]}, 2, cupyxx::float32);
      add_column_sums(matrix, out);
      cupyxx::testing::expect_array_equal(out, matrix.astype(cupyxx::float32).sum(0) + 2);
    }
  }
  const ndarray strided = cupyxx::zeros({4, 2}, cupyxx::float32)(cupyxx::slice(), 1);
  add_column_sums(cupyxx::ones({5, 4}, cupyxx::float32), strided);
  EXPECT_EQ(strided.to_vector<float>(), std::vector<float>(4, 5));
}

}  // namespace
}  // namespace chainerxx::internal
