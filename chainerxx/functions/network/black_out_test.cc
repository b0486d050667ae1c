// SPDX-License-Identifier: MIT
// The layer BlackOut beside its function, and what it refuses.
#include "chainerxx/functions/network/black_out.h"

#include <gtest/gtest.h>

#include "chainerxx/functions/loss/sampled_losses.h"
#include "chainerxx/functions/testing/refusals.h"
#include "cupyxx/creation.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx::functions {
namespace {

using testing::f32;
using testing::i32;

class BlackOutTest : public cupyxx::testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(BlackOutTest);

TEST_P(BlackOutTest, DrawsByCounts) {
  BlackOut layer(2, {0, 0, 7}, 3);
  EXPECT_EQ(layer.W.W.shape(), (cupyxx::Shape{3, 2}));
  const Variable x = f32({4, 2}), t = i32({4});
  const Variable same =
      black_out(x, t, layer.W.W, cupyxx::full({4, 3}, 2, cupyxx::int32), Reduce::no);
  cupyxx::testing::expect_allclose(layer(x, t, Reduce::no).data(), same.data(), 0, 0);
  layer.samples = cupyxx::zeros({4, 1}, cupyxx::int32);
  cupyxx::testing::expect_allclose(layer(x, t).data(),
                                   black_out(x, t, layer.W.W, layer.samples).data(), 0, 0);
}

TEST_P(BlackOutTest, Refusals) {
  testing::expect_refusals({
      {"no samples",
       [] {
         BlackOut(2, {1, 1}, 0);
       },
       "ValueError", "BlackOut: sample_size is below 1; 0"},
      {"a negative size",
       [] {
         BlackOut(-2, {1, 1}, 1);
       },
       "ValueError", "BlackOut: a size is negative; -2"},
      {"a vector",
       [] {
         BlackOut(2, {1, 1}, 1)(f32({2}), i32({2}));
       },
       "ShapeError", "BlackOut: x is not (n, in); (2,)"},
      {"None",
       [] {
         BlackOut(2, {1, 1}, 1)(Variable(), i32({2}));
       },
       "TypeError", "BlackOut: input 0 is None"},
  });
}

}  // namespace
}  // namespace chainerxx::functions
