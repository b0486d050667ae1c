// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "chainerxx/iterators/ordered_iterator.h"

namespace chainerxx::iterators {

/// Makes each batch when it is asked for. A batch that reaches over the end of a pass goes on with
/// the next one; without `repeat` the last batch may be smaller.
///
///   SerialIterator train(dataset, 100);
///   SerialIterator test(test_dataset, 100, {.repeat = false});
class CUPYXX_API SerialIterator final : public OrderedIterator {
 public:
  /// Throws ValueError for a batch size below 1, and for a dataset without examples if it repeats.
  SerialIterator(datasets::DatasetRef dataset, std::int64_t batch_size,
                 const IteratorOptions& options = {});
  /// The options in Chainer's order.
  template <std::same_as<bool> B>
  SerialIterator(datasets::DatasetRef dataset, std::int64_t batch_size, B repeat,
                 std::optional<bool> shuffle = {})
      : SerialIterator(std::move(dataset), batch_size,
                       IteratorOptions{.repeat = repeat, .shuffle = shuffle}) {}
  ~SerialIterator() override;

  Batch next() override;
  const Batch& peek() override;
  void reset() override;
  void begin_pass() override;
  void serialize(const training::Serializer& s) override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace chainerxx::iterators
