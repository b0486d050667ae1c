// SPDX-License-Identifier: MIT
// Clipping to a norm as a part of the update.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>
#include <vector>

#include "chainerxx/chainerxx.h"
#include "cupyxx/creation.h"
#include "cupyxx/logic.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx {
namespace {

using cupyxx::testing::expect_elements;

// What a hook of the built-in kind does is part of the update where it comes last; a function that
// calls clip_grads() is not.
class ClippedUpdateTest : public cupyxx::testing::DeviceTest {
 protected:
  struct Side {
    std::vector<ndarray> params, grads;
    std::unique_ptr<Optimizer> optimizer;
  };
  /// Two optimizers of the same numbers, the second of which clips by a function.
  template <class MakeOptimizer>
  void compare(MakeOptimizer make, double maxnorm, cupyxx::dtype type,
               const std::function<void(Optimizer&)>& prepare = {}) {
    SCOPED_TRACE(::testing::Message() << maxnorm << " " << type);
    Side sides[2];
    for (int k = 0; k < 2; ++k) {
      Side& side = sides[k];
      for (const std::int64_t n : {1, 7, 3000, 70001}) {
        const ndarray ramp = cupyxx::linspace(-1.0, 1.0, n).astype(type);
        side.params.push_back(ramp * 2 + 1);
        side.grads.push_back(ramp * 0.5);
      }
      side.optimizer = make();
      side.optimizer->setup(side.params, side.grads);
      if (prepare) prepare(*side.optimizer);
      if (k == 0) {
        side.optimizer->add_hook(GradientClipping(maxnorm));
      } else {
        side.optimizer->add_hook([maxnorm](Optimizer& o) { o.clip_grads(maxnorm); });
      }
    }
    for (int step = 0; step < 3; ++step) {
      for (Side& side : sides) {
        for (const ndarray& g : side.grads) g += 0.25;
        const auto version = side.grads[2].version();
        side.optimizer->update();
        const bool clips = maxnorm < 100;
        EXPECT_TRUE(!clips || side.grads[2].version() > version);
      }
    }
    for (std::size_t i = 0; i < sides[0].params.size(); ++i) {
      EXPECT_TRUE(cupyxx::array_equal(sides[0].params[i], sides[1].params[i])) << i;
      EXPECT_TRUE(cupyxx::array_equal(sides[0].grads[i], sides[1].grads[i])) << i;
    }
    const auto first = sides[0].optimizer->fields(), second = sides[1].optimizer->fields();
    ASSERT_EQ(first.size(), second.size());
    for (std::size_t i = 0; i < first.size(); ++i) {
      EXPECT_TRUE(cupyxx::array_equal(*first[i].array, *second[i].array)) << first[i].name;
    }
    if (!prepare && type != cupyxx::float16) {
      EXPECT_LE(sides[0].optimizer->compute_grads_norm(), maxnorm * (1 + 1e-6));
    }
  }
};
CUPYXX_TEST_ON_DEVICES(ClippedUpdateTest);

TEST_P(ClippedUpdateTest, HasTheBitsOfClippingAndThenUpdating) {
  for (const cupyxx::dtype type : {cupyxx::float32, cupyxx::float64, cupyxx::float16}) {
    for (const double maxnorm : {0.0, 0.5, 1e6, HUGE_VAL}) {
      compare([] { return std::make_unique<optimizers::Adam>(); }, maxnorm, type);
    }
  }
  compare([] { return std::make_unique<optimizers::SGD>(0.5); }, 3, cupyxx::float32);
  compare([] { return std::make_unique<optimizers::MomentumSGD>(0.5); }, 3, cupyxx::float32);
}

TEST_P(ClippedUpdateTest, WhereItCannotBePartOfTheUpdateItComesBefore) {
  // Norms of whole parameters are taken of clipped gradients.
  compare([] { return std::make_unique<optimizers::LAMB>(); }, 3, cupyxx::float32);
  const auto adam = [] { return std::make_unique<optimizers::Adam>(); };
  // Gradients of parameters that stay are clipped, too.
  compare(adam, 3, cupyxx::float32,
          [](Optimizer& o) { o.add_group("frozen", {"2"}, {.rate = 0}); });
  // What comes behind it sees clipped gradients.
  compare(adam, 3, cupyxx::float32, [](Optimizer& o) {
    o.add_hook("before decay", GradientClipping(3));
    o.add_hook(WeightDecay(0.1));
  });
}

TEST_P(ClippedUpdateTest, AHookThatIsTakenAwayInTheSameUpdateDoesNotClip) {
  std::vector<ndarray> params = {cupyxx::full({4}, 2, cupyxx::float32)};
  std::vector<ndarray> grads = {cupyxx::full({4}, 4, cupyxx::float32)};
  optimizers::SGD sgd(0.25);
  sgd.setup(params, grads);
  sgd.add_hook([](Optimizer& o) { o.remove_hook("GradientClipping"); });
  sgd.add_hook(GradientClipping(1));
  sgd.update();
  expect_elements<float>(params[0], {4}, {1, 1, 1, 1});
  expect_elements<float>(grads[0], {4}, {4, 4, 4, 4});
}

}  // namespace
}  // namespace chainerxx
