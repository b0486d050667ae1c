// SPDX-License-Identifier: MIT
// Normalisations of layers, groups and neighbourhoods against formulas written with arrays of
// float64 and PyTorch's numbers, gradients against finite differences, bad input.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "chainerxx/functions/math/reductions.h"
#include "chainerxx/functions/normalization/batch_normalization.h"
#include "chainerxx/functions/normalization/decorrelated_batch_normalization.h"
#include "chainerxx/functions/normalization/group_normalization.h"
#include "chainerxx/functions/normalization/layer_norm.h"
#include "chainerxx/functions/normalization/layer_normalization.h"
#include "chainerxx/functions/normalization/local_response_normalization.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/math.h"
#include "cupyxx/random.h"
#include "cupyxx/reduction.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"
#include "gradcheck/gradcheck.h"
#include "typecheck/invalid_type.h"

namespace chainerxx::functions {
namespace {

using cupyxx::Shape;
using cupyxx::testing::expect_allclose;
using cupyxx::testing::expect_array_equal;
using cupyxx::testing::expect_error;

class NormalizationTest : public cupyxx::testing::DeviceTest {
 protected:
  NormalizationTest() : random_(9) {}
  ndarray draw(const Shape& shape, double low = -1, double high = 1) {
    return random_.uniform(shape, {.low = low, .high = high});
  }
  template <class F>
  void check(F&& f, const std::vector<ndarray>& inputs) {
    std::vector<Variable> x;
    for (const ndarray& a : inputs) x.emplace_back(a);
    const Shape out = f(x).shape();
    gradcheck::check_backward([&](const std::vector<Variable>& v) { return f(v); }, inputs,
                              {draw(out)}, {.eps = 1e-4, .atol = 1e-7, .rtol = 1e-5});
  }

