// SPDX-License-Identifier: MIT
// Memory and MemoryPointer on every device.
#include "cupyxx/cuda/memory.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <sstream>
#include <vector>

#include "cupyxx/cuda/device.h"
#include "cupyxx/error.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect_error.h"

namespace cupyxx::cuda {
namespace {

using testing::expect_error;

std::vector<std::uint8_t> pattern(std::size_t size) {
  std::vector<std::uint8_t> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::uint8_t>(i * 7 + i / 251);
  return bytes;
}

class MemoryTest : public testing::DeviceTest {
 protected:
  MemoryPointer make(std::int64_t size) const { return MemoryPointer(Memory(size, device())); }

  static std::vector<std::uint8_t> read(const MemoryPointer& pointer, std::int64_t size) {
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(size));
    pointer.copy_to_host(bytes.data(), size);
    return bytes;
  }
};

TEST_P(MemoryTest, KnowsItsSizeAndPlace) {
  const Memory memory(1000, device());
  EXPECT_EQ(memory.size(), 1000);
  EXPECT_EQ(memory.device(), device());
  EXPECT_NE(memory.ptr(), nullptr);
  const MemoryPointer pointer(memory, 10);
  EXPECT_EQ(pointer.ptr(), static_cast<char*>(memory.ptr()) + 10);
  EXPECT_EQ(pointer.size(), 990);
  EXPECT_EQ(pointer.device(), device());
  std::ostringstream text;
  text << pointer;
  EXPECT_NE(text.str().find(" device=" + device().name() + " size=990>"), std::string::npos);
}

TEST_P(MemoryTest, CopiesShareTheMemory) {
  Memory first(100, device());
  const Memory second = first;
  void* const address = first.ptr();
  first = Memory();
  EXPECT_EQ(first.ptr(), nullptr);
  EXPECT_EQ(first.size(), 0);
  EXPECT_EQ(second.ptr(), address);
  const Memory moved = Memory(second);
  EXPECT_EQ(moved.ptr(), address);
}

TEST_P(MemoryTest, NoBytesAreMemoryToo) {
  const MemoryPointer nothing = make(0);
  EXPECT_EQ(nothing.size(), 0);
  nothing.memset(1, 0);
  nothing.copy_from(nothing, 0);
  nothing.copy_to_host(nullptr, 0);
  const MemoryPointer null;
  null.copy_from_host(nullptr, 0);
  EXPECT_EQ(null.ptr(), nullptr);
}

TEST_P(MemoryTest, PointersMoveInsideOfTheMemory) {
  const MemoryPointer start = make(100);
  MemoryPointer p = start + 100;
  EXPECT_EQ(p.size(), 0);
  p -= 40;
  EXPECT_EQ(p.offset(), 60);
  EXPECT_EQ(p, start + 60);
  p += 5;
  EXPECT_EQ(p - 65, start);
  const MemoryPointer before = p;
  const std::string outside = " is outside of the 100 bytes of the memory";
  expect_error<ValueError>([&] { p += 36; }, "MemoryPointer: offset 101" + outside);
  expect_error<ValueError>([&] { p -= 66; }, "MemoryPointer: offset -1" + outside);
  expect_error<ValueError>([&] { p + INT64_MAX; }, outside);
  expect_error<ValueError>([&] { p - INT64_MIN; }, outside);
  EXPECT_EQ(p, before);
}

TEST_P(MemoryTest, BytesGoThereAndBack) {
  for (const std::int64_t size : {1, 1000, 65536, 65537, 5 << 20}) {
    const auto bytes = pattern(static_cast<std::size_t>(size));
    const MemoryPointer a = make(size), b = make(size + 3);
    a.copy_from_host(bytes.data(), size);
    (b + 3).copy_from(a, size);
    EXPECT_EQ(read(b + 3, size), bytes) << size;
  }
}

TEST_P(MemoryTest, FillsExactlyTheRange) {
  const MemoryPointer a = make(100);
  a.memset(1, 100);
  (a + 10).memset(255, 20);
  const auto bytes = read(a, 100);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    ASSERT_EQ(bytes[i], i >= 10 && i < 30 ? 255 : 1) << i;
  }
}

