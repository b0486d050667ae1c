// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

#include "cupyxx/internal/gpu/runtime.h"

namespace cupyxx::internal::gpu {
namespace {

std::vector<std::uint8_t> pattern(std::size_t size) {
  std::vector<std::uint8_t> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::uint8_t>(i * 7 + i / 251);
  return bytes;
}

std::vector<std::uint8_t> there_and_back(const std::vector<std::uint8_t>& bytes) {
  Storage* device = allocate(0, bytes.size());
  Storage* second = allocate(0, bytes.size());
  std::vector<std::uint8_t> result(bytes.size(), 0xee);
  copy(device->data, bytes.data(), bytes.size(), CopyKind::host_to_device, 0, nullptr);
  copy(second->data, device->data, bytes.size(), CopyKind::device_to_device, 0, nullptr);
  copy(result.data(), second->data, bytes.size(), CopyKind::device_to_host, 0, nullptr);
  release(device);
  release(second);
  return result;
}

TEST(Copy, ArrivesInEverySize) {
  constexpr std::size_t kMiB = std::size_t{1} << 20;
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{1}, std::size_t{65536}, std::size_t{65537}, 4 * kMiB,
        4 * kMiB + 3, 8 * kMiB, 33 * kMiB + 5}) {
    const auto bytes = pattern(size);
    EXPECT_EQ(there_and_back(bytes), bytes) << size;
  }
}

TEST(Copy, TakesTheSourceBeforeItReturns) {
  std::vector<std::uint8_t> bytes = pattern(std::size_t{20} << 20);
  const std::vector<std::uint8_t> expected = bytes;
  Storage* device = allocate(0, bytes.size());
  copy(device->data, bytes.data(), bytes.size(), CopyKind::host_to_device, 0, nullptr);
  std::fill(bytes.begin(), bytes.end(), std::uint8_t{0});
  copy(bytes.data(), device->data, bytes.size(), CopyKind::device_to_host, 0, nullptr);
  EXPECT_EQ(bytes, expected);
  release(device);
}

TEST(Copy, GoesStraightToPinnedMemory) {
  constexpr std::size_t kSize = 3 << 20;
  void* pinned = allocate_pinned(kSize);
  const auto bytes = pattern(kSize);
  std::memcpy(pinned, bytes.data(), kSize);
  Storage* device = allocate(0, kSize);
  copy(device->data, pinned, kSize, CopyKind::host_to_device, 0, nullptr);
  std::memset(pinned, 0, kSize);
  copy(pinned, device->data, kSize, CopyKind::device_to_host, 0, nullptr);
  EXPECT_EQ(std::memcmp(pinned, bytes.data(), kSize), 0);
  release(device);
}

TEST(Copy, WorksInManyThreads) {
  std::vector<std::thread> threads;
  std::vector<int> good(8, 0);
  for (std::size_t t = 0; t < good.size(); ++t) {
    threads.emplace_back([&good, t] {
      for (std::size_t round = 0; round < 5; ++round) {
        const auto bytes = pattern(1000 + 3000000 * (t % 3) + round);
        good[t] += there_and_back(bytes) == bytes;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(good, std::vector<int>(8, 5));
}

TEST(SetBytes, FillsExactlyTheRange) {
  Storage* device = allocate(0, 1000);
  set_bytes(device->data, 1, 1000, 0, nullptr);
  set_bytes(device->data + 10, 2, 20, 0, nullptr);
  std::vector<std::uint8_t> bytes(1000);
  copy(bytes.data(), device->data, 1000, CopyKind::device_to_host, 0, nullptr);
  for (std::size_t i = 0; i < 1000; ++i) ASSERT_EQ(bytes[i], i >= 10 && i < 30 ? 2 : 1) << i;
  release(device);
}

TEST(CopyPeer, MovesBetweenTheDevicesThatThereAre) {
  const auto bytes = pattern(5000001);
  for (int other = 0; other < device_count(); ++other) {
    Storage* here = allocate(0, bytes.size());
    set_device(other);
    Storage* there = allocate(other, bytes.size());
    set_device(0);
    std::vector<std::uint8_t> result(bytes.size());
    copy(here->data, bytes.data(), bytes.size(), CopyKind::host_to_device, 0, nullptr);
    copy_peer(there->data, other, here->data, 0, bytes.size());
    copy(result.data(), there->data, bytes.size(), CopyKind::device_to_host, other, nullptr);
    EXPECT_EQ(result, bytes) << other;
    release(here);
    release(there);
  }
}

}  // namespace
}  // namespace cupyxx::internal::gpu
