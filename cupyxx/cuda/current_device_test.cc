// SPDX-License-Identifier: MIT
// One current device: every way of choosing it, and everything that follows it. Needs two devices;
// current_device_dry_test runs the same without any.
#include <gtest/gtest.h>

#include <thread>

#include "cupyxx/creation.h"
#include "cupyxx/cuda/allocator.h"
#include "cupyxx/cuda/device.h"
#include "cupyxx/cuda/event.h"
#include "cupyxx/cuda/stream.h"
#include "cupyxx/error.h"
#include "cupyxx/internal/gpu/runtime.h"
#include "cupyxx/interop.h"
#include "cupyxx/math.h"
#include "cupyxx/random.h"
#include "cupyxx/testing/expect_error.h"

namespace cupyxx::cuda {
namespace {

namespace gpu = internal::gpu;
using cupyxx::testing::expect_error;

constexpr cupyxx::Device kHost = cupyxx::Device::cpu();
constexpr cupyxx::Device kFirst = cupyxx::Device::cuda(0);
constexpr cupyxx::Device kSecond = cupyxx::Device::cuda(1);

class CurrentDevice : public ::testing::Test {
 protected:
  void SetUp() override {
    if (device_count() < 2) GTEST_SKIP() << "needs two devices";
  }

 private:
  const DeviceScope back_{cupyxx::Device::cpu()};  // each test ends where it began
};

// What is current, in all the ways to ask.
void expect_current(cupyxx::Device arrays, int cuda) {
  EXPECT_EQ(current_device(), arrays);
  EXPECT_EQ(Device().id(), cuda);
  EXPECT_EQ(gpu::current_device(), cuda);
  EXPECT_EQ(gpu::bound_device(), cuda);  // CUDA agrees
  EXPECT_EQ(empty({2}).device(), arrays);
  EXPECT_EQ(array({1, 2}).device(), arrays);
  EXPECT_EQ(ndarray({2, 2}).device(), arrays);
  EXPECT_EQ(Stream().device(), cuda);
  EXPECT_EQ(get_current_stream().device(), cuda);
  EXPECT_EQ(Event().device(), cuda);
  EXPECT_EQ(alloc(16).device(), cupyxx::Device::cuda(cuda));
  EXPECT_EQ(random::rand({3}).device(), arrays);
}

TEST_F(CurrentDevice, UseChangesWhereArraysAreMade) {
  Device(1).use();
  expect_current(kSecond, 1);
  Device(0).use();
  expect_current(kFirst, 0);
  use_device(kSecond);
  expect_current(kSecond, 1);
  use_device(kHost);  // arrays go to the host, and the CUDA device stays
  expect_current(kHost, 1);
}

TEST_F(CurrentDevice, ScopesGoBackToWhatWas) {
  Device(0).use();
  {
    const DeviceScope outer(Device(1));
    expect_current(kSecond, 1);
    {
      const DeviceScope host(kHost);
      expect_current(kHost, 1);
      Device(0).use();
      expect_current(kFirst, 0);
    }
    expect_current(kSecond, 1);
    Device(0).use();
  }
  expect_current(kFirst, 0);
}

TEST_F(CurrentDevice, AScopeOfADeviceThatIsNotThereChangesNothing) {
  Device(1).use();
  const int absent = device_count();
  expect_error<DeviceError>([&] { const DeviceScope scope(cupyxx::Device::cuda(absent)); },
                            "DeviceScope: no CUDA device " + std::to_string(absent));
  expect_error<DeviceError>([&] { use_device(cupyxx::Device::cuda(absent)); },
                            "use_device: no CUDA device " + std::to_string(absent));
  expect_current(kSecond, 1);
}

TEST_F(CurrentDevice, IsEachThreadsOwn) {
  Device(1).use();
  std::thread([] {
    EXPECT_EQ(current_device(), kHost);
    EXPECT_EQ(Device().id(), 0);
    Device(0).use();
  }).join();
  expect_current(kSecond, 1);
}

TEST_F(CurrentDevice, RandomStatesAndPoolsFollow) {
  Device(1).use();
  random::seed(3);
  const std::uint64_t before = random::get_random_state().offset();
  random::rand({8});
  EXPECT_NE(random::get_random_state().offset(), before);
  const ndarray held = empty({1 << 20}, float32);
  EXPECT_GE(get_default_memory_pool().used_bytes(), 4 << 20);
  Device(0).use();
  const auto here = random::get_random_state().offset();
  Device(1).use();
  random::rand({8});
  Device(0).use();
  EXPECT_EQ(random::get_random_state().offset(), here);
}

TEST_F(CurrentDevice, OperationsRunWhereTheirArraysAreAndLeaveItAlone) {
  Device(1).use();
  const ndarray there = zeros({8}, float32);
  Device(0).use();
  EXPECT_EQ((there + 1).device(), kSecond);
  EXPECT_EQ(there.copy().device(), kSecond);
  EXPECT_EQ(there.sum().device(), kSecond);
  expect_current(kFirst, 0);
}

// Somebody else's cudaSetDevice.
TEST_F(CurrentDevice, OfOthersIsNeitherFollowedNorDisturbed) {
  Device(0).use();
  const ndarray here = zeros({8}, float32);
  gpu::set_device(1);
  EXPECT_EQ(current_device(), kFirst);
  EXPECT_EQ(Device().id(), 0);
  EXPECT_EQ((here + 1).device(), kFirst);
  EXPECT_EQ(empty({2}).device(), kFirst);
  EXPECT_EQ(gpu::bound_device(), 1);
  Device(0).use();
  EXPECT_EQ(gpu::bound_device(), 0);
}

TEST_F(CurrentDevice, OfOthersCountsBeforeTheFirstChoice) {
  std::thread([] {
    gpu::set_device(1);
    expect_current(kHost, 1);
    {
      const DeviceScope scope(kFirst);
      expect_current(kFirst, 0);
    }
    expect_current(kHost, 1);
    gpu::set_device(0);
    expect_current(kHost, 0);
  }).join();
}

TEST_F(CurrentDevice, DrawsWhatIsMadeFromArrays) {
  const ndarray host = arange(6, float32).reshape({2, 3});
  const ndarray here = host.to(kFirst), there = host.to(kSecond);
  Device(1).use();
  for (const ndarray& a : {host, here, there}) {
    EXPECT_EQ(array(a).device(), kSecond);
    EXPECT_EQ(array(a, int8).device(), kSecond);
    EXPECT_EQ(array(a, float64, {.copy = false, .ndmin = 3}).device(), kSecond);
    EXPECT_EQ(asarray(a).device(), kSecond);
    EXPECT_EQ(asanyarray(a).device(), kSecond);
    EXPECT_EQ(copy(a).device(), kSecond);
    EXPECT_EQ(copy(a, Order::F).device(), kSecond);
    EXPECT_TRUE(copy(a, Order::F).flags().f_contiguous);
    EXPECT_FALSE(copy(a).shares_memory(a));
    EXPECT_FALSE(array(a).shares_memory(a));
    EXPECT_EQ(asarray(a).shares_memory(a), a.device() == kSecond);
    // These stay.
    EXPECT_EQ(ascontiguousarray(a).device(), a.device());
    EXPECT_EQ(asfortranarray(a).device(), a.device());
    EXPECT_EQ(a.copy().device(), a.device());
    EXPECT_EQ(a.astype(int8).device(), a.device());
  }
  EXPECT_EQ(array(host).to_cpu().to_vector<float>(), host.to_vector<float>());
  // Nothing comes to the host unasked.
  use_device(kHost);
  for (const ndarray& a : {host, here, there}) {
    EXPECT_EQ(array(a).device(), a.device());
    EXPECT_EQ(asarray(a).device(), a.device());
    EXPECT_EQ(asanyarray(a).device(), a.device());
    EXPECT_EQ(copy(a).device(), a.device());
  }
}

TEST_F(CurrentDevice, AllocatorsSeeTheDeviceTheyAreAskedFor) {
  int seen = -1;
  cupyxx::Device arrays;
  const AllocatorScope scope([&](std::int64_t size) {
    seen = Device().id();
    arrays = current_device();
    return malloc_device(size);
  });
  Device(0).use();
  const ndarray there = ArrayModule(kSecond).empty({100}, float32);
  EXPECT_EQ(there.device(), kSecond);
  EXPECT_EQ(seen, 1);
  EXPECT_EQ(arrays, kSecond);
  expect_current(kFirst, 0);
}

}  // namespace
}  // namespace cupyxx::cuda
