// SPDX-License-Identifier: MIT
#include "chainerxx/internal/precision.h"

#include <gtest/gtest.h>

#include <vector>

#include "cupyxx/creation.h"
#include "cupyxx/indexing.h"
#include "cupyxx/testing/devices.h"

namespace chainerxx::internal {
namespace {

using cupyxx::arange;
using cupyxx::bfloat16_;
using cupyxx::float16;
using cupyxx::float32;

class KeptCopyTest : public cupyxx::testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(KeptCopyTest);

std::vector<float> values(const ndarray& a) { return a.astype(float32).to_vector<float>(); }

TEST_P(KeptCopyTest, IsTheSameUntilTheOriginalChanges) {
  ndarray W = arange(6, float32).reshape({2, 3});
  const ndarray first = kept_copy(W, bfloat16_);
  EXPECT_EQ(first.dtype(), bfloat16_);
  EXPECT_EQ(values(first), (std::vector<float>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(kept_copy(W, bfloat16_).elements(), first.elements());
  W *= 2;
  EXPECT_EQ(values(kept_copy(W, bfloat16_)), (std::vector<float>{0, 2, 4, 6, 8, 10}));
  EXPECT_EQ(values(first), (std::vector<float>{0, 1, 2, 3, 4, 5}));  // graphs may still have it
  W(1) = 7;
  EXPECT_EQ(values(kept_copy(W, bfloat16_)), (std::vector<float>{0, 2, 4, 7, 7, 7}));
  W.set(cupyxx::zeros({2, 3}, float32));
  EXPECT_EQ(values(kept_copy(W, bfloat16_)), std::vector<float>(6, 0));
}

TEST_P(KeptCopyTest, FormsAndViewsHaveCopiesOfTheirOwn) {
  const ndarray W = arange(4, float32).reshape({2, 2});
  EXPECT_EQ(values(kept_copy(W.T(), float16)), (std::vector<float>{0, 2, 1, 3}));
  EXPECT_EQ(values(kept_copy(W, float16)), (std::vector<float>{0, 1, 2, 3}));
  EXPECT_EQ(values(kept_copy(W, bfloat16_)), (std::vector<float>{0, 1, 2, 3}));
  EXPECT_EQ(values(kept_copy(W(1), bfloat16_)), (std::vector<float>{2, 3}));
}

TEST_P(KeptCopyTest, ChannelsLastIsAnOrderOfTheElements) {
  const ndarray W = arange(2 * 3 * 2 * 2, float32).reshape({2, 3, 2, 2});
  const ndarray copy = kept_copy(W, float16, true);
  EXPECT_EQ(copy.shape(), W.shape());
  EXPECT_EQ(copy.strides(), (cupyxx::Strides{24, 2, 12, 6}));
  EXPECT_EQ(values(copy), values(W));
}

TEST_P(KeptCopyTest, WhatMayBeWrittenUnseenIsCopiedEachTime) {
  const ndarray W = arange(4, float32);
  (void)W.data();
  const ndarray first = kept_copy(W, bfloat16_);
  EXPECT_NE(kept_copy(W, bfloat16_).elements(), first.elements());
  EXPECT_EQ(last_kept_copy(W), nullptr);
}

TEST_P(KeptCopyTest, AnUpdateMayWriteTheCopyAlong) {
  ndarray W = arange(4, float32);
  EXPECT_EQ(last_kept_copy(W), nullptr);
  const ndarray copy = kept_copy(W, bfloat16_);
  const auto kept = last_kept_copy(W);
  ASSERT_NE(kept, nullptr);
  W += 1;
  EXPECT_FALSE(kept->is_current(W));
  kept->array.set(W);
  kept->mark(W);
  EXPECT_TRUE(kept->is_current(W));
  EXPECT_EQ(kept_copy(W, bfloat16_).elements(), copy.elements());
  EXPECT_EQ(values(copy), (std::vector<float>{1, 2, 3, 4}));
}

}  // namespace
}  // namespace chainerxx::internal
