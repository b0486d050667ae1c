// SPDX-License-Identifier: MIT
// Where CUDA is told to run what, seen by a CUDA that does nothing. Linked with
// current_device_test.
#include <gtest/gtest.h>

#include "cupyxx/creation.h"
#include "cupyxx/cuda/device.h"
#include "cupyxx/internal/gpu/runtime.h"
#include "cupyxx/math.h"
#include "cupyxx/testing/dry_cuda.h"

namespace cupyxx::cuda {
namespace {

TEST(DryDevices, KernelsAreLaunchedOnTheDeviceOfTheirArrays) {
  ASSERT_EQ(device_count(), 2);
  const DeviceScope scope(cupyxx::Device::cuda(1));
  const ndarray there = zeros({8}, float32);
  const DeviceScope other(cupyxx::Device::cuda(0));
  const auto launched_on = [](const auto& call) {
    const int before = cupyxx::testing::dry_graphs().kernels;
    call();
    EXPECT_GT(cupyxx::testing::dry_graphs().kernels, before);
    EXPECT_EQ(internal::gpu::bound_device(), 0);
    return cupyxx::testing::dry_graphs().kernel_device;
  };
  EXPECT_EQ(launched_on([&] { there + 1; }), 1);
  EXPECT_EQ(launched_on([&] { there.sum(); }), 1);
  EXPECT_EQ(launched_on([&] { arange(8, float32); }), 0);
  internal::gpu::set_device(1);  // somebody else's doing
  EXPECT_EQ(cupyxx::testing::dry_graphs().kernel_device, 0);
  arange(8, float32);
  EXPECT_EQ(cupyxx::testing::dry_graphs().kernel_device, 0);
  EXPECT_EQ(internal::gpu::bound_device(), 1);
  internal::gpu::set_device(0);
}

}  // namespace
}  // namespace cupyxx::cuda
