// SPDX-License-Identifier: MIT
// How the kernels of kernels/channel_rows.h are launched.
#pragma once

#include <algorithm>

#include "chainerxx/internal/kernel_library.h"

namespace chainerxx::internal {

/// A matrix of `rows` pixels and `channels` columns, spread over blocks of 256 threads.
class ChannelRows {
 public:
  static constexpr long kMostChannels = 65535 * 32;

  ChannelRows(long rows, long channels, long itemsize, long processors)
      : rows_(rows), processors_(processors) {
    const long pack = 16 / itemsize;
    packed_ = channels % pack == 0;
    const long lanes = packed_ ? channels / pack : channels;
    while (width_ > 1 && width_ / 2 >= lanes) width_ /= 2;
    across_ = (lanes + width_ - 1) / width_;
  }

  /// Whether a thread has kPackWidth<T> channels, not one.
  bool packed() const { return packed_; }
  /// So many blocks share the rows for their sums: as many as run at a time, for every part has to
  /// be read again.
  long splits() const {
    return std::clamp<long>((rows_ + down() - 1) / down(), 1,
                            std::clamp<long>((packed_ ? 2 : 8) * processors_ / across_, 1, 1024));
  }
  Grid grid_of_sums() const { return grid(splits()); }
  /// For a pass over all elements; a thread has four rows under way, and few blocks make what they
  /// know of their channels.
  Grid grid_of_pass() const {
    const long at_a_time = 4 * down();
    return grid(std::clamp<long>((rows_ + at_a_time - 1) / at_a_time, 1,
                                 std::max(1L, (packed_ ? 4 : 16) * processors_ / across_)));
  }

 private:
  long down() const { return 256 / width_; }
  Grid grid(long blocks) const {
    return {.grid_x = static_cast<unsigned>(blocks),
            .grid_y = static_cast<unsigned>(std::clamp<long>(across_, 1, 65535)),
            .block_x = static_cast<unsigned>(width_),
            .block_y = static_cast<unsigned>(down())};
  }

  long rows_, processors_;
  bool packed_ = false;
  long width_ = 32, across_ = 1;
};

}  // namespace chainerxx::internal
