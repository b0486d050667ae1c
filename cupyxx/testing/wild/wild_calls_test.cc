// SPDX-License-Identifier: MIT
// A short walk of wild calls: each form of every public routine a few times.
#include <gtest/gtest.h>

#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/wild/driver.h"

namespace cupyxx::testing::wild {
namespace {

class WildCalls : public DeviceTest {};
CUPYXX_TEST_ON_DEVICES(WildCalls);

TEST_P(WildCalls, AreRefusedOrRight) {
  const Report report = run({.calls = 20'000, .device = device()});
  for (const auto& finding : report.findings) ADD_FAILURE() << finding;
  EXPECT_GT(report.returned, report.calls / 4);
  EXPECT_GE(report.routines, 800U);
}

}  // namespace
}  // namespace cupyxx::testing::wild
