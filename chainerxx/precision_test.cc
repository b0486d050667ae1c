// SPDX-License-Identifier: MIT
// What a PrecisionScope does to functions, their gradients and their parameters.
#include "chainerxx/internal/precision.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <thread>
#include <vector>

#include "chainerxx/chainerxx.h"
#include "cupyxx/cupyxx.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect_error.h"

namespace chainerxx {
namespace {

namespace F = functions;
using cupyxx::bfloat16_;
using cupyxx::float16;
using cupyxx::float32;
using cupyxx::testing::expect_error;

class PrecisionTest : public cupyxx::testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(PrecisionTest);

ndarray draw(const cupyxx::Shape& shape, int seed) {
  cupyxx::random::RandomState random(seed);
  return random.uniform(-1, 1, shape).astype(float32);
}

/// The largest difference as a share of the largest expected magnitude.
double distance(const ndarray& found, const ndarray& expected) {
  const ndarray a = found.astype(cupyxx::float64), b = expected.astype(cupyxx::float64);
  return cupyxx::absolute(a - b).max().item<double>() / cupyxx::absolute(b).max().item<double>();
}

TEST_P(PrecisionTest, ScopesRefuseWhatIsNoneOfTheirValues) {
  expect_error<cupyxx::ValueError>([] { const PrecisionScope scope(static_cast<Precision>(255)); },
                                   "PrecisionScope: there is no such precision; number 255 instead "
                                   "of float32, tf32, bfloat16 or "
                                   "float16");
  expect_error<cupyxx::ValueError>([] { const LayoutScope scope(static_cast<Layout>(3)); },
                                   "LayoutScope: there is no such layout; number 3 instead of "
                                   "automatic, plain or channels_last");
  EXPECT_EQ(current_precision(), Precision::float32);
  EXPECT_EQ(current_layout(), Layout::automatic);
}

TEST_P(PrecisionTest, IsOfTheThreadAndOfTheScope) {
  EXPECT_EQ(current_precision(), Precision::float32);
  EXPECT_FALSE(is_tf32_allowed());
  {
    const PrecisionScope scope(Precision::bfloat16);
    EXPECT_EQ(current_precision(), Precision::bfloat16);
    {
      const Tf32Scope inner;
      EXPECT_EQ(current_precision(), Precision::tf32);
      EXPECT_TRUE(is_tf32_allowed());
      const Tf32Scope not_here(false);
      EXPECT_EQ(current_precision(), Precision::float32);
    }
    std::thread([] { EXPECT_EQ(current_precision(), Precision::float32); }).join();
  }
  EXPECT_EQ(current_precision(), Precision::float32);
}

TEST_P(PrecisionTest, ProductsAreNarrowAndParametersAreNot) {
  for (const auto& [precision, dtype, bound] :
       {std::tuple{Precision::bfloat16, bfloat16_, 0.02}, {Precision::float16, float16, 0.003}}) {
    F::Linear layer(40, 30);
    layer.W.set(draw({30, 40}, 1));
    layer.b.set(draw({30}, 2));
    const ndarray x = draw({20, 40}, 3), t = draw({20, 30}, 4);
    const auto step = [&](Variable& input) {
      layer.zero_grads();
      const Variable y = F::tanh(layer(input));
      Variable loss = F::sum(F::cast(y, float32) * t);
      loss.backward();
      return y;
    };
    Variable exact(x);
    const Variable y = step(exact);
    const ndarray gW = layer.gW.copy(), gb = layer.gb.copy();
    Variable input(x);
    Variable narrow;
    {
      const PrecisionScope scope(precision);
      narrow = step(input);
    }
    EXPECT_EQ(y.dtype(), float32);
    EXPECT_EQ(narrow.dtype(), dtype);
    EXPECT_LT(distance(narrow.data(), y.data()), bound);
    EXPECT_GT(distance(narrow.data(), y.data()), 0);
    EXPECT_EQ(input.grad().dtype(), float32);
    EXPECT_LT(distance(input.grad(), exact.grad()), bound);
    EXPECT_EQ(layer.W.dtype(), float32);
    EXPECT_EQ(layer.gW.dtype(), float32);
    EXPECT_LT(distance(layer.gW, gW), bound);
    EXPECT_LT(distance(layer.gb, gb), bound);
  }
}

// Of few channels, which devices take as products of patches.
TEST_P(PrecisionTest, PicturesUnderLargeWindows) {
  for (const auto& [precision, bound] : {std::pair{Precision::tf32, 5e-3},
                                         {Precision::float16, 5e-3},
                                         {Precision::bfloat16, 0.03}}) {
    for (const std::int64_t channels : {1, 3}) {
      F::Convolution2D layer(channels, 10, {7, 5}, {.stride = {2, 3}, .pad = {3, 1}});
      layer.W.set(draw(layer.W.shape(), 1));
      layer.b.set(draw({10}, 2));
      const ndarray x = draw({3, channels, 29, 31}, 3);
      const auto step = [&] {
        layer.zero_grads();
        const Variable y = F::cast(layer(Variable(x)), float32);
        F::sum(y * draw(y.shape(), 4)).backward();
        return std::vector{y.data(), layer.gW.copy(), layer.gb.copy()};
      };
      const std::vector<ndarray> exact = step();
      const PrecisionScope scope(precision);
      const std::vector<ndarray> found = step();
      for (std::size_t i = 0; i < exact.size(); ++i) {
        EXPECT_LT(distance(found[i], exact[i]), bound) << name_of(precision) << " " << i;
      }
    }
  }
}

// The fused block beside the same of separate functions, whose results are rounded in between.
TEST_P(PrecisionTest, FeedForwardIsItsLayers) {
  for (const auto& [precision, bound] : {std::pair{Precision::float32, 1e-5},
                                         {Precision::tf32, 5e-3},
                                         {Precision::float16, 5e-3},
                                         {Precision::bfloat16, 0.04}}) {
    F::FeedForward block(64, 256);
    block.wide.b.set(draw({256}, 1));
    block.narrow.b.set(draw({64}, 2));
    const ndarray x = draw({2, 40, 64}, 3), t = draw({2, 40, 64}, 4);
    Variable exact(x), input(x);
    block.zero_grads();
    const auto rows = [](const Variable& v) { return F::reshape(v, {80, 64}); };
    const Variable y = block.narrow(F::gelu(block.wide(rows(exact)), true));
    F::sum(y * t.reshape({80, 64})).backward();
    std::vector<ndarray> expected;
    for (const ndarray& g : block.gradients()) expected.push_back(g.copy());
    block.zero_grads();
    {
      const PrecisionScope scope(precision);
      const Variable found = block(input);
      EXPECT_EQ(found.shape(), x.shape());
      EXPECT_LT(distance(found.data().reshape({80, 64}), y.data()), bound) << name_of(precision);
      F::sum(F::cast(found, float32) * t).backward();
    }
    EXPECT_LT(distance(input.grad(), exact.grad()), bound) << name_of(precision);
    const std::vector<ndarray> grads = block.gradients();
    for (std::size_t i = 0; i < grads.size(); ++i) {
      EXPECT_LT(distance(grads[i], expected[i]), bound) << name_of(precision) << " " << i;
    }
  }
}

TEST_P(PrecisionTest, BackwardDoesWhatForwardDid) {
  F::Linear layer(8, 4);
  layer.W.set(draw({4, 8}, 1));
  Variable x(draw({3, 8}, 2));
  Variable y;
  {
    const PrecisionScope scope(Precision::bfloat16);
    y = layer(x);
  }
  y.set_grad(cupyxx::ones({3, 4}, bfloat16_));
  y.backward();  // outside of the scope
  EXPECT_EQ(x.grad().dtype(), float32);
  // The elements of W were rounded to 8 bits, and so is their sum.
  const ndarray expected = layer.W.astype(bfloat16_).astype(float32).sum(0);
  EXPECT_LT(distance(x.grad()(0), expected), 1.0 / 128);
}

TEST_P(PrecisionTest, AChangedParameterIsReadAnew) {
  const PrecisionScope scope(Precision::bfloat16);
  const NoGradScope no_graph;
  F::Linear layer(2, 2, {.nobias = true});
  const ndarray x = cupyxx::ones({1, 2}, float32);
  const auto result = [&] { return layer(x).data().astype(float32).to_vector<float>(); };
  layer.W.set(cupyxx::ones({2, 2}, float32));
  EXPECT_EQ(result(), (std::vector<float>{2, 2}));
  layer.W *= 3;
  EXPECT_EQ(result(), (std::vector<float>{6, 6}));
  layer.W(0) = 1;
  EXPECT_EQ(result(), (std::vector<float>{2, 6}));
  layer.W = cupyxx::ones({2, 2}, float32);
  EXPECT_EQ(result(), (std::vector<float>{2, 2}));
  if (device().is_cpu()) {
    *static_cast<float*>(layer.W.ndarray::data()) = 5;
    EXPECT_EQ(result(), (std::vector<float>{6, 2}));
    *static_cast<float*>(layer.W.ndarray::data()) = 7;
    EXPECT_EQ(result(), (std::vector<float>{8, 2}));
  }
}

// Of both devices' update kernels, and of the copies that they write along.
TEST_P(PrecisionTest, UpdatesKeepCopiesCurrent) {
  F::Linear layer(37, 21);
  layer.W.set(draw({21, 37}, 1));
  optimizers::Adam optimizer(0.01);
  optimizer.setup(std::vector<ndarray>{layer.W, layer.b}, std::vector{layer.gW, layer.gb});
  const ndarray x = draw({5, 37}, 2);
  const PrecisionScope scope(Precision::bfloat16);
  const void* copy = nullptr;
  for (int i = 0; i < 4; ++i) {
    const ndarray before = layer.W.copy();
    optimizer.update([&] { return F::sum(F::cast(layer(Variable(x)), float32)); });
    EXPECT_GT(distance(layer.W, before), 1e-3);
    const auto kept = internal::last_kept_copy(layer.W);
    ASSERT_NE(kept, nullptr);
    EXPECT_TRUE(kept->is_current(layer.W));
    EXPECT_TRUE(cupyxx::array_equal(kept->array, layer.W.astype(bfloat16_)));
    if (i > 1) {
      EXPECT_EQ(kept->array.elements(), copy);  // nothing was converted
    }
    copy = kept->array.elements();
  }
}

/// One parameter of one layer and its step.
struct Scaled {
  F::Linear layer{3, 2};
  optimizers::MomentumSGD optimizer{0.1, 0.9};
  ndarray x = cupyxx::ones({1, 3}, float32);

