// SPDX-License-Identifier: MIT
// The order of work between the streams of two libraries. What waits and what does not is seen in
// the values: the side that comes first is kept busy for a while before it writes.
#include <gtest/gtest.h>

#include <thread>

#include "cupyxx/creation.h"
#include "cupyxx/cuda/stream.h"
#include "cupyxx/internal/jit/kernel.h"
#include "cupyxx/interop.h"
#include "cupyxx/interop/dlpack_abi.h"
#include "cupyxx/math.h"

namespace cupyxx {
namespace {

namespace jit = internal::jit;

constexpr std::int64_t kSize = 1 << 20;

// Keeps a stream busy for at least 20 ms at 2 GHz.
void keep_busy(void* stream) {
  static const jit::Program& program = *new jit::Program{.name = "wait", .text = R"(
extern "C" __global__ void kernel(long long cycles) {
  const long long start = clock64();
  while (clock64() - start < cycles) {}
}
)"};
  const long long cycles = 40000000;
  jit::launch(jit::load(0, program), {}, stream, &cycles);
}

std::intptr_t number_of(const cuda::Stream& stream) {
  return stream.ptr() == nullptr ? kDlpackLegacyStream
                                 : reinterpret_cast<std::intptr_t>(stream.ptr());
}

// The sum as seen from a stream.
double sum_on(const cuda::Stream& stream, const ndarray& a) {
  const cuda::StreamScope scope(stream);
  return a.sum().item<double>();
}

struct DlpackStream : ::testing::Test {
  DeviceScope scope{Device::cuda(0)};
  cuda::Stream ours{{.non_blocking = true}};
  cuda::Stream theirs{{.non_blocking = true}};
};

TEST_F(DlpackStream, TheConsumersStreamWaitsForOurs) {
  const ndarray a = zeros({kSize}, float64);
  cuda::synchronize_current_stream();
  DlpackTensor t;
  {
    const cuda::StreamScope on(ours);
    keep_busy(ours.ptr());
    a.fill(1);
    t = to_dlpack(a, {.stream = number_of(theirs)});
  }
  ndarray b;
  {
    const cuda::StreamScope on(theirs);
    b = from_dlpack(std::move(t), {.stream = kDlpackNoStream});
  }
  EXPECT_EQ(sum_on(theirs, b), kSize);
}

TEST_F(DlpackStream, OurStreamWaitsForTheProducers) {
  const ndarray a = zeros({kSize}, float64);
  cuda::synchronize_current_stream();
  DlpackTensor t;
  {
    const cuda::StreamScope on(theirs);
    t = to_dlpack(a, {.stream = kDlpackNoStream});
    keep_busy(theirs.ptr());
    a.fill(2);
  }
  const cuda::StreamScope on(ours);
  const ndarray b = from_dlpack(std::move(t), {.stream = number_of(theirs)});
  EXPECT_EQ(b.sum().item<double>(), 2 * kSize);
}

TEST_F(DlpackStream, DefaultStreamsAreNumbered) {
  for (const std::intptr_t number : {kDlpackLegacyStream, kDlpackPerThreadStream}) {
    const ndarray a = zeros({kSize}, float64);
    cuda::synchronize_current_stream();
    const cuda::StreamScope on(ours);
    keep_busy(ours.ptr());
    a.fill(3);
    const DlpackTensor t = to_dlpack(a, {.stream = number});
    // The default streams wait for ours, and our other stream for them.
    const cuda::StreamScope on_theirs(theirs);
    const ndarray b = from_dlpack(to_dlpack(a, {.stream = kDlpackNoStream}), {.stream = number});
    EXPECT_EQ(b.sum().item<double>(), 3 * kSize) << number;
  }
}

// Memory that a consumer lets go while its work on it is still queued must not be handed out before
// that work has ended.
TEST_F(DlpackStream, MemoryIsNotUsedAgainBeforeTheConsumerHasFinished) {
  ndarray a = full({kSize}, 4.0);
  void* const place = a.data();
  DLManagedTensorVersioned* t = to_dlpack(a, {.stream = number_of(theirs)}).release();
  a = {};
  ndarray total;
  {
    const cuda::StreamScope on(theirs);
    const ndarray seen = from_dlpack(to_dlpack(from_dlpack(t), {.stream = kDlpackNoStream}));
    keep_busy(theirs.ptr());
    total = seen.sum();
  }  // freed here; the sum waits behind the busy kernel
  ndarray again = full({kSize}, 5.0);
  EXPECT_EQ(again.data(), place);
  EXPECT_EQ(sum_on(theirs, total), 4 * kSize);
}

struct Lent {
  DLManagedTensorVersioned tensor{};
  std::int64_t shape[1] = {kSize};
  ndarray memory;
  void* stream = nullptr;
  int deleted = 0;
};

// The producer writes to its memory as soon as it has it back, on the stream that it named.
TEST_F(DlpackStream, TheProducersStreamWaitsForOursBeforeItsDeleter) {
  Lent lent;
  lent.memory = full({kSize}, 6.0);
  lent.stream = theirs.ptr();
  cuda::synchronize_current_stream();
  lent.tensor = {.version = {1, 0},
                 .manager_ctx = &lent,
                 .deleter = [](auto* t) { ++static_cast<Lent*>(t->manager_ctx)->deleted; },
                 .flags = 0,
                 .dl_tensor = {.data = lent.memory.data(),
                               .device = {kDLCUDA, 0},
                               .ndim = 1,
                               .dtype = {kDLFloat, 64, 1},
                               .shape = lent.shape,
                               .strides = nullptr,
                               .byte_offset = 0}};
  ndarray total;
  {
    const cuda::StreamScope on(ours);
    ndarray b = from_dlpack(&lent.tensor, {.stream = number_of(theirs)});
    keep_busy(ours.ptr());
    total = b.sum();
    std::thread([view = std::exchange(b, {})]() mutable { view = {}; }).join();
  }
  EXPECT_EQ(lent.deleted, 1);
  {
    const cuda::StreamScope on(theirs);
    lent.memory.fill(0);
  }
  EXPECT_EQ(sum_on(ours, total), 6 * kSize);
}

}  // namespace
}  // namespace cupyxx
