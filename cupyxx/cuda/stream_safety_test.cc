// SPDX-License-Identifier: MIT
// Memory of arrays that several streams and threads use: nothing is handed out too early. Freed
// blocks are overwritten, so that a late use shows.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <thread>
#include <vector>

#include "cupyxx/creation.h"
#include "cupyxx/cuda/allocator.h"
#include "cupyxx/cuda/stream.h"
#include "cupyxx/cuda/test_kernels.h"
#include "cupyxx/indexing.h"
#include "cupyxx/internal/gpu/memory/pool.h"
#include "cupyxx/interop.h"
#include "cupyxx/linalg.h"
#include "cupyxx/math.h"
#include "cupyxx/sorting.h"
#include "cupyxx/statistics.h"

namespace cupyxx::cuda {
namespace {

using testing::keep_busy;

class StreamSafety : public ::testing::Test {
 public:
  StreamSafety() : scope_(cupyxx::Device::cuda(0)), before_(internal::gpu::set_pool_poison(true)) {}
  ~StreamSafety() override { internal::gpu::set_pool_poison(before_); }

 private:
  DeviceScope scope_;
  bool before_;
};

// What each kind of work does with an array that is freed at once, while another stream that has
// not even begun is to read it.
template <class Work>
void expect_safe(const char* what, Work work) {
  constexpr std::int64_t kCount = 1 << 12;
  const ndarray expected = work(arange(kCount, float32).reshape({64, 64}) % 7);
  const Stream other({.non_blocking = true});
  for (int round = 0; round < 3; ++round) {
    keep_busy(other, 5);
    ndarray result;
    {
      const ndarray x = arange(kCount, float32).reshape({64, 64}) % 7;
      synchronize_current_stream();
      const StreamScope scope(other);
      result = work(x);
    }
    // The block of x comes again, on its own stream, and is overwritten there.
    const ndarray again = full({64, 64}, -1, float32);
    other.synchronize();
    EXPECT_EQ(result.to_vector<float>(), expected.to_vector<float>()) << what;
  }
}

TEST_F(StreamSafety, OfEveryKindOfWork) {
  expect_safe("elementwise", [](const ndarray& x) { return x * 2 + 1; });
  expect_safe("strided", [](const ndarray& x) { return x.T() + x; });
  expect_safe("copy", [](const ndarray& x) { return x.copy(); });
  expect_safe("cast", [](const ndarray& x) { return x.astype(float64); });
  expect_safe("reduction", [](const ndarray& x) { return x.sum(0); });
  expect_safe("full reduction", [](const ndarray& x) { return x.sum(); });
  expect_safe("product", [](const ndarray& x) { return matmul(x, x); });
  expect_safe("vector product", [](const ndarray& x) { return dot(x, x(0)); });
  expect_safe("integer product", [](const ndarray& x) {
    const ndarray n = x.astype(int32);
    return matmul(n, n);
  });
  expect_safe("sort", [](const ndarray& x) { return sort(x.ravel()); });
  expect_safe("running sum", [](const ndarray& x) { return cumsum(x, 1); });
  expect_safe("take", [](const ndarray& x) { return x.take(array({3, 1, 2}), 0); });
  expect_safe("where", [](const ndarray& x) { return where(x > 3, x, 0); });
  expect_safe("masked fill", [](const ndarray& x) {
    ndarray y = x.copy();
    y(x > 3) = -1;
    return y;
  });
}

TEST_F(StreamSafety, TheFirstUseElsewhereWaitsForTheMemorysStream) {
  const Stream home({.non_blocking = true}), other({.non_blocking = true});
  for (int round = 0; round < 3; ++round) {
    ndarray x;
    {
      const StreamScope scope(home);
      keep_busy(home, 5);
      x = full({1 << 16}, round, int32);  // after the busy kernel
    }
    const StreamScope scope(other);
    const ndarray y = x + 1;
    EXPECT_EQ(y.min().item<int>(), round + 1);
    EXPECT_EQ(y.max().item<int>(), round + 1);
  }
}

TEST_F(StreamSafety, MemoryPointersKeepTheRuleToo) {
  const Stream other({.non_blocking = true});
  const MemoryPointer target = alloc_pinned_memory(1 << 20);
  for (int round = 0; round < 3; ++round) {
    keep_busy(other, 5);
    {
      const MemoryPointer source = alloc(1 << 20);
      source.memset(round, 1 << 20);
      target.copy_from_async(source, 1 << 20, other);
    }
    alloc(1 << 20).memset(99, 1 << 20);
    other.synchronize();
    const auto* bytes = static_cast<const std::uint8_t*>(target.ptr());
    EXPECT_TRUE(std::all_of(bytes, bytes + (1 << 20), [round](int b) { return b == round; }));
  }
}

TEST_F(StreamSafety, StreamsMayGoBeforeTheirArrays) {
  for (int round = 0; round < 20; ++round) {
    ndarray x, y;
    {
      const Stream stream({.non_blocking = true});
      const StreamScope scope(stream);
      x = full({1000}, round, int32);
      y = x * 2;
    }
    EXPECT_EQ((x + y).sum().item<int>(), 3000 * round);
  }
}

// ---- The random test: each thread works on arrays of its own and on common ones, on four streams.

constexpr int kThreads = 16;
constexpr int kStreams = 4;
constexpr int kSteps = 250;
constexpr std::size_t kSlots = 6;
constexpr std::int64_t kLargest = 60000;

struct Slot {
  ndarray array;
  int stream = 0;  // where it was written
};

// How the streams of a thread are chosen and ordered; on the host there are none.
class Lanes {
 public:
  explicit Lanes(bool on_device) {
    for (int i = 0; on_device && i < kStreams; ++i) {
      streams_.emplace_back(StreamOptions{.non_blocking = i % 2 == 0});
    }
  }
  void enter(int lane) {
    if (!streams_.empty()) streams_[static_cast<std::size_t>(lane)].use();
  }
  // What is done on `lane` from here on comes after what `other` has been given.
  void wait(int lane, int other) {
    if (streams_.empty() || lane == other) return;
    streams_[static_cast<std::size_t>(lane)].wait_stream(streams_[static_cast<std::size_t>(other)]);
  }
  void leave() {
    if (!streams_.empty()) Stream::null().use();
  }
  void synchronize() {
    for (const Stream& stream : streams_) stream.synchronize();
  }

