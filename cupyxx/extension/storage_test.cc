// SPDX-License-Identifier: MIT
#include "cupyxx/extension/storage.h"

#include <gtest/gtest.h>

#include <vector>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/extension/capture.h"
#include "cupyxx/extension/cuda_call.h"
#include "cupyxx/extension/random_place.h"
#include "cupyxx/random.h"
#include "cupyxx/testing/devices.h"

namespace cupyxx::extension {
namespace {

class ExtensionStorage : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(ExtensionStorage);

TEST_P(ExtensionStorage, ExtentsAreThoseOfTheShape) {
  const ndarray a = zeros({2, 3});
  const auto dims = extents(a);
  EXPECT_EQ(std::vector<std::int64_t>(dims.begin(), dims.end()), (std::vector<std::int64_t>{2, 3}));
  EXPECT_TRUE(extents(zeros({})).empty());
  EXPECT_THROW((void)extents(ndarray()), TypeError);
}

TEST_P(ExtensionStorage, IsUnsharedWithoutHandlesAndViews) {
  const ndarray a = zeros({4});
  EXPECT_TRUE(is_unshared(a));
  {
    const ndarray handle = a;
    EXPECT_FALSE(is_unshared(a));
  }
  EXPECT_TRUE(is_unshared(a));
  {
    const ndarray view = a.reshape({2, 2});
    EXPECT_FALSE(is_unshared(a));
    EXPECT_FALSE(is_unshared(view));
  }
  ndarray fixed = zeros({4});
  fixed.set_writeable(false);
  EXPECT_FALSE(is_unshared(fixed));
}

TEST_P(ExtensionStorage, AWriteChangesTheVersionAndLeavesEarlierSelections) {
  const ndarray a = arange(4, float32);
  const ndarray earlier = a(std::vector<int>{3, 1});  // may be taken as late as now
  const auto before = a.version();
  note_write(a);
  EXPECT_GT(a.version(), before);
  a.fill(9);
  EXPECT_EQ(earlier.to_vector<float>(), (std::vector<float>{3, 1}));
}

struct Counted : Attachment {
  explicit Counted(int& the_count) : count(the_count) { ++count; }
  ~Counted() override { --count; }
  int& count;
};

TEST_P(ExtensionStorage, WhatIsAttachedGoesWithTheMemory) {
  int count = 0;
  for (int i = 0; i < 2; ++i) {  // the second time memory that was used before
    ndarray a = zeros({4});
    EXPECT_EQ(attachment(a), nullptr);
    Attachment* const first = attach(a, std::make_unique<Counted>(count));
    EXPECT_EQ(attach(a, std::make_unique<Counted>(count)), first);
    EXPECT_EQ(count, 1);
    ndarray view = a(slice(1, 3));
    EXPECT_EQ(attachment(view), first);
    a = ndarray();
    EXPECT_EQ(count, 1);
    view = ndarray();
    EXPECT_EQ(count, 0);
  }
  EXPECT_THROW((void)attachment(ndarray()), TypeError);
}

TEST_P(ExtensionStorage, KnowsWhoseElementsOthersMayWrite) {
  const ndarray a = zeros({4});
  EXPECT_FALSE(is_exposed(a));
  (void)a.data();
  EXPECT_TRUE(is_exposed(a));
}

TEST_P(ExtensionStorage, WorkspacesComeAndGo) {
  EXPECT_EQ(Workspace().data(), nullptr);
  EXPECT_EQ(Workspace(0, 0).data(), nullptr);
  if (!current_device().is_cuda()) return;
  const int device = current_device().index;
  const Workspace some(device, 1000);
  EXPECT_NE(some.data(), nullptr);
  const ndarray a = zeros({10});
  note_use(a, current_stream(device));
  EXPECT_GT(multiprocessors(device), 0);
  EXPECT_GT(total_memory(device), std::size_t{1} << 30);
}

TEST_P(ExtensionStorage, RandomPlacesFollowEachOther) {
  const Device device = current_device();
  random::RandomState& state = default_random_state(device);
  state.seed(5);
  const random::PhiloxState first = reserve_random(device, 3);
  const random::PhiloxState second = reserve_random(device, 1);
  EXPECT_EQ(first.seed, second.seed);
  EXPECT_EQ(second.offset, first.offset + 3);
}

TEST_P(ExtensionStorage, NobodyCapturesHere) {
  EXPECT_FALSE(Capture::current());
  if (current_device().is_cuda()) {
    EXPECT_FALSE(Capture::on(current_device().index));
  }
  EXPECT_NO_THROW(refuse_in_capture("a test"));
}

}  // namespace
}  // namespace cupyxx::extension
