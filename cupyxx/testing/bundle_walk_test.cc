// SPDX-License-Identifier: MIT
// The kernel bundle has what the public routines launch for everyday types in every layout: none of
// them would load a compiler. Runs without a device.
#include <gtest/gtest.h>

#include "cupyxx/creation.h"
#include "cupyxx/math.h"
#include "cupyxx/testing/kernel_walk.h"

namespace cupyxx {
namespace {

// Nothing is computed, so some calls find that their data is wrong, and stop; on a device
// bundle_test makes the same calls to their end.
TEST(Bundle, HasWhatEveryRoutineLaunches) {
  const DeviceScope scope(Device::cuda(0));
  testing::KernelWatch watch;
  testing::walk_everything(watch);
  EXPECT_EQ(watch.missed(), "");
  EXPECT_GT(watch.calls(), 10000);
}

// A mixture of types shares a kernel with others until compiling its own pays.
TEST(Bundle, GivesWayToTheCallsOwnKernel) {
  const DeviceScope scope(Device::cuda(0));
  constexpr std::int64_t kSize = 1 << 22;
  constexpr int kCalls = 1 << 11;  // 2^33 elements
  const ndarray x = zeros({kSize}, int32), y = zeros({kSize}, float32);
  const ndarray out = zeros({kSize}, float64);
  testing::KernelWatch watch;
  watch("few", [&] {
    for (int i = 0; i < kCalls - 1; ++i) add(x, y, {.out = out});
  });
  EXPECT_EQ(watch.missed(), "");
  watch("many", [&] { add(x, y, {.out = out}); });
  EXPECT_EQ(watch.missed(), "many: add_float64_int32_float32\n");
  watch("more", [&] { add(x, y, {.out = out}); });
  EXPECT_EQ(watch.missed(), "many: add_float64_int32_float32\n");
}

// The watch sees what is not there.
TEST(Bundle, LacksWhatIsRare) {
  const DeviceScope scope(Device::cuda(0));
  testing::KernelWatch watch;
  watch("add of int8", [] {
    const ndarray a = zeros({3}, int8);
    (void)(a + a);
  });
  EXPECT_EQ(watch.missed(), "add of int8: add_int8_int8_int8\n");
}

}  // namespace
}  // namespace cupyxx
