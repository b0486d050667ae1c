// SPDX-License-Identifier: MIT
// Arrays of two devices. On a machine with one device there is nothing to see, and the tests say
// so.
#include <gtest/gtest.h>

#include <cstdlib>

#include "cupyxx/creation.h"
#include "cupyxx/cuda/device.h"
#include "cupyxx/cuda/stream.h"
#include "cupyxx/cuda/test_kernels.h"
#include "cupyxx/error.h"
#include "cupyxx/interop.h"
#include "cupyxx/linalg.h"
#include "cupyxx/math.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx::cuda {
namespace {

using cupyxx::testing::expect_elements;
using cupyxx::testing::expect_error;
using testing::keep_busy;

class Peers : public ::testing::Test {
 protected:
  void SetUp() override {
    if (device_count() < 2) GTEST_SKIP() << "needs two devices";
  }
  void TearDown() override {
    unsetenv("CUPYXX_PEER_ACCESS");
    use_device(cupyxx::Device::cpu());  // use() draws new arrays
  }

  static ndarray numbers(int device) {
    const DeviceScope scope(cupyxx::Device::cuda(device));
    return arange(6, float32).reshape({2, 3});
  }
};

TEST_F(Peers, OperandsOfASecondDeviceAreFetched) {
  if (!Device(0).can_access_peer(Device(1))) GTEST_SKIP() << "the devices are not connected";
  const ndarray a = numbers(0), b = numbers(1);
  const ndarray sum = a + b;
  EXPECT_EQ(sum.device(), cupyxx::Device::cuda(0));
  expect_elements<float>(sum, {2, 3}, {0, 2, 4, 6, 8, 10});
  EXPECT_EQ((b + a).device(), cupyxx::Device::cuda(1));
  expect_elements<float>(matmul(a, b.T()), {2, 2}, {5, 14, 14, 50});
}

TEST_F(Peers, WithoutAccessTheMixIsAnErrorAndTheCopyIsNot) {
  setenv("CUPYXX_PEER_ACCESS", "off", 1);
  const ndarray a = numbers(0), b = numbers(1);
  EXPECT_FALSE(Device(0).can_access_peer(Device(1)));
  expect_error<ValueError>([&] { a + b; },
                           "add: cuda:0 cannot access the memory of cuda:1; copy the array with "
                           "to()");
  expect_error<ValueError>([&] { matmul(a, b.T()); }, "matmul: cuda:0 cannot access");
  expect_elements<float>(a + b.to(a.device()), {2, 3}, {0, 2, 4, 6, 8, 10});
}

TEST_F(Peers, CopiesAreInTheOrderOfBothStreams) {
  for (int round = 0; round < 3; ++round) {
    ndarray there;
    {
      const DeviceScope scope(cupyxx::Device::cuda(0));
      const Stream stream({.non_blocking = true});
      const StreamScope on(stream);
      keep_busy(stream, 5);
      const ndarray here = full({1 << 20}, round, int32);
      there = here.to(cupyxx::Device::cuda(1));
    }  // the source and its stream have gone
    EXPECT_EQ(there.device(), cupyxx::Device::cuda(1));
    EXPECT_EQ(there.min().item<int>(), round);
    EXPECT_EQ(there.max().item<int>(), round);
  }
}

TEST_F(Peers, MemoryPointersCopyBetweenDevices) {
  Device(1).use();
  const MemoryPointer there = alloc(1 << 20);
  const Stream stream({.non_blocking = true});
  Device(0).use();
  const MemoryPointer here = alloc(1 << 20);
  here.memset(7, 1 << 20);
  there.copy_from_device_async(here, 1 << 20, stream);
  stream.synchronize();
  std::vector<char> bytes(1 << 20);
  there.copy_to_host(bytes.data(), 1 << 20);
  EXPECT_EQ(bytes, std::vector<char>(1 << 20, 7));
  expect_error<DeviceError>([&] { here.memset_async(0, 10, stream); },
                            "memset_async: the memory is on cuda:0, the stream of cuda:1");
}

TEST_F(Peers, EventsBelongToTheirDevice) {
  const Event here;
  Device(1).use();
  const Stream there;
  const Event event;
  Device(0).use();
  expect_error<ValueError>([&] { here.record(there); },
                           "Event: the event is of cuda:0, the stream of cuda:1");
  expect_error<ValueError>([&] { get_elapsed_time(here, event); },
                           "get_elapsed_time: events of two devices: cuda:0 and cuda:1");
  EXPECT_EQ(there.record().device(), 1);
  // Waiting is possible across devices.
  const Stream waiting({.non_blocking = true});
  keep_busy(there);
  waiting.wait_event(there.record());
  waiting.synchronize();
  EXPECT_TRUE(there.done());
}

TEST_F(Peers, EachDeviceHasItsCurrentStream) {
  const Stream here;
  const StreamScope scope(here);
  {
    const DeviceScope on(cupyxx::Device::cuda(1));
    EXPECT_EQ(get_current_stream().ptr(), nullptr);
    EXPECT_EQ(get_current_stream().device(), 1);
  }
  EXPECT_EQ(get_current_stream(), here);
}

}  // namespace
}  // namespace cupyxx::cuda
