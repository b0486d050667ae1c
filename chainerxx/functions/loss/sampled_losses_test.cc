// SPDX-License-Identifier: MIT
// Losses of samples and of covariances against NumPy's numbers, at their edges, and what they
// refuse.
#include "chainerxx/functions/loss/sampled_losses.h"

#include <gtest/gtest.h>

#include "chainerxx/functions/loss/decorrelation.h"
#include "chainerxx/functions/loss/negative_sampling.h"
#include "chainerxx/functions/testing/refusals.h"
#include "cupyxx/creation.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx::functions {
namespace {

using cupyxx::testing::expect_allclose;
using testing::expect_refusals;
using testing::f32;
using testing::i32;

class SampledLossesTest : public cupyxx::testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(SampledLossesTest);

ndarray eighths(const cupyxx::Shape& shape, int step) {
  const ndarray places = cupyxx::arange(shape.element_count()) * step;
  return ((cupyxx::remainder(places, 17) - 8) / 8.0).reshape(shape);
}

Variable words() { return Variable(cupyxx::array({2, 0})); }
Variable samples() { return Variable(cupyxx::array({{0, 1, 3}, {3, 3, 1}})); }

TEST_P(SampledLossesTest, NegativeSampling) {
  const Variable x(eighths({2, 3}, 3)), W(eighths({4, 3}, 5));
  expect_allclose(negative_sampling(x, words(), W, samples(), Reduce::no).data(),
                  cupyxx::array({2.971177979652137, 2.836512314577896}), 1e-13);
  EXPECT_NEAR(negative_sampling(x, words(), W, samples()).item<double>(), 5.807690294230033, 1e-13);
}

// The layer's loss and gradients are those of the function.
TEST_P(SampledLossesTest, NegativeSamplingIsThatOfTheLayer) {
  const Variable x(eighths({2, 3}, 3)), y(eighths({2, 3}, 3)), W(eighths({4, 3}, 5));
  NegativeSampling layer(3, {1, 1, 1, 1}, 3, 0.75, cupyxx::float64);
  layer.W = W.data().copy();
  layer.samples = cupyxx::array({{0, 0, 1, 3}, {0, 3, 3, 1}});
  const Variable loss = layer(x, words()), same = negative_sampling(y, words(), W, samples());
  expect_allclose(same.data(), loss.data(), 1e-13);
  loss.backward();
  same.backward();
  expect_allclose(y.grad(), x.grad(), 1e-13, 1e-15);
  expect_allclose(W.grad(), layer.gW, 1e-13, 1e-15);
}

TEST_P(SampledLossesTest, ASamplerDraws) {
  const utils::WalkerAlias only_one({0, 0, 0, 1});
  const Variable x(eighths({2, 3}, 3)), W(eighths({4, 3}, 5));
  const Variable drawn = negative_sampling(x, words(), W, only_one, 2);
  const Variable same = negative_sampling(x, words(), W, cupyxx::full({2, 2}, 3, cupyxx::int32));
  expect_allclose(drawn.data(), same.data(), 0, 0);
}

TEST_P(SampledLossesTest, BlackOut) {
  const Variable x(eighths({2, 3}, 3)), W(eighths({4, 3}, 5));
  expect_allclose(black_out(x, words(), W, samples(), Reduce::no).data(),
                  cupyxx::array({2.836275281089745, 2.3625924830512304}), 1e-13);
  EXPECT_NEAR(black_out(x, words(), W, samples()).item<double>(), 2.5994338820704876, 1e-13);
}

// A sample of probability 1 - 2 e^-60, which float64 cannot tell from 1: its part of the loss is
// 60 - log(2), that of the other sample nearly 0, that of the label 60.
TEST_P(SampledLossesTest, BlackOutOfASampleThatIsAsGoodAsCertain) {
  const Variable x(cupyxx::array({{1.0}})), W(cupyxx::array({{0.0}, {60.0}, {0.0}}));
  const Variable loss = black_out(x, cupyxx::array({0}), W, cupyxx::array({{1, 2}}));
  EXPECT_NEAR(loss.item<double>(), 60 + 60 - 0.6931471805599453, 1e-12);
  expect_allclose(black_out(x, cupyxx::array({0}), W, cupyxx::array({{1, 2}}), "sum").data(),
                  loss.data(), 0, 0);
  loss.backward();
  // By the answers: p - 1 and half of the others' sum for the label, 2 for the large one.
  expect_allclose(W.grad(), cupyxx::array({{-1.5}, {2.0}, {-0.5}}), 1e-12);
}

TEST_P(SampledLossesTest, Decov) {
  const Variable h(eighths({4, 3}, 5));
  expect_allclose(decov(h, DeCovReduce::no).data(),
                  cupyxx::array({{0.0, -0.0380859375, -0.12109375},
                                 {-0.0380859375, 0.0, -0.12109375},
                                 {-0.12109375, -0.12109375, 0.0}}),
                  1e-13, 1e-16);
  EXPECT_NEAR(decov(h).item<double>(), 0.03077793121337891, 1e-15);
  expect_allclose(decov(h, "no").data(), decov(h, DeCovReduce::no).data(), 0, 0);
}

TEST_P(SampledLossesTest, WordsOutOfRange) {
  const Variable x = f32({1, 2}), W = f32({3, 2}), s = i32({1, 1});
  for (const int word : {-1, 3}) {
    EXPECT_THROW(negative_sampling(x, cupyxx::array({word}), W, s).item<float>(),
                 cupyxx::IndexError);
    EXPECT_THROW(black_out(x, i32({1}), W, cupyxx::array({{word}})).item<float>(),
                 cupyxx::IndexError);
  }
}

TEST_P(SampledLossesTest, Refusals) {
  const Variable x = f32({2, 3}), t = i32({2}), W = f32({4, 3}), s = i32({2, 5});
  const utils::WalkerAlias sampler({1, 1, 1, 1});
  expect_refusals({
      {"another width",
       [=] {
         negative_sampling(f32({2, 2}), t, W, s);
       },
       "ShapeError",
       "negative_sampling: x, t, W and samples are not (n, in), (n,), (words, in) and (n, drawn); "
       "(2, 2), (2,), (4, 3) and (2, 5)"},
      {"another batch", [=] { black_out(x, i32({3}), W, s); }, "ShapeError",
       "black_out: x, t, W and samples are not (n, in), (n,), (words, in) and (n, drawn); (2, 3), "
       "(3,), (4, 3) and (2, 5)"},
      {"no samples",
       [=] {
         black_out(x, t, W, i32({2, 0}));
       },
       "ShapeError", "black_out: there are no samples; (2, 0)"},
      {"labels that are no integers", [=] { black_out(x, f32({2}), W, s); }, "TypeError",
       "black_out: labels are no integers; float32"},
      {"samples that are no integers",
       [=] {
         negative_sampling(x, t, W, f32({2, 5}));
       },
       "TypeError", "negative_sampling: samples are no integers; float32"},
      {"a negative number of samples", [=] { negative_sampling(x, t, W, sampler, -1); },
       "ValueError", "negative_sampling: sample_size is negative; -1"},
      {"None", [=] { black_out(x, t, Variable(), s); }, "TypeError", "black_out: input 2 is None"},
      {"integers",
       [=] {
         black_out(i32({2, 3}), t, i32({4, 3}), s);
       },
       "InvalidType", "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"decov of a vector", [] { decov(f32({3})); }, "ShapeError",
       "decov: h is not (n, units); (3,)"},
      {"decov of integers",
       [] {
         decov(i32({3, 2}));
       },
       "InvalidType", "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
  });
}

}  // namespace
}  // namespace chainerxx::functions
