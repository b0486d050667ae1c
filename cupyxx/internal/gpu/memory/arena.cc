// SPDX-License-Identifier: MIT
#include "cupyxx/internal/gpu/memory/arena.h"

#include <algorithm>

namespace cupyxx::internal::gpu {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;
constexpr int kHeadersPerSlab = 64;
// How many blocks of the request's own class are tried before a larger class is cut.
constexpr int kTriesInClass = 8;

}  // namespace

Block* Arena::new_header() {
  if (!unused_headers_) {
    slabs_.push_back(std::make_unique<Block[]>(kHeadersPerSlab));
    Block* slab = slabs_.back().get();
    for (int i = 0; i < kHeadersPerSlab; ++i) drop_header(slab + i);
  }
  Block* block = unused_headers_;
  unused_headers_ = block->next;
  block->arena = this;
  block->before = block->after = block->previous = block->next = nullptr;
  block->free = false;
  return block;
}

void Arena::drop_header(Block* block) {
  block->next = unused_headers_;
  unused_headers_ = block;
}

void Arena::insert(Block* block) {
  const int bin = class_of(block->size);
  ++free_blocks_;
  block->free = true;
  block->previous = nullptr;
  block->next = bins_[bin];
  if (block->next) block->next->previous = block;
  bins_[bin] = block;
  occupied_[bin / 64] |= std::uint64_t{1} << (bin % 64);
}

void Arena::remove(Block* block) {
  const int bin = class_of(block->size);
  --free_blocks_;
  if (block->previous) {
    block->previous->next = block->next;
  } else {
    bins_[bin] = block->next;
    if (!block->next) occupied_[bin / 64] &= ~(std::uint64_t{1} << (bin % 64));
  }
  if (block->next) block->next->previous = block->previous;
  block->free = false;
}

Block* Arena::first_at_least(int first_class) {
  for (int word = first_class / 64; word < static_cast<int>(occupied_.size()); ++word) {
    std::uint64_t bits = occupied_[word];
    if (word == first_class / 64) bits &= ~std::uint64_t{0} << (first_class % 64);
    if (bits) return bins_[64 * word + std::countr_zero(bits)];
  }
  return nullptr;
}

Block* Arena::find(std::size_t size) {
  const int own = class_of(size);
  Block* candidate = bins_[own];
  for (int i = 0; candidate && i < kTriesInClass; ++i, candidate = candidate->next) {
    if (candidate->size >= size) return candidate;
  }
  if (own + 1 < kClasses) {
    if (Block* larger = first_at_least(own + 1)) return larger;
  }
  // Rather a long list than a call to the system.
  for (; candidate; candidate = candidate->next) {
    if (candidate->size >= size) return candidate;
  }
  return nullptr;
}

Block* Arena::carve(Block* block, std::size_t size) {
  const std::size_t rest = block->size - size;
  if (rest < kSmallestBlock) return block;
  Block* tail = new_header();
  tail->address = block->address + size;
  tail->size = rest;
  tail->before = block;
  tail->after = block->after;
  if (tail->after) tail->after->before = tail;
  block->after = tail;
  block->size = size;
  insert(tail);
  return block;
}

Block* Arena::take(std::size_t size, bool from_any) {
  const std::lock_guard lock(mutex_);
  Block* block = find(size);
  if (!block || (!from_any && would_pin(block->size, size))) return nullptr;
  remove(block);
  return carve(block, size);
}

Block* Arena::take_from(Segment segment, std::size_t size) {
  const std::lock_guard lock(mutex_);
  Block* block = new_header();
  block->address = segment.address;
  block->size = segment.size;
  return carve(block, size);
}

void Arena::coalesce(Block* block) {
  if (Block* after = block->after; after && after->free) {
    remove(after);
    block->size += after->size;
    block->after = after->after;
    if (block->after) block->after->before = block;
    drop_header(after);
  }
  if (Block* before = block->before; before && before->free) {
    remove(before);
    before->size += block->size;
    before->after = block->after;
    if (before->after) before->after->before = before;
    drop_header(block);
    block = before;
  }
  insert(block);
}

void Arena::give(Block* block) {
  const std::lock_guard lock(mutex_);
  coalesce(block);
}

void Arena::give_all(Block* first) {
  const std::lock_guard lock(mutex_);
  while (first) {
    Block* next = first->next;
    coalesce(first);
    first = next;
  }
}

std::vector<Segment> Arena::remove_free_segments() {
  const std::lock_guard lock(mutex_);
  std::vector<Segment> segments;
  if (held_ > 0) return segments;
  for (Block* bin : bins_) {
    while (bin) {
      Block* next = bin->next;
      if (!bin->before && !bin->after) {
        segments.push_back({bin->address, bin->size});
        remove(bin);
        drop_header(bin);
      }
      bin = next;
    }
  }
  return segments;
}

std::size_t Arena::largest_free() {
  const std::lock_guard lock(mutex_);
  for (int bin = kClasses - 1; bin >= 0; --bin) {
    std::size_t largest = 0;
    for (Block* block = bins_[bin]; block; block = block->next) {
      largest = std::max(largest, block->size);
    }
    if (largest) return largest;
  }
  return 0;
}

std::size_t Arena::free_blocks() {
  const std::lock_guard lock(mutex_);
  return free_blocks_;
}

void Arena::hold(bool held) {
  const std::lock_guard lock(mutex_);
  held_ += held ? 1 : -1;
}

std::size_t Arena::next_segment_size(std::size_t size) {
  const std::lock_guard lock(mutex_);
  constexpr std::size_t kSteps[] = {20, 64, 128, 256, 512, kLargestStep / kMiB};
  const std::size_t step = kSteps[growth_] * kMiB;
  if (size > step) {
    // Near sizes share segments: an eighth of slack at most, which smaller blocks can use.
    const std::size_t eighth = std::bit_floor(size) / 8;
    return round_up(size, std::max(2 * kMiB, eighth));
  }
  growth_ = std::min<int>(growth_ + 1, static_cast<int>(std::size(kSteps)) - 1);
  return step;
}

}  // namespace cupyxx::internal::gpu
