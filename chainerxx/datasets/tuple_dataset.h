// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <vector>

#include "chainerxx/datasets/dataset.h"

namespace chainerxx::datasets {

/// Arrays of equal length: example i is the i-th row of each.
///
///   TupleDataset train(images, labels);
class CUPYXX_API TupleDataset : public Dataset {
 public:
  /// Throws ValueError for no array, None, a 0-d array, and arrays of different lengths.
  explicit TupleDataset(std::vector<ndarray> arrays);
  template <std::convertible_to<ndarray>... A>
  explicit TupleDataset(const ndarray& first, const A&... others)
      : TupleDataset(std::vector<ndarray>{first, others...}) {}

  std::int64_t size() const override { return size_; }
  /// Views, read-only: an example that a transformation changes in place would be another one in
  /// the next pass. A copy() of one can be written to.
  Example get_example(std::int64_t i) const override;
  /// Copies, which can be written to.
  std::vector<ndarray> get_columns(std::span<const std::int64_t> numbers) const override;
  /// The arrays as they were given.
  const std::vector<ndarray>& arrays() const& { return arrays_; }
  std::vector<ndarray> arrays() && { return arrays_; }

 private:
  std::vector<ndarray> arrays_;
  std::int64_t size_ = 0;
};

}  // namespace chainerxx::datasets
