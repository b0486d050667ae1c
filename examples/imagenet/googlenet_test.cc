// SPDX-License-Identifier: MIT
#include "examples/imagenet/googlenet.h"

#include <gtest/gtest.h>

#include <cmath>

#include "cupyxx/cupyxx.h"
#include "cupyxx/testing/devices.h"

namespace imagenet {
namespace {

using chainerxx::Variable;
using cupyxx::Shape;

class GoogLeNetTest : public cupyxx::testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(GoogLeNetTest);

TEST_P(GoogLeNetTest, HasTheParametersOfThePaper) {
  const GoogLeNet model;
  std::int64_t count = 0;
  for (const cupyxx::ndarray& p : model.parameters()) count += p.size();
  // Table 1 of the paper adds up to 6.8 million in the modules and the last classifier, its
  // convolutions' biases not counted; the two auxiliary classifiers are 6.4 million more.
  EXPECT_EQ(count, 13378280);
  EXPECT_TRUE(model.contains("inc3a/conv5"));
  EXPECT_TRUE(model.contains("loss1/fc2"));
}

TEST_P(GoogLeNetTest, LearnsOneBatch) {
  cupyxx::random::seed(1);
  GoogLeNet model;
  chainerxx::optimizers::MomentumSGD optimizer({.lr = 0.03});
  optimizer.setup(model);
  const Variable x(cupyxx::random::uniform({2, 3, GoogLeNet::kInsize, GoogLeNet::kInsize},
                                           {.low = -1, .high = 1, .dtype = cupyxx::float32}));
  const Variable t(cupyxx::array(std::vector<std::int32_t>{3, 999}));
  double first = 0, last = 0;
  for (int i = 0; i < 6; ++i) {
    const Variable loss = model.loss(x, t);
    optimizer.zero_grads();
    loss.backward();
    optimizer.update();
    last = loss.data().item<double>();
    ASSERT_TRUE(std::isfinite(last)) << i;
    if (i == 0) first = last;
  }
  EXPECT_GT(first, 1.6 * 5);  // near 1.6 log(1000) before anything is learned
  EXPECT_LT(last, first - 0.3);
  const chainerxx::NoGradScope no_graph;
  EXPECT_EQ(model.predict(x).shape(), Shape({2, 1000}));
}

}  // namespace
}  // namespace imagenet
