// SPDX-License-Identifier: MIT
#include "cupyxx/cuda/stream.h"

#include <gtest/gtest.h>

#include <thread>

#include "cupyxx/cuda/device.h"
#include "cupyxx/cuda/event.h"
#include "cupyxx/internal/gpu/runtime.h"
#include "cupyxx/internal/jit/kernel.h"

namespace cupyxx::cuda {
namespace {

namespace gpu = internal::gpu;
namespace jit = internal::jit;

// Keeps a stream busy for at least 20 ms at 2 GHz.
void keep_busy(const Stream& stream) {
  static const jit::Program& program = *new jit::Program{.name = "wait", .text = R"(
extern "C" __global__ void kernel(long long cycles) {
  const long long start = clock64();
  while (clock64() - start < cycles) {}
}
)"};
  const long long cycles = 40000000;
  jit::launch(jit::load(0, program), {}, stream.ptr(), &cycles);
}

TEST(CudaDevice, DescribesItself) {
  const Device device(0);
  EXPECT_EQ(device.id(), 0);
  EXPECT_EQ(cupyxx::Device(device), cupyxx::Device::cuda(0));
  EXPECT_GE(std::stoi(device.compute_capability()), 75);
  EXPECT_FALSE(device.product_name().empty());
  EXPECT_NO_THROW(device.synchronize());
}

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

}  // namespace
}  // namespace cupyxx::cuda
