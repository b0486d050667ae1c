// SPDX-License-Identifier: MIT
// The pool's algorithm over malloc, without a device.
#include "cupyxx/internal/gpu/pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

#include "cupyxx/error.h"
#include "cupyxx/internal/diagnostics/bytes.h"
#include "cupyxx/internal/gpu/device_pool.h"
#include "cupyxx/internal/gpu/magazine.h"
#include "cupyxx/testing/expect_error.h"

namespace cupyxx::internal::gpu {
namespace {

using testing::expect_error;

constexpr std::size_t kKiB = std::size_t{1} << 10;
constexpr std::size_t kMiB = std::size_t{1} << 20;

class HostMemory final : public SystemMemory {
 public:
  explicit HostMemory(std::size_t capacity = std::size_t{8} << 30) : capacity_(capacity) {}

  void* allocate(std::size_t nbytes) override {
    ++calls;
    if (bytes + nbytes > capacity_) return nullptr;
    bytes += nbytes;
    return std::aligned_alloc(kBlockAlignment, round_up(nbytes, kBlockAlignment));
  }
  void release(void* address, std::size_t nbytes) override {
    bytes -= nbytes;
    std::free(address);
  }
  void wait() override { ++waits; }
  void settle(Storage* storage) noexcept override { settled.push_back(storage); }

  std::atomic<std::size_t> bytes{0};
  std::atomic<int> calls{0};
  std::atomic<int> waits{0};
  std::vector<Storage*> settled;

 private:
  const std::size_t capacity_;
};

// Pools outlive the threads' magazines, as the real ones do.
struct Fixture {
  explicit Fixture(std::size_t capacity = std::size_t{8} << 30, std::size_t limit = 0)
      : memory(*new HostMemory(capacity)),
        pool(*new Pool(&memory, Device::cuda(0), limit)),
        arena(*pool.arena(nullptr)) {
    kept().push_back(&pool);
  }

  Storage* allocate(std::size_t nbytes) { return Magazine::of(&arena)->allocate(nbytes); }

  HostMemory& memory;
  Pool& pool;
  Arena& arena;

