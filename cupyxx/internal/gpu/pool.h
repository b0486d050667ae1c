// SPDX-License-Identifier: MIT
// The memory pool of one device: an arena per stream, segments from the system in large steps, a
// limit and counters. What "the system" is, is given from outside: cudaMalloc, or malloc in tests.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "cupyxx/cuda/memory_pool.h"
#include "cupyxx/device.h"
#include "cupyxx/internal/gpu/arena.h"

namespace cupyxx::internal::gpu {

class Magazine;

/// Where segments come from.
class SystemMemory {
 public:
  virtual ~SystemMemory() = default;
  /// Memory aligned to kBlockAlignment; null when there is none.
  virtual void* allocate(std::size_t nbytes) = 0;
  virtual void release(void* address, std::size_t nbytes) = 0;
  /// Waits until no free memory is in use any more.
  virtual void wait() = 0;
  /// Makes later work on the home stream wait for the storage's other streams.
  virtual void settle(Storage* storage) noexcept = 0;
};

/// Threads may share it. Never destroyed while a Storage of it lives.
class Pool {
 public:
  Pool(SystemMemory* system, Device device, std::size_t limit = 0);

  Device device() const { return device_; }
  /// The arena of a stream; it lives as long as the pool.
  Arena* arena(void* stream);
  /// A stream has no work left and is going away: others may have its free segments.
  void end_stream(void* stream);

  /// Memory without the thread's magazine. Throws OutOfMemoryError.
  Storage* allocate(Arena* arena, std::size_t nbytes);

  PoolStats stats();
  void free_all();
  void set_limit(std::size_t bytes);

  // ---- For Magazine.

  [[noreturn]] void throw_out_of_memory(std::size_t asked);
  /// A busy block of a size from block_size(). Throws OutOfMemoryError.
  Block* take(Arena* arena, std::size_t size);
  void count_used(std::size_t size) {
    const std::uint64_t used = used_.fetch_add(size, std::memory_order_relaxed) + size;
    std::uint64_t peak = peak_.load(std::memory_order_relaxed);
    while (used > peak && !peak_.compare_exchange_weak(peak, used, std::memory_order_relaxed)) {
    }
  }
  void count_unused(std::size_t size) { used_.fetch_sub(size, std::memory_order_relaxed); }
  void settle(Storage* storage) noexcept { system_->settle(storage); }
  /// Changes when threads should give back what they keep.
  std::uint32_t flush_epoch() const { return flush_epoch_.load(std::memory_order_relaxed); }
  void enter(Magazine* magazine);
  void leave(Magazine* magazine);

 private:
  Segment acquire(std::size_t wanted, std::size_t least);
  void release(const std::vector<Segment>& segments);
  void collect();

  SystemMemory* const system_;
  const Device device_;

  std::mutex mutex_;
  std::size_t limit_;
  std::size_t reserved_ = 0;  // bytes of all segments
  std::uint64_t system_calls_ = 0;
  std::uint64_t allocations_ = 0;  // by magazines that have left
  std::vector<std::unique_ptr<Arena>> arenas_;
  std::vector<Magazine*> magazines_;
  std::vector<Segment> spare_;  // entirely free, of streams that ended

  std::atomic<std::uint64_t> direct_allocations_{0};
  std::atomic<std::uint32_t> flush_epoch_{0};
  alignas(64) std::atomic<std::uint64_t> used_{0};
  std::atomic<std::uint64_t> peak_{0};
};

/// The storage of a block that has just been taken.
Storage* prepare_storage(Block* block, std::size_t nbytes);

/// "1.50 GiB", "512 B".
std::string format_bytes(std::uint64_t bytes);

}  // namespace cupyxx::internal::gpu
