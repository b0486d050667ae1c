// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <vector>

#include "chainerxx/datasets/dataset.h"

namespace chainerxx::datasets {

/// Datasets one behind the other, as one: `ConcatenatedDataset(train, more)`.
class CUPYXX_API ConcatenatedDataset : public Dataset {
 public:
  /// Throws ValueError for no dataset.
  explicit ConcatenatedDataset(std::vector<DatasetRef> datasets);
  template <std::convertible_to<DatasetRef>... D>
  explicit ConcatenatedDataset(const DatasetRef& first, const D&... others)
      : ConcatenatedDataset(std::vector<DatasetRef>{first, DatasetRef(others)...}) {}

  std::int64_t size() const override { return ends_.back(); }
  Example get_example(std::int64_t i) const override;
  /// At once where all numbers are of one dataset.
  std::vector<ndarray> get_columns(std::span<const std::int64_t> numbers) const override;

 private:
  std::size_t place_of(std::int64_t i) const;
  std::int64_t begin_of(std::size_t place) const { return place == 0 ? 0 : ends_[place - 1]; }

  std::vector<DatasetRef> datasets_;
  std::vector<std::int64_t> ends_;  // of each, behind those before it
};

}  // namespace chainerxx::datasets
