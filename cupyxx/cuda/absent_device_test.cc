// SPDX-License-Identifier: MIT
// What happens to somebody who asks for a device that is not there; with or without CUDA.
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <string>

#include "cupyxx/cuda/allocator.h"
#include "cupyxx/cuda/device.h"
#include "cupyxx/cuda/event.h"
#include "cupyxx/cuda/memory.h"
#include "cupyxx/cuda/stream.h"
#include "cupyxx/error.h"
#include "cupyxx/internal/gpu/error_words.h"
#include "cupyxx/internal/gpu/runtime.h"
#include "cupyxx/testing/expect_error.h"

namespace cupyxx::cuda {
namespace {

namespace gpu = internal::gpu;
using testing::expect_error;

std::string missing(const std::string& operation, int device) {
  const int count = device_count();
  return operation + ": no CUDA device " + std::to_string(device) + "; " + std::to_string(count) +
         (count == 1 ? " device present" : " devices present");
}

TEST(AbsentDevice, CountAgreesWithAvailability) { EXPECT_EQ(is_available(), device_count() > 0); }

TEST(AbsentDevice, IsNamedWithTheNumberOfDevices) {
  const int absent = device_count();
  expect_error<DeviceError>([&] { Device device(absent); }, missing("cuda", absent));
  expect_error<DeviceError>([] { Device device(-1); }, missing("cuda", -1));
  expect_error<DeviceError>([&] { gpu::check_device("to_gpu", absent); },
                            missing("to_gpu", absent));
  expect_error<DeviceError>([&] { gpu::allocate(absent, 10); }, missing("allocate", absent));
}

TEST(AbsentDevice, LeavesTheCurrentOneAlone) {
  EXPECT_EQ(gpu::current_device(), 0);
  expect_error<DeviceError>([] { gpu::set_device(63); }, missing("cuda", 63));
  EXPECT_EQ(gpu::current_device(), 0);
}

TEST(AbsentDevice, StreamsAndEventsStandForTheHost) {
  EXPECT_NO_THROW(Stream stream);
  EXPECT_NO_THROW(Event event);
  if (device_count() > 0) return;
  expect_error<DeviceError>([] { Device device; }, missing("cuda", 0));
  EXPECT_NO_THROW(synchronize_current_stream());
  EXPECT_EQ(get_current_stream_ptr(), nullptr);
}

TEST(AbsentDevice, MemoryAndPoolsSaySo) {
  const int absent = device_count();
  expect_error<DeviceError>([&] { Memory(10, cupyxx::Device::cuda(absent)); },
                            missing("Memory", absent));
  expect_error<DeviceError>([&] { pool_stats(cupyxx::Device::cuda(absent)); },
                            missing("pool_stats", absent));
  expect_error<DeviceError>([&] { set_pool_limit(cupyxx::Device::cuda(absent), 1); },
                            missing("set_pool_limit", absent));
  if (absent > 0) return;
  expect_error<DeviceError>([] { alloc(10); }, missing("alloc", 0));
  expect_error<ValueError>([] { alloc(-10); }, "alloc: negative size; -10");
  expect_error<DeviceError>([] { Memory(10); }, missing("Memory", 0));
  expect_error<DeviceError>([] { malloc_managed(10); }, missing("malloc_managed", 0));
  expect_error<DeviceError>([] { alloc_pinned_memory(10); }, missing("alloc_pinned_memory", 0));
  const MemoryPool pool;
  expect_error<DeviceError>([&] { pool.malloc(10); }, missing("malloc", 0));
  EXPECT_EQ(total_pool_stats().total, 0u);
}

TEST(AbsentDevice, PoolsAreEmptyOnTheHost) {
  if (device_count() > 0) return;
  // What programs say between two epochs, which runs without a device, too.
  const auto pool = cupyxx::get_default_memory_pool();
  EXPECT_EQ(pool.used_bytes(), 0);
  EXPECT_EQ(pool.total_bytes(), 0);
  EXPECT_EQ(pool.n_free_blocks(), 0);
  pool.free_all_blocks();
  pool.free_all_blocks(Stream());
  pool.set_limit({.size = 10});
  EXPECT_EQ(pool.get_limit(), 0);
  expect_error<ValueError>([&] { pool.set_limit({.size = -10}); }, "set_limit: negative size; -10");
  const auto pinned = cupyxx::get_default_pinned_memory_pool();
  EXPECT_EQ(pinned.n_free_blocks(), 0);
  EXPECT_EQ(pinned.stats().used, 0u);
  pinned.free_all_blocks();
}

TEST(AbsentDevice, AllocatorsMayBeSetWithoutDevices) {
  EXPECT_TRUE(get_allocator().is_default());
  set_allocator(malloc_managed);
  EXPECT_FALSE(get_allocator().is_default());
  {
    const AllocatorScope scope{Allocator()};
    EXPECT_FALSE(get_allocator().is_default());  // the pool, for this thread
  }
  set_allocator({});
  EXPECT_TRUE(get_allocator().is_default());
}

TEST(AbsentDevice, QuestionsHaveAnswers) {
  EXPECT_GE(runtime_version(), 0);
  EXPECT_GE(driver_version(), 0);
  if (device_count() > 0) return;
  expect_error<DeviceError>([] { Device::from_pci_bus_id("0000:00:00.0"); },
                            missing("from_pci_bus_id", 0));
  expect_error<DeviceError>([] { ExternalStream(nullptr); }, missing("cuda", 0));
}

TEST(ErrorWord, SaysWhatAKernelFound) {
  const auto word = [](gpu::ErrorCode code, const char* operation, std::int64_t value,
                       std::int64_t bound) {
    return gpu::ErrorWord{static_cast<std::uint32_t>(code), gpu::operation_number(operation), value,
                          bound};
  };
  expect_error<IndexError>(
      [&] { gpu::throw_error_word(word(gpu::ErrorCode::index_out_of_range, "take", 7, 5)); },
      "take: index 7 is out of bounds for size 5");
  expect_error<ValueError>(
      [&] { gpu::throw_error_word(word(gpu::ErrorCode::negative_power, "power", 0, 0)); },
      "power: integers to negative integer powers are not allowed");
  expect_error<ValueError>(
      [&] { gpu::throw_error_word(word(gpu::ErrorCode::not_finite, "choice", 3, 0)); },
      "choice: the value is infinite or not a number; element 3");
  // internal/kernels/bad_parameter.h
  const auto bits = [](double value) { return std::bit_cast<std::int64_t>(value); };
  expect_error<ValueError>(
      [&] { gpu::throw_error_word(word(gpu::ErrorCode{16}, "poisson", bits(-2), 0)); },
      "poisson: a parameter is outside of its range; -2.0");
  expect_error<ValueError>(
      [&] { gpu::throw_error_word(word(gpu::ErrorCode{17}, "uniform", bits(2), bits(1.5))); },
      "uniform: two parameters are in the wrong order; 2.0 and 1.5");
}

TEST(OperationNumber, IsOnePerName) {
  const std::string copy = "put";
  const std::uint32_t put = gpu::operation_number("put");
  EXPECT_NE(gpu::operation_number("place"), put);
  EXPECT_EQ(gpu::operation_number(copy.c_str()), put);
}

}  // namespace
}  // namespace cupyxx::cuda
