// SPDX-License-Identifier: MIT
// A short walk of wild calls: each form of every public function of variables a few times.
#include <gtest/gtest.h>

#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/wild/driver.h"

namespace chainerxx {
namespace {

namespace wild = cupyxx::testing::wild;

class WildCalls : public cupyxx::testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(WildCalls);

TEST_P(WildCalls, AreRefusedOrRight) {
  const wild::Report report = wild::run({.calls = 10'000, .device = device(), .gibibytes = 3});
  for (const auto& finding : report.findings) ADD_FAILURE() << finding;
  EXPECT_GT(report.returned, report.calls / 3);
  EXPECT_GE(report.routines, 260U);
}

}  // namespace
}  // namespace chainerxx
