// SPDX-License-Identifier: MIT
// Losses against values that PyTorch 1.13 gives in float64, and what they do at their edges.
#include <gtest/gtest.h>

#include <limits>

#include "chainerxx/functions/loss/discriminative_loss.h"
#include "chainerxx/functions/loss/distances.h"
#include "chainerxx/functions/loss/errors.h"
#include "chainerxx/functions/loss/mean_squared_error.h"
#include "chainerxx/functions/loss/negative_sampling.h"
#include "chainerxx/functions/loss/sigmoid_cross_entropy.h"
#include "chainerxx/functions/loss/softmax_cross_entropy.h"
#include "chainerxx/functions/loss/vae.h"
#include "chainerxx/functions/math/sum.h"
#include "chainerxx/grad.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/math.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx::functions {
namespace {

using cupyxx::testing::expect_allclose;
using cupyxx::testing::expect_error;

/// Logits of four samples and three classes, and what is compared with them.
ndarray logits() {
  return cupyxx::array(
      {{0.5, -1.25, 2.0}, {1.5, 0.25, -0.75}, {-2.0, 0.75, 1.0}, {0.0, 3.0, -1.0}});
}
ndarray others() {
  return cupyxx::array(
      {{0.25, -1.0, 1.0}, {1.5, 1.25, -0.5}, {-1.0, -0.75, 1.0}, {0.5, 2.0, -2.0}});
}
ndarray probabilities() {
  return cupyxx::array({{0.25, 0.5, 0.25}, {0.0, 0.0, 1.0}, {0.1, 0.2, 0.7}, {0.6, 0.4, 0.0}});
}
ndarray labels() { return cupyxx::array({2, 0, 1, 1}); }
ndarray class_weights() { return cupyxx::array({0.5, 2.0, 1.25}); }

class LossesTest : public cupyxx::testing::DeviceTest {
 protected:
  /// A loss of the logits and its gradient for gradients of 1.
  template <class Loss>
  static void expect(const Loss& loss, const ndarray& value, const ndarray& gradient) {
    const Variable x(logits());
    const Variable y = loss(x);
    expect_allclose(y.data(), value, 1e-9, 1e-12);
    y.set_grad(cupyxx::ones_like(y.data()));
    y.backward();
    expect_allclose(x.grad(), gradient, 1e-8, 1e-12);
  }
};
CUPYXX_TEST_ON_DEVICES(LossesTest);

TEST_P(LossesTest, CrossEntropyOfWeightedAndSmoothedLabels) {
  expect(
      [](const Variable& x) {
        return softmax_cross_entropy(
            x, labels(),
            {.class_weight = class_weights(), .reduce = Reduce::no, .label_smoothing = 0.1});
      },
      cupyxx::array(
          {0.5324441455442075, 0.3672200837424872, 1.6784888726067875, 0.34349318139971774}),
      cupyxx::array({{0.2043585609676387, -0.028258241258621124, -0.17610031970901766},
                     {-0.053563470504804374, 0.051689380631982966, 0.0018740898728213527},
                     {0.03574542090829069, -1.0468036744497757, 1.0110582535414852},
                     {0.07306263179593307, -0.06440552930439307, -0.008657102491539918}}));
}

TEST_P(LossesTest, CrossEntropyThatIgnoresALabel) {
  const ndarray gradient =
      cupyxx::array({{0.05894006070248143, 0.01024224677547881, -0.06918230747796024},
                     {0.0, 0.0, 0.0},
                     {0.009075686160165776, -0.1913657156334388, 0.18229002947327302},
                     {0.01553754085932463, -0.021253482707831412, 0.005715941848506796}});
  expect([](const Variable& x) { return softmax_cross_entropy(x, labels(), {.ignore_label = 0}); },
         cupyxx::array(0.3840166299817463), gradient);
  expect(
      [](const Variable& x) {
        return softmax_cross_entropy(
            x, labels(), {.ignore_label = 0, .reduce = Reduce::sum, .label_smoothing = 0.1});
      },
      cupyxx::array(1.6270498899452388),
      cupyxx::array({{0.14348684877411097, -0.0026065930068969005, -0.14088025576721408},
                     {0.0, 0.0, 0.0},
                     {-0.006106274852836005, -0.5074304802336498, 0.5135367550864858},
                     {0.013279289244640557, 0.002906218543172412, -0.016185507787812945}}));
}

// PyTorch's mean divides by the sum of the labels' weights, Chainer's by their number: 4.
TEST_P(LossesTest, MeansOfWeightedLabelsDivideByTheirNumber) {
  const Variable x(logits());
  const auto loss = [&](Reduce reduce) {
    return softmax_cross_entropy(x, labels(), {.class_weight = class_weights(), .reduce = reduce})
        .item<double>();
  };
  EXPECT_NEAR(loss(Reduce::sum), 2.294969597267565, 1e-12);
  EXPECT_NEAR(loss(Reduce::mean), 2.294969597267565 / 4, 1e-12);
}

TEST_P(LossesTest, CrossEntropyOfNoLabelIsZero) {
  const Variable x(logits());
  const ndarray ignored = cupyxx::full({4}, 7, cupyxx::int32);
  const Variable y = softmax_cross_entropy(x, ignored, {.ignore_label = 7});
  const Variable z = softmax_cross_entropy(x, ignored, {.ignore_label = 7, .label_smoothing = 0.5});
  EXPECT_EQ((y + z).item<double>(), 0);
  (y + z).backward();
  expect_allclose(x.grad(), cupyxx::zeros({4, 3}), 0, 0);
}

TEST_P(LossesTest, ImpossibleClassesOfNoWeightDoNotCount) {
  constexpr double kNever = -std::numeric_limits<double>::infinity();
  const Variable x(cupyxx::array({{0.0, 0.0, kNever}}));
  const Variable y = softmax_cross_entropy(x, cupyxx::array({1}), {.reduce = Reduce::sum});
  EXPECT_NEAR(y.item<double>(), 0.6931471805599453, 1e-15);
  y.backward();
  expect_allclose(x.grad(), cupyxx::array({{0.5, -0.5, 0.0}}), 0, 1e-15);
}

TEST_P(LossesTest, SigmoidCrossEntropyOfEachLabel) {
  const Variable x(cupyxx::array({{0.0, 2.0, 3.0}}));
  const Variable y = sigmoid_cross_entropy(x, cupyxx::array({{1, 0, -1}}), {.reduce = Reduce::no});
  // log(2), log(1 + e^2), and a label that does not count.
  expect_allclose(y.data(), cupyxx::array({{0.6931471805599453, 2.1269280110429727, 0.0}}), 1e-12);
  EXPECT_NEAR(
      sigmoid_cross_entropy(x, cupyxx::array({{1, 0, -1}}), {.reduce = Reduce::sum}).item<double>(),
      2.820075191602918, 1e-12);
}

TEST_P(LossesTest, MeanAbsoluteError) {
  const double share = 1.0 / 12;
  expect([](const Variable& x) { return mean_absolute_error(x, others()); },
         cupyxx::array(0.6458333333333334),
         cupyxx::array({{share, -share, share},
                        {0.0, -share, -share},
                        {-share, share, 0.0},
                        {-share, share, share}}));
  EXPECT_EQ(mean_absolute_error(cupyxx::ones({0, 2}), cupyxx::ones({0, 2})).item<double>(), 0);
}

TEST_P(LossesTest, SquaredErrorOfNothingHasNumbersInBothOrders) {
  const Variable x(cupyxx::zeros({0, 3})), t(cupyxx::zeros({0, 3}));
  const Variable gy(cupyxx::array(2.0));
  const Variable gx = grad({mean_squared_error(x, t)}, {x},
                           {.grad_outputs = {gy}, .enable_double_backprop = true})[0];
  EXPECT_EQ(gx.shape(), (cupyxx::Shape{0, 3}));
  EXPECT_EQ(grad({sum(gx)}, {gy})[0].item<double>(), 0);
}

TEST_P(LossesTest, KullbackLeiblerDivergence) {
  expect([](const Variable& x) { return kl_div(x, probabilities()); },
         cupyxx::array(-0.3012125825327094), -probabilities() / 12.0);
  EXPECT_NEAR(kl_div(logits(), probabilities(), Reduce::sum).item<double>(), -3.6145509903925124,
              1e-12);
}

TEST_P(LossesTest, GradientsOfImpossibleTargetsAreNumbers) {
  const Variable target(cupyxx::array({0.0, 1.0}));
  kl_div(cupyxx::array({-0.5, -1.5}), target, Reduce::sum).backward();
  // log(1) - x at 0, log(p) + 1 - x at p.
  expect_allclose(target.grad(), cupyxx::array({0.5, 2.5}), 1e-12);
}

TEST_P(LossesTest, CosineSimilarity) {
  expect([](const Variable& x) { return cosine_similarity(x, others()); },
         cupyxx::array(
             {0.9747546499329883, 0.8595324232523596, 0.645621040406708, 0.8807710121010885}),
         cupyxx::array({{-0.011645814216642625, -0.07919153667316992, -0.0465832568665705},
                        {-0.009541525512514581, 0.29101652813169626, 0.07792245835220277},
                        {-0.03273676263658329, -0.2857026557374542, 0.14880346652992404},
                        {0.055048188256318034, -0.044038550605054405, -0.1321156518151633}}));
  expect_allclose(cosine_similarity(logits(), others(), 0).data(),
                  cupyxx::array({0.9091675835657296, 0.7840415553036758, 0.8392740627357387}),
                  1e-12);
}

TEST_P(LossesTest, VectorsWithoutLengthHaveNoDirection) {
  for (const cupyxx::dtype type : {cupyxx::float16, cupyxx::float32, cupyxx::float64}) {
    const Variable x(cupyxx::zeros({1, 2}, type)), y(cupyxx::zeros({1, 2}, type));
    const Variable cosine = cosine_similarity(x, y);
    cosine.backward();
    expect_allclose(cosine.data(), cupyxx::zeros({1}), 0, 0);
    expect_allclose(x.grad(), cupyxx::zeros({1, 2}), 0, 0);
  }
}

TEST_P(LossesTest, CosineEmbeddingLoss) {
  const ndarray pairs = cupyxx::array({1, -1, -1, 1});
  expect(
      [&](const Variable& x) {
        return cosine_embedding_loss(x, others(), pairs, 0.25, Reduce::no);
      },
      cupyxx::array(
          {0.025245350067331973, 0.6095324232521043, 0.3956210404065239, 0.11922898789900893}),
      cupyxx::array({{0.011645814216624376, 0.07919153667317996, 0.0465832568664975},
                     {-0.00954152551235582, 0.2910165281316358, 0.07792245835210168},
                     {-0.03273676263661565, -0.2857026557373571, 0.14880346652990245},
                     {-0.05504818825631194, 0.0440385506050231, 0.1321156518151575}}));
  EXPECT_NEAR(cosine_embedding_loss(logits(), others(), pairs, 0.25).item<double>(),
              0.2874069504062423, 1e-12);
}

TEST_P(LossesTest, MoreNegativeSamplesThanAnIntCounts) {
  const NegativeSampling loss(2, {1, 3}, std::numeric_limits<int>::max(), 0.75, cupyxx::float64);
  const Variable x(cupyxx::zeros({0, 2}));
  EXPECT_EQ(loss(x, cupyxx::zeros({0}, cupyxx::int32)).item<double>(), 0);
}

// d^2 / 2 up to delta, delta (|d| - delta / 2) beyond, by hand.
TEST_P(LossesTest, HuberLossOfEachElement) {
  const Variable x(cupyxx::array({{0.0, 0.5}, {3.0, -2.0}})), t(cupyxx::zeros({2, 2}));
  const ndarray each = cupyxx::array({{0.0, 0.125}, {2.5, 1.5}});
  expect_allclose(huber_loss(x, t, 1, Reduce::no).data(), each, 1e-15, 1e-15);
  expect_allclose(huber_loss(x, t, 1, Reduce::mean).data(), each.mean(), 1e-15);
  expect_allclose(huber_loss(x, t, 1, Reduce::sum).data(), huber_loss(x, t, 1).data().sum(), 1e-15);
}

// `F.huber_loss(x, t, 1, "no")`: Chainer's texts at the place of `reduce`.
TEST_P(LossesTest, WhatToReduceByItsText) {
  const Variable x(cupyxx::array({{0.5, 0.25}, {0.75, -0.125}})), y(cupyxx::full({2, 2}, 0.5));
  const Variable t(cupyxx::array({0, 1}));
  const auto same = [](const Variable& by_text, const Variable& by_value) {
    expect_allclose(by_text.data(), by_value.data(), 0, 0);
  };
  same(huber_loss(x, y, 1, "no"), huber_loss(x, y, 1, Reduce::no));
  same(hinge(x, t, "L2", "no"), hinge(x, t, HingeNorm::L2, Reduce::no));
  same(hinge(x, t, "L2"), hinge(x, t, HingeNorm::L2));
  same(contrastive(x, y, t, 1, "no"), contrastive(x, y, t, 1, Reduce::no));
  same(triplet(x, y, x, 0.2, "sum"), triplet(x, y, x, 0.2, Reduce::sum));
  same(kl_div(x, y, "no"), kl_div(x, y, Reduce::no));
  same(cosine_embedding_loss(x, y, cupyxx::array({1, -1}), 0, "no"),
       cosine_embedding_loss(x, y, cupyxx::array({1, -1}), 0, Reduce::no));
  same(bernoulli_nll(y, x, "no"), bernoulli_nll(y, x, Reduce::no));
  same(gaussian_nll(x, y, x, "mean"), gaussian_nll(x, y, x, Reduce::mean));
  same(gaussian_kl_divergence(x, y, "no"), gaussian_kl_divergence(x, y, Reduce::no));
  expect_error<cupyxx::ValueError>([&] { gaussian_kl_divergence(x, y, "none"); },
                                   "the reduce must be mean, sum or no; 'none'");
}

// Loops over the pixels in Python; instance 3 of the first image has none, and labels 0, 5 and -1
// are background.
TEST_P(LossesTest, PixelsAreGroupedByTheirEmbeddings) {
  const ndarray i = cupyxx::arange(48).astype(cupyxx::float64);
  const Variable e((cupyxx::sin(i * 1.3) * 2).reshape({2, 3, 2, 4}));
  const Variable labels(
      cupyxx::array({{{1, 1, 2, 0}, {1, 2, 2, 5}}, {{3, 1, 1, 1}, {3, 3, 0, -1}}}));
  const auto expect = [](const VariableArray<3>& found, double variance, double distance,
                         double regularization) {
    EXPECT_NEAR(found[0].item<double>(), variance, 1e-13);
    EXPECT_NEAR(found[1].item<double>(), distance, 1e-13);
    EXPECT_NEAR(found[2].item<double>(), regularization, 1e-13);
  };
  const auto loss = [&](auto... numbers) {
    return discriminative_margin_based_clustering_loss(e, labels, numbers...);
  };
  expect(loss(0.5, 1.5, 3), 5.81420647022318, 0.46264561583506, 0.00157520422637087);
  expect(loss(0.25, 0.75, 3, 1, 2, 3, 4), 13.9348046880338, 0, 6.3008169054835);
  expect(loss(0.5, 1.5, 3, 2), 1.89666730251807, 1.77195895913073, 0.000884876824539387);
  expect(loss(0.25, 0.75, 3, 2, 2, 3, 4), 5.12858648777052, 0.0496776047093723, 3.53950729815755);
  // The root of what is 0 in the background and between two instances without pixels.
  const auto [variance, distance, regularization] = loss(0.25, 0.75, 3, 2);
  (variance + distance + regularization).backward();
  EXPECT_TRUE(cupyxx::isfinite(e.grad()).all().item<bool>());
}

}  // namespace
}  // namespace chainerxx::functions