  cupyxx::random::RandomState random_;
};
CUPYXX_TEST_ON_DEVICES(NormalizationTest);

TEST_P(NormalizationTest, ResponsesAreTheFormula) {
  for (const std::int64_t n : {1, 3, 4, 5}) {
    const ndarray x = draw({2, 6, 3, 2});
    ndarray sums = cupyxx::zeros(x.shape(), cupyxx::float64);
    for (std::int64_t c = 0; c < 6; ++c) {
      for (auto j = std::max<std::int64_t>(0, c - n / 2); j <= std::min<std::int64_t>(5, c + n / 2);
           ++j) {
        const ndarray part = x(cupyxx::slice(), j);
        sums(cupyxx::slice(), c) += part * part;
      }
    }
    for (const double beta : {0.75, 0.5, 0.6}) {
      const ndarray expected = x / cupyxx::power(sums * 0.1 + 1, beta);
      const LocalResponseNormalizationOptions options{.n = n, .k = 1, .alpha = 0.1, .beta = beta};
      expect_allclose(local_response_normalization(Variable(x), options).data(), expected, 1e-12);
      const ndarray narrow =
          local_response_normalization(Variable(x.astype(cupyxx::float32)), options).data();
      expect_allclose(narrow.astype(cupyxx::float64), expected, 1e-6);
    }
  }
}

TEST_P(NormalizationTest, ResponsesMatchFiniteDifferences) {
  for (const std::int64_t n : {1, 4, 5}) {
    for (const double beta : {0.75, 0.5, 0.6}) {
      check(
          [&](const auto& v) {
            return local_response_normalization(v[0], {.n = n, .k = 1, .alpha = 0.3, .beta = beta});
          },
          {draw({2, 5, 3})});
    }
  }
  expect_error<cupyxx::ValueError>(
      [&] {
        local_response_normalization(Variable(draw({2, 3})), {.n = 0});
      },
      "local_response_normalization: n must be positive; 0");
  expect_error<typecheck::InvalidType>([&] { local_response_normalization(Variable(draw({2}))); },
                                       "Expect: in_types[0].ndim >= 2\nActual: 1 < 2");
  EXPECT_EQ(local_response_normalization(Variable(cupyxx::ones({0, 3, 2}))).shape(),
            Shape({0, 3, 2}));
}

TEST_P(NormalizationTest, ResponsesOfHugeNeighbourhoodsAreThoseOfAllChannels) {
  const Variable x(draw({2, 3, 4}));
  const ndarray all = local_response_normalization(x, {.n = 7, .alpha = 0.5}).data();
  const ndarray y =
      local_response_normalization(x, {.n = std::numeric_limits<std::int64_t>::max(), .alpha = 0.5})
          .data();
  expect_allclose(y, all, 0);
}

// A neighbourhood of all channels, however far it goes beyond them.
TEST_P(NormalizationTest, ResponsesOfHugeNeighbourhoodsHaveSecondGradients) {
  const auto second = [&](std::int64_t n) {
    const Variable x(cupyxx::arange(12, cupyxx::float64).reshape({2, 3, 2}) / 8);
    const Variable y = local_response_normalization(x, {.n = n, .alpha = 0.5});
    y.set_grad(cupyxx::ones(x.shape()));
    y.backward({.enable_double_backprop = true});
    const Variable g = x.grad_var();
    x.cleargrad();
    g.set_grad(cupyxx::ones(x.shape()));
    g.backward();
    return x.grad();
  };
  expect_allclose(second(std::numeric_limits<std::int64_t>::max()), second(5));
}

TEST_P(NormalizationTest, LayersAreTheFormula) {
  for (const Shape& s : {Shape({5, 7}), Shape({3, 2, 4}), Shape({4, 1500})}) {
    for (const cupyxx::dtype type : {cupyxx::float16, cupyxx::float32, cupyxx::float64}) {
      const std::int64_t n = s.element_count() / s[0];
      const Shape item(s.data() + 1, static_cast<std::size_t>(s.ndim() - 1));
      const ndarray x = draw(s, 1, 3).astype(type), gamma = draw(item).astype(type),
                    beta = draw(item).astype(type);
      const ndarray wide = x.astype(cupyxx::float64).reshape({s[0], n});
      const ndarray mean = wide.mean(1).reshape({s[0], 1}), var = wide.var(1).reshape({s[0], 1});
      const ndarray expected =
          (wide - mean) / cupyxx::sqrt(var + 1e-5) * gamma.astype(cupyxx::float64).reshape({n}) +
          beta.astype(cupyxx::float64).reshape({n});
      const ndarray y = layer_normalization(Variable(x), Variable(gamma), Variable(beta)).data();
      EXPECT_EQ(y.dtype(), type);
      const double tolerance = type == cupyxx::float16   ? 3e-3
                               : type == cupyxx::float32 ? 3e-6
                                                         : 1e-12;
      expect_allclose(y.astype(cupyxx::float64).reshape({s[0], n}), expected, tolerance, tolerance);
    }
  }
}

/// Rows of 16 bits beside parameters of float32, and the same with parameters of 16 bits.
// Of sums of 8192 numbers; under sanitizers loops are not made of vectors and add one number behind
// the other.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr double kSums = 2e-5;
#else
constexpr double kSums = 1e-5;
#endif

TEST_P(NormalizationTest, LayersOfNarrowRowsHaveWideParameters) {
  for (const auto& [type, rounding] :
       {std::pair(cupyxx::bfloat16_, 0x1p-8), std::pair(cupyxx::float16, 0x1p-11)}) {
    for (const Shape& s : {Shape({5, 7}), Shape({9, 64}), Shape({40, 768}), Shape({4, 1500}),
                           Shape({3, 2, 4}), Shape({3, 8192})}) {
      const Shape item(s.data() + 1, static_cast<std::size_t>(s.ndim() - 1));
      const ndarray x = draw(s, 1, 3).astype(type), gy = draw(s).astype(type);
      const ndarray gamma = draw(item).astype(type), beta = draw(item).astype(type);
      const auto run = [&, &s = s](cupyxx::dtype rows, cupyxx::dtype parameters) {
        Variable v(x.astype(rows)), g(gamma.astype(parameters)), b(beta.astype(parameters));
        const Variable y = layer_normalization(v, g, b);
        EXPECT_EQ(y.dtype(), rows);
        EXPECT_EQ(y.shape(), s);
        y.set_grad(gy.astype(rows));
        y.backward();
        EXPECT_EQ(v.grad().dtype(), rows);
        EXPECT_EQ(g.grad().dtype(), parameters);
        EXPECT_EQ(b.grad().dtype(), parameters);
        std::vector<ndarray> all;
        for (const ndarray& a : {y.data(), v.grad(), g.grad(), b.grad()}) {
          all.push_back(a.astype(cupyxx::float64));
        }
        return all;
      };
      const auto expected = run(cupyxx::float64, cupyxx::float64);
      for (const cupyxx::dtype parameters : {cupyxx::float32, type}) {
        const auto found = run(type, parameters);
        for (int i = 0; i < 4; ++i) {
          const double step = i < 2 || parameters == type ? rounding : kSums;
          const auto k = static_cast<std::size_t>(i);
          const auto largest = cupyxx::absolute(expected[k]).max().item<double>();
          expect_allclose(found[k], expected[k], 2 * step, step * largest);
        }
      }
    }
  }
}

TEST_P(NormalizationTest, LayerNormalizationMatchesFiniteDifferences) {
  check([](const auto& v) { return layer_normalization(v[0], v[1], v[2]); },
        {draw({4, 6}), draw({6}), draw({6})});
  check([](const auto& v) { return layer_normalization(v[0], v[1], v[2], 0.1); },
        {draw({2, 3, 2}), draw({3, 2}), draw({3, 2})});
  const Variable x(draw({4, 6})), g(draw({6}));
  expect_error<typecheck::InvalidType>(
      [&] { layer_normalization(x, g, Variable(draw({5}))); },
      "Expect: in_types[1].shape == in_types[2].shape\nActual: (6,) != (5,)");
  expect_error<typecheck::InvalidType>(
      [&] { layer_normalization(x, Variable(draw({5})), Variable(draw({5}))); },
      "Expect: in_types[0].shape[1:] == in_types[1].shape\nActual: (6,) != (5,)");
  EXPECT_EQ(layer_normalization(Variable(cupyxx::ones({0, 6})), g, g).shape(), Shape({0, 6}));
}

/// The addition and the normalisation of its result, apart: results the same, gradients but for the
/// rounding of one addition; with gradients of one result, of the other and of both.
TEST_P(NormalizationTest, LayersOfSumsAreTheSumAndItsLayer) {
  for (const auto& [type, rounding] :
       {std::pair(cupyxx::bfloat16_, 0x1p-8), std::pair(cupyxx::float16, 0x1p-11),
        std::pair(cupyxx::float32, 0x1p-20), std::pair(cupyxx::float64, 0x1p-45)}) {
    for (const Shape& s : {Shape({5, 7}), Shape({40, 768}), Shape({301, 64}), Shape({9, 2000}),
                           Shape({3, 8192}), Shape({0, 8})}) {
      const cupyxx::dtype wide = type.itemsize() == 2 ? cupyxx::float32 : type;
      const ndarray a = draw(s, 1, 3).astype(type), b = draw(s).astype(type);
      const ndarray gamma = draw({s[1]}).astype(wide), beta = draw({s[1]}).astype(wide);
      const ndarray gsum = draw(s).astype(type), gy = draw(s).astype(type);
      for (int which = 1; which < 4; ++which) {
        const auto run = [&](bool together) {
          const Variable x(a), y(b), g(gamma), h(beta);
          std::array<Variable, 2> out;
          if (together) {
            out = add_layer_normalization(x, y, g, h, 1e-3);
          } else {
            out[0] = x + y;
            out[1] = layer_normalization(out[0], g, h, 1e-3);
          }
          Variable loss = which == 1   ? sum(out[0] * Variable(gsum), {}, false)
                          : which == 2 ? sum(out[1] * Variable(gy), {}, false)
                                       : sum(out[0] * Variable(gsum), {}, false) +
                                             sum(out[1] * Variable(gy), {}, false);
          loss.backward();
          std::vector<ndarray> all = {out[0].data(), out[1].data(), x.grad(), y.grad()};
          if (which != 1) all.insert(all.end(), {g.grad(), h.grad()});
          return all;
        };
        const std::vector<ndarray> found = run(true), expected = run(false);
        for (std::size_t i = 0; i < found.size(); ++i) {
          EXPECT_EQ(found[i].dtype(), expected[i].dtype());
          expect_allclose(found[i].astype(cupyxx::float64), expected[i].astype(cupyxx::float64),
                          4 * rounding, 4 * rounding);
        }
      }
    }
  }
}

// Gradients of parameters are added to, whatever way they take.
TEST_P(NormalizationTest, LayersOfSumsAddToTheGradientsOfTheirParameters) {
  for (const cupyxx::dtype type : {cupyxx::bfloat16_, cupyxx::float32, cupyxx::float64}) {
    const double bound = type == cupyxx::bfloat16_ ? 0x1p-5 : 1e-4;
    for (const Shape& s : {Shape({2, 20, 768}), Shape({3, 5, 7})}) {
      const cupyxx::dtype wide = type.itemsize() == 2 ? cupyxx::float32 : type;
      LayerNorm layer(s[2], {.dtype = wide}), other = layer;
      layer.gamma = other.gamma = draw({s[2]}).astype(wide);
      other.ggamma = layer.ggamma.copy();
      other.gbeta = cupyxx::zeros({s[2], 2}, wide)(cupyxx::slice(), 1);  // with gaps
      const ndarray a = draw(s).astype(type), b = draw(s).astype(type), gy = draw(s).astype(type);
      for (int pass = 0; pass < 2; ++pass) {
        const Variable x(a), y(b), v(a), w(b);
        const auto [h, normalised] = layer.of_sum(x, y);
        sum(normalised * Variable(gy) + h, {}, false).backward();
        const Variable apart = v + w;
        sum(other(apart) * Variable(gy) + apart, {}, false).backward();
        expect_allclose(x.grad().astype(cupyxx::float64), v.grad().astype(cupyxx::float64), bound,
                        bound);
      }
      expect_allclose(layer.ggamma.astype(cupyxx::float64), other.ggamma.astype(cupyxx::float64),
                      bound, bound * 10);
      expect_allclose(layer.gbeta.astype(cupyxx::float64), other.gbeta.astype(cupyxx::float64),
                      bound, bound * 10);
      expect_allclose(layer.gbeta.astype(cupyxx::float64),
                      2 * gy.astype(cupyxx::float64).sum({0, 1}), bound, bound * 10);
    }
  }
}

// Of PyTorch 1.13's group_norm and instance_norm, for waves of sines.
TEST_P(NormalizationTest, GroupsAreNormalisedAsByPyTorch) {
  const auto waves = [](const Shape& shape, double phase, double scale) {
    return (cupyxx::sin(cupyxx::arange(shape.element_count()) + phase) * scale).reshape(shape);
  };
  const Variable x(waves({2, 4, 3}, 1, 2)), gamma(waves({4}, 2, 1)), beta(waves({4}, 3, 1));
  const ndarray groups = group_normalization(x, 2, gamma, beta, 1e-2).data();
  expect_allclose(groups(1),
                  cupyxx::array({{0.654374314327832, 1.36840800130231, 0.942421985953836},
                                 {-0.81469928987375, -0.945534598180096, -0.904659576089911},
                                 {-1.092279995984264, -1.895184578098254, -1.8149122093186},
                                 {-0.236766646248133, 0.879632143973291, 0.958769471488546}}),
                  1e-12);
  const ndarray instances = instance_normalization(x, gamma, beta, 1e-2).data();
  expect_allclose(instances(0),
                  cupyxx::array({{0.687600321769346, 0.863399741126974, -1.127640038716719},
                                 {-0.801568375959941, -0.90018046569967, -0.568658644264174},
                                 {-0.867626811746432, -1.907974098206784, -0.101171914036199},
                                 {-0.924000529953598, 1.041866738590325, -0.956112703233504}}),
                  1e-12);
  const GroupNormalization layer(2, 4, {.eps = 1e-2, .dtype = cupyxx::float64});
  layer.gamma.set(gamma.data());
  layer.beta.set(beta.data());
  expect_array_equal(layer(x).data(), groups);
}

// NumPy's eigh gives these.
TEST_P(NormalizationTest, ChannelsLoseTheirCorrelations) {
  const ndarray i = cupyxx::arange(24).astype(cupyxx::float64);
  const Variable x((cupyxx::sin(i * 1.7) + i * 0.1).reshape({2, 4, 3}));
  const ndarray mean = cupyxx::zeros({2, 2}),
                projection = cupyxx::zeros({2, 2, 2}) + cupyxx::eye(2);
  const Variable y = decorrelated_batch_normalization(
      x, {.groups = 2, .eps = 1e-3, .running_mean = mean, .running_projection = projection});
  cupyxx::testing::expect_allclose(
      y.data(),
      cupyxx::array({{{-0.411203237869931, 0.559347636460573, -1.38288059104318},
                      {-1.83214911990644, -0.468793638869213, 0.556350748390991},
                      {-1.66026665108583, -0.734665549271127, 0.693089806441787},
                      {0.591136551543608, -1.22160547535227, -0.861175861890918}},
                     {{1.81081834956329, -0.0184535837807549, -0.557628573330005},
                      {0.205495658734162, 1.4317331843174, 0.107363167333091},
                      {-0.162083530718946, 1.40583356554385, 0.458092359090262},
                      {-0.207636905876555, -0.129325724345783, 1.82860741592192}}}),
      1e-11, 1e-13);
  cupyxx::testing::expect_allclose(mean,
                                   cupyxx::array({{0.0809246927900061, 0.116991330952216},
                                                  {0.131919997048009, 0.144460101348228}}),
                                   1e-12);
  cupyxx::testing::expect_allclose(
      projection,
      cupyxx::array(
          {{{1.08367098360627, -0.0552927788250815}, {-0.0552927788250814, 1.04735160725286}},
           {{1.04737620330574, -0.0669945061737311}, {-0.0669945061737311, 1.06322026161066}}}),
      1e-11);
  const ndarray own = cupyxx::array(
      {{{1.53059153005224, -0.460773156875679}, {-0.460773156875679, 1.22793006044048}},
       {{1.22813502754787, -0.558287551447759}, {-0.558287551447759, 1.36016884675547}}});
  const ndarray own_mean = mean * 10;
  const Variable z = fixed_decorrelated_batch_normalization(x, own_mean, own, 2);
  cupyxx::testing::expect_allclose(z.data(), y.data(), 1e-10, 1e-12);
}

// A covariance that is a multiple of the identity has equal eigenvalues: of the quotients of
// differences the limit counts.
TEST_P(NormalizationTest, EqualVariancesHaveGradients) {
  const Variable x(cupyxx::array({{1.0, 1.0}, {1.0, -1.0}, {-1.0, 1.0}, {-1.0, -1.0}}));
  const Variable y = decorrelated_batch_normalization(x, {.groups = 1, .eps = 1.0});
  const double share = 1 / std::sqrt(2.0);
  cupyxx::testing::expect_allclose(y.data(), x.data() * share, 1e-14);
  y.set_grad(cupyxx::array({{1.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}}));
  y.backward();
  // gy P - mean - x S, where S = (g + g^T) / (2 * 2 sqrt(2) n) and g = x^T gy.
  const double s = 1 / (4 * std::sqrt(2.0) * 4);
  cupyxx::testing::expect_allclose(x.grad(),
                                   cupyxx::array({{share * 0.75 - 3 * s, -s},
                                                  {-share * 0.25 - s, -s},
                                                  {-share * 0.25 + s, s},
                                                  {-share * 0.25 + 3 * s, s}}),
                                   1e-13, 1e-15);
}

}  // namespace
}  // namespace chainerxx::functions
