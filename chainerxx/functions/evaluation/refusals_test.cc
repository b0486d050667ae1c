// SPDX-License-Identifier: MIT
// What the functions of this folder refuse, and how they say it.
#include "chainerxx/functions/testing/refusals.h"

#include <gtest/gtest.h>

#include <vector>

#include "chainerxx/functions/evaluation/accuracy.h"
#include "chainerxx/functions/evaluation/classification_summary.h"
#include "chainerxx/functions/evaluation/scores.h"
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

TEST_P(EvaluationRefusalsTest, Scores) {
  expect_refusals({
      {"summary of integers",
       [] {
         F::classification_summary(i32({2, 3}), i32({2}));
       },
       "InvalidType", "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"summary with floating labels",
       [] {
         F::precision(f32({2, 3}), f32({2}));
       },
       "InvalidType", "Expect: in_types[1].dtype.kind == i\nActual: f != i"},
      {"summary of a vector", [] { F::recall(f32({2}), i32({2})); }, "InvalidType",
       "Expect: in_types[0].ndim >= 2\nActual: 1 < 2"},
      {"summary of another batch",
       [] {
         F::f1_score(f32({2, 3}), i32({4}));
       },
       "InvalidType", "Expect: in_types[0].shape[0] == in_types[1].shape[0]\nActual: 2 != 4"},
      {"summary of no class",
       [] {
         F::f1_score(f32({2, 0}), i32({2}));
       },
       "InvalidType", "Expect: in_types[0].shape[1] >= 1\nActual: 0 < 1"},
      {"summary with beta 0",
       [] {
         F::f1_score(f32({2, 3}), i32({2}), {.beta = 0});
       },
       "ValueError", "classification_summary: beta is not positive; 0.0"},
      {"binary_accuracy of other shapes",
       [] {
         F::binary_accuracy(f32({2}), i32({2, 1}));
       },
       "InvalidType", "Expect: in_types[0].shape == in_types[1].shape\nActual: (2,) != (2, 1)"},
      {"binary_accuracy with floating labels", [] { F::binary_accuracy(f32({2}), f32({2})); },
       "InvalidType", "Expect: in_types[1].dtype.kind == i\nActual: f != i"},
      {"r2_score of other dtypes", [] { F::r2_score(f32({2}), f64({2})); }, "InvalidType",
       "Expect: in_types[0].dtype == in_types[1].dtype\nActual: float32 != float64"},
      {"r2_score of a number", [] { F::r2_score(f32({}), f32({})); }, "InvalidType",
       "Expect: in_types[0].ndim >= 1\nActual: 0 < 1"},
  });
}

TEST_P(EvaluationRefusalsTest, NothingIsRight) {
  EXPECT_EQ(F::accuracy(f32({0, 3}), i32({0})).data().item<float>(), 0);
  EXPECT_EQ(F::accuracy(f32({2, 0}), i32({2})).data().item<float>(), 0);
}

}  // namespace
}  // namespace chainerxx::testing
