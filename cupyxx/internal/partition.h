// SPDX-License-Identifier: MIT
// Selection on the host: rows that are in order at some places only.
#pragma once

#include <cstdint>
#include <functional>
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

/// From each of `rows` rows of n > 0 elements of `source`, which is no complex one, what sorting
/// would put at `count` places, NaN last, to a row of `values`. `places` fills in the places in a
/// row of so many elements. With `numbers` they are places among the elements that are no NaN,
/// whose number is written there; where there is none, `values` receives NaN. C-contiguous arrays.
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
