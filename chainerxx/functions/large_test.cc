// SPDX-License-Identifier: MIT
// Functions of more than 2^31 elements: rows of the whole batch, the one with element 2^31 among
// them, are what the same function makes of these rows alone; so are their gradients. On the host
// and on devices without memory for it the batch is small, which tries the test.
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "chainerxx/chainerxx.h"
#include "cupyxx/cupyxx.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx {
namespace {

namespace F = functions;
using cupyxx::Shape;
using cupyxx::slice;
using cupyxx::testing::expect_allclose;

constexpr std::int64_t k31 = std::int64_t{1} << 31;

using Call = std::function<Variable(const Variable&)>;

class LargeFunctionsTest : public cupyxx::testing::DeviceTest {
 protected:
  void SetUp() override {
    if (!device().is_cuda()) return;
    try {
      cupyxx::empty({std::int64_t{60} << 30}, cupyxx::int8);
      large_ = true;
    } catch (const cupyxx::OutOfMemoryError&) {
    }
    cupyxx::free_all_blocks(device());
  }
  void TearDown() override { cupyxx::free_all_blocks(device()); }

  // So many rows of this size that the batch passes 2^31 elements.
  std::int64_t rows_of(std::int64_t elements) const { return large_ ? k31 / elements + 5 : 11; }

  // Normal numbers; the same in all rows but for a factor.
  ndarray draw(const Shape& row, std::int64_t rows) const {
    const ndarray one = cupyxx::random::RandomState(7).normal(0, 1, row).astype(cupyxx::float16);
    Shape column = row;
    for (std::int64_t& extent : column) extent = 1;
    const ndarray factors = (cupyxx::arange(rows) % 13 * 0.125 + 0.25).astype(cupyxx::float16);
    return one.reshape(with_rows(1, row)) * factors.reshape(with_rows(rows, column));
  }

  // The first rows, those around element 2^31, and the last ones.
  std::vector<slice> looked_at(std::int64_t rows, std::int64_t elements) const {
    const std::int64_t middle = large_ ? k31 / elements - 1 : rows / 2;
    return {slice(0, 2), slice(middle, middle + 3), slice(rows - 2, rows)};
  }

  void expect_rows(const std::string& name, const Shape& row, const Call& f, double rtol = 2e-3) {
    SCOPED_TRACE(name);
    const std::int64_t elements = row.element_count(), rows = rows_of(elements);
    const ndarray x = draw(row, rows);
    const Variable whole(x);
    Variable y = f(whole);
    ASSERT_EQ(y.shape()[0], rows);
    const Shape shape = y.shape();
    const ndarray gy = draw(Shape(shape.begin() + 1, shape.end()), rows);
    const std::vector<slice> parts = looked_at(rows, elements);
    std::vector<ndarray> values;
    for (const slice& part : parts) values.push_back(y.data()(part).copy());
    y.backward(gy);
    y = Variable();
    for (std::size_t k = 0; k < parts.size(); ++k) {
      SCOPED_TRACE(k);
      const Variable alone(x(parts[k]).copy());
      const Variable expected = f(alone);
      expect_allclose(values[k], expected.data(), rtol, rtol);
      expected.backward(gy(parts[k]).copy());
      expect_allclose(whole.grad()(parts[k]), alone.grad(), rtol, rtol);
    }
  }

  static Shape with_rows(std::int64_t rows, const Shape& row) {
    std::vector<std::int64_t> all{rows};
    all.insert(all.end(), row.begin(), row.end());
    return Shape(all.begin(), all.end());
  }

