// SPDX-License-Identifier: MIT
// A program with streams and events on a machine without devices.
#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>

#include "cupyxx/creation.h"
#include "cupyxx/cuda/device.h"
#include "cupyxx/cuda/event.h"
#include "cupyxx/cuda/stream.h"
#include "cupyxx/error.h"
#include "cupyxx/interop.h"
#include "cupyxx/math.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx::cuda {
namespace {

using cupyxx::testing::expect_elements;
using cupyxx::testing::expect_error;

class HostStream : public ::testing::Test {
 protected:
  void SetUp() override {
    if (device_count() > 0) GTEST_SKIP() << "streams are the devices'";
  }
};

TEST_F(HostStream, AStreamProgramRuns) {
  const Stream stream({.non_blocking = true}), other;
  const Event begin, end;
  const ndarray a = arange(3, float32);
  ndarray b;
  {
    const StreamScope scope(stream);
    begin.record();
    b = a + 1;
    end.record();
  }
  const Event copied = stream.record();
  EXPECT_GE(get_elapsed_time(copied, other.record(end)), 0.0f);
  other.wait_event(copied);
  other.wait_stream(stream);
  const ndarray c = empty_like(b);
  copy_async(c, b, other);
  EXPECT_TRUE(stream.done());
  EXPECT_TRUE(end.done());
  stream.synchronize();
  end.synchronize();
  synchronize_current_stream();
  expect_elements<float>(c, {3}, {1, 2, 3});
  EXPECT_GE(get_elapsed_time(begin, end), 0.0f);
  EXPECT_EQ(stream.device(), -1);
  EXPECT_EQ(begin.device(), -1);
  EXPECT_EQ(stream.ptr(), nullptr);
  EXPECT_EQ(begin.ptr(), nullptr);
}

TEST_F(HostStream, EventsTakeTheHostsTime) {
  const Event begin, end;
  EXPECT_TRUE(begin.done());  // as one that was never recorded
  begin.record();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  end.record(Stream());
  EXPECT_GE(get_elapsed_time(begin, end), 20.0f);
  EXPECT_LE(get_elapsed_time(end, begin), -20.0f);
  EXPECT_EQ(get_elapsed_time(begin, begin), 0.0f);
  const Event never, untimed({.disable_timing = true});
  expect_error<ValueError>([&] { get_elapsed_time(begin, never); },
                           "get_elapsed_time: an event was never recorded");
  untimed.record();
  expect_error<ValueError>([&] { get_elapsed_time(untimed, begin); },
                           "get_elapsed_time: an event was made with disable_timing");
}

TEST_F(HostStream, CallbacksRunAtOnceAndTheirErrorsAtTheNextWait) {
  const Stream stream;
  std::string calls;
  stream.launch_host_func([&] { calls += "f"; });
  EXPECT_EQ(calls, "f");
  stream.add_callback(
      [&](const Stream& on, int error, const char* argument) {
        EXPECT_TRUE(on == stream);
        EXPECT_EQ(error, 0);
        calls += argument;
      },
      "c");
  EXPECT_EQ(calls, "fc");
  stream.launch_host_func([] { throw std::runtime_error("first"); });
  stream.launch_host_func([] { throw std::runtime_error("second"); });
  expect_error<std::runtime_error>([&] { stream.synchronize(); }, "first");
  expect_error<std::runtime_error>([&] { stream.synchronize(); }, "second");
  EXPECT_NO_THROW(stream.synchronize());
}

TEST_F(HostStream, EachThreadHasItsCurrentStream) {
  const Stream null = get_current_stream();
  EXPECT_TRUE(null == Stream::null());
  const Stream a, b;
  EXPECT_FALSE(a == b);
  EXPECT_FALSE(a == null);
  {
    const StreamScope outer(a);
    EXPECT_TRUE(get_current_stream() == a);
    {
      const StreamScope inner(b);
      EXPECT_TRUE(get_current_stream() == b);
      std::thread([&] { EXPECT_TRUE(get_current_stream() == null); }).join();
    }
    EXPECT_TRUE(get_current_stream() == a);
    a.launch_host_func([] { throw std::runtime_error("later"); });
    expect_error<std::runtime_error>([] { synchronize_current_stream(); }, "later");
  }
  EXPECT_TRUE(get_current_stream() == null);
  b.use();
  EXPECT_TRUE(get_current_stream() == b);
  null.use();
  EXPECT_EQ(get_current_stream_ptr(), nullptr);
  const Stream mine({.per_thread = true}), again({.per_thread = true});
  EXPECT_TRUE(mine == again);
  EXPECT_FALSE(mine == null);
  std::thread([&] { EXPECT_FALSE(Stream({.per_thread = true}) == mine); }).join();
}

TEST_F(HostStream, OptionsAreChecked) {
  EXPECT_EQ(Stream({.priority = -3}).priority(), -3);
  EXPECT_EQ(Stream().priority(), 0);
  EXPECT_EQ(stream_priority_range(), (std::pair<int, int>(0, 0)));
  expect_error<ValueError>([] { Stream({.null = true, .per_thread = true}); },
                           "Stream: null and per_thread are two streams");
  expect_error<ValueError>([] { Event({.interprocess = true}); },
                           "Event: interprocess needs disable_timing");
}

TEST_F(HostStream, WhatNeedsADeviceSaysSo) {
  const std::string absent = ": no CUDA device 0; 0 devices present";
  expect_error<DeviceError>([] { ExternalStream(nullptr); }, "cuda" + absent);
  expect_error<DeviceError>([] { Event::from_handle({}); }, "cuda" + absent);
  const Event shared({.disable_timing = true, .interprocess = true});
  expect_error<DeviceError>([&] { shared.export_handle(); }, "Event" + absent);
  expect_error<ValueError>([] { Event().export_handle(); },
                           "Event: only an event made with interprocess has a handle");
  expect_error<DeviceError>([] { Device(0).use(); }, "cuda" + absent);
}

}  // namespace
}  // namespace cupyxx::cuda
