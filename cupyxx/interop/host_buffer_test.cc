// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/interop.h"
#include "cupyxx/math.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx {
namespace {

using testing::expect_elements;
using testing::expect_error;

class FromBufferTest : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(FromBufferTest);

TEST(FromHostBuffer, SharesTheElementsOfASpan) {
  std::vector<int> values{1, 2, 3, 4};
  const ndarray a = from_host_buffer(std::span(values));
  EXPECT_EQ(a.dtype(), int32);
  EXPECT_EQ(a.data(), values.data());
  EXPECT_FALSE(a.flags().owndata);
  a += 1;
  EXPECT_EQ(values, (std::vector<int>{2, 3, 4, 5}));
  values[0] = 7;
  expect_elements<int>(a, {4}, {7, 3, 4, 5});
}

TEST(FromHostBuffer, StaysOnTheHost) {
  const DeviceScope scope(Device::cpu());
  const std::array<double, 6> values{1, 2, 3, 4, 5, 6};
  const ndarray a = from_host_buffer(values.data(), {2, 3});
  EXPECT_TRUE(a.device().is_cpu());
  EXPECT_FALSE(a.flags().writeable);
  expect_error<ValueError>([&] { a.fill(0); }, "read-only");
  EXPECT_EQ(a(1).sum().item<double>(), 15);
}

TEST(FromHostBuffer, StridesMayLeadBackwards) {
  std::vector<std::int16_t> values{0, 1, 2, 3, 4, 5};
  const ndarray a = from_host_buffer(values.data() + 4, {2, 2}, {.strides = {-8, 2}});
  expect_elements<std::int16_t>(a, {2, 2}, {4, 5, 0, 1});
  expect_elements<std::int16_t>(a.base(), {6}, values);
}

TEST(FromHostBuffer, KeepsItsOwnerUntilTheLastViewHasGone) {
  int freed = 0;
  auto* values = new float[3]{1, 2, 3};
  const auto free = [&freed](float* p) {
    delete[] p;
    ++freed;
  };
  ndarray row;
  {
    const ndarray a =
        from_host_buffer(values, {3}, {.owner = std::shared_ptr<float>(values, free)});
    row = a(slice(1, none));
  }
  EXPECT_EQ(freed, 0);
  expect_elements<float>(row, {2}, {2, 3});
  row = {};
  EXPECT_EQ(freed, 1);
}

TEST(FromHostBuffer, OwnersAreAnySmartPointers) {
  auto numbers = std::make_unique<std::array<float, 2>>(std::array<float, 2>{1, 2});
  float* const data = numbers->data();
  expect_elements<float>(from_host_buffer(data, {2}, {.owner = std::move(numbers)}), {2}, {1, 2});
  const auto shared = std::make_shared<float>(3.0f);
  HostBufferOptions options{.owner = shared};
  HostBufferOptions second = options;
  EXPECT_TRUE(second.owner);
  options = {};
  EXPECT_EQ(options.owner, nullptr);
  EXPECT_EQ(shared.use_count(), 2);
  {
    const ndarray a = from_host_buffer(shared.get(), {1}, std::move(second));
    EXPECT_EQ(shared.use_count(), 2);
  }
  EXPECT_EQ(shared.use_count(), 1);
  EXPECT_EQ(HostBufferOptions{.owner = std::shared_ptr<float>()}.owner, nullptr);
}

TEST(FromHostBuffer, ChecksItsArguments) {
  std::vector<float> values(4);
  float* data = values.data();
  expect_error<ValueError>(
      [&] {
        from_host_buffer(data, {2, -1});
      },
      "from_host_buffer: negative dimensions are not allowed; (2, -1)");
  expect_error<ValueError>([&] { from_host_buffer(static_cast<float*>(nullptr), {2}); },
                           "from_host_buffer: the pointer is null; shape (2,)");
  expect_error<ValueError>(
      [&] {
        from_host_buffer(data, {2, 2}, {.strides = {4}});
      },
      "shape and strides differ in length; (2, 2) and (4,)");
  expect_error<ValueError>([&] { from_host_buffer(data, {2}, {.strides = {3}}); },
                           "the elements are not aligned to their size; 4, strides (3,)");
  expect_error<ValueError>(
      [&] {
        from_host_buffer(data, {std::int64_t{1} << 40, std::int64_t{1} << 40});
      },
      "from_host_buffer: the array is too large");
  expect_error<TypeError>([&] { from_host_buffer(static_cast<void*>(data), {2}, dtype()); },
                          "from_host_buffer: the dtype is not specified");
  EXPECT_EQ(from_host_buffer(static_cast<float*>(nullptr), {0, 3}).size(), 0);
}

TEST_P(FromBufferTest, ReadsBytesAsElements) {
  std::vector<std::uint8_t> bytes{1, 0, 2, 0, 3, 0, 4, 0};
  const ndarray a = frombuffer(bytes, int16);
  EXPECT_EQ(a.device(), device());
  expect_elements<std::int16_t>(a, {4}, {1, 2, 3, 4});
  expect_elements<std::int16_t>(frombuffer(bytes, int16, 2, 2), {2}, {2, 3});
  // At an odd address: the bytes 0 2 0 3 ...
  expect_elements<std::int16_t>(frombuffer(bytes, int16, 3, 1), {3}, {512, 768, 1024});
  const std::string text = "AB";
  expect_elements<int>(frombuffer(text, uint8), {2}, {65, 66});
  expect_elements<int>(frombuffer("ABC", uint8, -1, 1), {2}, {66, 67});
  EXPECT_EQ(frombuffer(text, uint8).flags().writeable, device().is_cuda());
}

TEST_P(FromBufferTest, RefusesSizesThatDoNotFit) {
  const std::vector<std::uint8_t> bytes(10);
  expect_error<ValueError>([&] { frombuffer(bytes, int32); },
                           "frombuffer: buffer size must be a multiple of element size; 10 and 4");
  expect_error<ValueError>([&] { frombuffer(bytes, int32, 3); },
                           "frombuffer: buffer is smaller than requested size; 10 bytes for 3");
  expect_error<ValueError>([&] { frombuffer(bytes, int8, 1, 11); },
                           "frombuffer: offset must be non-negative and no greater than buffer "
                           "length (10); 11");
  expect_error<ValueError>([&] { frombuffer(bytes, int8, 1, -1); }, "(10); -1");
}

TEST(FromHostBuffer, ViewsOnTheHostWriteThrough) {
  std::vector<float> values{1, 2};
  frombuffer(values, float32) *= 3;
  EXPECT_EQ(values, (std::vector<float>{3, 6}));
}

TEST(FromHostBuffer, TypedBuffersAreWhatTheyAre) {
  const std::vector<float> floats{1, 2, 3, 4};
  expect_elements<float>(frombuffer(floats), {4}, {1, 2, 3, 4});
  EXPECT_EQ(frombuffer(floats).dtype(), float32);
  const std::vector<std::int64_t> integers{1, 2};
  expect_elements<std::int64_t>(frombuffer(integers, {.count = 1}), {1}, {1});
  EXPECT_EQ(frombuffer(integers, float64).dtype(), float64);
  // Bytes are read as NumPy reads them.
  const std::vector<std::uint8_t> bytes(16);
  EXPECT_EQ(frombuffer(bytes).dtype(), float64);
  EXPECT_EQ(frombuffer(std::string(16, 'x')).size(), 2);
}

}  // namespace
}  // namespace cupyxx
