// SPDX-License-Identifier: MIT
// Scores against counts by hand.
#include <gtest/gtest.h>

#include "chainerxx/functions/evaluation/accuracy.h"
#include "chainerxx/functions/evaluation/classification_summary.h"
#include "chainerxx/functions/evaluation/scores.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx::functions {
namespace {

using cupyxx::testing::expect_allclose;
using cupyxx::testing::expect_elements;

class EvaluationTest : public cupyxx::testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(EvaluationTest);

/// Scores whose largest are at 0, 0, 1, 1, 1, 2 of four classes.
ndarray scores() {
  return cupyxx::array({{3.0, 1.0, 0.0, 0.0},
                        {2.0, 1.0, 1.0, 0.0},
                        {0.0, 5.0, 1.0, 0.0},
                        {0.0, 1.0, 0.0, 0.0},
                        {0.0, 4.0, 1.0, 0.0},
                        {0.0, 0.0, 7.0, 0.0}});
}

// Class 0: taken 2 times, 1 of them right, of 2; class 1: 3, 2, 2; class 2: 1, 0, 1; class 3: none.
TEST_P(EvaluationTest, ClassesAreSummarised) {
  const ndarray t = cupyxx::array({0, 1, 1, 1, 0, -1});
  const ndarray labels = cupyxx::array({0, 2, 1, 1, 0, -1});
  const auto [p, r, f, support] = classification_summary(scores(), labels);
  expect_allclose(p.data(), cupyxx::array({0.5, 2.0 / 3, 0.0, 0.0}), 1e-15);
  expect_allclose(r.data(), cupyxx::array({0.5, 1.0, 0.0, 0.0}), 1e-15);
  expect_allclose(f.data(), cupyxx::array({0.5, 0.8, 0.0, 0.0}), 1e-15);
  expect_elements<std::int64_t>(support.data(), {4}, {2, 2, 1, 0});
  const auto weighted = f1_score(scores(), labels, {.beta = 2});
  // 5 p r / (4 p + r) of class 1.
  EXPECT_NEAR(weighted[0].data().to_vector<double>()[1], 10.0 / 11, 1e-15);
  expect_allclose(precision(scores(), t)[0].data(), cupyxx::array({0.5, 2.0 / 3, 0.0, 0.0}), 1e-15);
  expect_allclose(recall(scores(), t)[0].data(), cupyxx::array({0.5, 2.0 / 3, 0.0, 0.0}), 1e-15);
}

TEST_P(EvaluationTest, AnotherLabelIsIgnored) {
  const auto [share, support] =
      recall(scores(), cupyxx::array({0, 9, 9, 1, 9, 9}), {.ignore_label = 9});
  expect_elements<double>(share.data(), {4}, {1, 1, 0, 0});
  expect_elements<std::int64_t>(support.data(), {4}, {1, 1, 0, 0});
}

TEST_P(EvaluationTest, AccuracyLeavesALabelOut) {
  const ndarray t = cupyxx::array({0, 1, 1, 1, -1, 2});
  EXPECT_EQ(accuracy(scores(), t, -1).item<double>(), 4.0 / 5);
  EXPECT_EQ(accuracy(scores(), t).item<double>(), 4.0 / 6);
  EXPECT_EQ(accuracy(scores(), t, 1).item<double>(), 2.0 / 3);
  EXPECT_EQ(accuracy(scores(), t.astype(cupyxx::int8), 1).item<double>(), 2.0 / 3);
  EXPECT_EQ(accuracy(scores(), cupyxx::full({6}, 255, cupyxx::int32), 255).item<double>(), 0);
}

TEST_P(EvaluationTest, PlacesOfImagesAreSamples) {
  // Two pixels of one image: the largest of three classes at 2 and 0.
  const ndarray y = cupyxx::array({{{0.0, 5.0}, {1.0, 2.0}, {3.0, 4.0}}});
  const auto [share, support] = precision(y, cupyxx::array({{2, 1}}));
  expect_elements<double>(share.data(), {3}, {0, 0, 1});
  expect_elements<std::int64_t>(support.data(), {3}, {0, 1, 1});
}

TEST_P(EvaluationTest, LabelsOutOfRangeAreIndexErrors) {
  for (const int label : {4, -2}) {
    const ndarray t = cupyxx::full({6}, label, cupyxx::int32);
    EXPECT_THROW(precision(scores(), t)[1].data().to_vector<std::int64_t>(), cupyxx::IndexError);
  }
}

TEST_P(EvaluationTest, BinaryDecisions) {
  const ndarray y = cupyxx::array({0.0, -1.0, 2.0, -3.0, 5.0});
  EXPECT_EQ(binary_accuracy(y, cupyxx::array({1, 1, 1, 0, -1})).item<double>(), 0.75);
  EXPECT_EQ(binary_accuracy(y, cupyxx::full({5}, -1, cupyxx::int32)).item<double>(), 0);
}

TEST_P(EvaluationTest, CoefficientOfDetermination) {
  const ndarray truth = cupyxx::array({{3.0, 1.0}, {-0.5, 1.0}, {2.0, 1.0}, {7.0, 1.0}});
  const ndarray pred = cupyxx::array({{2.5, 1.0}, {0.0, 1.0}, {2.0, 1.0}, {8.0, 1.0}});
  // 1 - 1.5 / 29.1875, and an output that does not vary.
  const double expected = 1 - 1.5 / 29.1875;
  expect_allclose(r2_score(pred, truth, MultiOutput::raw_values).data(),
                  cupyxx::array({expected, 0.0}), 1e-15);
  EXPECT_NEAR(r2_score(pred, truth).item<double>(), expected / 2, 1e-15);
  EXPECT_EQ(r2_score(cupyxx::zeros({0, 2}), cupyxx::zeros({0, 2})).item<double>(), 0);
}

}  // namespace
}  // namespace chainerxx::functions