TEST_P(MemoryTest, ChecksEverySizeBeforeItTouchesAnything) {
  const MemoryPointer a = make(64), b = make(32);
  a.memset(7, 64);
  b.memset(9, 32);
  std::uint8_t host[128] = {};
  const std::string beyond = " bytes at offset 16 are beyond the 64 bytes of the memory";
  expect_error<ValueError>([&] { (a + 16).memset(0, 49); }, "memset: 49" + beyond);
  expect_error<ValueError>([&] { (a + 16).memset_async(0, 49); }, "memset_async: 49" + beyond);
  expect_error<ValueError>([&] { (a + 16).copy_from_host(host, 49); },
                           "copy_from_host: 49" + beyond);
  expect_error<ValueError>([&] { (a + 16).copy_to_host(host, 49); }, "copy_to_host: 49" + beyond);
  expect_error<ValueError>([&] { (a + 16).copy_from(b, 49); }, "copy_from: 49" + beyond);
  expect_error<ValueError>([&] { a.copy_from(b, 33); },
                           "copy_from: 33 bytes at offset 0 are beyond the 32 bytes");
  expect_error<ValueError>([&] { b.copy_from_async(a, 33); }, "copy_from_async: 33 bytes");
  expect_error<ValueError>([&] { a.memset(0, -1); }, "memset: negative size; -1");
  expect_error<ValueError>([&] { a.copy_from(b, -5); }, "copy_from: negative size; -5");
  expect_error<ValueError>([&] { a.memset(256, 1); }, "memset: a byte is 0 to 255; 256");
  expect_error<ValueError>([&] { a.memset(-1, 1); }, "memset: a byte is 0 to 255; -1");
  EXPECT_EQ(read(a, 64), std::vector<std::uint8_t>(64, 7));
  EXPECT_EQ(read(b, 32), std::vector<std::uint8_t>(32, 9));
}

TEST_P(MemoryTest, RefusesImpossibleSizes) {
  expect_error<ValueError>([&] { Memory(-1, device()); }, "Memory: negative size; -1");
  expect_error<OutOfMemoryError>([&] { Memory(std::int64_t{1} << 60, device()); }, "");
}

TEST_P(MemoryTest, CopiesInsideOfOneMemory) {
  const MemoryPointer a = make(100);
  const auto bytes = pattern(50);
  a.copy_from_host(bytes.data(), 50);
  (a + 50).copy_from(a, 50);
  EXPECT_EQ(read(a + 50, 50), bytes);
}

TEST_P(MemoryTest, ComesFromAndGoesToTheHost) {
  const MemoryPointer here = make(1000);
  const MemoryPointer host(Memory(1000, cupyxx::Device::cpu()));
  const auto bytes = pattern(1000);
  host.copy_from(bytes.data(), 1000);
  here.copy_from(host, 1000);
  host.memset(0, 1000);
  host.copy_from(here, 1000);
  EXPECT_EQ(read(host, 1000), bytes);
}

TEST_P(MemoryTest, OnlyDevicesAreDevices) {
  const MemoryPointer here = make(10);
  const MemoryPointer host(Memory(10, cupyxx::Device::cpu()));
  const char* const message = "copy_from_device: the source is on the host";
  expect_error<TypeError>([&] { here.copy_from_device(host, 10); }, message);
  if (device().is_cuda()) {
    here.memset(3, 10);
    host.copy_from_device(here, 10);
    EXPECT_EQ(read(host, 10), std::vector<std::uint8_t>(10, 3));
  }
}

TEST_P(MemoryTest, OfOthersIsKeptAndLetGo) {
  const MemoryPointer theirs = make(100);
  theirs.memset(5, 100);
  const auto owner = std::make_shared<int>(0);
  {
    Memory memory = Memory::unowned(theirs.ptr(), 100, device(), owner);
    EXPECT_EQ(owner.use_count(), 2);
    const MemoryPointer pointer(memory, 50);
    memory = Memory();
    EXPECT_EQ(owner.use_count(), 2);
    EXPECT_EQ(read(pointer, 50), std::vector<std::uint8_t>(50, 5));
  }
  EXPECT_EQ(owner.use_count(), 1);
  expect_error<ValueError>([&] { Memory::unowned(nullptr, 1, device(), owner); },
                           "Memory: a null pointer has no bytes");
  expect_error<ValueError>([&] { Memory::unowned(theirs.ptr(), -1, device(), owner); },
                           "Memory: negative size; -1");
  EXPECT_EQ(owner.use_count(), 1);
}

CUPYXX_TEST_ON_DEVICES(MemoryTest);

}  // namespace
}  // namespace cupyxx::cuda
