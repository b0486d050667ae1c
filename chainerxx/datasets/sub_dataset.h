// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "chainerxx/datasets/dataset.h"

namespace chainerxx::internal {
/// The whole part of a number of examples. Throws ValueError for one below 1 or not below `size`.
CUPYXX_API std::int64_t number_of_examples(const char* operation, double number, std::int64_t size);
}  // namespace chainerxx::internal

namespace chainerxx::datasets {

/// A part of another dataset: those from `start` to before `finish`, or of an order of numbers.
class CUPYXX_API SubDataset : public Dataset {
 public:
  /// Throws ValueError for a start or finish that is out of order or out of bounds.
  SubDataset(DatasetRef dataset, std::int64_t start, std::int64_t finish);
  /// The same of an order of all examples. Throws ValueError unless it has as many numbers as there
  /// are examples, all in bounds.
  SubDataset(DatasetRef dataset, std::int64_t start, std::int64_t finish,
             std::vector<std::int64_t> order);

  std::int64_t size() const override { return finish_ - start_; }
  Example get_example(std::int64_t i) const override { return dataset_->get_example(number(i)); }
  std::vector<ndarray> get_columns(std::span<const std::int64_t> numbers) const override;

 private:
  std::int64_t number(std::int64_t i) const;

  DatasetRef dataset_;
  std::int64_t start_, finish_;
  std::shared_ptr<const std::vector<std::int64_t>> order_;  // null for 0, 1, 2, ...
};

/// The examples before `split_at`, and the others. Throws ValueError unless both have some.
CUPYXX_API std::pair<SubDataset, SubDataset> split_dataset(const DatasetRef& dataset,
                                                           std::int64_t split_at);
/// The same in a random order, the same one for one seed; without a seed the default random stream
/// gives one.
CUPYXX_API std::pair<SubDataset, SubDataset> split_dataset_random(
    const DatasetRef& dataset, std::int64_t first_size, std::optional<std::uint64_t> seed = {});

/// The same of `dataset.size() * 0.8` examples, rounded down. Throws ValueError for a share alone.
template <std::floating_point N>
std::pair<SubDataset, SubDataset> split_dataset(const DatasetRef& dataset, N split_at) {
  return split_dataset(dataset,
                       internal::number_of_examples("split_dataset", static_cast<double>(split_at),
                                                    dataset->size()));
}
template <std::floating_point N>
std::pair<SubDataset, SubDataset> split_dataset_random(const DatasetRef& dataset, N first_size,
                                                       std::optional<std::uint64_t> seed = {}) {
  return split_dataset_random(
      dataset,
      internal::number_of_examples("split_dataset_random", static_cast<double>(first_size),
                                   dataset->size()),
      seed);
}

}  // namespace chainerxx::datasets
