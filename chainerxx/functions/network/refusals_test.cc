// SPDX-License-Identifier: MIT
// What the functions of this folder refuse, and how they say it.
#include "chainerxx/functions/testing/refusals.h"

#include <gtest/gtest.h>

#include "chainerxx/functions/network/crf1d.h"
#include "chainerxx/functions/network/inception.h"
#include "cupyxx/creation.h"
#include "cupyxx/testing/devices.h"

namespace chainerxx::testing {
namespace {

namespace F = functions;

class NetworkRefusalsTest : public cupyxx::testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(NetworkRefusalsTest);

TEST_P(NetworkRefusalsTest, CRF1d) {
  const Variable cost = f32({3, 3}), x = f32({2, 3}), y = i32({2});
  expect_refusals({
      {"costs of another shape",
       [=] {
         F::crf1d(f32({2, 3}), {x}, {y});
       },
       "ShapeError", "crf1d: the costs are not (labels, labels); (2, 3)"},
      {"no steps", [=] { F::crf1d(cost, {}, {}); }, "ValueError", "crf1d: there are no steps"},
      {"other labels",
       [=] {
         F::argmax_crf1d(cost, {x, f32({2, 4})});
       },
       "ShapeError", "argmax_crf1d: step 1 is not (n, 3); (2, 4)"},
      {"a sequence that starts later",
       [=] {
         F::crf1d(cost, {x, f32({3, 3})}, {y, i32({3})});
       },
       "ShapeError", "crf1d: step 1 has more sequences than the one before; 3 and 2"},
      {"labels of one step",
       [=] {
         F::crf1d(cost, {x, x}, {y});
       },
       "ValueError", "crf1d: there are not as many labels as steps; 1 and 2"},
      {"labels of other sequences", [=] { F::crf1d(cost, {x}, {i32({3})}); }, "ShapeError",
       "crf1d: the labels of step 0 are not (2,); (3,)"},
      {"a step of None",
       [=] {
         F::crf1d(cost, {x, Variable()}, {y, y});
       },
       "TypeError", "crf1d: input 0 is None"},
      {"a negative number of labels", [] { F::CRF1d(-1); }, "ValueError",
       "CRF1d: a size is negative; (-1,)"},
  });
}

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
