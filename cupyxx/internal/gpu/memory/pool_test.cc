// SPDX-License-Identifier: MIT
// The pool's algorithm over malloc, without a device.
#include "cupyxx/internal/gpu/memory/pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "cupyxx/error.h"
#include "cupyxx/internal/diagnostics/bytes.h"
#include "cupyxx/internal/gpu/memory/device_pool.h"
#include "cupyxx/internal/gpu/memory/magazine.h"
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

// A pool that outlives the threads' magazines, as the real ones do.
Pool& lasting_pool(SystemMemory* memory, std::size_t limit = 0) {
  static auto& all = *new std::vector<Pool*>;  // leak checkers see the pools from here
  return *all.emplace_back(new Pool(memory, Device::cuda(0), limit));
}

struct Fixture {
  explicit Fixture(std::size_t capacity = std::size_t{8} << 30, std::size_t limit = 0)
      : memory(*new HostMemory(capacity)),
        pool(lasting_pool(&memory, limit)),
        arena(*pool.arena(nullptr)) {}

  Storage* allocate(std::size_t nbytes) { return Magazine::of(&arena)->allocate(nbytes); }

  HostMemory& memory;
  Pool& pool;
  Arena& arena;
};

void fill(Storage* storage, std::uint8_t value) {
  std::memset(storage->data, value, storage->nbytes);
}

bool holds(const Storage* storage, std::uint8_t value) {
  return std::all_of(storage->data, storage->data + storage->nbytes,
                     [value](char c) { return static_cast<std::uint8_t>(c) == value; });
}

