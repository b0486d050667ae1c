// SPDX-License-Identifier: MIT
#include "chainerxx/datasets/folds.h"

#include <algorithm>
#include <numeric>

#include "chainerxx/internal/random_order.h"
#include "cupyxx/error.h"

namespace chainerxx::datasets {
namespace {

using Order = std::vector<std::int64_t>;
using Folds = std::vector<std::pair<SubDataset, SubDataset>>;

void check(const char* operation, const Dataset& dataset, std::int64_t n, std::int64_t least) {
  if (n >= least && n <= dataset.size()) return;
  throw cupyxx::ValueError(cupyxx::message(operation, ": ", n, " parts of ", dataset.size(),
                                           " examples; not in [", least, ", ", dataset.size(),
                                           "]"));
}

Order given_order(const Dataset& dataset) {
  Order order(static_cast<std::size_t>(dataset.size()));
  std::iota(order.begin(), order.end(), std::int64_t{0});
  return order;
}

Order random_order(const Dataset& dataset, std::optional<std::uint64_t> seed) {
  ExampleRandom random(seed ? *seed : internal::drawn_seed(), 0);
  return internal::random_order(dataset.size(), random);
}

std::vector<SubDataset> parts(const DatasetRef& dataset, std::int64_t n, const Order& order) {
  const std::int64_t size = dataset->size() / n;
  std::vector<SubDataset> all;
  for (std::int64_t i = 0; i < n; ++i) all.emplace_back(dataset, i * size, (i + 1) * size, order);
  return all;
}

Folds folds(const DatasetRef& dataset, std::int64_t n, const Order& order) {
  const std::int64_t size = dataset->size();
  Folds all;
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t begin = size * i / n, end = size * (i + 1) / n;
    // The fold goes behind the others.
    Order own = order;
    std::rotate(own.begin() + begin, own.begin() + end, own.end());
    const std::int64_t others = size - (end - begin);
    all.emplace_back(SubDataset(dataset, 0, others, own), SubDataset(dataset, others, size, own));
  }
  return all;
}

}  // namespace

std::vector<SubDataset> split_dataset_n(const DatasetRef& dataset, std::int64_t n) {
  check("split_dataset_n", *dataset, n, 1);
  return parts(dataset, n, given_order(*dataset));
}

std::vector<SubDataset> split_dataset_n_random(const DatasetRef& dataset, std::int64_t n,
                                               std::optional<std::uint64_t> seed) {
  check("split_dataset_n_random", *dataset, n, 1);
  return parts(dataset, n, random_order(*dataset, seed));
}

Folds get_cross_validation_datasets(const DatasetRef& dataset, std::int64_t n_folds) {
  check("get_cross_validation_datasets", *dataset, n_folds, 2);
  return folds(dataset, n_folds, given_order(*dataset));
}

Folds get_cross_validation_datasets_random(const DatasetRef& dataset, std::int64_t n_folds,
                                           std::optional<std::uint64_t> seed) {
  check("get_cross_validation_datasets_random", *dataset, n_folds, 2);
  return folds(dataset, n_folds, random_order(*dataset, seed));
}

}  // namespace chainerxx::datasets
