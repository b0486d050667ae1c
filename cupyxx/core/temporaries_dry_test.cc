// SPDX-License-Identifier: MIT
// Whose memory operators take on devices that do nothing: that of temporaries of the same stream,
// outside of captures.
#include <gtest/gtest.h>

#include <utility>

#include "cupyxx/creation.h"
#include "cupyxx/cuda/graph.h"
#include "cupyxx/cuda/stream.h"
#include "cupyxx/math.h"

// What is left of an array that was moved from is what is tested here.
// NOLINTBEGIN(bugprone-use-after-move,clang-analyzer-cplusplus.Move)
namespace cupyxx {
namespace {

class DryTemporaries : public ::testing::Test {
 private:
  const DeviceScope scope_{Device::cuda(0)};
};

bool takes(ndarray&& t) {
  const void* place = t.elements();
  const ndarray result = std::move(t) + 1;
  EXPECT_EQ(result.elements() == place, t.is_none());
  EXPECT_EQ(result.shape(), (Shape{300}));
  return t.is_none();
}

TEST_F(DryTemporaries, OfTheStreamAreTaken) {
  EXPECT_TRUE(takes(empty({300})));
  const cuda::Stream stream({.non_blocking = true});
  const cuda::StreamScope scope(stream);
  EXPECT_TRUE(takes(empty({300})));
}

TEST_F(DryTemporaries, OfAnotherStreamAreNot) {
  ndarray t = empty({300});
  const cuda::Stream stream({.non_blocking = true});
  {
    const cuda::StreamScope scope(stream);
    EXPECT_FALSE(takes(std::move(t)));
  }
  EXPECT_FALSE(takes(std::move(t)));  // the other stream may still read it
}

TEST_F(DryTemporaries, WithinACaptureAreNot) {
  const cuda::Stream stream({.non_blocking = true});
  const cuda::StreamScope scope(stream);
  ndarray t = empty({300}), made;
  const cuda::Graph graph = cuda::Graph::capture([&] {
    EXPECT_FALSE(takes(std::move(t)));
    made = t * 2;
    EXPECT_FALSE(takes(t * 3));
  });
  EXPECT_FALSE(takes(std::move(made)));  // each run of the graph writes to it
  EXPECT_FALSE(made.is_none());
}

TEST_F(DryTemporaries, OfWhateverIsCurrent) {
  ndarray t = empty({300});
  const DeviceScope host(Device::cpu());
  EXPECT_TRUE(takes(std::move(t)));
}

}  // namespace
}  // namespace cupyxx
// NOLINTEND(bugprone-use-after-move,clang-analyzer-cplusplus.Move)
