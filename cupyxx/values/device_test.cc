// SPDX-License-Identifier: MIT
#include "cupyxx/device.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "cupyxx/error.h"
#include "cupyxx/testing/expect_error.h"

namespace cupyxx {
namespace {

TEST(Device, ReadsItsNames) {
  EXPECT_EQ(Device::parse("cpu"), Device::cpu());
  EXPECT_EQ(Device::parse("cuda"), Device::cuda(0));
  EXPECT_EQ(Device::parse("cuda:12"), Device::cuda(12));
  EXPECT_EQ(Device::cuda(3).name(), "cuda:3");
  EXPECT_EQ(Device::cpu().name(), "cpu");
}

TEST(Device, RejectsOtherTexts) {
  for (const std::string text : {"", "gpu", "CPU", "cpu:0", "cuda:", "cuda:x", "cuda:-1", "cuda:-0",
                                 "cuda:1x", "cuda: 1", "cuda1", "cuda:99999999999"}) {
    testing::expect_error<ValueError>([&] { Device::parse(text); },
                                      "device: not 'cpu', 'cuda' or 'cuda:N'; '" + text + "'");
  }
}

TEST(Device, ComparesKindAndIndex) {
  EXPECT_EQ(Device(), Device::cpu());
  EXPECT_FALSE(Device::cuda(0) == Device::cuda(1));
  EXPECT_FALSE(Device::cuda(0) == Device::cpu());
}

TEST(Device, Prints) {
  std::ostringstream os;
  os << Device::cpu() << ' ' << Device::cuda(1);
  EXPECT_EQ(os.str(), "<CPU> <CUDA Device 1>");
}

}  // namespace
}  // namespace cupyxx
