// SPDX-License-Identifier: MIT
// The blocks of one stream: segregated fits with split and coalesce, in constant time. Headers are
// on the host, so that the memory itself is never touched.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "cupyxx/core/body.h"
#include "cupyxx/internal/gpu/memory/size_class.h"

namespace cupyxx::internal::gpu {

class Arena;
class Pool;

/// A piece of a segment: handed out, kept by a thread (both count as busy) or free. What the arena
/// looks at in neighbours fills one line of the cache.
struct alignas(64) Block {
  char* address = nullptr;
  std::size_t size = 0;
  Block* before = nullptr;  // the neighbours in the segment
  Block* after = nullptr;
  Block* previous = nullptr;  // in a list of free blocks; `next` also in those of threads
  Block* next = nullptr;
  Arena* arena = nullptr;
  bool free = false;

  Storage storage;  // what the users of a busy block hold
};
static_assert(offsetof(Block, storage) == 64);

/// Memory as it came from the system.
struct Segment {
  char* address = nullptr;
  std::size_t size = 0;
};

/// The blocks that are reused in the order of one stream. Threads may share it.
class Arena {
 public:
  Arena(Pool* pool, void* stream) : pool_(pool), stream_(stream) {}

  Pool* pool() const { return pool_; }
  void* stream() const { return stream_; }

  /// A busy block of at least `size` bytes, which block_size() gave; null when none fits. Small
  /// ones are cut from large free blocks only where `from_any` is true.
  Block* take(std::size_t size, bool from_any = false);
  /// The same, cut from new memory.
  Block* take_from(Segment segment, std::size_t size);
  /// Makes a busy block free.
  void give(Block* block);
  /// The same for a list linked by `next`.
  void give_all(Block* first);

  /// Removes the segments that are entirely free; nothing when the arena is held.
  std::vector<Segment> remove_free_segments();
  /// The size of the largest free block, and the number of free blocks.
  std::size_t largest_free();
  std::size_t free_blocks();
  /// While held, free memory stays: an instantiated graph may still use it.
  void hold(bool held);
  /// How large the next segment should be for a request; grows from call to call.
  std::size_t next_segment_size(std::size_t size);

 private:
  Block* new_header();
  void drop_header(Block* block);
  void insert(Block* block);
  void remove(Block* block);
  Block* find(std::size_t size);
  Block* first_at_least(int first_class);
  Block* carve(Block* block, std::size_t size);
  void coalesce(Block* block);

  std::mutex mutex_;
  Pool* const pool_;
  void* const stream_;
  int held_ = 0;
  std::size_t free_blocks_ = 0;
  int growth_ = 0;
  std::array<std::uint64_t, (kClasses + 63) / 64> occupied_{};
  std::array<Block*, kClasses> bins_{};
  Block* unused_headers_ = nullptr;
  std::vector<std::unique_ptr<Block[]>> slabs_;
};

}  // namespace cupyxx::internal::gpu
