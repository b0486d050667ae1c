// SPDX-License-Identifier: MIT
#include "cupyxx/testing/devices.h"

#include <cstdlib>
#include <sstream>

namespace cupyxx::testing {

std::vector<Device> devices() {
  const char* names = std::getenv("CUPYXX_TEST_DEVICES");
  std::vector<Device> found;
  std::istringstream list(names != nullptr ? names : "cpu");
  for (std::string name; std::getline(list, name, ',');) found.push_back(Device::parse(name));
  return found;
}

std::string device_name(const ::testing::TestParamInfo<Device>& info) {
  return info.param.is_cpu() ? "cpu" : "cuda" + std::to_string(info.param.index);
}

}  // namespace cupyxx::testing
