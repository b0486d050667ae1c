// SPDX-License-Identifier: MIT
// Losses and best paths against all sequences of labels one by one.
#include "chainerxx/functions/network/crf1d.h"

#include <gtest/gtest.h>

#include <vector>

#include "chainerxx/functions/array/sequences.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx::functions {
namespace {

using cupyxx::testing::expect_allclose;
using cupyxx::testing::expect_elements;

class CRF1dTest : public cupyxx::testing::DeviceTest {
 protected:
  Variable cost_{cupyxx::array({{0.5, -1.0, 0.25}, {0.0, 1.0, -0.5}, {-0.75, 0.5, 0.125}})};
  /// Three sequences of lengths 4, 3 and 1.
  std::vector<Variable> xs_ = {
      Variable(cupyxx::array({{1.0, 0.0, -1.0}, {0.5, 0.5, 0.0}, {0.0, 2.0, 1.0}})),
      Variable(cupyxx::array({{0.0, 1.0, 0.5}, {-1.0, 0.0, 1.0}})),
      Variable(cupyxx::array({{0.25, 0.75, -0.5}, {1.0, -1.0, 0.0}})),
      Variable(cupyxx::array({{2.0, 0.0, 1.0}}))};
  std::vector<Variable> ys_ = {Variable(cupyxx::array({0, 2, 1})), Variable(cupyxx::array({1, 1})),
                               Variable(cupyxx::array({2, 0})), Variable(cupyxx::array({0}))};
};
CUPYXX_TEST_ON_DEVICES(CRF1dTest);

TEST_P(CRF1dTest, LossIsTheShareOfAllSequences) {
  const ndarray each = cupyxx::array({6.230333098566979, 2.811803151829654, 0.40760596444438013});
  expect_allclose(crf1d(cost_, xs_, ys_, Reduce::no).data(), each, 1e-14);
  expect_allclose(crf1d(cost_, xs_, ys_).data(), cupyxx::array(3.1499140716136718), 1e-14);
  expect_allclose(crf1d(cost_, xs_, ys_, Reduce::sum).data(), each.sum(), 1e-14);
}

TEST_P(CRF1dTest, TheBestPathIsThatOfTheHighestScore) {
  const auto [score, path] = argmax_crf1d(cost_, xs_);
  expect_allclose(score, cupyxx::array({5.75, 2.5, 2.0}), 1e-14);
  ASSERT_EQ(path.size(), 4u);
  expect_elements<std::int64_t>(path[0], {3}, {1, 1, 1});
  expect_elements<std::int64_t>(path[1], {2}, {1, 1});
  expect_elements<std::int64_t>(path[2], {2}, {1, 0});
  expect_elements<std::int64_t>(path[3], {1}, {0});
}

TEST_P(CRF1dTest, LearnsItsTransitions) {
  CRF1d model(3);
  const std::vector<Variable> flat(4, Variable(cupyxx::zeros({1, 3}, cupyxx::float32)));
  std::vector<Variable> labels;
  for (const int label : {0, 2, 1, 0}) labels.emplace_back(cupyxx::array({label}));
  EXPECT_NEAR(model(flat, labels).item<float>(), 4.3944492f, 1e-5);  // log 81
  for (int step = 0; step < 100; ++step) {
    model.zero_grads();
    model(flat, labels).backward();
    model.cost.W -= model.cost.gW;
  }
  // Transitions are learnt; where a sequence starts is not.
  EXPECT_NEAR(model(flat, labels).item<float>(), 1.0986123f, 0.05);  // log 3
  const auto [score, path] = model.argmax(flat);
  for (std::size_t t = 1; t < path.size(); ++t) {
    const auto follower = std::vector<std::int64_t>{2, 0, 1};
    EXPECT_EQ(path[t].item<std::int64_t>(),
              follower[static_cast<std::size_t>(path[t - 1].item<std::int64_t>())]);
  }
}

TEST_P(CRF1dTest, LabelsOutOfRangeAreIndexErrors) {
  for (const int label : {3, -1}) {
    ys_[1] = Variable(cupyxx::array({1, label}));
    EXPECT_THROW(crf1d(cost_, xs_, ys_).item<double>(), cupyxx::IndexError);
  }
}

}  // namespace
}  // namespace chainerxx::functions
