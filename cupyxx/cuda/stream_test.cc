// SPDX-License-Identifier: MIT
#include "cupyxx/cuda/stream.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>

#include "cupyxx/cuda/device.h"
#include "cupyxx/cuda/event.h"
#include "cupyxx/cuda/test_kernels.h"
#include "cupyxx/error.h"
#include "cupyxx/internal/gpu/runtime.h"
#include "cupyxx/testing/expect_error.h"

namespace cupyxx::cuda {
namespace {

namespace gpu = internal::gpu;
using cupyxx::testing::expect_error;
using testing::keep_busy;

TEST(Stream, RunsBesideTheDefaultStream) {
  const Stream stream({.non_blocking = true});
  EXPECT_NE(stream.ptr(), nullptr);
  EXPECT_TRUE(stream.done());
  keep_busy(stream);
  EXPECT_FALSE(stream.done());
  EXPECT_NO_THROW(gpu::synchronize(0, nullptr));
  stream.synchronize();
  EXPECT_TRUE(stream.done());
}

TEST(Stream, NullIsTheDefaultStream) {
  const Stream null({.null = true});
  EXPECT_EQ(null.ptr(), nullptr);
  EXPECT_EQ(null.device(), 0);
  EXPECT_NO_THROW(null.synchronize());
}

TEST(Stream, CopiesShareTheQueue) {
  Stream a;
  void* first = a.ptr();
  {
    const Stream b = a;
    EXPECT_EQ(b.ptr(), first);
    a = Stream();
  }
  EXPECT_NE(a.ptr(), nullptr);
}

TEST(StreamScope, ChangesTheCurrentStreamOfThisThread) {
  EXPECT_EQ(get_current_stream_ptr(), nullptr);
  const Stream outer, inner;
  {
    const StreamScope outside(outer);
    EXPECT_EQ(get_current_stream_ptr(), outer.ptr());
    {
      const StreamScope inside(inner);
      EXPECT_EQ(get_current_stream_ptr(), inner.ptr());
      std::thread([] { EXPECT_EQ(get_current_stream_ptr(), nullptr); }).join();
    }
    EXPECT_EQ(get_current_stream_ptr(), outer.ptr());
    EXPECT_NO_THROW(synchronize_current_stream());
  }
  EXPECT_EQ(get_current_stream_ptr(), nullptr);
}

TEST(Event, MarksAndTimesWork) {
  const Stream stream;
  const Event start = stream.record();
  keep_busy(stream);
  const Event end;
  end.record(stream);
  EXPECT_FALSE(end.done());
  end.synchronize();
  EXPECT_TRUE(start.done());
  EXPECT_GT(get_elapsed_time(start, end), 1.0f);
}

TEST(Event, RecordsTheCurrentStream) {
  const Stream stream({.non_blocking = true});
  const StreamScope scope(stream);
  keep_busy(stream);
  const Event event({.block = true, .disable_timing = true});
  event.record();
  EXPECT_FALSE(event.done());
  event.synchronize();
  EXPECT_TRUE(stream.done());
}

TEST(Event, OrdersStreams) {
  const Stream first({.non_blocking = true}), second({.non_blocking = true});
  keep_busy(first);
  second.wait_event(first.record());
  EXPECT_FALSE(second.done());
  second.synchronize();
  EXPECT_TRUE(first.done());
}

TEST(Event, SaysWhatItCannotTime) {
  const Event start, end, untimed({.disable_timing = true});
  expect_error<ValueError>([&] { get_elapsed_time(start, end); },
                           "get_elapsed_time: an event was never recorded");
  start.record();
  end.record();
  untimed.record();
  end.synchronize();
  EXPECT_GE(get_elapsed_time(start, end), 0.0f);
  expect_error<ValueError>([&] { get_elapsed_time(start, untimed); },
                           "get_elapsed_time: an event was made with disable_timing");
  const Stream stream;
  keep_busy(stream);
  end.record(stream);
  expect_error<ValueError>([&] { get_elapsed_time(start, end); },
                           "get_elapsed_time: an event has not finished");
  end.synchronize();
}

TEST(Event, OfAnotherProcessHasAHandle) {
  expect_error<ValueError>([] { Event({.interprocess = true}); },
                           "Event: interprocess needs disable_timing");
  expect_error<ValueError>([] { Event().export_handle(); },
                           "Event: only an event made with interprocess has a handle");
  const Event event({.disable_timing = true, .interprocess = true});
  event.record();
  event.synchronize();
  const EventHandle handle = event.export_handle();
  EXPECT_NE(handle, EventHandle{});
  // The process that made it cannot open it; the bytes are looked at.
  EXPECT_THROW(Event::from_handle(handle), CudaError);
  EXPECT_TRUE(event.done());
}

TEST(Stream, HasAPriority) {
  const auto [least, greatest] = stream_priority_range();
  EXPECT_LE(greatest, least);
  EXPECT_EQ(Stream({.priority = greatest}).priority(), greatest);
  EXPECT_EQ(Stream().priority(), 0);
  expect_error<ValueError>([g = greatest] { Stream({.priority = g - 1}); },
                           "Stream: the device has priorities from ");
}

TEST(Stream, RefusesOptionsThatExcludeEachOther) {
  expect_error<ValueError>([] { Stream({.null = true, .per_thread = true}); },
                           "Stream: null and per_thread are two streams");
  expect_error<ValueError>([] { Stream({.null = true, .non_blocking = true}); },
                           "Stream: a default stream takes no further options");
}

TEST(Stream, PerThreadIsOneForEachThread) {
  const Stream mine({.per_thread = true});
  EXPECT_NE(mine.ptr(), nullptr);
  EXPECT_EQ(Stream({.per_thread = true}), mine);
  void* theirs = nullptr;
  std::thread([&theirs] { theirs = Stream({.per_thread = true}).ptr(); }).join();
  EXPECT_NE(theirs, mine.ptr());
  // Its work waits for that of the default stream, as on CUDA's own.
  keep_busy(Stream::null());
  keep_busy(mine, 1);
  mine.synchronize();
  EXPECT_TRUE(Stream::null().done());
}

TEST(Stream, OfSomebodyElseIsUsedAndLeftAlone) {
  const Stream ours({.non_blocking = true});
  {
    const ExternalStream external(ours.ptr());
    EXPECT_EQ(external.ptr(), ours.ptr());
    EXPECT_EQ(external, ours);
    const StreamScope scope(external);
    EXPECT_EQ(get_current_stream_ptr(), ours.ptr());
  }
  EXPECT_TRUE(ours.done()) << "the last handle of an external stream destroyed it";
  EXPECT_EQ(ExternalStream(nullptr).ptr(), nullptr);
  EXPECT_EQ(ExternalStream(reinterpret_cast<void*>(1)).ptr(), nullptr);  // cudaStreamLegacy
  expect_error<ValueError>([] { ExternalStream(reinterpret_cast<void*>(2)); },
                           "ExternalStream: this handle names another queue in each thread");
}

TEST(Stream, ThatHasGoneIsNoStream) {
  void* gone = nullptr;
  {
    const Stream stream;
    gone = stream.ptr();
  }
  expect_error<ValueError>([gone] { ExternalStream{gone}; },
                           "ExternalStream: the stream has been destroyed");
}

TEST(Stream, IsCurrentUntilAnotherIs) {
  const Stream before = get_current_stream();
  EXPECT_EQ(before.ptr(), nullptr);
  void* used = nullptr;
  {
    const Stream stream;
    used = stream.ptr();
    stream.use();
  }
  // The last handle has gone, but the thread still uses the stream.
  EXPECT_EQ(get_current_stream().ptr(), used);
  EXPECT_NO_THROW(synchronize_current_stream());
  before.use();
  EXPECT_EQ(get_current_stream().ptr(), nullptr);
}

TEST(Stream, WaitsForAnotherStream) {
  const Stream first({.non_blocking = true}), second({.non_blocking = true});
  keep_busy(first);
  second.wait_stream(first);
  EXPECT_FALSE(second.done());
  second.synchronize();
  EXPECT_TRUE(first.done());
  EXPECT_NO_THROW(first.wait_stream(first));
}

TEST(Stream, CallsFunctionsInItsOrder) {
  const Stream stream({.non_blocking = true});
  std::atomic<int> calls{0};
  keep_busy(stream);
  stream.launch_host_func([&calls] { ++calls; });
  EXPECT_EQ(calls.load(), 0);
  stream.add_callback(
      [&calls](const Stream& where, int error, int& argument) {
        EXPECT_EQ(error, 0);
        EXPECT_NE(where.ptr(), nullptr);
        calls += argument;
      },
      10);
  stream.synchronize();
  EXPECT_EQ(calls.load(), 11);
}

TEST(Stream, ThrowsAgainWhatAFunctionThrew) {
  const Stream stream({.non_blocking = true});
  stream.launch_host_func([] { throw std::runtime_error("from the callback"); });
  expect_error<std::runtime_error>([&] { stream.synchronize(); }, "from the callback");
  EXPECT_NO_THROW(stream.synchronize());
  stream.launch_host_func([] { throw std::runtime_error("of the device"); });
  expect_error<std::runtime_error>([] { Device().synchronize(); }, "of the device");
}

TEST(Stream, FunctionsMayOwnTheLastHandle) {
  std::atomic<bool> called{false};
  {
    const Stream stream({.non_blocking = true});
    stream.launch_host_func([stream, &called] { called = true; });
  }
  Device().synchronize();
  EXPECT_TRUE(called);
}

}  // namespace
}  // namespace cupyxx::cuda
