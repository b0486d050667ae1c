// SPDX-License-Identifier: MIT
// The memory pool of one device: an arena per stream, segments from the system in large steps, a
// limit and counters. What "the system" is, is given from outside: cudaMalloc, or malloc in tests.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "cupyxx/cuda/memory_pool.h"
#include "cupyxx/device.h"
#include "cupyxx/internal/gpu/memory/arena.h"

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
  /// Overwrites a block in the order of its home stream, after settle().
  virtual void poison(Storage* /*storage*/, std::size_t /*nbytes*/) noexcept {}
  /// More about the system for a user who gets none: "; the device has 1.00 GiB free of 139.00
  /// GiB".
  virtual std::string describe() { return ""; }
};

/// Threads may share it. Never destroyed while a Storage of it lives.
class Pool {
 public:
  Pool(SystemMemory* system, Device device, std::size_t limit = 0);

  Device device() const { return device_; }
  /// Whose pool it is, for the pools of users.
  void* owner() const { return owner_; }
  void set_owner(void* owner) { owner_ = owner; }
  /// The arena of a stream; it lives as long as the pool.
  Arena* arena(void* stream);
  /// A stream has no work left and is going away: others may have its free segments.
  void end_stream(void* stream);

  /// Memory without the thread's magazine. Throws OutOfMemoryError.
  Storage* allocate(Arena* arena, std::size_t nbytes);

  PoolStats stats();
  void free_all();
  /// The same for the memory of one stream.
  void free_stream(void* stream);
  void set_limit(std::size_t bytes);

  // ---- For Magazine.

  [[noreturn]] void throw_out_of_memory(std::size_t asked);
  /// A busy block of a size from block_size(). Throws OutOfMemoryError.
  Block* take(Arena* arena, std::size_t size);
  /// Adds what a thread has taken (or given back, below 0) since it last said so; `peak` is the
  /// most that it had meanwhile.
  void count_used(std::int64_t delta, std::int64_t peak) {
    const auto before = used_.fetch_add(delta, std::memory_order_relaxed);
    std::int64_t known = peak_.load(std::memory_order_relaxed);
    while (before + peak > known &&
           !peak_.compare_exchange_weak(known, before + peak, std::memory_order_relaxed)) {
    }
  }
  void count_free(std::size_t size) {
    direct_frees_.fetch_add(1, std::memory_order_relaxed);
    used_.fetch_sub(static_cast<std::int64_t>(size), std::memory_order_relaxed);
  }
  void settle(Storage* storage) noexcept { system_->settle(storage); }
  void poison(Storage* storage, std::size_t nbytes) noexcept { system_->poison(storage, nbytes); }
  /// Changes when threads should give back what they keep.
  std::uint32_t flush_epoch() const { return flush_epoch_.load(std::memory_order_relaxed); }
  void enter(Magazine* magazine);
  void leave(Magazine* magazine);

 private:
  Segment acquire(std::size_t wanted, std::size_t least, bool from_any);
  void release(const std::vector<Segment>& segments);
  void collect(void* const* only_stream = nullptr);

  SystemMemory* const system_;
  const Device device_;
  void* owner_ = nullptr;

  std::mutex mutex_;
  std::size_t limit_;
  std::size_t reserved_ = 0;  // bytes of all segments
  std::uint64_t system_calls_ = 0;
  std::uint64_t allocations_ = 0;  // by magazines that have left
  std::uint64_t frees_ = 0;
  std::vector<std::unique_ptr<Arena>> arenas_;
  std::vector<Magazine*> magazines_;
  std::vector<Segment> spare_;  // entirely free, of streams that ended

  std::atomic<std::uint64_t> direct_allocations_{0};
  std::atomic<std::uint64_t> direct_frees_{0};
  std::atomic<std::uint32_t> flush_epoch_{0};
  // Without what the magazines have not said yet.
  alignas(64) std::atomic<std::int64_t> used_{0};
  std::atomic<std::int64_t> peak_{0};
};

/// Whether freed blocks are overwritten, in all pools: an array that is used too late shows. Set at
/// the start by CUPYXX_POOL_POISON=1; returns what was set before.
bool set_pool_poison(bool on);

/// The storage of a block that has just been taken, and its end: what Storage::destroy is.
Storage* prepare_storage(Block* block, std::size_t nbytes);
void give_back(Storage* storage);
/// The pool that a storage of prepare_storage() is of.
Pool* pool_of(const Storage* storage);

}  // namespace cupyxx::internal::gpu
