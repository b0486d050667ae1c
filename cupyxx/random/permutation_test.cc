// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/math.h"
#include "cupyxx/random.h"
#include "cupyxx/sorting.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx::random {
namespace {

using testing::expect_array_equal;
using testing::expect_error;

class PermutationTest : public testing::DeviceTest {
 protected:
  Generator state_{20150601};
};
CUPYXX_TEST_ON_DEVICES(PermutationTest);

TEST_P(PermutationTest, HoldsEveryNumberOnce) {
  for (const std::int64_t n : {0, 1, 2, 1000, 5000}) {
    const ndarray order = state_.permutation(n);
    EXPECT_EQ(order.dtype(), int64);
    expect_array_equal(sort(order), arange(n));
    if (n >= 1000) {
      EXPECT_NE(order.to_vector<int>(), arange(n).to_vector<int>());
    }
  }
}

// The order of the keys that are drawn, on the host by way of buckets.
TEST_P(PermutationTest, SortsItsKeys) {
  for (const std::int64_t n : {1, 2, 3, 64, 65, 2999, 3001, 100000, 1000000}) {
    RandomState one(static_cast<unsigned>(n)), other(static_cast<unsigned>(n));
    const ndarray keys = other.random_integers(0, UINT64_MAX, {n}, {.dtype = uint64});
    expect_array_equal(one.permutation(n), argsort(keys));
  }
}

// All 24 orders of four slices, as rows of one matrix.
TEST_P(PermutationTest, EveryOrderIsAsLikelyAsAnother) {
  constexpr int kRows = 24000;
  const ndarray rows = state_.permuted(zeros({kRows, 4}, int64) + arange(4), 1);
  const auto values = rows.to_vector<int>();
  std::map<int, int> counts;
  for (std::size_t i = 0; i < values.size(); i += 4) {
    ++counts[values[i] * 64 + values[i + 1] * 16 + values[i + 2] * 4 + values[i + 3]];
  }
  ASSERT_EQ(counts.size(), 24u);
  double statistic = 0;
  for (const auto& [order, count] : counts) statistic += (count - 1000.0) * (count - 1000.0) / 1000;
  EXPECT_LT(statistic, 23 + 5 * std::sqrt(46.0));
}

TEST_P(PermutationTest, ShufflesSlicesOfAnAxis) {
  const ndarray a = arange(60).reshape({3, 5, 4});
  const ndarray shuffled = a.copy();
  state_.shuffle(shuffled, 1);
  expect_array_equal(sort(shuffled, 1), a);
  // Slices stay whole: one order for all of the other axes.
  const ndarray order = (shuffled(0, ellipsis, 0)) / 4;
  expect_array_equal(shuffled, a.take(order.astype(int64), 1));
  const ndarray columns = arange(12).reshape({4, 3}).copy();
  state_.shuffle(columns.T(), -1);
  expect_array_equal(sort(columns, 0), arange(12).reshape({4, 3}));
  EXPECT_EQ(state_.permutation(a, 2).shape(), a.shape());
  expect_array_equal(sort(state_.permutation(arange(9))), arange(9));
  expect_array_equal(sort(state_.permuted(arange(12).reshape({3, 4})).ravel()), arange(12));
}

TEST_P(PermutationTest, ChoosesWithReplacement) {
  const ndarray chosen = state_.choice(array({10.0, 20.0, 30.0}), {3000});
  EXPECT_EQ(chosen.dtype(), float64);
  EXPECT_NEAR(chosen.mean().item<double>(), 20, 5 * 8.2 / std::sqrt(3000.0));
  const ndarray p = array({0.1, 0.0, 0.7, 0.2});
  const auto values = state_.choice(4, {10000}, {.p = p}).to_vector<std::size_t>();
  std::vector<double> counts(4);
  for (const std::size_t v : values) ++counts[v];
  EXPECT_EQ(counts[1], 0);
  EXPECT_NEAR(counts[0], 1000, 150);
  EXPECT_NEAR(counts[2], 7000, 230);
  const ndarray matrix = arange(12).reshape({3, 4});
  EXPECT_EQ(state_.choice(matrix, {2, 2}, {.axis = 1}).shape(), Shape({3, 2, 2}));
  EXPECT_EQ(state_.choice(5).shape(), Shape());
  EXPECT_EQ(state_.choice(0, {0}).size(), 0);
}

// Drawing two of three one after the other: the chance of a pair is p_i p_j / (1 - p_i).
TEST_P(PermutationTest, ChoosesWithoutReplacement) {
  const double p[] = {0.2, 0.3, 0.5};
  std::map<int, int> counts;
  constexpr int kTrials = 4000;
  for (int i = 0; i < kTrials; ++i) {
    const auto pair =
        state_.choice(3, {2}, {.replace = false, .p = array({p[0], p[1], p[2]})}).to_vector<int>();
    ++counts[pair[0] * 3 + pair[1]];
  }
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const double chance = i == j ? 0 : p[i] * p[j] / (1 - p[i]);
      EXPECT_NEAR(counts[i * 3 + j], kTrials * chance, 5 * std::sqrt(kTrials * chance)) << i << j;
    }
  }
  const ndarray all = state_.choice(100, {10, 10}, {.replace = false});
  expect_array_equal(sort(all.ravel()), arange(100));
  const auto possible =
      state_.choice(4, {2}, {.replace = false, .p = array({0.5, 0.0, 0.0, 0.5})}).to_vector<int>();
  EXPECT_EQ(possible[0] + possible[1], 3);
}