  bool large_ = false;
};
CUPYXX_TEST_ON_DEVICES(LargeFunctionsTest);

TEST_P(LargeFunctionsTest, Activations) {
  const Shape row{32771};
  expect_rows("relu", row, [](const Variable& x) { return F::relu(x); });
  expect_rows("leaky_relu", row, [](const Variable& x) { return F::leaky_relu(x, 0.25); });
  expect_rows("sigmoid", row, [](const Variable& x) { return F::sigmoid(x); });
  expect_rows("gelu", row, [](const Variable& x) { return F::gelu(x); });
  expect_rows("softplus", row, [](const Variable& x) { return F::softplus(x); });
  expect_rows("softmax", row, [](const Variable& x) { return F::softmax(x); });
  expect_rows("log_softmax", row, [](const Variable& x) { return F::log_softmax(x); });
  expect_rows("maxout", {32772}, [](const Variable& x) { return F::maxout(x, 4); });
  expect_rows("glu", {32772}, [](const Variable& x) { return F::glu(x); });
  expect_rows("crelu", row, [](const Variable& x) { return F::crelu(x); });
  const Variable W(cupyxx::full({32771}, 0.25, cupyxx::float16));
  expect_rows("prelu", row, [&](const Variable& x) { return F::prelu(x, W); });
}

TEST_P(LargeFunctionsTest, Arithmetic) {
  const Shape row{32771};
  expect_rows("x * x + 1", row, [](const Variable& x) { return x * x + 1; });
  expect_rows("exp", row, [](const Variable& x) { return F::exp(x); });
  expect_rows("clip", row, [](const Variable& x) { return F::clip(x, -0.5, 0.5); });
  expect_rows(
      "sum", row, [](const Variable& x) { return F::sum(x, 1); }, 1e-2);
  expect_rows("max", row, [](const Variable& x) { return F::max(x, 1); });
  expect_rows("logsumexp", row, [](const Variable& x) { return F::logsumexp(x, 1); });
  expect_rows("normalize", row, [](const Variable& x) { return F::normalize(x); });
}

TEST_P(LargeFunctionsTest, Arrays) {
  expect_rows("transpose", {1031, 33}, [](const Variable& x) {
    return F::transpose(x, {0, 2, 1});
  });
  expect_rows("concat", {1031, 33}, [](const Variable& x) {
    return F::concat(std::vector<Variable>{x, x * 2}, 1);
  });
  expect_rows("split_axis", {1031, 33}, [](const Variable& x) {
    return F::split_axis(x, {100, 500}, 1)[1];
  });
  expect_rows("get_item", {1031, 33},
              [](const Variable& x) { return x(slice(), slice(1, 1000, 3)); });
  expect_rows("where", {32771}, [](const Variable& x) { return F::where(x.data() > 0, x, -x); });
  expect_rows("pad", {1031, 33}, [](const Variable& x) {
    return F::pad(x, {{0, 0}, {1, 2}, {0, 1}});
  });
  expect_rows("reshape", {1031, 33}, [](const Variable& x) { return x.reshape(-1, 33, 1031); });
  expect_rows("tile", {4099}, [](const Variable& x) { return F::tile(x, {1, 2}); });
  expect_rows("cast", {32771}, [](const Variable& x) {
    return F::cast(F::cast(x, cupyxx::float32), cupyxx::float16);
  });
  expect_rows(
      "cumsum", {257}, [](const Variable& x) { return F::cumsum(x, 1); }, 1e-2);
}

TEST_P(LargeFunctionsTest, Normalisations) {
  const Variable gamma(cupyxx::full({4099}, 1.5, cupyxx::float16)),
      beta(cupyxx::full({4099}, 0.25, cupyxx::float16));
  expect_rows(
      "layer_normalization", {4099},
      [&](const Variable& x) { return F::layer_normalization(x, gamma, beta); }, 1e-2);
  const Variable g8(cupyxx::full({8}, 1.5, cupyxx::float16)),
      b8(cupyxx::full({8}, 0.25, cupyxx::float16));
  const Variable mean(cupyxx::full({8}, 0.5, cupyxx::float16)),
      var(cupyxx::full({8}, 2.0, cupyxx::float16));
  expect_rows(
      "fixed_batch_normalization", {8, 61, 67},
      [&](const Variable& x) { return F::fixed_batch_normalization(x, g8, b8, mean, var); }, 1e-2);
  expect_rows(
      "group_normalization", {8, 61, 67},
      [&](const Variable& x) { return F::group_normalization(x, 2, g8, b8); }, 1e-2);
  expect_rows(
      "local_response_normalization", {8, 61, 67},
      [](const Variable& x) { return F::local_response_normalization(x, {.alpha = 0.25}); }, 1e-2);
}

TEST_P(LargeFunctionsTest, Images) {
  const Shape row{8, 61, 67};
  expect_rows("max_pooling_2d", row, [](const Variable& x) { return F::max_pooling_2d(x, 3, 2); });
  expect_rows("average_pooling_2d", row,
              [](const Variable& x) { return F::average_pooling_2d(x, 2); });
  expect_rows("upsampling", row, [](const Variable& x) { return F::unpooling_2d(x, 2); });
  expect_rows(
      "resize_images", row,
      [](const Variable& x) {
        return F::resize_images(x, {31, 33});
      },
      1e-2);
  const Variable W(
      cupyxx::random::RandomState(3).normal(0, 0.2, {4, 8, 3, 3}).astype(cupyxx::float16)),
      b(cupyxx::full({4}, 0.5, cupyxx::float16));
  expect_rows(
      "convolution_2d", row,
      [&](const Variable& x) { return F::convolution_2d(x, W, b, {.pad = 1}); }, 1e-2);
  const Variable wide(
      cupyxx::random::RandomState(3).normal(0, 0.2, {8, 4, 2, 2}).astype(cupyxx::float16));
  expect_rows(
      "deconvolution_2d", row,
      [&](const Variable& x) { return F::deconvolution_2d(x, wide, b, {.stride = 2}); }, 1e-2);
}

TEST_P(LargeFunctionsTest, Products) {
  const Variable W(
      cupyxx::random::RandomState(3).normal(0, 0.2, {1031, 64}).astype(cupyxx::float16)),
      b(cupyxx::full({1031}, 0.5, cupyxx::float16));
  // More than 2^31 results of fewer numbers, and the reverse.
  const std::int64_t rows = rows_of(1031);
  const ndarray x = draw({64}, rows);
  const Variable whole(x);
  Variable y = F::linear(whole, W, b);
  const ndarray gy = draw({1031}, rows);
  std::vector<ndarray> values;
  for (const slice& part : looked_at(rows, 1031)) values.push_back(y.data()(part).copy());
  y.backward(gy);
  y = Variable();
  for (std::size_t k = 0; k < values.size(); ++k) {
    const slice part = looked_at(rows, 1031)[k];
    const Variable alone(x(part).copy());
    const Variable expected = F::linear(alone, W, b);
    expect_allclose(values[k], expected.data(), 1e-2, 1e-2);
    expected.backward(gy(part).copy());
    expect_allclose(whole.grad()(part), alone.grad(), 1e-2, 1e-2);
  }
  const Variable narrow(
      cupyxx::random::RandomState(3).normal(0, 0.2, {16, 1031}).astype(cupyxx::float16));
  expect_rows(
      "linear", {1031}, [&](const Variable& v) { return F::linear(v, narrow); }, 1e-2);
  expect_rows(
      "matmul", {33, 31},
      [](const Variable& v) {
        return F::matmul(v, F::transpose(v, {0, 2, 1}));
      },
      2e-2);
}

TEST_P(LargeFunctionsTest, Losses) {
  const std::int64_t classes = 32771, rows = rows_of(classes);
  const ndarray x = draw({classes}, rows);
  const ndarray t = (cupyxx::arange(rows) * 77 % classes).astype(cupyxx::int32);
  const Variable whole(x);
  const Variable loss = F::softmax_cross_entropy(whole, Variable(t), {.reduce = "no"});
  loss.backward(cupyxx::ones({rows}, loss.dtype()));
  for (const slice& part : looked_at(rows, classes)) {
    const Variable alone(x(part).copy());
    const Variable expected =
        F::softmax_cross_entropy(alone, Variable(t(part).copy()), {.reduce = "no"});
    expect_allclose(loss.data()(part), expected.data(), 2e-3, 2e-3);
    expected.backward(cupyxx::ones(expected.shape(), expected.dtype()));
    expect_allclose(whole.grad()(part), alone.grad(), 2e-3, 1e-6);
  }
}

TEST_P(LargeFunctionsTest, Lookups) {
  const std::int64_t width = 4099, rows = rows_of(width);
  const Variable W(
      cupyxx::random::RandomState(3).normal(0, 1, {1000, width}).astype(cupyxx::float16));
  const ndarray ids = (cupyxx::arange(rows) * 7 % 1000).astype(cupyxx::int32);
  const Variable y = F::embed_id(Variable(ids), W);
  for (const slice& part : looked_at(rows, width)) {
    expect_allclose(y.data()(part), F::embed_id(Variable(ids(part).copy()), W).data(), 0, 0);
  }
  // Each row of W is taken as often, but for a remainder.
  ndarray gy = cupyxx::zeros({rows, width}, cupyxx::float16);
  gy(-1) = 1;
  gy(0) = 2;
  y.backward(gy);
  EXPECT_EQ(W.grad().astype(cupyxx::float32).sum().item<float>(), 3.0f * width);
  EXPECT_EQ(W.grad()(ids(-1).item<int>(), -1).item<float>(), 1.0f);
}

TEST_P(LargeFunctionsTest, Dropout) {
  const std::int64_t width = 32771, rows = rows_of(width);
  const Variable x(cupyxx::ones({rows, width}, cupyxx::float16));
  const Variable y = F::dropout(x, 0.5, true);
  y.backward(cupyxx::ones({rows, width}, cupyxx::float16));
  for (const slice& part : looked_at(rows, width)) {
    const ndarray kept = y.data()(part);
    EXPECT_TRUE(cupyxx::all((kept == 0) | (kept == 2)).item<bool>());
    EXPECT_NEAR(kept.astype(cupyxx::float32).mean().item<double>(), 1, large_ ? 0.05 : 0.1);
    expect_allclose(x.grad()(part), kept, 0, 0);
  }
}

}  // namespace
}  // namespace chainerxx
