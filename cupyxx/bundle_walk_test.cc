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
