// SPDX-License-Identifier: MIT
// What happens to somebody who asks for a device that is not there; with or without CUDA.
#include <gtest/gtest.h>

#include <string>

#include "cupyxx/cuda/device.h"
#include "cupyxx/cuda/event.h"
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

TEST(AbsentDevice, StreamsAndEventsSaySo) {
  if (device_count() > 0) {
    EXPECT_NO_THROW(Stream stream);
    return;
  }
  expect_error<DeviceError>([] { Stream stream; }, missing("cuda", 0));
  expect_error<DeviceError>([] { Event event; }, missing("cuda", 0));
  expect_error<DeviceError>([] { Device device; }, missing("cuda", 0));
  EXPECT_NO_THROW(synchronize_current_stream());
  EXPECT_EQ(get_current_stream_ptr(), nullptr);
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
}

TEST(OperationNumber, IsOnePerName) {
  const std::string copy = "put";
  const std::uint32_t put = gpu::operation_number("put");
  EXPECT_NE(gpu::operation_number("place"), put);
  EXPECT_EQ(gpu::operation_number(copy.c_str()), put);
}

}  // namespace
}  // namespace cupyxx::cuda