TEST_P(PermutationTest, RefusesWhatItCannotChoose) {
  const ndarray p = array({0.5, 0.5, 0.0});
  expect_error<ValueError>([&] { state_.permutation(-1); },
                           "permutation: the length is negative; -1");
  expect_error<IndexError>([&] { state_.permutation(zeros({})); },
                           "permutation: the array must be at least 1-dimensional; ()");
  expect_error<TypeError>([&] { state_.shuffle(zeros({})); }, "shuffle: the array has no axis; ()");
  expect_error<AxisError>([&] { state_.shuffle(zeros({2}), 1); }, "shuffle: axis 1 is out of");
  expect_error<ValueError>([&] { state_.choice(0, {1}); }, "choice: a must be greater than 0");
  expect_error<ValueError>([&] { state_.choice(3, {4}, {.replace = false}); },
                           "choice: cannot take a larger sample than population without "
                           "replacement; 4 and 3");
  expect_error<ValueError>([&] { state_.choice(4, {1}, {.p = p}); },
                           "choice: a and p must have the same size; 4 and 3");
  expect_error<ValueError>([&] { state_.choice(3, {3}, {.replace = false, .p = p}); },
                           "choice: fewer non-zero entries in p than size; 2 and 3");
  expect_error<ValueError>(
      [&] {
        state_.choice(2, {1}, {.p = array({0.5, 0.6})});
      },
      "choice: probabilities do not sum to 1; 1.1");
  expect_error<ValueError>(
      [&] {
        state_.choice(2, {1}, {.p = array({1.5, -0.5})});
      },
      "choice: probabilities are not non-negative; -0.5");
  expect_error<ValueError>(
      [&] {
        state_.choice(2, {1}, {.p = ones({1, 2})});
      },
      "choice: p must be 1-dimensional; (1, 2)");
  expect_error<ValueError>([&] { state_.choice(ones({}), {1}); },
                           "choice: a must be an integer or an array with an axis; ()");
}

TEST_P(PermutationTest, TakesLists) {
  const auto chosen = state_.choice({1, 2, 3}, {200}, {.p = {0.5, 0.0, 0.5}}).to_vector<int>();
  EXPECT_EQ(std::count(chosen.begin(), chosen.end(), 2), 0);
  expect_array_equal(sort(state_.choice(3, 3, {.replace = false, .p = {0.5, 0.25, 0.25}})),
                     arange(3));
  expect_error<ValueError>(
      [&] {
        state_.choice(3, 3, {.p = {0.5, 0.25}});
      },
      "choice: a and p must have the same size; 3 and 2");
  std::vector<std::string> names{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"};
  const auto before = names;
  state_.shuffle(names);
  EXPECT_NE(names, before);
  EXPECT_TRUE(std::is_permutation(names.begin(), names.end(), before.begin(), before.end()));
  const ndarray rows = arange(12).reshape({3, 4});
  expect_array_equal(sort(state_.permuted(rows, {.axis = 1}), 1), rows);
}

}  // namespace
}  // namespace cupyxx::random
