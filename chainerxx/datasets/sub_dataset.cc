// SPDX-License-Identifier: MIT
#include "chainerxx/datasets/sub_dataset.h"

#include <cmath>
#include <utility>

#include "chainerxx/internal/random_order.h"
#include "cupyxx/error.h"
#include "cupyxx/scalar.h"

namespace chainerxx::internal {

std::int64_t number_of_examples(const char* operation, double number, std::int64_t size) {
  const auto count = static_cast<double>(size);
  if (!(number >= 1 && number < count)) {
    throw cupyxx::ValueError(cupyxx::message(
        operation, ": the first part has ", cupyxx::Scalar(number), " of ", size, " examples",
        number > 0 && number < 1 ? "; a share is written dataset.size() * share" : ""));
  }
  return static_cast<std::int64_t>(std::floor(number + 1e-9 * count));  // 0.29 * 100 is 28.99...
}

}  // namespace chainerxx::internal

namespace chainerxx::datasets {
namespace {

namespace cp = cupyxx;

void check_split(const char* operation, const Dataset& dataset, std::int64_t at) {
  if (at > 0 && at < dataset.size()) return;
  throw cp::ValueError(cp::message(operation, ": one of the parts of ", dataset.size(),
                                   " examples split at ", at, " has none"));
}

}  // namespace

SubDataset::SubDataset(DatasetRef dataset, std::int64_t start, std::int64_t finish)
    : dataset_(std::move(dataset)), start_(start), finish_(finish) {
  if (start >= 0 && finish >= start && finish <= dataset_->size()) return;
  throw cp::ValueError(cp::message("SubDataset: from ", start, " to ", finish, " of ",
                                   dataset_->size(), " examples"));
}

SubDataset::SubDataset(DatasetRef dataset, std::int64_t start, std::int64_t finish,
                       std::vector<std::int64_t> order)
    : SubDataset(std::move(dataset), start, finish) {
  const std::int64_t count = dataset_->size(), given = std::ssize(order);
  if (given != count) {
    throw cp::ValueError(
        cp::message("SubDataset: an order of ", given, " numbers for ", count, " examples"));
  }
  for (const std::int64_t i : order) {
    if (i < 0 || i >= count) {
      throw cp::ValueError(
          cp::message("SubDataset: the order has ", i, ", of ", count, " examples"));
    }
  }
  order_ = std::make_shared<const std::vector<std::int64_t>>(std::move(order));
}

std::int64_t SubDataset::number(std::int64_t i) const {
  return order_ == nullptr ? start_ + i : (*order_)[start_ + i];
}

std::vector<ndarray> SubDataset::get_columns(std::span<const std::int64_t> numbers) const {
  std::vector<std::int64_t> theirs(numbers.begin(), numbers.end());
  for (std::int64_t& i : theirs) i = number(i);
  return dataset_->get_columns(theirs);
}

std::pair<SubDataset, SubDataset> split_dataset(const DatasetRef& dataset, std::int64_t split_at) {
  check_split("split_dataset", *dataset, split_at);
  return {SubDataset(dataset, 0, split_at), SubDataset(dataset, split_at, dataset->size())};
}

std::pair<SubDataset, SubDataset> split_dataset_random(const DatasetRef& dataset,
                                                       std::int64_t first_size,
                                                       std::optional<std::uint64_t> seed) {
  check_split("split_dataset_random", *dataset, first_size);
  ExampleRandom random(seed ? *seed : internal::drawn_seed(), 0);
  const std::vector<std::int64_t> order = internal::random_order(dataset->size(), random);
  return {SubDataset(dataset, 0, first_size, order),
          SubDataset(dataset, first_size, dataset->size(), order)};
}

}  // namespace chainerxx::datasets
