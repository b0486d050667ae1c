// SPDX-License-Identifier: MIT
#include "cupyxx/cuda/device.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <thread>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/testing/expect_error.h"

namespace cupyxx::cuda {
namespace {

using cupyxx::testing::expect_error;

TEST(CudaDevice, DescribesItself) {
  const Device device(0);
  EXPECT_EQ(device.id(), 0);
  EXPECT_EQ(static_cast<int>(device), 0);
  EXPECT_EQ(cupyxx::Device(device), cupyxx::Device::cuda(0));
  EXPECT_GE(std::stoi(device.compute_capability()), 75);
  EXPECT_FALSE(device.product_name().empty());
  EXPECT_NO_THROW(device.synchronize());
  std::ostringstream text;
  text << device;
  EXPECT_EQ(text.str(), "<CUDA Device 0>");
  EXPECT_GE(runtime_version(), 12000);
  EXPECT_GE(driver_version(), runtime_version() / 1000 * 1000);
}

TEST(CudaDevice, HasAttributesByName) {
  const Device device(0);
  EXPECT_EQ(device.attribute("WarpSize"), 32);
  EXPECT_EQ(std::to_string(device.attribute("ComputeCapabilityMajor")) +
                std::to_string(device.attribute("ComputeCapabilityMinor")),
            device.compute_capability());
  const auto all = device.attributes();
  EXPECT_GT(all.size(), 50u);
  EXPECT_TRUE(std::is_sorted(all.begin(), all.end()));
  expect_error<ValueError>([&] { device.attribute("Colour"); },
                           "attribute: the device has none of this name; \"Colour\"");
}

TEST(CudaDevice, HasAHandleOfCublasForEachThread) {
  void* const handle = Device(0).cublas_handle();
  EXPECT_NE(handle, nullptr);
  EXPECT_EQ(Device(0).cublas_handle(), handle);
  void* other = nullptr;
  std::thread([&] { other = Device(0).cublas_handle(); }).join();
  EXPECT_NE(other, nullptr);
  EXPECT_NE(other, handle);
}

TEST(CudaDevice, KnowsItsMemory) {
  const MemInfo info = Device(0).mem_info();
  EXPECT_GT(info.total, 0u);
  EXPECT_LE(info.free, info.total);
}

TEST(CudaDevice, IsFoundByItsPlace) {
  for (int id = 0; id < device_count(); ++id) {
    EXPECT_EQ(Device::from_pci_bus_id(Device(id).pci_bus_id()), Device(id));
  }
  expect_error<DeviceError>([] { Device::from_pci_bus_id("nowhere"); },
                            "from_pci_bus_id: no CUDA device has this id; \"nowhere\"");
}

TEST(CudaDevice, ScopesAndUseChangeTheCurrentOne) {
  const Device last(device_count() - 1);
  {
    const DeviceScope scope(last);
    EXPECT_EQ(Device(), last);
    EXPECT_EQ(current_device(), cupyxx::Device(last));
  }
  const DeviceScope back(cupyxx::Device::cpu());
  last.use();
  EXPECT_EQ(Device(), last);
  EXPECT_EQ(current_device(), cupyxx::Device(last));
  Device(0).use();
  EXPECT_EQ(Device(), Device(0));
  EXPECT_EQ(current_device(), cupyxx::Device(Device(0)));
  EXPECT_FALSE(Device(0) == Device(last) && device_count() > 1);
}

TEST(CudaDevice, IsRefusedAfterFork) {
  Device(0).synchronize();
  const pid_t child = fork();
  if (child == 0) {
    int outcome = 1;
    try {
      Device(0).mem_info();
    } catch (const DeviceError& error) {
      const std::string text = error.what();
      outcome = text.find("CUDA was used before this process was forked") != text.npos ? 0 : 2;
    } catch (...) {
      outcome = 3;
    }
    _exit(outcome);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_NO_THROW(Device(0).synchronize());
}

TEST(CudaDevice, ReachesItself) { EXPECT_TRUE(Device(0).can_access_peer(Device(0))); }

}  // namespace
}  // namespace cupyxx::cuda
