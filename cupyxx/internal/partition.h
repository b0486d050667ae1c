// SPDX-License-Identifier: MIT
// Selection on the host: rows that are in order at some places only.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "cupyxx/ndarray.h"

namespace cupyxx::internal::cpu {

/// Partitions each of `rows` rows of n elements: afterwards each place in `kth` (ascending, each
/// once, in [0, n)) has the element that sorting would put there, smaller ones stand before it, the
/// others behind it, and NaN last. The rows go to `values`, or their places in the source's rows
/// (int64) to `places`; the other one is null. The arrays are C-contiguous and not complex.
struct PartitionCall {
  const ndarray* source;
  const ndarray* values;
  const ndarray* places;
  std::int64_t rows;
  std::int64_t n;
  std::span<const std::int64_t> kth;
};

void partition_rows(const PartitionCall& call);

/// Writes to a row of `values`, for each of `rows` rows of n > 0 elements, the elements that
/// sorting would put at `count` places, NaN last. `places` is called with the number of elements
/// and fills in those places. If `numbers` is not null, NaN are left out: it receives, for each
/// row, the number of other elements, `places` is called with that number, and `values` receives
/// NaN where it is 0. The arrays are C-contiguous and not complex.
struct SelectCall {
  const ndarray* source;
  const ndarray* values;
  std::int64_t* numbers;
  std::int64_t rows;
  std::int64_t n;
  std::int64_t count;
  std::function<void(std::int64_t elements, std::int64_t* places)> places;
};

void select_from_rows(const SelectCall& call);

}  // namespace cupyxx::internal::cpu
