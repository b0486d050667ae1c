// SPDX-License-Identifier: MIT
// Which examples come in which batch: the arithmetic of Chainer's SerialIterator.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "chainerxx/training/serializer.h"

namespace chainerxx::internal {

/// Where an iterator stands between two batches.
struct OrderState {
  std::int64_t position = 0;  // in the present pass
  std::int64_t epoch = 0;     // passes that are complete
  std::int64_t first = 0;     // of them before this way through the data began
  bool is_new_epoch = false;  // whether the latest batch completed one
  double previous_epoch_detail = -1;
  std::int64_t drawn = 0;                                  // examples so far, over all passes
  std::shared_ptr<const std::vector<std::int64_t>> order;  // of this pass; null for 0, 1, 2, ...
};

/// The numbers of one batch, and where its examples' random numbers begin.
struct BatchNumbers {
  std::vector<std::int64_t> numbers;
  std::int64_t first_draw = 0;
};

/// What does not change while an iterator runs.
class BatchOrder {
 public:
  /// Throws ValueError for a batch size below 1, a negative number of examples and, if it repeats,
  /// for none.
  BatchOrder(const char* owner, std::int64_t size, std::int64_t batch_size, bool repeat,
             bool shuffle, std::uint64_t seed);

  std::int64_t size() const { return size_; }
  std::int64_t batch_size() const { return batch_size_; }
  bool repeats() const { return repeat_; }
  std::uint64_t seed() const { return seed_; }

  /// This and the next throw OutOfMemoryError.
  OrderState start() const;
  bool is_done(const OrderState& state) const;
  /// The beginning of the pass behind a state that is done.
  OrderState another_pass(OrderState state) const;
  double epoch_detail(const OrderState& state) const;
  /// The next batch, and the state behind it; not when done.
  BatchNumbers advance(OrderState& state) const;
  /// Writes or reads a state, and the seed.
  void serialize(const training::Serializer& s, OrderState& state);

 private:
  std::shared_ptr<const std::vector<std::int64_t>> order_of(std::int64_t epoch) const;

  const char* owner_;
  std::int64_t size_, batch_size_;
  bool repeat_, shuffle_;
  std::uint64_t seed_;
};

/// An order, and where the program stands in it.
struct BatchPlace {
  explicit BatchPlace(const BatchOrder& the_order) : order(the_order), state(order.start()) {}

  BatchOrder order;
  OrderState state;
};

}  // namespace chainerxx::internal
