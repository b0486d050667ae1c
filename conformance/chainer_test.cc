// SPDX-License-Identifier: MIT
// All reference cases of Chainer as tests, in parts that GoogleTest's shards run side by side.
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <tuple>

#include "conformance/network/chainer_runner.h"
#include "cupyxx/testing/devices.h"

namespace conformance {
namespace {

constexpr int kParts = 8;
constexpr int kCases = 248 + 19;

class ChainerTest : public ::testing::TestWithParam<std::tuple<cupyxx::Device, int>> {};

TEST_P(ChainerTest, PassesEveryCase) {
  const auto [device, part] = GetParam();
  const RunOptions options{
      .folder = "conformance/cases/chainer", .device = device, .shard = part, .shards = kParts};
  std::ostringstream defects;
  const Count count = run_chainer(options, defects);
  EXPECT_EQ(count.failed, 0) << defects.str();
  EXPECT_EQ(count.passed + count.failed + count.skipped, kCases);
  EXPECT_NEAR(count.passed, 1.0 * kCases / kParts, 8);
}

std::string part_name(const ::testing::TestParamInfo<ChainerTest::ParamType>& info) {
  const auto [device, part] = info.param;
  return cupyxx::testing::device_name({device, 0}) + "_part" + std::to_string(part);
}

INSTANTIATE_TEST_SUITE_P(, ChainerTest,
                         ::testing::Combine(::testing::ValuesIn(cupyxx::testing::devices()),
                                            ::testing::Range(0, kParts)),
                         part_name);

}  // namespace
}  // namespace conformance
