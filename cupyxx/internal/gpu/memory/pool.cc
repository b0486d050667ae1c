// SPDX-License-Identifier: MIT
#include "cupyxx/internal/gpu/memory/pool.h"

#include <algorithm>

#include "cupyxx/error.h"
#include "cupyxx/extension/environment.h"
#include "cupyxx/internal/diagnostics/bytes.h"
#include "cupyxx/internal/diagnostics/log.h"
#include "cupyxx/internal/diagnostics/memory_events.h"
#include "cupyxx/internal/gpu/memory/magazine.h"
#include "cupyxx/internal/gpu/memory/thread_state.h"

namespace cupyxx::internal::gpu {
namespace {

std::atomic<bool> g_poison{false};

[[maybe_unused]] const bool g_poisoned_from_the_start = [] {
  return extension::environment_switch("CUPYXX_POOL_POISON", false) && !set_pool_poison(true);
}();

}  // namespace

bool set_pool_poison(bool on) {
  const bool before = g_poison.exchange(on);
  if (before != on) g_memory_watchers.fetch_add(on ? 1 : -1, std::memory_order_relaxed);
  return before;
}

void give_back(Storage* storage) {
  auto* block = static_cast<Block*>(storage->block);
  Arena* arena = block->arena;
  Pool* pool = arena->pool();
  const bool watched = memory_is_watched();
  const MemoryEvent event{storage->device, 0, block->size, block->address};
  if (watched) [[unlikely]] {
    announce_free(event);
  }
  if (storage->foreign_count > 0) pool->settle(storage);
  if (watched && g_poison.load(std::memory_order_relaxed)) [[unlikely]] {
    pool->poison(storage, block->size);
  }
  Magazine* magazine = t_state.devices[storage->device.index].magazine;
  if (magazine && magazine->arena() == arena) {
    magazine->keep(block);
  } else {
    pool->count_free(block->size);
    arena->give(block);
  }
  if (watched) [[unlikely]] {
    announce_freed(event);
  }
}

Pool* pool_of(const Storage* storage) { return static_cast<Block*>(storage->block)->arena->pool(); }

Storage* prepare_storage(Block* block, std::size_t nbytes) {
  Storage* storage = &block->storage;
  storage->refs.store(1, std::memory_order_relaxed);
  storage->device = block->arena->pool()->device();
  storage->version.store(0, std::memory_order_relaxed);
  storage->exposed.store(false, std::memory_order_relaxed);
  storage->shown.store(false, std::memory_order_relaxed);
  storage->data = block->address;
  storage->nbytes = nbytes;
  storage->block = block;
  storage->home_stream = block->arena->stream();
  storage->foreign_count = 0;
  storage->destroy = give_back;
  return storage;
}

Pool::Pool(SystemMemory* system, Device device, std::size_t limit)
    : system_(system), device_(device), limit_(limit) {}

Arena* Pool::arena(void* stream) {
  const std::lock_guard lock(mutex_);
  for (const auto& arena : arenas_) {
    if (arena->stream() == stream) return arena.get();
  }
  arenas_.push_back(std::make_unique<Arena>(this, stream));
  return arenas_.back().get();
}

void Pool::end_stream(void* stream) {
  Arena* ended = nullptr;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& arena : arenas_) {
      if (arena->stream() == stream) ended = arena.get();
    }
  }
  if (!ended) return;
  if (Magazine* magazine = t_state.devices[device_.index].magazine;
      magazine && magazine->arena() == ended) {
    magazine->flush();
  }
  const std::vector<Segment> segments = ended->remove_free_segments();
  const std::lock_guard lock(mutex_);
  spare_.insert(spare_.end(), segments.begin(), segments.end());
}

Storage* Pool::allocate(Arena* arena, std::size_t nbytes) {
  if (nbytes > kLargestRequest) throw_out_of_memory(nbytes);
  const std::size_t size = block_size(nbytes);
  Block* block = arena->take(size);
  if (!block) block = take(arena, size);
  direct_allocations_.fetch_add(1, std::memory_order_relaxed);
  const auto counted = static_cast<std::int64_t>(block->size);
  count_used(counted, counted);
  return prepare_storage(block, nbytes);
}

Block* Pool::take(Arena* arena, std::size_t size) {
  const std::size_t wanted = arena->next_segment_size(size);
  const bool watched = memory_is_watched();
  if (watched) announce_alloc({device_, size, wanted, nullptr}, false);
  Segment segment = acquire(wanted, size, false);
  if (!segment.address) {
    if (logs(LogLevel::info)) {
      log_line("pool of %s: no room for %s; releases what is free", device_.name().c_str(),
               bytes_text(size).c_str());
    }
    collect();
    if (Block* block = arena->take(size, true)) return block;
    segment = acquire(wanted, size, true);
    if (!segment.address) throw_out_of_memory(size);
  }
  if (watched) announce_alloc({device_, size, segment.size, segment.address}, true);
  return arena->take_from(segment, size);
}

