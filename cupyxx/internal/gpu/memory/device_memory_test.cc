// SPDX-License-Identifier: MIT
// The pool on a device, and memory that several streams use.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "cupyxx/cuda/memory_pool.h"
#include "cupyxx/cuda/stream.h"
#include "cupyxx/error.h"
#include "cupyxx/internal/gpu/runtime.h"
#include "cupyxx/internal/jit/kernel.h"
#include "cupyxx/testing/expect_error.h"

namespace cupyxx::internal::gpu {
namespace {

constexpr std::size_t kCount = 1 << 16;

// Waits for about 50 ms and then fills.
struct SlowFill {
  unsigned* target;
  unsigned long count;
  unsigned value;
};
const jit::Program& slow_fill() {
  static const jit::Program& program = *new jit::Program{.name = "slow_fill", .text = R"(
struct SlowFill { unsigned* target; unsigned long count; unsigned value; };
extern "C" __global__ void kernel(SlowFill a) {
  const long long start = clock64();
  while (clock64() - start < 100000000) {}
  for (unsigned long i = threadIdx.x; i < a.count; i += blockDim.x) a.target[i] = a.value;
}
)"};
  return program;
}

void fill_slowly(Storage* storage, unsigned value, void* stream) {
  const SlowFill argument{reinterpret_cast<unsigned*>(storage->data), kCount, value};
  jit::launch(jit::load(0, slow_fill()), {.block_x = 256}, stream, &argument);
}

std::vector<unsigned> read(Storage* storage, void* stream) {
  std::vector<unsigned> values(kCount);
  copy(values.data(), storage->data, kCount * sizeof(unsigned), CopyKind::device_to_host, 0,
       stream);
  return values;
}

TEST(DeviceMemory, IsAlignedAndReused) {
  Storage* a = allocate(0, 1000);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(a->data) % 256, 0u);
  EXPECT_EQ(a->device, Device::cuda(0));
  char* data = a->data;
  release(a);
  Storage* b = allocate(0, 1000);
  EXPECT_EQ(b->data, data);
  release(b);
}

TEST(DeviceMemory, IsNotReusedWhileAnotherStreamWrites) {
  const cuda::Stream other({.non_blocking = true});
  const cuda::Stream home({.non_blocking = true});
  const cuda::StreamScope scope(home);
  Storage* a = allocate(0, kCount * sizeof(unsigned));
  EXPECT_EQ(a->home_stream, home.ptr());
  char* data = a->data;
  fill_slowly(a, 1, other.ptr());
  record_use(a, other.ptr());
  EXPECT_EQ(a->foreign_count, 1);
  record_use(a, other.ptr());
  EXPECT_EQ(a->foreign_count, 1);
  release(a);
  // The same block again; what is done to it on its stream comes after the other stream's work.
  Storage* b = allocate(0, kCount * sizeof(unsigned));
  ASSERT_EQ(b->data, data);
  set_bytes(b->data, 0, kCount * sizeof(unsigned), 0, home.ptr());
  other.synchronize();
  EXPECT_EQ(read(b, home.ptr()), std::vector<unsigned>(kCount, 0));
  release(b);
}

TEST(DeviceMemory, WaitsForMoreStreamsThanItCanNote) {
  const cuda::Stream home({.non_blocking = true});
  const cuda::StreamScope scope(home);
  std::vector<cuda::Stream> others;
  others.reserve(6);
  for (int i = 0; i < 6; ++i) others.push_back(cuda::Stream({.non_blocking = true}));
  Storage* a = allocate(0, kCount * sizeof(unsigned));
  for (const cuda::Stream& other : others) {
    fill_slowly(a, 1, other.ptr());
    record_use(a, other.ptr());
  }
  char* data = a->data;
  release(a);
  Storage* b = allocate(0, kCount * sizeof(unsigned));
  ASSERT_EQ(b->data, data);
  set_bytes(b->data, 0, kCount * sizeof(unsigned), 0, home.ptr());
  for (const cuda::Stream& other : others) other.synchronize();
  EXPECT_EQ(read(b, home.ptr()), std::vector<unsigned>(kCount, 0));
  release(b);
}

TEST(DeviceMemory, OutlivesItsStreams) {
  Storage* a;
  {
    const cuda::Stream home, other;
    const cuda::StreamScope scope(home);
    a = allocate(0, kCount * sizeof(unsigned));
    fill_slowly(a, 7, other.ptr());
    record_use(a, other.ptr());
  }
  EXPECT_EQ(read(a, nullptr), std::vector<unsigned>(kCount, 7));
  record_use(a, nullptr);
  release(a);
}

TEST(DeviceMemory, SaysWhatItHasWhenThereIsNotEnough) {
  testing::expect_error<OutOfMemoryError>([] { allocate(0, std::size_t{1} << 44); },
                                          "allocate: out of memory on cuda:0; asked 16.00 TiB");
  Storage* still_works = allocate(0, 1000);
  release(still_works);
}

TEST(DeviceMemory, KeepsToALimit) {
  gpu::free_all_blocks(0);
  const PoolStats before = gpu::pool_stats(0);
  gpu::set_pool_limit(0, before.used + before.cached + (std::uint64_t{100} << 20));
  testing::expect_error<OutOfMemoryError>([] { allocate(0, std::size_t{500} << 20); }, "limit ");
  gpu::set_pool_limit(0, 0);
  release(allocate(0, std::size_t{500} << 20));
  // Other streams may keep blocks of their own.
  const std::uint64_t cached = gpu::pool_stats(0).cached;
  EXPECT_GE(cached, std::uint64_t{500} << 20);
  gpu::free_all_blocks(0);
  EXPECT_LE(gpu::pool_stats(0).cached + (std::uint64_t{500} << 20), cached);
}

}  // namespace
}  // namespace cupyxx::internal::gpu
