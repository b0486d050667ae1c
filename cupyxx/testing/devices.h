// SPDX-License-Identifier: MIT
// Which devices a test runs on: CUPYXX_TEST_DEVICES, "cpu" unless it says "cuda" or "cpu,cuda".
// A device that is named but absent fails the test; nothing is skipped quietly.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cupyxx/creation.h"
#include "cupyxx/device.h"

namespace cupyxx::testing {

/// The devices named by the environment.
std::vector<Device> devices();

/// Prints "cpu" or "cuda0" for parameter names.
std::string device_name(const ::testing::TestParamInfo<Device>& info);

/// Runs each test with the parameter as current device.
class DeviceTest : public ::testing::TestWithParam<Device> {
 protected:
  DeviceTest() : scope_(GetParam()) {}
  Device device() const { return GetParam(); }

 private:
  DeviceScope scope_;
};

}  // namespace cupyxx::testing

/// Instantiates a DeviceTest suite for the devices of the environment.
#define CUPYXX_TEST_ON_DEVICES(Suite)                                                  \
  INSTANTIATE_TEST_SUITE_P(, Suite, ::testing::ValuesIn(::cupyxx::testing::devices()), \
                           ::cupyxx::testing::device_name)
