// SPDX-License-Identifier: MIT
// Sorting, running sums and searching as the two backends receive them: C-contiguous arrays on one
// device, checked.
#pragma once

#include <cstdint>

#include "cupyxx/ndarray.h"

namespace cupyxx::internal {

/// Sorts each of `rows` rows of n elements of `source` stably, NaN last; a device sorts no complex
/// numbers. `values` and `places`
/// (int64, within the row) receive the result; either may be null.
struct SortCall {
  const char* operation;
  const ndarray* source;
  const ndarray* values;
  const ndarray* places;
  std::int64_t rows;
  std::int64_t n;
};

/// out[r, i] = in[r, 0] + ... + in[r, i], or their product; int64, uint64, float32, float64
/// or complex.
struct ScanCall {
  const char* operation;
  const ndarray* in;
  const ndarray* out;
  std::int64_t rows;
  std::int64_t n;
  bool product;
};

/// out[i] = number of elements of `sorted` before values[i], or, with `right`, not after it. Both
/// have one dtype; `out` is int64.
struct SearchCall {
  const char* operation;
  const ndarray* sorted;
  const ndarray* values;
  const ndarray* out;
  bool right;
};

/// out[p] = sum of weights[i] in order over the i with positions[i] = p (int64, checked by the
/// caller); all ones without weights, when `out` is int64, else float64.
struct BincountCall {
  const char* operation;
  const ndarray* positions;
  const ndarray* weights;
  const ndarray* out;
};

namespace cpu {
void sort_rows(const SortCall& call);
void scan_rows(const ScanCall& call);
void search_sorted(const SearchCall& call);
void bincount(const BincountCall& call);
/// Positions (int64) of the true elements of a contiguous bool array.
ndarray true_positions(const char* operation, const ndarray& mask);
/// The elements of a contiguous array where a contiguous bool array of as many elements is true.
ndarray chosen_elements(const char* operation, const ndarray& source, const ndarray& mask);
}  // namespace cpu

namespace gpu {
void sort_rows(const SortCall& call);
void scan_rows(const ScanCall& call);
void search_sorted(const SearchCall& call);
void bincount(const BincountCall& call);
/// The same; these synchronise.
ndarray true_positions(const char* operation, const ndarray& mask);
ndarray chosen_elements(const char* operation, const ndarray& source, const ndarray& mask);
}  // namespace gpu

}  // namespace cupyxx::internal
