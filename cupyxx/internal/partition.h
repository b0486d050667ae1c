// SPDX-License-Identifier: MIT
// Selection on the host: rows that are in order at some places only.
#pragma once

#include <cstdint>
#include <span>

#include "cupyxx/ndarray.h"

namespace cupyxx::internal::cpu {

/// Each of `rows` rows of n elements of `source`, which is no complex one, so that at each place of
/// `kth` (ascending, each once, in [0, n)) stands what sorting puts there, what is smaller before
/// it and the others behind it; NaN last. One of `values` and `places` (int64, within the row)
/// receives the rows, the other is null. C-contiguous arrays.
struct PartitionCall {
  const ndarray* source;
  const ndarray* values;
  const ndarray* places;
  std::int64_t rows;
  std::int64_t n;
  std::span<const std::int64_t> kth;
};

void partition_rows(const PartitionCall& call);

}  // namespace cupyxx::internal::cpu
