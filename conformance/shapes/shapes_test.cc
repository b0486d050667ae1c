// SPDX-License-Identifier: MIT
// A few turns; more by //conformance/shapes.
#include <gtest/gtest.h>

#include <sstream>

#include "conformance/shapes/beside.h"
#include "cupyxx/cupyxx.h"
#include "cupyxx/testing/devices.h"

namespace conformance {
namespace {

class ShapesTest : public cupyxx::testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(ShapesTest);

TEST_P(ShapesTest, AreComputedAsByTheHostInFloat64) {
  std::ostringstream lines;
  Beside beside(device(), 20261127, lines);
  EXPECT_EQ(compare_shapes(beside, device().is_cpu() ? 6 : 40), 0) << lines.str();
  EXPECT_GT(beside.compared(), 100);
}

TEST_P(ShapesTest, WhatDiffersIsNamed) {
  std::ostringstream lines;
  Beside beside(device(), 1, lines);
  const cupyxx::ndarray a = beside.normal({3, 4});
  beside.compare("equal", a.to(device()), a, 0);
  beside.compare("twice", a.to(device()) * 2, a, 0.5);
  beside.compare("row", a.to(device())(0), a, 0);
  EXPECT_EQ(beside.compared(), 3);
  EXPECT_EQ(beside.differing(), 2);
  EXPECT_EQ(lines.str(),
            "twice: differs by 1.0, more than 0.5\nrow: shape (4,) in place of (3, 4)\n");
}

}  // namespace
}  // namespace conformance
