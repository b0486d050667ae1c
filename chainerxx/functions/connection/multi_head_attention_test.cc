// SPDX-License-Identifier: MIT
// Layers of language models: attention of several heads with a cache, rotary positions, an
// embedding that is the last layer, too.
#include "chainerxx/functions/connection/multi_head_attention.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "chainerxx/functions/array/array.h"
#include "chainerxx/functions/connection/attention.h"
#include "chainerxx/functions/connection/embed_id.h"
#include "chainerxx/functions/connection/rotary_embedding.h"
#include "chainerxx/functions/normalization/layer_norm.h"
#include "chainerxx/scope.h"
#include "cupyxx/creation.h"
#include "cupyxx/indexing.h"
#include "cupyxx/linalg.h"
#include "cupyxx/math.h"
#include "cupyxx/random.h"
#include "cupyxx/statistics.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx::functions {
namespace {

using cupyxx::Shape;
using cupyxx::testing::expect_allclose;

class LanguageLayersTest : public cupyxx::testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(LanguageLayersTest);

ndarray draw(const Shape& shape, cupyxx::dtype type = cupyxx::float32) {
  return cupyxx::random::uniform(shape, {.low = -1, .high = 1}).astype(type);
}

/// Tokens from `begin` to `end` of (n, length, units).
ndarray tokens(const ndarray& x, std::int64_t begin, std::int64_t end) {
  return x(cupyxx::slice(), cupyxx::slice(begin, end)).copy();
}

TEST_P(LanguageLayersTest, HeadsAreSlicesOfTheProjection) {
  MultiHeadAttention layer(8, 2, {.is_causal = true});
  const ndarray x = draw({2, 5, 8});
  layer.projection.b.set(draw({24}));
  const ndarray y = layer(Variable(x)).data();
  const ndarray qkv = cupyxx::matmul(x, layer.projection.W.T()) + layer.projection.b;  // (2, 5, 24)
  const auto head = [&](std::int64_t which, std::int64_t number) {
    const std::int64_t begin = 8 * which + 4 * number;
    return Variable(qkv(cupyxx::ellipsis, cupyxx::slice(begin, begin + 4)).copy());
  };
  std::vector<Variable> heads;
  for (const std::int64_t number : {0, 1}) {
    heads.push_back(scaled_dot_product_attention(head(0, number), head(1, number), head(2, number),
                                                 {.is_causal = true}));
  }
  const ndarray joined = concat(heads, 2).data();
  expect_allclose(y, cupyxx::matmul(joined, layer.output.W.T()) + layer.output.b, 1e-5, 1e-5);
}

TEST_P(LanguageLayersTest, ACacheGivesWhatTheWholeSequenceGives) {
  for (const bool is_rotary : {false, true}) {
    MultiHeadAttentionOptions options{.is_causal = true};
    if (is_rotary) options.rotary_base = 100;
    MultiHeadAttention layer(8, 2, options);
    const ndarray x = draw({2, 70, 8});
    const NoGradScope generation;
    const ndarray whole = layer(Variable(x)).data();
    KeyValueCache cache;
    std::int64_t at = 0;
    for (const std::int64_t count : {5, 1, 1, 3, 55, 1, 4}) {  // beyond the room of 64 tokens
      const ndarray y = layer(Variable(tokens(x, at, at + count)), {}, &cache).data();
      expect_allclose(y, tokens(whole, at, at + count), 1e-5, 1e-5);
      at += count;
      EXPECT_EQ(cache.length, at);
    }
    EXPECT_EQ(at, 70);
    cache.length = 0;
    const ndarray again = layer(Variable(tokens(x, 0, 5)), {}, &cache).data();
    expect_allclose(again, tokens(whole, 0, 5), 1e-5, 1e-5);
  }
}

TEST_P(LanguageLayersTest, MasksHideTokensOfTheCache) {
  MultiHeadAttention layer(8, 2, {.is_causal = true});
  const ndarray x = draw({1, 6, 8}), mask = cupyxx::ones({1, 1, 1, 6}, cupyxx::bool_);
  mask(0, 0, 0, 1).set(cupyxx::zeros({}, cupyxx::bool_));
  const NoGradScope generation;
  const ndarray whole = layer(Variable(x), mask).data();
  KeyValueCache cache;
  const ndarray first = mask(cupyxx::ellipsis, cupyxx::slice(0, 3));
  layer(Variable(tokens(x, 0, 3)), first, &cache);
  const ndarray y = layer(Variable(tokens(x, 3, 6)), mask, &cache).data();
  expect_allclose(y, tokens(whole, 3, 6), 1e-5, 1e-5);
}

TEST_P(LanguageLayersTest, HeadsFollowThePrecision) {
  MultiHeadAttention layer(128, 2, {.is_causal = true});
  const Variable x(draw({2, 9, 128}));
  const ndarray wide = layer(Variable(x.data())).data();
  const PrecisionScope narrow(Precision::bfloat16);
  const Variable y = layer(x);
  EXPECT_EQ(y.dtype(), cupyxx::bfloat16_);
  expect_allclose(y.data().astype(cupyxx::float32), wide, 0.05, 0.05);
  y.set_grad(cupyxx::ones_like(y.data()));
  y.backward();
  EXPECT_EQ(x.grad().dtype(), cupyxx::float32);
  EXPECT_EQ(layer.projection.gW.dtype(), cupyxx::float32);
}

TEST_P(LanguageLayersTest, RotaryEmbeddingTurnsPairs) {
  const ndarray x = draw({3, 4, 6}, cupyxx::float64);
  const std::vector<double> found =
      rotary_embedding(Variable(x), {.base = 50, .offset = 7}).data().to_vector<double>();
  const std::vector<double> from = x.to_vector<double>();
  for (std::size_t row = 0; row < 12; ++row) {
    for (std::size_t i = 0; i < 3; ++i) {
      const double angle =
          static_cast<double>(7 + row % 4) * std::pow(50, -2 * static_cast<double>(i) / 6);
      const double a = from[row * 6 + i], b = from[row * 6 + 3 + i];
      EXPECT_NEAR(found[row * 6 + i], a * std::cos(angle) - b * std::sin(angle), 1e-12);
      EXPECT_NEAR(found[row * 6 + 3 + i], b * std::cos(angle) + a * std::sin(angle), 1e-12);
    }
  }
}

TEST_P(LanguageLayersTest, ProductsOfTurnedRowsDependOnTheDistance) {
  const ndarray q = draw({1, 8}, cupyxx::float64), k = draw({1, 8}, cupyxx::float64);
  const auto product = [&](std::int64_t query, std::int64_t key) {
    const ndarray a = rotary_embedding(Variable(q), {.offset = query}).data();
    const ndarray b = rotary_embedding(Variable(k), {.offset = key}).data();
    return (a * b).sum().to_vector<double>()[0];
  };
  EXPECT_NEAR(product(3, 1), product(103, 101), 1e-12);
  EXPECT_GT(std::abs(product(3, 1) - product(3, 2)), 1e-6);
}

TEST_P(LanguageLayersTest, AnEmbeddingThatProjectsTrainsOneMatrix) {
  EmbedID embed(5, 3);
  const ndarray ids = cupyxx::array({1, 4, 1}).astype(cupyxx::int32);
  const Variable rows = embed(Variable(ids));
  const Variable scores = embed.project(rows);
  const ndarray chosen = cupyxx::take(embed.W, ids, 0);
  expect_allclose(scores.data(), cupyxx::matmul(chosen, embed.W.T()), 1e-6, 1e-6);
  const ndarray gy = draw({3, 5});
  scores.set_grad(gy);
  scores.backward();
  const ndarray expected = cupyxx::matmul(gy.T(), chosen);  // by the last layer
  const ndarray by_rows = cupyxx::matmul(gy, embed.W);
  for (const std::int64_t i : {0, 1, 2}) {
    const ndarray row = expected(ids(i).item<std::int64_t>());
    row += by_rows(i);
  }
  expect_allclose(embed.gW, expected, 1e-5, 1e-5);
}

TEST_P(LanguageLayersTest, LayerNormNormalisesTheLastAxis) {
  LayerNorm layer(6);
  layer.gamma.set(draw({6}));
  layer.beta.set(draw({6}));
  const ndarray x = draw({2, 3, 6});
  const ndarray mean = x.mean(2, {.keepdims = true}), variance = x.var(2, {.keepdims = true});
  const ndarray expected = (x - mean) / cupyxx::sqrt(variance + 1e-5) * layer.gamma + layer.beta;
  expect_allclose(layer(Variable(x)).data(), expected, 1e-5, 1e-5);
}

}  // namespace
}  // namespace chainerxx::functions
