// SPDX-License-Identifier: MIT
#include "chainerxx/functions/network/inception.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "chainerxx/functions/pooling/pooling_2d.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/random.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx::functions {
namespace {

using cupyxx::Shape;
using cupyxx::testing::expect_array_equal;
using cupyxx::testing::expect_error;

class InceptionTest : public cupyxx::testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(InceptionTest);

TEST_P(InceptionTest, JoinsItsPaths) {
  const Inception module(6, 2, 3, 4, 1, 3, 2);
  const Variable x(cupyxx::random::normal({2, 6, 5, 7}, {.dtype = cupyxx::float32}));
  const Variable y = module(x);
  EXPECT_EQ(y.shape(), Shape({2, 11, 5, 7}));
  EXPECT_EQ(module.names(),
            (std::vector<std::string>{"conv1", "proj3", "conv3", "proj5", "conv5", "projp"}));
  y.set_grad(cupyxx::ones(y.shape(), cupyxx::float32));
  y.backward();
  EXPECT_EQ(x.grad().shape(), x.shape());
  const auto copy = deep_copy(module, 6, 2, 3, 4, 1, 3, 2);
  expect_array_equal(copy(x).data(), y.data());
}

TEST_P(InceptionTest, NormalisedModulesMayStride) {
  const Variable x(cupyxx::random::normal({2, 4, 8, 8}, {.dtype = cupyxx::float32}));
  EXPECT_EQ(InceptionBN(4, 2, 2, 3, 2, 3, "max", 2)(x).shape(), Shape({2, 10, 8, 8}));
  EXPECT_EQ(InceptionBN(4, 2, 2, 3, 2, 3, "avg", 2)(x, {.test = true}).shape(),
            Shape({2, 10, 8, 8}));
  EXPECT_EQ(InceptionBN(4, 0, 2, 3, 2, 3, "max", {}, 2)(x).shape(), Shape({2, 10, 4, 4}));
}

TEST_P(InceptionTest, AProjectionOfNothingIsNone) {
  const Variable x(cupyxx::random::normal({2, 4, 8, 8}, {.dtype = cupyxx::float32}));
  const InceptionBN module(4, 0, 2, 3, 2, 3, "max", 0, 2), without(4, 0, 2, 3, 2, 3, "max", {}, 2);
  EXPECT_EQ(module.names(), without.names());
  const ndarray y = module(x).data();
  ASSERT_EQ(y.shape(), Shape({2, 10, 4, 4}));
  expect_array_equal(y(cupyxx::slice(), cupyxx::slice(6, 10)),
                     max_pooling_2d(x, 3, {.stride = 2, .pad = 1, .cover_all = false}).data());
}

TEST_P(InceptionTest, RefusesModulesThatCannotBeJoined) {
  expect_error<cupyxx::ValueError>([&] { InceptionBN(4, 2, 2, 3, 2, 3, "sum", 2); },
                                   R"(InceptionBN: pooltype is neither "max" nor "avg"; "sum")");
  expect_error<cupyxx::ValueError>([&] { InceptionBN(4, 2, 2, 3, 2, 3, "max", 2, 2); },
                                   "InceptionBN: a 1x1 path needs stride 1 and a projection of the "
                                   "pooling; out1 is 2, stride 2");
}

}  // namespace
}  // namespace chainerxx::functions
