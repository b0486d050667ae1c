// SPDX-License-Identifier: MIT
// What the functions of this folder refuse, and how they say it.
#include "chainerxx/functions/testing/refusals.h"

#include <gtest/gtest.h>

#include "chainerxx/functions/network/inception.h"
#include "cupyxx/creation.h"
#include "cupyxx/testing/devices.h"

namespace chainerxx::testing {
namespace {

namespace F = functions;

class NetworkRefusalsTest : public cupyxx::testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(NetworkRefusalsTest);

TEST_P(NetworkRefusalsTest, Inception) {
  expect_refusals({
      {"three axes",
       [] {
         F::Inception(2, 1, 1, 1, 1, 1, 1)(f32({2, 4, 4}));
       },
       "InvalidType", "Expect: in_types[0].ndim == 4\nActual: 3 != 4"},
      {"other channels",
       [] {
         F::Inception(2, 1, 1, 1, 1, 1, 1)(f32({1, 3, 4, 4}));
       },
       "InvalidType", "Expect: in_types[0].shape[1] == 2\nActual: 3 != 2"},
      {"another dtype",
       [] {
         F::Inception(2, 1, 1, 1, 1, 1, 1)(f64({1, 2, 4, 4}));
       },
       "InvalidType", "Expect: in_types[0].dtype == float32\nActual: float64 != float32"},
      {"a negative size", [] { F::Inception(2, 1, -1, 1, 1, 1, 1); }, "ValueError",
       "Convolution2D: a number of channels is negative; 2 and -1"},
      {"unknown pooling", [] { F::InceptionBN(2, 0, 1, 1, 1, 1, "mean"); }, "ValueError",
       R"(InceptionBN: pooltype is neither "max" nor "avg"; "mean")"},
      {"a stride beside a 1x1 path", [] { F::InceptionBN(2, 1, 1, 1, 1, 1, "max", 1, 2); },
       "ValueError",
       "InceptionBN: a 1x1 path needs stride 1 and a projection of the pooling; out1 is 1, stride "
       "2"},
      {"a 1x1 path without projection", [] { F::InceptionBN(2, 1, 1, 1, 1, 1, "max"); },
       "ValueError",
       "InceptionBN: a 1x1 path needs stride 1 and a projection of the pooling; out1 is 1, stride "
       "1"},
      {"no stride", [] { F::InceptionBN(2, 0, 1, 1, 1, 1, "max", 1, 0); }, "ValueError",
       "Convolution2D: the stride must be positive; (0, 0)"},
      {"normalised with other channels",
       [] {
         F::InceptionBN(2, 0, 1, 1, 1, 1, "max")(f32({1, 3, 4, 4}));
       },
       "InvalidType", "Expect: in_types[0].shape[1] == 2\nActual: 3 != 2"},
  });
}

}  // namespace
}  // namespace chainerxx::testing
