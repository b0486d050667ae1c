// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>

#include "chainerxx/iterators/iterator.h"

namespace chainerxx::iterators {

/// Makes each batch when it is asked for. A batch that reaches over the end of a pass goes on with
/// the next one; without `repeat` the last batch may be smaller.
///
///   SerialIterator train(dataset, 100);
///   SerialIterator test(test_dataset, 100, {.repeat = false});
class CUPYXX_API SerialIterator final : public Iterator {
 public:
  /// Throws ValueError for a batch size below 1, and for a dataset without examples if it repeats.
  SerialIterator(datasets::DatasetRef dataset, std::int64_t batch_size,
                 const IteratorOptions& options = {});
  ~SerialIterator() override;

  Batch next() override;
  bool is_done() const override;
  const Batch& peek() override;
  std::int64_t epoch() const override;
  double epoch_detail() const override;
  std::optional<double> previous_epoch_detail() const override;
  bool is_new_epoch() const override;
  std::int64_t batch_size() const override;
  std::int64_t epoch_size() const override;
  bool repeats() const override;
  void reset() override;
  void serialize(const training::Serializer& s) override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace chainerxx::iterators
