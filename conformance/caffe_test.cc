// SPDX-License-Identifier: MIT
// All reference networks of Caffe.
#include <gtest/gtest.h>

#include <sstream>

#include "conformance/network/caffe_runner.h"
#include "cupyxx/testing/devices.h"

namespace conformance {
namespace {

class CaffeTest : public ::testing::TestWithParam<cupyxx::Device> {};

TEST_P(CaffeTest, PassesEveryNetwork) {
  const RunOptions options{.folder = "conformance/cases/caffe", .device = GetParam()};
  std::ostringstream defects;
  const Count count = run_caffe(options, defects);
  EXPECT_EQ(count.failed, 0) << defects.str();
  EXPECT_EQ(count.passed, 53);
}

std::string device_name(const ::testing::TestParamInfo<cupyxx::Device>& info) {
  return cupyxx::testing::device_name({info.param, 0});
}

INSTANTIATE_TEST_SUITE_P(, CaffeTest, ::testing::ValuesIn(cupyxx::testing::devices()), device_name);

}  // namespace
}  // namespace conformance