TEST(BlockSize, ClassesAreInOrder) {
  int before = -1;
  for (std::size_t size = kSmallestBlock; size < (std::size_t{1} << 48); size += 1 + size / 70) {
    const int now = class_of(size);
    ASSERT_GE(now, before) << size;
    ASSERT_LT(now, kClasses) << size;
    before = now;
  }
  // Up to 2 MiB a block that a request gets is the smallest of its class.
  for (std::size_t size = kSmallestBlock; size <= 2 * kMiB; size = block_size(size + 1)) {
    ASSERT_LT(class_of(size - 1), class_of(size)) << size;
  }
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

// Addresses without memory, so that gigabytes cost nothing.
class Addresses final : public SystemMemory {
 public:
  void* allocate(std::size_t nbytes) override {
    const std::uintptr_t address = next_;
    next_ += nbytes + 4096;
    reserved += nbytes;
    return reinterpret_cast<void*>(address);
  }
  void release(void*, std::size_t nbytes) override { reserved -= nbytes; }
  void wait() override {}
  void settle(Storage*) noexcept override {}
  void poison(Storage* storage, std::size_t nbytes) noexcept override {
    poisoned.emplace_back(storage->data, nbytes);
  }

  std::size_t reserved = 0;
  std::vector<std::pair<void*, std::size_t>> poisoned;

 private:
  std::uintptr_t next_ = std::uintptr_t{1} << 40;
};

TEST(Pool, TenThousandBlocksOfAnySizeNeverOverlap) {
  Addresses& memory = *new Addresses;
  Pool& pool = lasting_pool(&memory);
  Magazine* magazine = Magazine::of(pool.arena(nullptr));
  std::mt19937_64 random(11);
  std::vector<Storage*> live;
  std::map<std::uintptr_t, std::uintptr_t> intervals;  // begin to end of what is handed out
  std::uint64_t asked = 0, most = 0;
  const auto take = [&] {
    const std::size_t nbytes = 1 + random() % (2 * kMiB);
    Storage* storage = magazine->allocate(nbytes);
    const auto begin = reinterpret_cast<std::uintptr_t>(storage->data);
    const std::uintptr_t end = begin + block_size(nbytes);
    ASSERT_EQ(begin % 256, 0u);
    const auto after = intervals.lower_bound(begin);
    ASSERT_TRUE(after == intervals.end() || end <= after->first);
    ASSERT_TRUE(after == intervals.begin() || std::prev(after)->second <= begin);
    intervals.emplace_hint(after, begin, end);
    live.push_back(storage);
    asked += block_size(nbytes);
    most = std::max(most, asked);
  };
  const auto give = [&](std::size_t at) {
    asked -= block_size(live[at]->nbytes);
    intervals.erase(reinterpret_cast<std::uintptr_t>(live[at]->data));
    release(live[at]);
    live[at] = live.back();
    live.pop_back();
  };
  while (live.size() < 10000) ASSERT_NO_FATAL_FAILURE(take());
  for (int i = 0; i < 60000; ++i) {
    give(random() % live.size());
    ASSERT_NO_FATAL_FAILURE(take());
    if (i % 5000 == 0) {
      const PoolStats stats = pool.stats();
      // A remainder below the smallest block stays with its block.
      ASSERT_GE(stats.used, asked);
      ASSERT_LT(stats.used, asked + live.size() * kSmallestBlock);
      ASSERT_EQ(stats.blocks, live.size());
      ASSERT_EQ(stats.total, memory.reserved);
      ASSERT_EQ(stats.cached, stats.total - stats.used);
      ASSERT_LE(stats.largest_free, stats.cached);
    }
  }
  EXPECT_GE(pool.stats().peak, most);
  EXPECT_LT(pool.stats().peak, most + 10000 * kSmallestBlock);
  EXPECT_EQ(pool.stats().allocations, 70000u);
  // Fragmentation stays small: the free memory between the blocks is less than a quarter.
  EXPECT_LT(static_cast<double>(memory.reserved), 1.25 * static_cast<double>(most));
  while (!live.empty()) give(random() % live.size());
  EXPECT_EQ(pool.stats().used, 0u);
  EXPECT_EQ(pool.stats().blocks, 0u);
  magazine->flush();
  EXPECT_EQ(pool.stats().free_blocks, pool.stats().system_calls) << "one block for each segment";
  pool.free_all();
  EXPECT_EQ(memory.reserved, 0u);
  EXPECT_EQ(pool.stats().free_blocks, 0u);
}

TEST(Pool, AThreadKeepsABoundedPart) {
  Fixture f;
  std::vector<Storage*> live;
  for (int i = 0; i < 100; ++i) live.push_back(f.allocate(kMiB / 2));
  for (int i = 0; i < 1000; ++i) live.push_back(f.allocate(1000));
  for (Storage* storage : live) release(storage);
  // What is left to the arena can be had by others.
  Arena& arena = f.arena;
  EXPECT_GE(arena.largest_free(), 20 * kMiB);
  Magazine::of(&f.arena)->flush();
  f.pool.free_all();
  EXPECT_EQ(f.memory.bytes.load(), 0u);
}

TEST(Pool, CountsFailuresAsNothing) {
  Fixture f(10 * kMiB);
  Storage* a = f.allocate(8 * kMiB);
  for (int i = 0; i < 3; ++i) {
    expect_error<OutOfMemoryError>([&] { f.allocate(9 * kMiB); }, "asked 9.00 MiB");
    expect_error<OutOfMemoryError>([&] { f.pool.allocate(&f.arena, 9 * kMiB); }, "used 8.00 MiB");
  }
  EXPECT_EQ(f.pool.stats().allocations, 1u);
  EXPECT_EQ(f.pool.stats().blocks, 1u);
  EXPECT_EQ(f.pool.stats().peak, 8 * kMiB);
  release(a);
  EXPECT_EQ(f.pool.stats().blocks, 0u);
}

TEST(Pool, FreesTheMemoryOfOneStream) {
  Fixture f;
  int stream;
  Arena* other = f.pool.arena(&stream);
  release(f.pool.allocate(other, 1000));
  release(f.allocate(1000));
  EXPECT_EQ(f.memory.bytes.load(), 40 * kMiB);
  f.pool.free_stream(&stream);
  EXPECT_EQ(f.memory.bytes.load(), 20 * kMiB);
  EXPECT_EQ(f.pool.stats().total, 20 * kMiB);
  f.pool.free_all();
  EXPECT_EQ(f.memory.bytes.load(), 0u);
}

TEST(Pool, StatesItsLimit) {
  Fixture f(std::size_t{8} << 30, 64 * kMiB);
  EXPECT_EQ(f.pool.stats().limit, 64 * kMiB);
  Storage* a = f.allocate(30 * kMiB);
  // Below what is in use: nothing is taken away, and nothing more comes.
  f.pool.set_limit(kMiB);
  EXPECT_EQ(f.pool.stats().used, 30 * kMiB);
  expect_error<OutOfMemoryError>([&] { f.allocate(40 * kMiB); }, "limit 1.00 MiB");
  release(a);
  f.pool.free_all();
  expect_error<OutOfMemoryError>([&] { f.allocate(2 * kMiB); },
                                 "used 0 B, cached 0 B, limit 1.00 MiB");
  f.pool.set_limit(0);
  release(f.allocate(40 * kMiB));
}

TEST(Pool, PoisonsWhatIsFreed) {
  Addresses& memory = *new Addresses;
  Pool& pool = lasting_pool(&memory);
  Arena* arena = pool.arena(nullptr);
  release(pool.allocate(arena, 1000));
  EXPECT_TRUE(memory.poisoned.empty());
  EXPECT_FALSE(set_pool_poison(true));
  Storage* storage = pool.allocate(arena, 3000);
  void* const data = storage->data;
  release(storage);
  EXPECT_TRUE(set_pool_poison(false));
  ASSERT_EQ(memory.poisoned.size(), 1u);
  EXPECT_EQ(memory.poisoned[0], std::pair(data, block_size(3000)));
}

TEST(Pool, ManyThreadsCountTogether) {
  Fixture f;
  constexpr int kThreads = 8;
  std::vector<std::thread> threads;
  std::vector<Storage*> kept(kThreads);
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      Magazine* magazine = Magazine::of(&f.arena);
      for (int i = 0; i < 2000; ++i) release(magazine->allocate(kMiB));
      kept[static_cast<std::size_t>(t)] = magazine->allocate(2 * kMiB);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(f.pool.stats().used, kThreads * 2 * kMiB);
  EXPECT_EQ(f.pool.stats().blocks, static_cast<std::uint64_t>(kThreads));
  EXPECT_GE(f.pool.stats().peak, kThreads * 2 * kMiB);
  for (Storage* storage : kept) release(storage);
  EXPECT_EQ(f.pool.stats().used, 0u);
  EXPECT_EQ(f.pool.stats().blocks, 0u);
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

TEST(Pool, SmallArraysDoNotKeepLargeMemory) {
  Fixture f(4096 * kMiB);
  Storage* large = f.allocate(3000 * kMiB);
  const std::size_t segment = f.memory.bytes;
  release(large);
  Storage* small = f.allocate(16 * kKiB);
  EXPECT_EQ(f.memory.bytes, segment + 20 * kMiB);
  Storage* same = f.allocate(3000 * kMiB);
  EXPECT_EQ(f.memory.bytes, segment + 20 * kMiB);
  release(same);
  f.pool.free_all();
  EXPECT_EQ(f.memory.bytes, 20 * kMiB);
  release(small);
  f.pool.free_all();
}

TEST(Pool, SmallArraysTakeLargeMemoryWhereNothingElseIsLeft) {
  Fixture f(3072 * kMiB);
  Storage* large = f.allocate(3000 * kMiB);
  Storage* other = f.allocate(30 * kMiB);
  release(large);
  std::vector<Storage*> small;
  for (int i = 0; i < 200; ++i) small.push_back(f.allocate(kMiB));
  EXPECT_LE(f.memory.bytes, 3072 * kMiB);
  for (Storage* storage : small) release(storage);
  release(other);
  f.pool.free_all();
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

TEST(Pool, AThreadFindsItsMagazinesByStream) {
  Fixture f;
  int first, second;
  Magazine* a = Magazine::of(&f.pool, &first);
  Magazine* b = Magazine::of(&f.pool, &second);
  EXPECT_NE(a, b);
  EXPECT_EQ(a->arena(), f.pool.arena(&first));
  EXPECT_EQ(Magazine::of(&f.pool, &first), a);
  EXPECT_EQ(Magazine::of(f.pool.arena(&second)), b);
  Fixture other;
  EXPECT_NE(Magazine::of(&other.pool, &first), a);
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