 private:
  static std::vector<Pool*>& kept() {
    static auto& all = *new std::vector<Pool*>;  // leak checkers see the pools from here
    return all;
  }
};

void fill(Storage* storage, std::uint8_t value) {
  std::memset(storage->data, value, storage->nbytes);
}

bool holds(const Storage* storage, std::uint8_t value) {
  return std::all_of(storage->data, storage->data + storage->nbytes,
                     [value](char c) { return static_cast<std::uint8_t>(c) == value; });
}

TEST(BlockSize, WastesAtMostAQuarterAndIsAligned) {
  for (std::size_t nbytes = 1; nbytes < 40 * kMiB; nbytes += 1 + nbytes / 13) {
    const std::size_t size = block_size(nbytes);
    ASSERT_GE(size, nbytes);
    ASSERT_EQ(size % kBlockAlignment, 0u);
    ASSERT_EQ(block_size(size), size) << nbytes;
    if (nbytes > 1024) {
      ASSERT_LE(size, nbytes + nbytes / 4) << nbytes;
    }
    // Every size of a class is at least as large as every size of the class before.
    ASSERT_LE(class_of(nbytes < 512 ? 512 : nbytes), class_of(size));
  }
  EXPECT_EQ(block_size(0), kSmallestBlock);
}

TEST(Pool, KeepsBlocksApartInARandomMix) {
  Fixture f;
  std::mt19937 random(7);
  struct Live {
    Storage* storage;
    std::uint8_t value;
  };
  std::vector<Live> live;
  for (int i = 0; i < 20000; ++i) {
    if (live.size() < 600 || random() % 2) {
      const std::size_t nbytes =
          random() % 50 == 0 ? random() % (3 * kMiB) : random() % (16 * kKiB);
      Storage* storage = f.allocate(nbytes);
      ASSERT_EQ(reinterpret_cast<std::uintptr_t>(storage->data) % 256, 0u);
      ASSERT_EQ(storage->refs.load(), 1);
      ASSERT_EQ(storage->nbytes, nbytes);
      live.push_back({storage, static_cast<std::uint8_t>(random())});
      fill(storage, live.back().value);
    } else {
      const std::size_t at = random() % live.size();
      ASSERT_TRUE(holds(live[at].storage, live[at].value));
      release(live[at].storage);
      live[at] = live.back();
      live.pop_back();
    }
  }
  for (const Live& l : live) {
    ASSERT_TRUE(holds(l.storage, l.value));
    release(l.storage);
  }
  EXPECT_EQ(f.pool.stats().used, 0u);
  f.pool.free_all();
  EXPECT_EQ(f.memory.bytes.load(), 0u) << "a segment did not grow together again";
  EXPECT_EQ(f.pool.stats().cached, 0u);
}

TEST(Pool, HoldsTenThousandBlocks) {
  Fixture f;
  std::vector<Storage*> live;
  for (int i = 0; i < 10000; ++i) live.push_back(f.allocate(static_cast<std::size_t>(i % 4000)));
  EXPECT_EQ(f.pool.stats().allocations, 10000u);
  EXPECT_LE(f.memory.calls.load(), 2);
  std::shuffle(live.begin(), live.end(), std::mt19937(3));
  for (Storage* storage : live) release(storage);
  f.pool.free_all();
  EXPECT_EQ(f.memory.bytes.load(), 0u);
}

TEST(Pool, CoalescesInEveryOrder) {
  std::vector<int> order = {0, 1, 2};
  do {
    Fixture f;
    Storage* blocks[3];
    for (Storage*& block : blocks) block = f.allocate(2 * kMiB);
    EXPECT_EQ(f.pool.stats().largest_free, 14 * kMiB);
    for (const int i : order) release(blocks[i]);
    EXPECT_EQ(f.pool.stats().largest_free, 20 * kMiB);
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(Pool, GrowsInLargeSteps) {
  Fixture f;
  std::vector<Storage*> live;
  // 1000 odd sizes, about 290 MiB together.
  for (std::size_t i = 1; i <= 1000; ++i) live.push_back(f.allocate(i * 601 + i % 7));
  EXPECT_LE(f.memory.calls.load(), 4);
  for (Storage* storage : live) release(storage);
}

TEST(Pool, NearSizesShareASegment) {
  Fixture f;
  for (std::size_t i = 0; i < 8; ++i) release(f.allocate(500 * kMiB - i * 12345));
  EXPECT_EQ(f.memory.calls.load(), 1);
}

TEST(Pool, ReusesTheLatestBlockOfAThread) {
  Fixture f;
  Storage* first = f.allocate(1000);
  char* data = first->data;
  release(first);
  Storage* second = f.allocate(900);
  EXPECT_EQ(second->data, data);
  EXPECT_EQ(second->version.load(), 0u);
  release(second);
}

TEST(Pool, CountsWhatIsUsedCachedAndPeak) {
  Fixture f;
  Storage* a = f.allocate(kMiB);
  Storage* b = f.allocate(3 * kMiB);
  PoolStats stats = f.pool.stats();
  EXPECT_EQ(stats.used, 4 * kMiB);
  EXPECT_EQ(stats.cached, 16 * kMiB);
  EXPECT_EQ(stats.largest_free, 16 * kMiB);
  EXPECT_EQ(stats.system_calls, 1u);
  release(b);
  release(a);
  stats = f.pool.stats();
  EXPECT_EQ(stats.used, 0u);
  EXPECT_EQ(stats.peak, 4 * kMiB);
  EXPECT_EQ(stats.allocations, 2u);
}

TEST(Pool, KeepsToItsLimit) {
  Fixture f(std::size_t{8} << 30, 8 * kMiB);
  Storage* a = f.allocate(5 * kMiB);
  EXPECT_EQ(f.memory.bytes.load(), 8 * kMiB);
  expect_error<OutOfMemoryError>(
      [&] { f.allocate(4 * kMiB); },
      "allocate: out of memory on cuda:0; asked 4.00 MiB, used 5.00 MiB, cached 3.00 MiB, limit "
      "8.00 MiB, largest free block 3.00 MiB");
  f.pool.set_limit(0);
  Storage* b = f.allocate(4 * kMiB);
  release(a);
  release(b);
}

TEST(Pool, ReturnsMemoryAboveALoweredLimit) {
  Fixture f;
  release(f.allocate(kMiB));
  EXPECT_EQ(f.memory.bytes.load(), 20 * kMiB);
  f.pool.set_limit(4 * kMiB);
  EXPECT_EQ(f.memory.bytes.load(), 0u);
}

TEST(Pool, GivesFreeMemoryBackBeforeItFails) {
  Fixture f(100 * kMiB);
  release(f.allocate(90 * kMiB));
  // Nothing is left for this but what the pool itself holds.
  Storage* larger = f.allocate(100 * kMiB);
  EXPECT_GE(f.memory.waits.load(), 1);
  expect_error<OutOfMemoryError>([&] { f.allocate(kMiB); },
                                 "asked 1.00 MiB, used 100.00 MiB, cached 0 B, limit none, largest "
                                 "free block 0 B");
  release(larger);
}

TEST(Pool, RefusesAbsurdSizes) {
  Fixture f;
  for (const std::size_t nbytes : {~std::size_t{0}, std::size_t{1} << 63, std::size_t{1} << 49}) {
    expect_error<OutOfMemoryError>([&] { f.allocate(nbytes); }, "allocate: out of memory");
    expect_error<OutOfMemoryError>([&] { f.pool.allocate(&f.arena, nbytes); }, "TiB");
  }
}

TEST(Pool, TakesLessThanAStepWhenTheSystemHasLess) {
  Fixture f(6 * kMiB);
  Storage* storage = f.allocate(5 * kMiB);
  EXPECT_EQ(f.memory.bytes.load(), 5 * kMiB);
  release(storage);
}

TEST(Pool, StreamsDoNotShareBlocks) {
  Fixture f;
  int stream;
  Arena* other = f.pool.arena(&stream);
  EXPECT_EQ(f.pool.arena(&stream), other);
  Storage* a = f.allocate(1000);
  char* data = a->data;
  release(a);
  Storage* b = Magazine::of(other)->allocate(1000);
  EXPECT_NE(b->data, data);
  EXPECT_EQ(b->home_stream, &stream);
  release(b);
}

TEST(Pool, AnEndedStreamLeavesItsSegments) {
  Fixture f;
  int stream;
  release(Magazine::of(f.pool.arena(&stream))->allocate(1000));
  f.pool.end_stream(&stream);
  release(f.allocate(2000));
  EXPECT_EQ(f.memory.calls.load(), 1);
}

TEST(Pool, HeldMemoryStays) {
  Fixture f;
  release(f.allocate(3 * kMiB));
  f.arena.hold(true);
  f.pool.free_all();
  EXPECT_EQ(f.memory.bytes.load(), 20 * kMiB);
  f.arena.hold(false);
  f.pool.free_all();
  EXPECT_EQ(f.memory.bytes.load(), 0u);
}

TEST(Pool, SettlesForeignStreamsBeforeReuse) {
  Fixture f;
  int stream;
  Storage* storage = f.allocate(1000);
  storage->foreign_streams[0] = &stream;
  storage->foreign_count = 1;
  release(storage);
  ASSERT_EQ(f.memory.settled.size(), 1u);
  Storage* again = f.allocate(1000);
  EXPECT_EQ(again->foreign_count, 0);
  release(again);
  EXPECT_EQ(f.memory.settled.size(), 1u);
}

TEST(Pool, ThreadsFreeWhatOthersAllocated) {
  Fixture f;
  constexpr int kThreads = 4;
  constexpr int kRounds = 4000;
  std::vector<std::atomic<Storage*>> mailbox(64);
  std::vector<std::thread> threads;
  std::atomic<bool> damaged{false};
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      std::mt19937 random(static_cast<unsigned>(t));
      Magazine* magazine = Magazine::of(&f.arena);
      for (int i = 0; i < kRounds; ++i) {
        Storage* storage = magazine->allocate(random() % 6000);
        fill(storage, static_cast<std::uint8_t>(storage->nbytes));
        // Leave it for anybody, and free what lay there.
        Storage* found = mailbox[random() % mailbox.size()].exchange(storage);
        if (!found) continue;
        if (!holds(found, static_cast<std::uint8_t>(found->nbytes))) damaged = true;
        release(found);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_FALSE(damaged);
  for (auto& slot : mailbox) {
    if (Storage* storage = slot.load()) release(storage);
  }
  EXPECT_EQ(f.pool.stats().used, 0u);
  EXPECT_EQ(f.pool.stats().allocations, static_cast<std::uint64_t>(kThreads * kRounds));
  f.pool.free_all();
  EXPECT_EQ(f.memory.bytes.load(), 0u) << "a thread that ended kept blocks";
}

TEST(BytesText, UsesBinaryUnits) {
  EXPECT_EQ(bytes_text(512), "512 B");
  EXPECT_EQ(bytes_text(1536), "1.50 KiB");
  EXPECT_EQ(bytes_text(std::uint64_t{3} << 30), "3.00 GiB");
}

TEST(MemoryLimit, IsBytesOrAPart) {
  EXPECT_EQ(parse_memory_limit(nullptr, 1000), 0u);
  EXPECT_EQ(parse_memory_limit("", 1000), 0u);
  EXPECT_EQ(parse_memory_limit("123456", 1000), 123456u);
  EXPECT_EQ(parse_memory_limit("0.5", 1000), 500u);
  EXPECT_EQ(parse_memory_limit("25%", 1000), 250u);
  expect_error<ValueError>([] { parse_memory_limit("1.5", 1000); }, "\"1.5\"");
  expect_error<ValueError>([] { parse_memory_limit("lots", 1000); },
                           "CUPYXX_GPU_MEMORY_LIMIT: neither bytes nor a part of the memory; "
                           "\"lots\"");
}

}  // namespace
}  // namespace cupyxx::internal::gpu
