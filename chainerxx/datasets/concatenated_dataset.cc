// SPDX-License-Identifier: MIT
#include "chainerxx/datasets/concatenated_dataset.h"

#include <algorithm>
#include <utility>

#include "cupyxx/error.h"

namespace chainerxx::datasets {

ConcatenatedDataset::ConcatenatedDataset(std::vector<DatasetRef> datasets)
    : datasets_(std::move(datasets)) {
  if (datasets_.empty()) throw cupyxx::ValueError("ConcatenatedDataset: there are no datasets");
  std::int64_t end = 0;
  for (const DatasetRef& dataset : datasets_) ends_.push_back(end += dataset->size());
}

/// Which dataset has the example of a number.
std::size_t ConcatenatedDataset::place_of(std::int64_t i) const {
  return static_cast<std::size_t>(std::upper_bound(ends_.begin(), ends_.end(), i) - ends_.begin());
}

Example ConcatenatedDataset::get_example(std::int64_t i) const {
  const std::size_t place = place_of(i);
  return datasets_[place]->get_example(i - begin_of(place));
}

std::vector<ndarray> ConcatenatedDataset::get_columns(std::span<const std::int64_t> numbers) const {
  if (numbers.empty()) return datasets_[0]->get_columns(numbers);
  const std::size_t place = place_of(numbers[0]);
  for (const std::int64_t i : numbers) {
    if (place_of(i) != place) return Dataset::get_columns(numbers);
  }
  std::vector<std::int64_t> theirs(numbers.begin(), numbers.end());
  for (std::int64_t& i : theirs) i -= begin_of(place);
  return datasets_[place]->get_columns(theirs);
}

}  // namespace chainerxx::datasets
