// SPDX-License-Identifier: MIT
// What one thread keeps of an arena: blocks that it has freed, by class, taken again without a
// lock.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "cupyxx/internal/gpu/memory/arena.h"
#include "cupyxx/internal/gpu/memory/pool.h"

namespace cupyxx::internal::gpu {

/// Belongs to one thread and one arena.
class Magazine {
 public:
  /// This thread's magazine of an arena, which becomes the current one of the arena's device: only
  /// that one takes freed blocks. Null when the thread is ending.
  static Magazine* of(Arena* arena);
  /// The same by pool and stream, without a lock where the thread has been there before.
  static Magazine* of(Pool* pool, void* stream);

  explicit Magazine(Arena* arena);
  ~Magazine();
  Magazine(const Magazine&) = delete;
  Magazine& operator=(const Magazine&) = delete;

  Arena* arena() const { return arena_; }
  std::uint64_t allocations() const { return allocations_.load(std::memory_order_relaxed); }
  std::uint64_t frees() const { return frees_.load(std::memory_order_relaxed); }
  /// Bytes taken less bytes given back since the pool was told, and the most that it was meanwhile.
  std::int64_t delta() const { return delta_.load(std::memory_order_relaxed); }
  std::int64_t delta_peak() const { return delta_peak_.load(std::memory_order_relaxed); }

  /// Throws OutOfMemoryError.
  Storage* allocate(std::size_t nbytes) {
    const std::size_t size = block_size(nbytes);
    if (size <= kLargestCachedBlock) {
      Block*& top = tops_[class_of(size)];
      if (Block* block = top) {
        top = block->next;
        if (!top) present_ &= ~(std::uint64_t{1} << class_of(size));
        allocations_.store(allocations() + 1, std::memory_order_relaxed);
        --count_;
        bytes_ -= block->size;
        count(static_cast<std::int64_t>(block->size));
        Storage* storage = &block->storage;
        storage->refs.store(1, std::memory_order_relaxed);
        storage->version.store(0, std::memory_order_relaxed);
        storage->exposed.store(false, std::memory_order_relaxed);
        storage->shown.store(false, std::memory_order_relaxed);
        storage->nbytes = nbytes;
        storage->foreign_count = 0;
        return storage;
      }
    }
    return allocate_slow(nbytes, size);
  }

  /// Keeps a busy block of the arena, or gives it back.
  void keep(Block* block) {
    frees_.store(frees() + 1, std::memory_order_relaxed);
    count(-static_cast<std::int64_t>(block->size));
    hold(block);
  }

  /// Gives everything back to the arena.
  void flush();
  /// Tells the pool what it does not know yet.
  void publish();

 private:
  static_assert(kCachedClasses <= 64);
  static constexpr int kMaxBlocks = 256;
  static constexpr std::size_t kMaxBytes = std::size_t{16} << 20;
  // The pool's counters are shared by all threads; ours may differ by this much.
  static constexpr std::int64_t kMaxDelta = std::int64_t{4} << 20;

  void count(std::int64_t bytes) {
    const std::int64_t now = delta() + bytes;
    delta_.store(now, std::memory_order_relaxed);
    if (now > delta_peak()) delta_peak_.store(now, std::memory_order_relaxed);
    if (now > kMaxDelta || now < -kMaxDelta) [[unlikely]] {
      publish();
    }
  }
  void hold(Block* block) {
    if (block->size > kLargestCachedBlock || count_ >= kMaxBlocks ||
        bytes_ + block->size > kMaxBytes) {
      give(block);
      return;
    }
    const int bin = class_of(block->size);
    Block*& top = tops_[bin];
    block->next = top;
    top = block;
    present_ |= std::uint64_t{1} << bin;
    ++count_;
    bytes_ += block->size;
  }

  Storage* allocate_slow(std::size_t nbytes, std::size_t size);
  void give(Block* block);
  void make_room(std::size_t size);
  void follow_flush_epoch();

  Arena* const arena_;
  Pool* const pool_;
  int count_ = 0;
  std::size_t bytes_ = 0;
  std::uint32_t flush_epoch_;
  // One writer, so that no read-modify-write is needed; the pool reads them.
  std::atomic<std::uint64_t> allocations_{0};
  std::atomic<std::uint64_t> frees_{0};
  std::atomic<std::int64_t> delta_{0};
  std::atomic<std::int64_t> delta_peak_{0};
  std::uint64_t present_ = 0;  // classes that have blocks
  int cursor_ = 0;             // the class that gave a block back last
  std::array<Block*, kCachedClasses> tops_{};
};

}  // namespace cupyxx::internal::gpu
