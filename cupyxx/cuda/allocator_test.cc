// SPDX-License-Identifier: MIT
#include "cupyxx/cuda/allocator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "cupyxx/creation.h"
#include "cupyxx/cuda/device.h"
#include "cupyxx/cuda/memory_hook.h"
#include "cupyxx/error.h"
#include "cupyxx/interop.h"
#include "cupyxx/math.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx::cuda {
namespace {

using cupyxx::testing::expect_elements;
using cupyxx::testing::expect_error;

constexpr std::int64_t kMiB = 1 << 20;

ndarray one_two_three() {
  const DeviceScope scope(cupyxx::Device::cuda(0));
  return arange(1, 4, float32) * 2;
}

TEST(Alloc, ComesFromThePoolOfArrays) {
  const PoolStats before = pool_stats(cupyxx::Device::cuda(0));
  const MemoryPointer memory = alloc(3 * kMiB);
  EXPECT_EQ(memory.size(), 3 * kMiB);
  EXPECT_EQ(pool_stats(cupyxx::Device::cuda(0)).used, before.used + 3 * kMiB);
  EXPECT_EQ(pool_stats(cupyxx::Device::cuda(0)).blocks, before.blocks + 1);
  expect_error<ValueError>([] { alloc(-1); }, "alloc: negative size; -1");
  expect_error<OutOfMemoryError>([] { alloc(std::int64_t{1} << 47); }, "the device has ");
}

TEST(Alloc, OfEveryKindHoldsArrays) {
  for (const auto& make : {Allocator(malloc_device), Allocator(malloc_managed),
                           Allocator(malloc_async), Allocator(alloc)}) {
    const MemoryPointer memory = make(4000);
    EXPECT_EQ(memory.size(), 4000);
    EXPECT_EQ(memory.device(), cupyxx::Device::cuda(0));
    const ndarray a = from_memory({1000}, int32, memory);
    a.fill(3);
    EXPECT_EQ(a.sum().item<int>(), 3000);
  }
  expect_error<ValueError>([] { malloc_managed(-2); }, "malloc_managed: negative size; -2");
}

TEST(SetAllocator, GivesArraysTheirMemory) {
  EXPECT_TRUE(get_allocator().is_default());
  std::atomic<int> calls{0};
  set_allocator([&calls](std::int64_t size) {
    ++calls;
    return malloc_managed(size);
  });
  EXPECT_FALSE(get_allocator().is_default());
  const ndarray a = one_two_three();
  EXPECT_GE(calls.load(), 1);
  const int in_this_thread = calls.load();
  std::thread([] { expect_elements<float>(one_two_three(), {3}, {2, 4, 6}); }).join();
  EXPECT_GT(calls.load(), in_this_thread);
  set_allocator();
  const int before = calls.load();
  one_two_three();
  EXPECT_EQ(calls.load(), before);
  expect_elements<float>(a, {3}, {2, 4, 6});
}

TEST(SetAllocator, OfCudaItselfWorks) {
  for (const auto& allocator :
       {Allocator(malloc_async), Allocator(malloc_device), Allocator(malloc_managed)}) {
    const AllocatorScope scope(allocator);
    expect_elements<float>(one_two_three(), {3}, {2, 4, 6});
  }
}

TEST(SetAllocator, ScopesAreOfOneThread) {
  std::atomic<int> calls{0};
  const Allocator counting([&calls](std::int64_t size) {
    ++calls;
    return alloc(size);  // from the pool: no recursion
  });
  {
    const AllocatorScope scope(counting);
    std::thread(one_two_three).join();
    EXPECT_EQ(calls.load(), 0);
    one_two_three();
    const int made = calls.load();
    EXPECT_GE(made, 1);
    {
      const AllocatorScope inner{Allocator()};
      one_two_three();
      EXPECT_EQ(calls.load(), made);
    }
    one_two_three();
    EXPECT_GT(calls.load(), made);
  }
  EXPECT_TRUE(get_allocator().is_default());
}

TEST(SetAllocator, BadMemoryIsRefused) {
  const DeviceScope on(cupyxx::Device::cuda(0));
  const auto with = [](auto f) {
    const AllocatorScope scope{Allocator(f)};
    empty({100}, uint8);
  };
  expect_error<ValueError>([&] { with([](std::int64_t) { return MemoryPointer(); }); },
                           "allocator: returned 0 bytes; asked 100");
  expect_error<ValueError>([&] { with([](std::int64_t n) { return alloc(n) + 1; }); },
                           "allocator: returned 99 bytes; asked 100");
  const auto host = [](std::int64_t n) { return MemoryPointer(Memory(n, cupyxx::Device::cpu())); };
  expect_error<DeviceError>([&] { with(host); }, "allocator: returned memory of cpu; asked cuda:0");
  const auto failing = [](std::int64_t) -> MemoryPointer { throw MemoryError("none today"); };
  expect_error<MemoryError>([&] { with(failing); }, "none today");
  EXPECT_NO_THROW(empty({100}, uint8));
}

TEST(SetAllocator, ItsMemoryMayBeAPlaceInALargerOne) {
  const DeviceScope on(cupyxx::Device::cuda(0));
  const MemoryPointer arena = malloc_device(kMiB);
  std::int64_t next = 0;
  ndarray a, b;
  {
    const AllocatorScope scope([&](std::int64_t size) {
      const MemoryPointer place = arena + next;
      next += (size + 255) / 256 * 256;
      return place;
    });
    a = full({10}, 1, int32);
    b = full({10}, 2, int32);
  }
  EXPECT_EQ(a.data(), arena.ptr());
  EXPECT_EQ(b.data(), static_cast<char*>(arena.ptr()) + 256);
  EXPECT_EQ((a + b).sum().item<int>(), 30);
}

TEST(MemoryPool, CountsItsOwnMemory) {
  const MemoryPool pool;
  EXPECT_EQ(pool.total_bytes(), 0);
  MemoryPointer memory = pool.malloc(3 * kMiB);
  EXPECT_EQ(pool.used_bytes(), 3 * kMiB);
  EXPECT_EQ(pool.total_bytes(), pool.used_bytes() + pool.free_bytes());
  EXPECT_EQ(pool.stats().blocks, 1u);
  memory = MemoryPointer();
  EXPECT_EQ(pool.used_bytes(), 0);
  EXPECT_EQ(pool.n_free_blocks(), 1);
  EXPECT_GE(pool.free_bytes(), 3 * kMiB);
  pool.free_all_blocks();
  EXPECT_EQ(pool.total_bytes(), 0);
  EXPECT_EQ(pool.n_free_blocks(), 0);
  EXPECT_EQ(pool.stats().peak, static_cast<std::uint64_t>(3 * kMiB));
  expect_error<ValueError>([&] { pool.malloc(-1); }, "malloc: negative size; -1");
}

TEST(MemoryPool, FreesTheBlocksOfOneStream) {
  const MemoryPool pool;
  const Stream stream;
  pool.malloc(kMiB);
  {
    const StreamScope scope(stream);
    pool.malloc(kMiB);
  }
  const std::int64_t both = pool.total_bytes();
  pool.free_all_blocks(stream);
  EXPECT_EQ(pool.total_bytes(), both / 2);
  pool.free_all_blocks();
  EXPECT_EQ(pool.total_bytes(), 0);
}

TEST(MemoryPool, KeepsToItsLimits) {
  const MemoryPool pool;
  pool.set_limit({.size = 8 * kMiB});
  EXPECT_EQ(pool.get_limit(), 8 * kMiB);
  const MemoryPointer held = pool.malloc(6 * kMiB);
  expect_error<OutOfMemoryError>([&] { pool.malloc(4 * kMiB); },
                                 "asked 4.00 MiB, used 6.00 MiB, cached 2.00 MiB, limit 8.00 MiB");
  // Below what is in use: that stays, and nothing more comes.
  pool.set_limit({.size = kMiB});
  EXPECT_EQ(pool.used_bytes(), 6 * kMiB);
  expect_error<OutOfMemoryError>([&] { pool.malloc(4 * kMiB); }, "limit 1.00 MiB");
  pool.set_limit({});
  EXPECT_NO_THROW(pool.malloc(4 * kMiB));
  pool.set_limit({.fraction = 0.5});
  EXPECT_NEAR(static_cast<double>(pool.get_limit()),
              0.5 * static_cast<double>(Device(0).mem_info().total), kMiB);
  expect_error<ValueError>([&] { pool.set_limit({.size = -1}); }, "set_limit: negative size; -1");
  expect_error<ValueError>([&] { pool.set_limit({.fraction = 1.5}); },
                           "set_limit: a fraction is 0 to 1; 1.5");
  expect_error<ValueError>([&] { pool.set_limit({.size = 5, .fraction = 0.5}); },
                           "set_limit: size and fraction are two limits");
}

TEST(MemoryPool, ServesArrays) {
  const MemoryPool pool;
  const DeviceScope on(cupyxx::Device::cuda(0));
  ndarray a;
  {
    const AllocatorScope scope(pool);
    a = zeros({kMiB}, float32) + 1;
  }
  EXPECT_GE(pool.used_bytes(), 4 * kMiB);
  EXPECT_EQ(a.sum().item<float>(), kMiB);
  a = ndarray();
  EXPECT_EQ(pool.used_bytes(), 0);
}

TEST(MemoryPool, ItsMemoryOutlivesIt) {
  ndarray a;
  {
    const MemoryPool pool;
    a = from_memory({1000}, int32, pool.malloc(4000));
  }
  a.fill(2);
  EXPECT_EQ(a.sum().item<int>(), 2000);
  a = ndarray();  // now the pool goes
}

TEST(MemoryPool, StandsOnAnotherAllocator) {
  std::atomic<int> segments{0};
  const MemoryPool pool(Allocator([&segments](std::int64_t size) {
    ++segments;
    return malloc_managed(std::min<std::int64_t>(size, 1000));
  }));
  // What gives too little is refused.
  expect_error<ValueError>([&] { pool.malloc(1000); }, "MemoryPool: the allocator returned ");
  EXPECT_EQ(segments.load(), 1);
  const MemoryPool over_device{Allocator(malloc_device)};
  const MemoryPointer memory = over_device.malloc(1000);
  memory.memset(1, 1000);
  EXPECT_EQ(over_device.stats().system_calls, 1u);
}

TEST(MemoryPool, OfArraysIsTheDefault) {
  const MemoryPool pool = get_default_memory_pool();
  const std::int64_t before = pool.used_bytes();
  const MemoryPointer memory = pool.malloc(2 * kMiB);
  EXPECT_EQ(pool.used_bytes(), before + 2 * kMiB);
  EXPECT_EQ(pool.stats().used, pool_stats(cupyxx::Device::cuda(0)).used);
  const PoolStats total = total_pool_stats();
  EXPECT_GE(total.used, pool.stats().used);
  EXPECT_GE(total.total, total.used);
}

TEST(MemoryPool, HooksSeeTheSystemsMemoryToo) {
  struct Count : MemoryHook {
    void alloc_postprocess(const MemoryHookEvent& e) override { acquired += e.mem_size; }
    void malloc_postprocess(const MemoryHookEvent&) override { ++mallocs; }
    void free_postprocess(const MemoryHookEvent&) override { ++frees; }
    std::size_t acquired = 0;
    int mallocs = 0, frees = 0;
  } hook;
  const MemoryPool pool;
  {
    const MemoryHookScope scope(hook);
    pool.malloc(kMiB);
    const AllocatorScope use(pool);
    one_two_three();
  }
  EXPECT_EQ(hook.acquired, static_cast<std::size_t>(pool.total_bytes()));
  EXPECT_GE(hook.mallocs, 2);
  EXPECT_EQ(hook.mallocs, hook.frees);
}

TEST(PinnedMemoryPool, KeepsBlocksForReuse) {
  const PinnedMemoryPool pool = get_default_pinned_memory_pool();
  void* address = nullptr;
  {
    const MemoryPointer memory = alloc_pinned_memory(100000);
    EXPECT_EQ(memory.device(), cupyxx::Device::cpu());
    address = memory.ptr();
    static_cast<char*>(address)[99999] = 1;
    EXPECT_GE(pool.stats().used, 100000u);
  }
  EXPECT_GE(pool.n_free_blocks(), 1);
  EXPECT_EQ(pool.malloc(100000).ptr(), address);
  pool.free_all_blocks();
  EXPECT_EQ(pool.stats().cached, 0u);
  expect_error<ValueError>([] { alloc_pinned_memory(-1); },
                           "alloc_pinned_memory: negative size; -1");
}

}  // namespace
}  // namespace cupyxx::cuda
