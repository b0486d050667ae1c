// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <sstream>
#include <string>

#include "cupyxx/creation.h"
#include "cupyxx/cuda/device.h"
#include "cupyxx/diagnostics.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/version.h"

namespace cupyxx {
namespace {

// Values by name.
std::map<std::string, std::string> config() {
  std::istringstream text(config_text());
  std::map<std::string, std::string> values;
  for (std::string line; std::getline(text, line);) {
    const std::size_t colon = line.find(": ");
    EXPECT_NE(colon, std::string::npos) << line;
    std::string name = line.substr(0, colon);
    while (!name.empty() && name.back() == ' ') name.pop_back();
    values[name] = line.substr(colon + 2);
  }
  return values;
}

class ShowConfig : public testing::DeviceTest {};

TEST_P(ShowConfig, NamesVersionsDevicesCachesAndPools) {
  const ndarray held = empty({1000});
  const auto values = config();
  EXPECT_EQ(values.at("cupyxx"), version);
  EXPECT_EQ(values.at("CUDA devices"), std::to_string(cuda::device_count()));
  for (const char* name : {"compiler", "CUDA runtime", "CUDA driver", "NVRTC", "cuBLASLt", "cuDNN",
                           "cuSOLVER", "OpenBLAS", "CPU loops", "CPU threads", "kernel bundle",
                           "kernel cache", "kernels from the cache", "kernels compiled"}) {
    EXPECT_TRUE(values.contains(name)) << name;
  }
  const std::string pool = device().is_cpu() ? "host pool" : "device 0 pool";
  EXPECT_NE(values.at(pool).find(" used, "), std::string::npos);
  EXPECT_NE(values.at(pool).find("limit none"), std::string::npos);
}

TEST_P(ShowConfig, ListsTheEnvironment) {
  setenv("CUPYXX_A_VARIABLE", "of=this test", 1);
  EXPECT_EQ(config().at("CUPYXX_A_VARIABLE"), "of=this test");
  unsetenv("CUPYXX_A_VARIABLE");
  EXPECT_FALSE(config().contains("CUPYXX_A_VARIABLE"));
}

TEST_P(ShowConfig, PrintsTheText) {
  std::ostringstream text;
  show_config(text);
  EXPECT_EQ(text.str().find("cupyxx                      : "), 0u);
  ::testing::internal::CaptureStdout();
  show_config();
  EXPECT_EQ(::testing::internal::GetCapturedStdout().substr(0, 30), text.str().substr(0, 30));
}

CUPYXX_TEST_ON_DEVICES(ShowConfig);

}  // namespace
}  // namespace cupyxx
