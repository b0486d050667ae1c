// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>

#include "chainerxx/iterators/ordered_iterator.h"

namespace chainerxx::iterators {

/// Options of MultithreadIterator.
struct MultithreadOptions {
  bool repeat = true;  ///< as of IteratorOptions
  std::optional<bool> shuffle = {};
  std::optional<std::uint64_t> seed = {};
  int n_threads = 1;
  int n_prefetch = 2;  ///< batches that are made before they are asked for
};

/// Makes batches in threads before they are asked for: the examples of a batch are shared among
/// them. Batches, epochs and saved states are those of a SerialIterator of the same seed.
/// finalize() ends the threads, as a Trainer does at the end of a run; the next batch that is asked
/// for begins them again. waited_seconds() says how long the program stood still because no batch
/// was ready.
class CUPYXX_API MultithreadIterator final : public OrderedIterator {
 public:
  /// Throws ValueError as SerialIterator, and for a number of threads or batches below 1.
  MultithreadIterator(datasets::DatasetRef dataset, std::int64_t batch_size,
                      const MultithreadOptions& options = {});
  ~MultithreadIterator() override;

  /// The next batch. Throws what the dataset threw when it was made; the iterator then stands where
  /// it stood, and a further call tries again.
  Batch next() override;
  const Batch& peek() override;
  void reset() override;
  void begin_pass() override;
  void finalize() override;
  void serialize(const training::Serializer& s) override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace chainerxx::iterators
