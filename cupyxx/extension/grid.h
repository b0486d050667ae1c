// SPDX-License-Identifier: MIT
// The grid of a kernel's launch.
#pragma once

namespace cupyxx::extension {

/// How many blocks of how many threads a launch has.
struct Grid {
  unsigned grid_x = 1, grid_y = 1, grid_z = 1;
  unsigned block_x = 1, block_y = 1, block_z = 1;
  unsigned shared_bytes = 0;
  unsigned cluster_x = 1;  // neighbouring blocks that share memory; divides grid_x
  unsigned cluster_y = 1, cluster_z = 1;
  bool cooperative = false;  // all blocks run at a time and may wait for each other

  bool clustered() const { return cluster_x != 1 || cluster_y != 1 || cluster_z != 1; }
  unsigned attributes() const { return (clustered() ? 1u : 0u) + (cooperative ? 1u : 0u); }
};

}  // namespace cupyxx::extension
