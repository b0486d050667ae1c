// SPDX-License-Identifier: MIT
#include "cupyxx/internal/gpu/pool.h"

#include <algorithm>
#include <cstdio>

#include "cupyxx/error.h"
#include "cupyxx/internal/gpu/magazine.h"
#include "cupyxx/internal/gpu/thread_state.h"

namespace cupyxx::internal::gpu {
namespace {

void destroy_storage(Storage* storage) {
  Block* block = static_cast<Block*>(storage->block);
  Arena* arena = block->arena;
  Pool* pool = arena->pool();
  if (storage->foreign_count > 0) pool->settle(storage);
  pool->count_unused(block->size);
  Magazine* magazine = t_state.devices[storage->device.index].magazine;
  if (magazine && magazine->arena() == arena) {
    magazine->keep(block);
  } else {
    arena->give(block);
  }
}

}  // namespace

Storage* prepare_storage(Block* block, std::size_t nbytes) {
  Storage* storage = &block->storage;
  storage->refs.store(1, std::memory_order_relaxed);
  storage->device = block->arena->pool()->device();
  storage->version.store(0, std::memory_order_relaxed);
  storage->data = block->address;
  storage->nbytes = nbytes;
  storage->block = block;
  storage->home_stream = block->arena->stream();
  storage->foreign_count = 0;
  storage->destroy = destroy_storage;
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
  direct_allocations_.fetch_add(1, std::memory_order_relaxed);
  if (nbytes > kLargestRequest) throw_out_of_memory(nbytes);
  const std::size_t size = block_size(nbytes);
  Block* block = arena->take(size);
  if (!block) block = take(arena, size);
  count_used(block->size);
  return prepare_storage(block, nbytes);
}

Block* Pool::take(Arena* arena, std::size_t size) {
  const std::size_t wanted = arena->next_segment_size(size);
  Segment segment = acquire(wanted, size);
  if (!segment.address) {
    collect();
    if (Block* block = arena->take(size)) return block;
    segment = acquire(wanted, size);
    if (!segment.address) throw_out_of_memory(size);
  }
  return arena->take_from(segment, size);
}

Segment Pool::acquire(std::size_t wanted, std::size_t least) {
  const std::lock_guard lock(mutex_);
  auto best = spare_.end();
  for (auto it = spare_.begin(); it != spare_.end(); ++it) {
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

void Pool::collect() {
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
    for (const auto& arena : arenas_) arenas.push_back(arena.get());
    spare.swap(spare_);
  }
  release(spare);
  for (Arena* arena : arenas) release(arena->remove_free_segments());
}

void Pool::free_all() { collect(); }

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
  std::erase(magazines_, magazine);
}

PoolStats Pool::stats() {
  PoolStats stats;
  std::vector<Arena*> arenas;
  {
    const std::lock_guard lock(mutex_);
    stats.used = used_.load(std::memory_order_relaxed);
    stats.cached = reserved_ > stats.used ? reserved_ - stats.used : 0;
    stats.peak = peak_.load(std::memory_order_relaxed);
    stats.allocations = allocations_ + direct_allocations_.load(std::memory_order_relaxed);
    for (const Magazine* magazine : magazines_) stats.allocations += magazine->allocations();
    stats.system_calls = system_calls_;
    for (const Segment& segment : spare_) {
      stats.largest_free = std::max<std::uint64_t>(stats.largest_free, segment.size);
    }
    for (const auto& arena : arenas_) arenas.push_back(arena.get());
  }
  for (Arena* arena : arenas) {
    stats.largest_free = std::max<std::uint64_t>(stats.largest_free, arena->largest_free());
  }
  return stats;
}

void Pool::throw_out_of_memory(std::size_t asked) {
  const PoolStats now = stats();
  std::size_t limit;
  {
    const std::lock_guard lock(mutex_);
    limit = limit_;
  }
  throw OutOfMemoryError("allocate: out of memory on " + device_.name() + "; asked " +
                         format_bytes(asked) + ", used " + format_bytes(now.used) + ", cached " +
                         format_bytes(now.cached) + ", limit " +
                         (limit ? format_bytes(limit) : "none") + ", largest free block " +
                         format_bytes(now.largest_free));
}

std::string format_bytes(std::uint64_t bytes) {
  static constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(bytes);
  int unit = 0;
  for (; value >= 1024 && unit < 4; ++unit) value /= 1024;
  char text[48];
  std::snprintf(text, sizeof text, unit == 0 ? "%.0f %s" : "%.2f %s", value, kUnits[unit]);
  return text;
}

}  // namespace cupyxx::internal::gpu
