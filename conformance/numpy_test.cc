// SPDX-License-Identifier: MIT
// All reference cases of NumPy as tests, in parts that GoogleTest's shards run side by side: on a
// device most of the time goes into compiling kernels.
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <tuple>

#include "conformance/array/runner.h"
#include "cupyxx/testing/devices.h"

namespace conformance {
namespace {

constexpr int kParts = 16;
constexpr int kCases = 24783;

class NumpyTest : public ::testing::TestWithParam<std::tuple<cupyxx::Device, int>> {};

TEST_P(NumpyTest, PassesEveryCase) {
  const auto [device, part] = GetParam();
  const RunOptions options{
      .folder = "conformance/cases/numpy", .device = device, .shard = part, .shards = kParts};
  std::ostringstream defects;
  const Count count = run_folder(options, defects);
  EXPECT_EQ(count.failed, 0) << defects.str();
  EXPECT_EQ(count.passed + count.failed + count.skipped, kCases);
  EXPECT_NEAR(count.passed, 1.0 * kCases / kParts, 8);
}

std::string part_name(const ::testing::TestParamInfo<NumpyTest::ParamType>& info) {
  const auto [device, part] = info.param;
  return cupyxx::testing::device_name({device, 0}) + "_part" + std::to_string(part);
}

INSTANTIATE_TEST_SUITE_P(, NumpyTest,
                         ::testing::Combine(::testing::ValuesIn(cupyxx::testing::devices()),
                                            ::testing::Range(0, kParts)),
                         part_name);

}  // namespace
}  // namespace conformance
