// SPDX-License-Identifier: MIT
#include "cupyxx/extension/capture.h"

#include <gtest/gtest.h>

#include <vector>

#include "cupyxx/creation.h"
#include "cupyxx/cuda/graph.h"
#include "cupyxx/cuda/stream.h"
#include "cupyxx/error.h"
#include "cupyxx/extension/storage.h"
#include "cupyxx/internal/gpu/runtime.h"
#include "cupyxx/math.h"
#include "cupyxx/testing/devices.h"

namespace cupyxx::extension {
namespace {

using cuda::Graph;
using cuda::Stream;
using cuda::StreamScope;

class ForkedCapture : public testing::DeviceTest {
 protected:
  /// Records b = a on another stream: by CUDA, as a library would.
  void copy_beside(const ndarray& a, const ndarray& b) {
    const int device = current_device().index;
    const Capture capture = Capture::on(device);
    capture.fork(side_);
    for (const ndarray& used : {a, b}) note_use(used, side_.ptr());
    internal::gpu::copy(b.elements(), a.elements(), static_cast<std::size_t>(a.nbytes()),
                        internal::gpu::CopyKind::device_to_device, device, side_.ptr());
  }
  void join() { Capture::on(current_device().index).join(side_); }

  const Stream side_{{.non_blocking = true}};
};
CUPYXX_TEST_ON_DEVICES(ForkedCapture);

TEST_P(ForkedCapture, IsInOrderWithTheCapturesStream) {
  constexpr std::int64_t kSize = 1 << 22;  // so that an order that is missing shows
  const ndarray a = zeros({kSize}, float32), b = zeros_like(a), c = zeros_like(a);
  add(a, 1, {.out = a});  // what is captured has been loaded
  multiply(a, 2, {.out = c});
  a.fill(0);
  const Graph graph = Graph::capture([&] {
    add(a, 1, {.out = a});
    copy_beside(a, b);
    multiply(a, 2, {.out = c});
    join();
    add(a, 1, {.out = a});  // the copy has read it
    add(b, c, {.out = c});
  });
  for (int run = 1; run <= 3; ++run) {
    graph.launch();
    EXPECT_EQ(static_cast<float>(b.min()), static_cast<float>(2 * run - 1));
    EXPECT_EQ(static_cast<float>(b.max()), static_cast<float>(2 * run - 1));
    EXPECT_EQ(static_cast<float>(c.min()), static_cast<float>(3 * (2 * run - 1)));
    EXPECT_EQ(static_cast<float>(c.max()), static_cast<float>(3 * (2 * run - 1)));
    EXPECT_EQ(static_cast<float>(a.max()), static_cast<float>(2 * run));
  }
}

TEST_P(ForkedCapture, TheEndJoinsAndTheGraphKeepsArrays) {
  const ndarray b = zeros({1000}, float32);
  Graph graph;
  {
    const ndarray a = full({1000}, 7, float32);
    graph = Graph::capture([&] { copy_beside(a, b); });
  }
  const ndarray other = full({1000}, 8, float32);  // not in the place of a
  graph.launch();
  EXPECT_EQ(b.to_vector<float>(), std::vector<float>(1000, 7));
  side_.synchronize();  // takes no part any more
}

TEST_P(ForkedCapture, KernelsStayOnTheCapturesStream) {
  const ndarray a = zeros({1000}, float32);
  add(a, 1, {.out = a});
  EXPECT_THROW(Graph::capture([&] {
                 Capture::current().fork(side_);
                 const StreamScope on_side(side_);
                 add(a, 1, {.out = a});
               }),
               Error);
  // Both streams are as before.
  const StreamScope on_side(side_);
  add(a, 1, {.out = a});
  EXPECT_EQ(a.to_vector<float>(), std::vector<float>(1000, 2));
}

}  // namespace
}  // namespace cupyxx::extension
