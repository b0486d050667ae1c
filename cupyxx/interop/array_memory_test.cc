// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <vector>

#include "cupyxx/creation.h"
#include "cupyxx/cuda/device.h"
#include "cupyxx/error.h"
#include "cupyxx/interop.h"
#include "cupyxx/math.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx {
namespace {

using cuda::Memory;
using cuda::MemoryPointer;
using testing::expect_elements;
using testing::expect_error;

class ArrayMemory : public testing::DeviceTest {
 protected:
  MemoryPointer make(std::int64_t size) const { return MemoryPointer(Memory(size, device())); }
};

TEST_P(ArrayMemory, ArraysShareAPointersMemory) {
  const MemoryPointer memory = make(64);
  const ndarray a = from_memory({2, 4}, float32, memory);
  const ndarray tail = from_memory({4}, float32, memory + 16);
  EXPECT_EQ(a.device(), device());
  EXPECT_FALSE(a.flags().owndata);
  EXPECT_TRUE(a.flags().writeable);
  a.fill(1);
  tail.fill(7);
  expect_elements<float>(a, {2, 4}, {1, 1, 1, 1, 7, 7, 7, 7});
  EXPECT_TRUE(a.shares_memory(tail));
}

TEST_P(ArrayMemory, TheMemoryOutlivesItsPointers) {
  ndarray a;
  {
    const MemoryPointer memory = make(400);
    a = from_memory({100}, int32, memory);
  }
  a.fill(3);
  EXPECT_EQ(a.sum().item<int>(), 300);
}

TEST_P(ArrayMemory, StridesMayBeAnything) {
  const MemoryPointer memory = make(6 * 8);
  const ndarray rows = from_memory({2, 3}, int64, memory);
  rows.set(array({{1, 2, 3}, {4, 5, 6}}));
  expect_elements<int>(from_memory({3, 2}, int64, memory, {8, 24}), {3, 2}, {1, 4, 2, 5, 3, 6});
  expect_elements<int>(from_memory({3}, int64, memory + 16, {-8}), {3}, {3, 2, 1});
  expect_elements<int>(from_memory({2, 2}, int64, memory + 8, {0, 8}), {2, 2}, {2, 3, 2, 3});
  EXPECT_EQ(from_memory({0, 5}, int64, memory + 48).size(), 0);
  EXPECT_EQ(from_memory({}, int64, memory + 40).item<int>(), 6);
}

TEST_P(ArrayMemory, ChecksThatElementsAreInside) {
  const MemoryPointer memory = make(64);
  expect_error<ValueError>([&] { from_memory({17}, float32, memory); },
                           "ndarray: bytes 0 to 68 are not inside of the 64 bytes of the memory");
  expect_error<ValueError>([&] { from_memory({8}, float64, memory + 8); }, "bytes 8 to 72 are not");
  expect_error<ValueError>([&] { from_memory({3}, float64, memory + 8, {-8}); },
                           "bytes -8 to 16 are not");
  expect_error<ValueError>([&] { from_memory({2}, float64, memory, {INT64_MAX}); }, "ndarray: ");
  expect_error<ValueError>([&] { from_memory({-1}, float64, memory); },
                           "ndarray: negative dimensions are not allowed; (-1,)");
  expect_error<ValueError>(
      [&] {
        from_memory({2, 2}, float64, memory, {8});
      },
      "ndarray: shape and strides differ in length");
  expect_error<ValueError>([&] { from_memory({2}, float64, memory + 4); },
                           "ndarray: elements are not aligned to their 8 bytes; offset 4");
  expect_error<ValueError>([&] { from_memory({2}, float64, memory, {12}); }, "strides (12,)");
  expect_error<ValueError>([&] { from_memory({0}, float64, MemoryPointer()); },
                           "ndarray: the memory pointer is null");
}

TEST_P(ArrayMemory, OfAnArrayIsWhereItsElementsAre) {
  const ndarray a = arange(10, int64);
  const ndarray part = a(slice(3, 7));
  const MemoryPointer memory = memory_of(part);
  EXPECT_EQ(memory.ptr(), part.data());
  EXPECT_EQ(memory.offset(), 24);
  EXPECT_EQ(memory.device(), device());
  std::vector<std::int64_t> values(4);
  memory.copy_to_host(values.data(), 32);
  EXPECT_EQ(values, (std::vector<std::int64_t>{3, 4, 5, 6}));
  const auto version = a.version();
  memory.memset(0, 8);
  EXPECT_GT(a.version(), version);
  expect_elements<int>(a, {10}, {0, 1, 2, 0, 4, 5, 6, 7, 8, 9});
  expect_error<TypeError>([] { memory_of(ndarray()); }, "memory_of: the array is None");
}

TEST_P(ArrayMemory, PinnedArraysAreHostArrays) {
  const ndarray a = zeros_pinned({3, 4}, float32);
  EXPECT_EQ(a.device(), Device::cpu());
  EXPECT_TRUE(a.flags().c_contiguous);
  EXPECT_TRUE(a.flags().owndata);
  a(1) = 5;
  EXPECT_EQ(a.sum().item<float>(), 20);
  EXPECT_EQ(a.span<float>()[4], 5);
  EXPECT_EQ(empty_like_pinned(a).dtype(), float32);
  EXPECT_EQ(zeros_like_pinned(a, int8).shape(), Shape({3, 4}));
  EXPECT_EQ(empty_pinned({0}).size(), 0);
  expect_error<ValueError>([] { empty_pinned({-1}); }, "empty_pinned: negative dimensions");
  const ndarray moved = a.to(device()) * 2;
  expect_elements<float>(moved, {3, 4}, {0, 0, 0, 0, 10, 10, 10, 10, 0, 0, 0, 0});
}

TEST_P(ArrayMemory, GetAndSetTakeAStream) {
  if (device().is_cpu() && cuda::is_available()) return;  // the stream is a device's
  const cuda::Stream stream({.non_blocking = true});
  const ndarray a = arange(6, float32).reshape({2, 3});
  const ndarray host = asnumpy(a.T(), stream), again = internal::get("get", a, stream);
  const ndarray target = zeros({3, 2}, float64);
  internal::set(target, host, stream);  // in the order of the stream
  stream.synchronize();
  EXPECT_EQ(host.device(), Device::cpu());
  expect_elements<float>(host, {3, 2}, {0, 3, 1, 4, 2, 5});
  expect_elements<float>(again, {2, 3}, {0, 1, 2, 3, 4, 5});
  expect_elements<double>(target, {3, 2}, {0, 3, 1, 4, 2, 5});
  expect_error<TypeError>([&] { internal::get("get", {}, stream); }, "get: the array is None");
  expect_error<TypeError>([&] { internal::set(target, {}, stream); }, "set: the array is None");
  if (device().is_cpu()) {
    EXPECT_TRUE(asnumpy(a, stream).shares_memory(a));
    return;
  }
  const ndarray moved = internal::to_cuda("to_gpu", host, device(), stream);
  stream.synchronize();
  expect_elements<float>(moved, {3, 2}, {0, 3, 1, 4, 2, 5});
  EXPECT_TRUE(internal::to_cuda("to_gpu", a, device(), stream).shares_memory(a));
}

TEST_P(ArrayMemory, CopiesThatDoNotWaitArrive) {
  if (device().is_cpu() && cuda::is_available()) return;
  const cuda::Stream stream({.non_blocking = true});
  const ndarray source = empty_pinned({1 << 20}, int32), back = empty_pinned({1 << 20}, int32);
  for (int round = 0; round < 3; ++round) {
    source.fill(round + 1);
    ndarray there;
    {
      const cuda::StreamScope scope(stream);
      there = empty({1 << 20}, int32);
      copy_async(there, source, stream);
      there += 10;
    }
    copy_async(back, there, stream);
    stream.synchronize();
    EXPECT_EQ(back.sum().item<std::int64_t>(), std::int64_t{round + 11} << 20);
  }
  expect_error<ShapeError>([&] { copy_async(zeros({3}, int32), source, stream); },
                           "copy_async: the shapes differ: (3,) and (1048576,)");
  expect_error<DtypeError>([&] { copy_async(zeros({1 << 20}), source, stream); },
                           "copy_async: the dtypes differ: float64 and int32");
  expect_error<ValueError>(
      [&] {
        copy_async(zeros({4, 4}).T(), zeros({4, 4}), stream);
      },
      "copy_async: an array is not C-contiguous");
}

TEST_P(ArrayMemory, PinnedMemoryMayBeFreedAtOnce) {
  if (device().is_cpu()) return;
  const cuda::Stream stream({.non_blocking = true});
  constexpr std::int64_t kCount = 1 << 22;
  std::vector<ndarray> targets;
  for (int i = 0; i < 8; ++i) {
    // The same block each time: it must not be filled again before it has been copied.
    const ndarray source = empty_pinned({kCount}, int32);
    source.fill(i);
    const cuda::StreamScope scope(stream);
    targets.push_back(empty({kCount}, int32));
    copy_async(targets.back(), source, stream);
  }
  stream.synchronize();
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(targets[static_cast<std::size_t>(i)].min().item<int>(), i);
    EXPECT_EQ(targets[static_cast<std::size_t>(i)].max().item<int>(), i);
  }
}

CUPYXX_TEST_ON_DEVICES(ArrayMemory);

}  // namespace
}  // namespace cupyxx
