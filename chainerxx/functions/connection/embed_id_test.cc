// SPDX-License-Identifier: MIT
// Embeddings of few and of many ids, beside sums in double.
#include "chainerxx/functions/connection/embed_id.h"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <vector>

#include "chainerxx/scope.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/random.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx::functions {
namespace {

using cupyxx::testing::expect_allclose;
using cupyxx::testing::expect_array_equal;
using cupyxx::testing::expect_error;

class EmbedIDTest : public cupyxx::testing::DeviceTest {
 protected:
  EmbedIDTest() : random_(4) {}

  /// One id in three is the same.
  static std::vector<std::int64_t> ids_of(std::int64_t count, std::int64_t words) {
    std::vector<std::int64_t> ids;
    for (std::int64_t i = 0; i < count; ++i) ids.push_back(i % 3 == 1 ? 2 : i * 7919 % words);
    return ids;
  }

  cupyxx::random::RandomState random_;
};
CUPYXX_TEST_ON_DEVICES(EmbedIDTest);

TEST_P(EmbedIDTest, GradientsAreAddedInOneOrder) {
  for (const auto& [count, words, units] : {std::tuple(100, 30, 5), std::tuple(5000, 300, 24),
                                            std::tuple(4099, 3000, 7), std::tuple(3000, 4, 300)}) {
    for (const Precision precision : {Precision::float32, Precision::bfloat16}) {
      const auto ids = ids_of(count, words);
      EmbedID layer(words, units, {.ignore_label = 1});
      const Variable x(cupyxx::array(ids).reshape({count}), false);
      const PrecisionScope scope(precision);
      const auto run = [&] {
        layer.gW.fill(0.5);
        const Variable y = layer(x);
        const bool is_narrow = precision == Precision::bfloat16;
        EXPECT_EQ(y.dtype(), is_narrow ? cupyxx::bfloat16_ : cupyxx::float32);
        random_ = cupyxx::random::RandomState(8);
        y.set_grad(random_.uniform(y.shape(), {.low = -1, .high = 1}).astype(y.dtype()));
        y.backward();
        return y;
      };
      const Variable y = run();
      const ndarray first = layer.gW.copy();
      run();
      expect_array_equal(layer.gW, first);
      const auto gy = y.grad().to_vector<double>(), rows = y.data().to_vector<double>();
      const auto W = layer.W.to_vector<double>();
      std::vector<double> sums(static_cast<std::size_t>(words * units), 0.5);
      for (std::size_t i = 0; i < ids.size(); ++i) {
        for (std::int64_t u = 0; u < units; ++u) {
          const auto at = static_cast<std::size_t>(ids[i] * units + u);
          const auto k = i * static_cast<std::size_t>(units) + static_cast<std::size_t>(u);
          if (ids[i] == 1) {
            ASSERT_EQ(rows[k], 0);
          } else {
            ASSERT_NEAR(rows[k], W[at], 0x1p-8 * std::abs(W[at]));
            sums[at] += gy[k];
          }
        }
      }
      expect_allclose(layer.gW.astype(cupyxx::float64), cupyxx::array(sums).reshape({words, units}),
                      1e-5, 1e-4);
    }
  }
}

TEST_P(EmbedIDTest, ParametersOfSixteenBitsAreRoundedOnce) {
  EmbedID layer(3, 8, {.dtype = cupyxx::float16});
  const Variable x(cupyxx::zeros({3000}, cupyxx::int32), false);
  const Variable y = layer(x);
  y.set_grad(cupyxx::full(y.shape(), 0.125, cupyxx::float16));
  layer.gW.fill(1);
  y.backward();
  EXPECT_EQ(layer.gW.dtype(), cupyxx::float16);
  const auto found = layer.gW.astype(cupyxx::float32).to_vector<float>();
  for (std::size_t i = 0; i < found.size(); ++i) {
    // Steps of 1/8 end in float16 where they are less than half of a last digit.
    EXPECT_EQ(found[i], i < 8 ? 376 : 1);
  }
}

TEST_P(EmbedIDTest, IdsOutsideAreErrors) {
  EmbedID layer(5, 4);
  for (const std::int64_t count : {10, 5000}) {
    const ndarray ids = cupyxx::zeros({count}, cupyxx::int64);
    ids(count - 1) = 5;
    expect_error<cupyxx::IndexError>([&] { layer(Variable(ids, false)).data().to_vector<float>(); },
                                     "5");
  }
}

// They were the last rows, and padding by -1 trained the last word.
TEST_P(EmbedIDTest, NegativeIdsAreErrors) {
  const auto refuses = [this](EmbedID& embed, std::int64_t id,
                              std::optional<std::int64_t> ignored = {}) {
    const ndarray ids = cupyxx::array({0, id});
    const auto text = cupyxx::message("EmbedID: index ", id, " is out of bounds for ",
                                      device().is_cpu() ? "axis 0 with size 5" : "size 5");
    expect_error<cupyxx::IndexError>([&] { embed(ids).data().to_vector<float>(); }, text);
    expect_error<cupyxx::IndexError>(
        [&] { embed_id(ids, embed.W, ignored).data().to_vector<float>(); }, text);
  };
  EmbedID layer(5, 4);
  refuses(layer, -1);
  refuses(layer, 7);
  EmbedID ignoring(5, 4, {.ignore_label = -1});
  EXPECT_NO_THROW(ignoring(cupyxx::array({0, -1})).data().to_vector<float>());
  refuses(ignoring, -2, -1);
  EXPECT_NO_THROW(layer(cupyxx::zeros({0}, cupyxx::int32)));
}

}  // namespace
}  // namespace chainerxx::functions