  Scaled() {
    layer.W.set(draw({2, 3}, 1));
    optimizer.setup(std::vector<ndarray>{layer.W, layer.b}, std::vector{layer.gW, layer.gb});
  }
  void step(double factor = 1) {
    optimizer.update([&] { return F::sum(layer(Variable(x * factor))); });
  }
};

TEST_P(PrecisionTest, TheScaleOfTheLossIsNotSeen) {
  Scaled plain, scaled;
  plain.optimizer.add_hook(GradientClipping(1.5));
  scaled.optimizer.add_hook(GradientClipping(1.5));
  scaled.optimizer.scale_loss({.initial = 1024});
  EXPECT_EQ(scaled.optimizer.loss_scale(), 1024);
  for (int i = 0; i < 3; ++i) {
    plain.step();
    scaled.step();
  }
  EXPECT_TRUE(cupyxx::array_equal(plain.layer.W, scaled.layer.W));  // a power of two
  EXPECT_EQ(scaled.optimizer.skipped_updates(), 0);
  EXPECT_EQ(plain.optimizer.loss_scale(), 1);
}

// Two losses for one update, with a look at the norm between them: the first one's gradients are
// divided by the scale once.
TEST_P(PrecisionTest, ANormBetweenTwoLossesChangesNothing) {
  Scaled looked, plain;
  looked.optimizer.scale_loss({.initial = 65536});
  for (Scaled* s : {&looked, &plain}) {
    s->optimizer.zero_grads();
    for (const double factor : {1.0, 2.0}) {
      s->optimizer.backward(F::sum(s->layer(Variable(s->x * factor))));
      if (s == &looked) looked.optimizer.compute_grads_norm();
    }
    s->optimizer.update();
  }
  EXPECT_TRUE(cupyxx::array_equal(plain.layer.W, looked.layer.W));
  // What is set to 0 is not scaled any more.
  for (Scaled* s : {&looked, &plain}) {
    s->optimizer.backward(F::sum(s->layer(Variable(s->x))));
    s->optimizer.zero_grads();
    F::sum(s->layer(Variable(s->x))).backward();
    s->optimizer.update();
  }
  EXPECT_TRUE(cupyxx::array_equal(plain.layer.W, looked.layer.W));
  EXPECT_EQ(looked.optimizer.skipped_updates(), 0);
}

TEST_P(PrecisionTest, OverflowLeavesAnUpdateOut) {
  Scaled s;
  s.optimizer.scale_loss({.initial = 1024, .interval = 2});
  s.step();
  const ndarray W = s.layer.W.copy(), v = (*s.optimizer.fields()[0].array).copy();
  const double infinity = std::numeric_limits<double>::infinity();
  s.step(infinity);
  EXPECT_TRUE(cupyxx::array_equal(s.layer.W, W));
  EXPECT_TRUE(cupyxx::array_equal(*s.optimizer.fields()[0].array, v));
  EXPECT_EQ(s.optimizer.loss_scale(), 512);
  EXPECT_EQ(s.optimizer.skipped_updates(), 1);
  s.step();
  EXPECT_FALSE(cupyxx::array_equal(s.layer.W, W));
  EXPECT_EQ(s.optimizer.loss_scale(), 512);
  s.step();
  EXPECT_EQ(s.optimizer.loss_scale(), 1024);
  // What a backward outside of the optimizer made is not divided.
  s.layer.zero_grads();
  Variable loss = F::sum(s.layer(Variable(s.x)));
  loss.backward();
  EXPECT_NEAR(s.optimizer.compute_grads_norm(), std::sqrt(8.0), 1e-5);
}

TEST_P(PrecisionTest, RefusesScalesThatAreNone) {
  Scaled s;
  expect_error<cupyxx::ValueError>([&] { s.optimizer.scale_loss({.growth = 0.5}); },
                                   "scale_loss: a number is out of range; initial 65536.0, growth "
                                   "0.5");
  s.optimizer.scale_loss();
  expect_error<cupyxx::ValueError>([&] { s.optimizer.backward(s.layer(Variable(s.x))); },
                                   "Optimizer.backward: the loss has several elements; shape "
                                   "(1, 2)");
  optimizers::SGD unset(0.1);
  expect_error<cupyxx::ValueError>([&] { unset.scale_loss(); }, "scale_loss: setup() comes first");
}

TEST_P(PrecisionTest, FunctionsOfVariablesCastThem) {
  const PrecisionScope scope(Precision::bfloat16);
  Variable a(draw({3, 4}, 1)), b(draw({4, 2}, 2));
  Variable y = F::matmul(a, b);
  EXPECT_EQ(y.dtype(), bfloat16_);
  y.set_grad(cupyxx::ones({3, 2}, bfloat16_));
  y.backward();
  EXPECT_EQ(a.grad().dtype(), float32);
  EXPECT_EQ(b.grad().dtype(), float32);
  EXPECT_LT(distance(a.grad()(0), b.data().sum(1)), 0.02);
}

TEST_P(PrecisionTest, WithoutAScopeNarrowInputsAreRefused) {
  F::Linear layer(4, 2);
  const Variable x(cupyxx::ones({1, 4}, bfloat16_));
  expect_error<typecheck::InvalidType>([&] { layer(x); }, "bfloat16");
}

}  // namespace
}  // namespace chainerxx
