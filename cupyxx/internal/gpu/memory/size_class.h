// SPDX-License-Identifier: MIT
// Sizes of blocks: 512 B x {1, 1.25, 1.5, 1.75} x 2^k, in multiples of 256 B; above 1 MiB multiples
// of 64 KiB, sixteen classes to an octave. Up to 2 MiB every free block of a class fits every
// request of the class, so that nothing is searched.
#pragma once

#include <bit>
#include <cstddef>

namespace cupyxx::internal::gpu {

inline constexpr std::size_t kBlockAlignment = 256;
inline constexpr std::size_t kSmallestBlock = 512;
/// Blocks up to here have exactly the size of a class, so that threads can keep and exchange them.
inline constexpr std::size_t kLargestCachedBlock = std::size_t{1} << 20;
/// Larger ones are rounded to this.
inline constexpr std::size_t kLargeGranularity = std::size_t{64} << 10;
/// What is larger than this, no device has.
inline constexpr std::size_t kLargestRequest = std::size_t{1} << 48;
inline constexpr int kCachedClasses = 4 * 11 + 1;
inline constexpr int kClasses = kCachedClasses - 1 + 16 * 29;

/// Segments above this hold one large array each; arenas do not grow in larger steps.
inline constexpr std::size_t kLargestStep = std::size_t{1} << 30;

constexpr std::size_t round_up(std::size_t value, std::size_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

/// The class whose smallest size is at most `size`; size >= kSmallestBlock.
constexpr int class_of(std::size_t size) {
  const int octave = std::bit_width(size) - 10;
  if (size < kLargestCachedBlock) {
    return 4 * octave + static_cast<int>((size >> (octave + 7)) & 3);
  }
  return kCachedClasses - 1 + 16 * (octave - 11) + static_cast<int>((size >> (octave + 5)) & 15);
}

/// The size of a block for a request.
constexpr std::size_t block_size(std::size_t nbytes) {
  if (nbytes <= kSmallestBlock) return kSmallestBlock;
  if (nbytes > kLargestRequest) return nbytes;
  if (nbytes > kLargestCachedBlock) return (nbytes + kLargeGranularity - 1) & -kLargeGranularity;
  std::size_t step = std::size_t{1} << (std::bit_width(nbytes - 1) - 3);
  if (step < kBlockAlignment) step = kBlockAlignment;
  return (nbytes + step - 1) & -step;
}

/// Whether a block of `size` bytes, cut from so much free memory, would keep all of it from being
/// returned, or from being an array of its size again, for as long as a small array lives.
constexpr bool would_pin(std::size_t free, std::size_t size) {
  return free > kLargestStep && size <= kLargestCachedBlock;
}

static_assert(class_of(512) == 0 && class_of(768) == 2 && class_of(1024) == 4);
static_assert(class_of(kLargestCachedBlock) == kCachedClasses - 1);
static_assert(class_of(kLargestCachedBlock + kLargeGranularity) == kCachedClasses);
static_assert(class_of(2 * kLargestCachedBlock) == kCachedClasses + 15);
static_assert(class_of(2 * kLargestRequest - 1) == kClasses - 1);
static_assert(block_size(513) == 768 && block_size(1025) == 1280 && block_size(4097) == 5120);

}  // namespace cupyxx::internal::gpu
