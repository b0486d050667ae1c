// SPDX-License-Identifier: MIT
#include "cupyxx/internal/gpu/memory/magazine.h"

#include <bit>
#include <memory>
#include <vector>

#include "cupyxx/internal/gpu/memory/thread_state.h"

namespace cupyxx::internal::gpu {

constinit thread_local ThreadState t_state;

namespace {

// The thread's magazines; gone before static objects are destroyed, which may still free arrays.
struct ThreadMagazines {
  std::vector<std::unique_ptr<Magazine>> all;
  ~ThreadMagazines();
};

constinit thread_local bool t_ending = false;

ThreadMagazines::~ThreadMagazines() {
  t_ending = true;
  for (ThreadDevice& device : t_state.devices) device.magazine = nullptr;
}

ThreadMagazines& thread_magazines() {
  thread_local ThreadMagazines magazines;
  return magazines;
}

}  // namespace

Magazine* Magazine::of(Arena* arena) {
  if (t_ending) return nullptr;
  ThreadMagazines& magazines = thread_magazines();
  Magazine* found = nullptr;
  for (const auto& magazine : magazines.all) {
    if (magazine->arena() == arena) found = magazine.get();
  }
  if (!found) {
    magazines.all.push_back(std::make_unique<Magazine>(arena));
    found = magazines.all.back().get();
  }
  t_state.devices[arena->pool()->device().index].magazine = found;
  return found;
}

Magazine* Magazine::of(Pool* pool, void* stream) {
  if (t_ending) return nullptr;
  for (const auto& magazine : thread_magazines().all) {
    const Arena* arena = magazine->arena();
    if (arena->pool() != pool || arena->stream() != stream) continue;
    t_state.devices[pool->device().index].magazine = magazine.get();
    return magazine.get();
  }
  return of(pool->arena(stream));
}

Magazine::Magazine(Arena* arena)
    : arena_(arena), pool_(arena->pool()), flush_epoch_(pool_->flush_epoch()) {
  pool_->enter(this);
}

Magazine::~Magazine() {
  flush();
  publish();
  pool_->leave(this);
}

void Magazine::flush() {
  Block* list = nullptr;
  for (Block*& top : tops_) {
    while (top) {
      Block* next = top->next;
      top->next = list;
      list = top;
      top = next;
    }
  }
  count_ = 0;
  bytes_ = 0;
  present_ = 0;
  if (list) arena_->give_all(list);
}

void Magazine::publish() {
  const std::int64_t delta = this->delta();
  const std::int64_t peak = delta_peak();
  delta_.store(0, std::memory_order_relaxed);
  delta_peak_.store(0, std::memory_order_relaxed);
  pool_->count_used(delta, peak);
}

void Magazine::follow_flush_epoch() {
  const std::uint32_t epoch = pool_->flush_epoch();
  if (epoch == flush_epoch_) return;
  flush_epoch_ = epoch;
  flush();
}

Storage* Magazine::allocate_slow(std::size_t nbytes, std::size_t size) {
  if (nbytes > kLargestRequest) pool_->throw_out_of_memory(nbytes);
  follow_flush_epoch();
  Block* block = arena_->take(size);
  if (!block) {
    // Neighbours of what this thread keeps may make up the block.
    if (count_ > 0) {
      flush();
      block = arena_->take(size);
    }
    if (!block) block = pool_->take(arena_, size);
  }
  allocations_.store(allocations() + 1, std::memory_order_relaxed);
  count(static_cast<std::int64_t>(block->size));
  return prepare_storage(block, nbytes);
}

// Each class in turn gives back a block, so that those that are not asked for any more go, and no
// free pays for all.
void Magazine::make_room(std::size_t size) {
  constexpr int kMost = 4;
  for (int i = 0; i < kMost && (count_ >= kMaxBlocks || bytes_ + size > kMaxBytes); ++i) {
    std::uint64_t later = cursor_ < 63 ? present_ & (~std::uint64_t{0} << (cursor_ + 1)) : 0;
    if (later == 0) later = present_;
    if (later == 0) return;
    cursor_ = std::countr_zero(later);
    Block* block = tops_[cursor_];
    tops_[cursor_] = block->next;
    if (!block->next) present_ &= ~(std::uint64_t{1} << cursor_);
    --count_;
    bytes_ -= block->size;
    arena_->give(block);
  }
}

void Magazine::give(Block* block) {
  follow_flush_epoch();
  const std::size_t size = block->size;
  if (size <= kLargestCachedBlock) make_room(size);
  if (size > kLargestCachedBlock || count_ >= kMaxBlocks || bytes_ + size > kMaxBytes) {
    arena_->give(block);
  } else {
    hold(block);
  }
}

}  // namespace cupyxx::internal::gpu