Segment Pool::acquire(std::size_t wanted, std::size_t least, bool from_any) {
  const std::lock_guard lock(mutex_);
  auto best = spare_.end();
  for (auto it = spare_.begin(); it != spare_.end(); ++it) {
    if (!from_any && would_pin(it->size, least)) continue;
    if (it->size >= least && (best == spare_.end() || it->size < best->size)) best = it;
  }
  if (best != spare_.end()) {
    const Segment found = *best;
    spare_.erase(best);
    return found;
  }
  if (limit_ > 0) {
    const std::size_t room = limit_ > reserved_ ? limit_ - reserved_ : 0;
    wanted = std::max(least, std::min(wanted, room & -kBlockAlignment));
    if (wanted > room) return {};
  }
  for (const std::size_t size : {wanted, least}) {
    ++system_calls_;
    if (void* address = system_->allocate(size)) {
      reserved_ += size;
      if (logs(LogLevel::info)) {
        log_line("pool of %s: %s from the system, %s together", device_.name().c_str(),
                 bytes_text(size).c_str(), bytes_text(reserved_).c_str());
      }
      return {static_cast<char*>(address), size};
    }
  }
  return {};
}

void Pool::release(const std::vector<Segment>& segments) {
  for (const Segment& segment : segments) system_->release(segment.address, segment.size);
  const std::lock_guard lock(mutex_);
  for (const Segment& segment : segments) reserved_ -= segment.size;
}

void Pool::collect(void* const* only_stream) {
  // Other threads follow when they next need the arena.
  flush_epoch_.fetch_add(1, std::memory_order_relaxed);
  if (Magazine* magazine = t_state.devices[device_.index].magazine;
      magazine && magazine->arena()->pool() == this) {
    magazine->flush();
  }
  system_->wait();
  std::vector<Arena*> arenas;
  std::vector<Segment> spare;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& arena : arenas_) {
      if (!only_stream || arena->stream() == *only_stream) arenas.push_back(arena.get());
    }
    if (!only_stream) spare.swap(spare_);
  }
  release(spare);
  for (Arena* arena : arenas) release(arena->remove_free_segments());
}

void Pool::free_all() { collect(); }

void Pool::free_stream(void* stream) { collect(&stream); }

void Pool::set_limit(std::size_t bytes) {
  bool over;
  {
    const std::lock_guard lock(mutex_);
    limit_ = bytes;
    over = limit_ > 0 && reserved_ > limit_;
  }
  if (over) collect();
}

void Pool::enter(Magazine* magazine) {
  const std::lock_guard lock(mutex_);
  magazines_.push_back(magazine);
}

void Pool::leave(Magazine* magazine) {
  const std::lock_guard lock(mutex_);
  allocations_ += magazine->allocations();
  frees_ += magazine->frees();
  std::erase(magazines_, magazine);
}

PoolStats Pool::stats() {
  PoolStats stats;
  std::vector<Arena*> arenas;
  {
    const std::lock_guard lock(mutex_);
    std::int64_t used = used_.load(std::memory_order_relaxed);
    stats.allocations = allocations_ + direct_allocations_.load(std::memory_order_relaxed);
    std::uint64_t frees = frees_ + direct_frees_.load(std::memory_order_relaxed);
    std::int64_t rise = 0;  // of one thread above what it has now
    for (const Magazine* magazine : magazines_) {
      used += magazine->delta();
      rise = std::max(rise, magazine->delta_peak() - magazine->delta());
      stats.allocations += magazine->allocations();
      frees += magazine->frees();
    }
    used = std::max<std::int64_t>(used, 0);  // threads go on while we add up
    stats.used = static_cast<std::uint64_t>(used);
    stats.cached = reserved_ > stats.used ? reserved_ - stats.used : 0;
    stats.peak =
        static_cast<std::uint64_t>(std::max(peak_.load(std::memory_order_relaxed), used + rise));
    stats.blocks = stats.allocations > frees ? stats.allocations - frees : 0;
    stats.system_calls = system_calls_;
    stats.total = reserved_;
    stats.limit = limit_;
    stats.free_blocks = spare_.size();
    for (const Segment& segment : spare_) {
      stats.largest_free = std::max<std::uint64_t>(stats.largest_free, segment.size);
    }
    for (const auto& arena : arenas_) arenas.push_back(arena.get());
  }
  for (Arena* arena : arenas) {
    stats.largest_free = std::max<std::uint64_t>(stats.largest_free, arena->largest_free());
    stats.free_blocks += arena->free_blocks();
  }
  return stats;
}

void Pool::throw_out_of_memory(std::size_t asked) {
  const PoolStats now = stats();
  throw OutOfMemoryError(
      message("allocate: out of memory on ", device_.name(), "; asked ", bytes_text(asked),
              ", used ", bytes_text(now.used), ", cached ", bytes_text(now.cached), ", limit ",
              now.limit ? bytes_text(now.limit) : "none", ", largest free block ",
              bytes_text(now.largest_free), system_->describe(), describe_holders(device_)));
}

}  // namespace cupyxx::internal::gpu
