// SPDX-License-Identifier: MIT
// The first numbers of a stream against those of another implementation, on every device.
#include "cupyxx/random/testdata/reference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "cupyxx/creation.h"
#include "cupyxx/random/random_state.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx::random {
namespace {

using namespace testdata;

class ReferenceTest : public testing::DeviceTest {
 protected:
  RandomState state_{State{kSeed, kOffset}};
};
CUPYXX_TEST_ON_DEVICES(ReferenceTest);

template <class T, std::size_t kSize>
std::vector<T> vector_of(const T (&values)[kSize]) {
  return {std::begin(values), std::end(values)};
}

TEST_P(ReferenceTest, Words) {
  const auto words = state_.random_integers(0, 0xffffffffu, {32}, {.dtype = uint32});
  EXPECT_EQ(words.to_vector<unsigned>(), vector_of(kWords));
  EXPECT_EQ(state_.offset(), kOffset + 8);
}

TEST_P(ReferenceTest, Uniforms) {
  EXPECT_EQ(state_.random_sample({32}, {.dtype = float32}).to_vector<float>(),
            vector_of(kUniform32));
  state_.set_state(kSeed, kOffset);
  EXPECT_EQ(state_.random_sample({16}).to_vector<double>(), vector_of(kUniform64));
}

TEST_P(ReferenceTest, Normals) {
  const auto floats = state_.standard_normal({32}, {.dtype = float32}).to_vector<double>();
  for (std::size_t i = 0; i < 32; i += 2) {
    const double bound = 8 * 0x1p-23 * std::hypot(kNormal32[i], kNormal32[i + 1]);
    EXPECT_NEAR(floats[i], kNormal32[i], bound);
    EXPECT_NEAR(floats[i + 1], kNormal32[i + 1], bound);
  }
  state_.set_state(kSeed, kOffset);
  const auto doubles = state_.standard_normal({16}).to_vector<double>();
  for (std::size_t i = 0; i < 16; ++i) {
    EXPECT_NEAR(doubles[i], kNormal64[i], 4 * 0x1p-52 * std::max(1.0, std::abs(kNormal64[i])));
  }
}

TEST_P(ReferenceTest, IntegersWithAndWithoutRefusedWords) {
  EXPECT_EQ(state_.random_integers(1, 6, {32}).to_vector<long>(), vector_of(kDice));
  state_.set_state(kSeed, kOffset);
  EXPECT_EQ(state_.randint(-5, 3 * (1l << 30) - 5, {32}).to_vector<long>(),
            vector_of(kManyRefused));
  state_.set_state(kSeed, kOffset);
  EXPECT_EQ(state_.random_integers(7, (1ul << 63) + 7, {16}, {.dtype = uint64})
                .to_vector<unsigned long>(),
            vector_of(kHalfRefused));
}

// Every length and every split of the sequence gives the same numbers.
TEST_P(ReferenceTest, NumbersDoNotDependOnTheSizeOfTheArray) {
  const auto all = state_.standard_normal({100003}, {.dtype = float32}).to_vector<float>();
  EXPECT_EQ(state_.offset(), kOffset + 25001);
  for (const std::int64_t n : {0, 1, 3, 4, 63, 64, 65, 1000}) {
    state_.set_state(kSeed, kOffset);
    const auto some = state_.standard_normal({n}, {.dtype = float32}).to_vector<float>();
    EXPECT_TRUE(std::equal(some.begin(), some.end(), all.begin())) << n;
    EXPECT_EQ(state_.offset(), kOffset + static_cast<std::uint64_t>(n + 3) / 4);
  }
  state_.set_state(kSeed, kOffset);
  state_.standard_normal({1001}, {.dtype = float32});
  const auto rest = state_.standard_normal({1000}, {.dtype = float32}).to_vector<float>();
  EXPECT_TRUE(std::equal(rest.begin(), rest.end(), all.begin() + 1004));
}

}  // namespace
}  // namespace cupyxx::random
