// SPDX-License-Identifier: MIT
// What the functions of this folder refuse, and how they say it.
#include "chainerxx/functions/testing/refusals.h"

#include <gtest/gtest.h>

#include <vector>

#include "chainerxx/functions/evaluation/accuracy.h"
#include "cupyxx/creation.h"
#include "cupyxx/testing/devices.h"

namespace chainerxx::testing {
namespace {

namespace F = functions;

class EvaluationRefusalsTest : public cupyxx::testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(EvaluationRefusalsTest);

TEST_P(EvaluationRefusalsTest, Accuracy) {
  expect_refusals({
      {"scores of integers",
       [] {
         F::accuracy(i32({2, 3}), i32({2}));
       },
       "InvalidType", "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"floating labels",
       [] {
         F::accuracy(f32({2, 3}), f32({2}));
       },
       "InvalidType", "Expect: in_types[1].dtype.kind == i\nActual: f != i"},
      {"a vector of scores", [] { F::accuracy(f32({2}), i32({2})); }, "InvalidType",
       "Expect: in_types[0].ndim >= 2\nActual: 1 < 2"},
      {"a number as labels",
       [] {
         F::accuracy(f32({2, 3}), i32({}));
       },
       "InvalidType", "Expect: in_types[1].ndim >= 1\nActual: 0 < 1"},
      {"another batch",
       [] {
         F::accuracy(f32({2, 3}), i32({3}));
       },
       "InvalidType", "Expect: in_types[0].shape[0] == in_types[1].shape[0]\nActual: 2 != 3"},
      {"other places",
       [] {
         F::accuracy(f32({2, 3, 4}), i32({2, 5}));
       },
       "InvalidType",
       "Expect: prod(in_types[0].shape[2:]) == prod(in_types[1].shape[1:])\nActual: 4 != 5"},
      {"scores alone",
       [] {
         F::Accuracy().call(std::vector<Variable>{f32({2, 3})});
       },
       "InvalidType", "Expect: in_types.size == 2\nActual: 1 != 2"},
  });
}

TEST_P(EvaluationRefusalsTest, NothingIsRight) {
  EXPECT_EQ(F::accuracy(f32({0, 3}), i32({0})).data().item<float>(), 0);
  EXPECT_EQ(F::accuracy(f32({2, 0}), i32({2})).data().item<float>(), 0);
}

}  // namespace
}  // namespace chainerxx::testing
