// SPDX-License-Identifier: MIT
#include "cupyxx/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/internal/random/fill.h"
#include "cupyxx/ops/philox.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx::random {
namespace {

using testing::expect_elements;
using testing::expect_error;

class RandomTest : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(RandomTest);

constexpr std::uint64_t kSeed = 20150601;

std::vector<float> uniform_reference(std::int64_t n, std::uint64_t offset = 0) {
  std::vector<float> values;
  for (std::int64_t i = 0; i < n; ++i) {
    const Words words = philox_block({kSeed, offset}, static_cast<unsigned long>(i / 4));
    values.push_back(uniform_float(words.w[i % 4]));
  }
  return values;
}

// The reference draws block by block, from the header that philox_test holds to the published
// answers; the sizes end inside a block, inside a group of lanes and after the parallel threshold.
TEST_P(RandomTest, UniformIsElementwiseTheWordsOfTheStream) {
  for (const std::int64_t n : {1, 7, 64, 65, 1000, 100003}) {
    RandomState state(kSeed);
    const ndarray a = state.uniform({n}, {.dtype = float32});
    EXPECT_EQ(a.device(), device());
    EXPECT_EQ(a.to_vector<float>(), uniform_reference(n)) << n;
    EXPECT_EQ(state.offset(), static_cast<std::uint64_t>((n + 3) / 4));
  }
}

TEST_P(RandomTest, UniformDoubleUsesTwoWords) {
  RandomState state(kSeed);
  const auto values = state.uniform({5}, {.low = -1, .high = 3}).to_vector<double>();
  for (int i = 0; i < 5; ++i) {
    const Words words = philox_block({kSeed, 0}, static_cast<unsigned long>(i / 2));
    const int w = i % 2 * 2;
    EXPECT_EQ(values[static_cast<std::size_t>(i)],
              -1 + 4 * uniform_double(words.w[w], words.w[w + 1]));
  }
}

TEST_P(RandomTest, ContinuesWhereItStopped) {
  RandomState state(kSeed);
  state.uniform({5}, {.dtype = float32});
  EXPECT_EQ(state.uniform({9}, {.dtype = float32}).to_vector<float>(), uniform_reference(9, 2));
  RandomState copy = state;
  testing::expect_array_equal(copy.normal({3}), state.normal({3}));
}

TEST_P(RandomTest, NormalIsBoxMullerOfTheWords) {
  RandomState state(kSeed);
  const auto values =
      state.normal({1001}, {.loc = 2, .scale = 0.5, .dtype = float32}).to_vector<float>();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Words words = philox_block({kSeed, 0}, i / 4);
    float z[4];
    normal_floats(words, z);
    const float expected = 2 + 0.5f * z[i % 4];
    EXPECT_NEAR(values[i], expected, 4 * 0x1p-23 * std::max(1.0f, std::abs(expected)));
  }
}

TEST_P(RandomTest, NormalHasItsMoments) {
  RandomState state(kSeed);
  for (const dtype type : {float32, float64}) {
    const auto values = state.normal({400000}, {.dtype = type}).to_vector<double>();
    double sum = 0, squares = 0, fourth = 0;
    for (const double v : values) {
      sum += v;
      squares += v * v;
      fourth += v * v * v * v;
    }
    const auto n = static_cast<double>(values.size());
    EXPECT_NEAR(sum / n, 0, 5 / std::sqrt(n));
    EXPECT_NEAR(squares / n, 1, 5 * std::sqrt(2 / n));
    EXPECT_NEAR(fourth / n, 3, 5 * std::sqrt(96 / n));
  }
}

TEST_P(RandomTest, RandintCoversItsRange) {
  RandomState state(kSeed);
  const ndarray a = state.randint(-3, 4, {7000});
  EXPECT_EQ(a.dtype(), int64);
  std::vector<int> counts(7);
  for (const std::int64_t v : a.to_vector<std::int64_t>()) {
    ASSERT_TRUE(-3 <= v && v < 4) << v;
    ++counts[static_cast<std::size_t>(v + 3)];
  }
  for (const int count : counts) EXPECT_NEAR(count, 1000, 150);
  const Words words = philox_block({kSeed, 0}, 0);
  EXPECT_EQ(a(0).item<std::int64_t>(),
            -3 + static_cast<std::int64_t>(uniform_below(7, words.w[0], words.w[1])));
}

TEST_P(RandomTest, RandintTakesTheWholeRangeOfInt64) {
  RandomState state(kSeed);
  const auto values = state.randint(INT64_MIN, INT64_MAX, {1000}).to_vector<std::int64_t>();
  EXPECT_LT(*std::min_element(values.begin(), values.end()), INT64_MIN / 2);
  EXPECT_GT(*std::max_element(values.begin(), values.end()), INT64_MAX / 2);
}

TEST_P(RandomTest, PermutationHoldsEveryNumberOnce) {
  RandomState state(kSeed);
  for (const std::int64_t n : {0, 1, 2, 1000}) {
    auto values = state.permutation(n).to_vector<std::int64_t>();
    ASSERT_EQ(values.size(), static_cast<std::size_t>(n));
    if (n == 1000) {
      EXPECT_FALSE(std::is_sorted(values.begin(), values.end()));
    }
    std::sort(values.begin(), values.end());
    for (std::int64_t i = 0; i < n; ++i) EXPECT_EQ(values[static_cast<std::size_t>(i)], i);
  }
}

TEST_P(RandomTest, DefaultStreamIsSeededAndRestored) {
  seed(7);
  const ndarray first = normal({10});
  testing::expect_array_equal(first, RandomState(7).normal({10}));
  const RandomState here = get_state();
  const ndarray second = uniform({10});
  set_state(here);
  testing::expect_array_equal(uniform({10}), second);
  seed(7);
  testing::expect_array_equal(standard_normal({10}), first);
  EXPECT_EQ(rand({2, 3}).shape(), Shape({2, 3}));
  EXPECT_EQ(randn({4}).dtype(), float64);
  EXPECT_EQ(random_sample().shape(), Shape());
}

TEST_P(RandomTest, RefusesWhatItCannotDraw) {
  expect_error<DtypeError>([] { normal({2}, {.dtype = int32}); },
                           "normal: the dtype is neither float32 nor float64; int32");
  expect_error<ValueError>([] { randint(3, 3); }, "randint: low is not below high; 3 and 3");
  expect_error<ValueError>([] { permutation(-1); }, "permutation: the length is negative; -1");
  expect_error<ValueError>([] { normal({2}, {.scale = -1}); },
                           "normal: the scale is negative; -1.0");
}

TEST(RandomKernels, CompileWithoutADevice) {
  using internal::Distribution;
  if (!internal::jit::nvrtc_available()) return;
  for (const auto distribution :
       {Distribution::uniform, Distribution::normal, Distribution::integers}) {
    for (const dtype type : {float32, float64}) {
      const auto program = internal::gpu::random_program(distribution, type);
      EXPECT_FALSE(internal::jit::compile(program, "sm_90").empty()) << program.name;
    }
  }
}

}  // namespace
}  // namespace cupyxx::random
