// SPDX-License-Identifier: MIT
// A dataset in several parts, for validation with each of them.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "chainerxx/datasets/sub_dataset.h"

namespace chainerxx::datasets {

/// n parts of size / n examples each, in order; those left over, fewer than n, are in none. Throws
/// ValueError unless n is in [1, size].
CUPYXX_API std::vector<SubDataset> split_dataset_n(const DatasetRef& dataset, std::int64_t n);
/// The same in a random order, as of split_dataset_random.
CUPYXX_API std::vector<SubDataset> split_dataset_n_random(const DatasetRef& dataset, std::int64_t n,
                                                          std::optional<std::uint64_t> seed = {});

/// For each of n_folds parts that are as long as the others or one longer: all other examples, to
/// train with, and the part, to validate with. Throws ValueError unless n_folds is in [2, size].
CUPYXX_API std::vector<std::pair<SubDataset, SubDataset>> get_cross_validation_datasets(
    const DatasetRef& dataset, std::int64_t n_folds);
/// The same in a random order.
CUPYXX_API std::vector<std::pair<SubDataset, SubDataset>> get_cross_validation_datasets_random(
    const DatasetRef& dataset, std::int64_t n_folds, std::optional<std::uint64_t> seed = {});

}  // namespace chainerxx::datasets