 private:
  std::vector<Stream> streams_;
};

ndarray compute(int kind, const ndarray& x, const ndarray& y) {
  const std::int64_t n = std::min(x.size(), y.size());
  const ndarray a = x(slice(0, n)), b = y(slice(0, n));
  switch (kind) {
    case 0:
      return a * 3 + b;
    case 1:
      return sort(a - b);
    case 2:
      return cumsum(a % 100);
    case 3:
      return a - b.sum();
    case 4:
      return where(a > b, a, b);
    case 5:
      return a(slice(none, none, -1)) ^ b;
    case 6: {
      const std::int64_t side = n < 1024 ? 1 : 32;
      const ndarray m = a(slice(0, side * side)).reshape({side, side});
      return matmul(m, m).ravel() + b(slice(0, side * side));
    }
    default:
      return a.astype(int64).astype(int32);
  }
}

std::vector<std::vector<int>> run_thread(unsigned seed, bool on_device,
                                         const std::vector<ndarray>& common) {
  const DeviceScope scope(on_device ? cupyxx::Device::cuda(0) : cupyxx::Device::cpu());
  std::mt19937 random(seed);
  Lanes lanes(on_device);
  std::vector<Slot> slots(kSlots);
  for (std::size_t i = 0; i < kSlots; ++i) {
    const int lane = static_cast<int>(i) % kStreams;
    lanes.enter(lane);
    slots[i] = {arange(1000 + 100 * static_cast<std::int64_t>(seed), int32), lane};
  }
  for (int step = 0; step < kSteps; ++step) {
    const int lane = static_cast<int>(random() % kStreams);
    const Slot x = slots[random() % kSlots], y = slots[random() % kSlots];
    Slot& target = slots[random() % kSlots];
    lanes.enter(lane);
    lanes.wait(lane, x.stream);
    lanes.wait(lane, y.stream);
    const unsigned kind = random() % 12;
    if (kind < 8) {
      target = {compute(static_cast<int>(kind), x.array, y.array), lane};
    } else if (kind < 10) {
      const std::int64_t n = 1 + static_cast<std::int64_t>(random()) % kLargest;
      target = {full({n}, static_cast<int>(random() % 1000), int32), lane};
    } else {
      const ndarray& shared = common[random() % common.size()];
      target = {compute(static_cast<int>(random() % 6), shared, x.array), lane};
    }
  }
  lanes.synchronize();
  lanes.leave();
  std::vector<std::vector<int>> results;
  results.reserve(slots.size());
  for (const Slot& slot : slots) results.push_back(slot.array.to_vector<int>());
  return results;
}

std::vector<ndarray> make_common() {
  std::vector<ndarray> common;
  common.reserve(8);
  for (int i = 0; i < 8; ++i) common.push_back(arange(20000 + 1000 * i, int32) * (i + 1));
  return common;
}

TEST_F(StreamSafety, SixteenThreadsOnFourStreamsEachAgreeWithASerialRun) {
  std::vector<std::vector<std::vector<int>>> expected(kThreads), found(kThreads);
  {
    const DeviceScope on_host(cupyxx::Device::cpu());
    const std::vector<ndarray> common = make_common();
    for (unsigned t = 0; t < kThreads; ++t) expected[t] = run_thread(t, false, common);
  }
  {
    const std::vector<ndarray> common = make_common();
    synchronize_current_stream();
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < kThreads; ++t) {
      // Each thread has handles of its own; the last of all frees the arrays.
      threads.emplace_back([&found, t, common] { found[t] = run_thread(t, true, common); });
    }
    for (std::thread& thread : threads) thread.join();
  }
  for (unsigned t = 0; t < kThreads; ++t) {
    for (std::size_t i = 0; i < kSlots; ++i) {
      ASSERT_EQ(found[t][i], expected[t][i]) << "thread " << t << ", array " << i;
    }
  }
}

}  // namespace
}  // namespace cupyxx::cuda
