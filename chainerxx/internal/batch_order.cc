// SPDX-License-Identifier: MIT
#include "chainerxx/internal/batch_order.h"

#include <algorithm>
#include <exception>

#include "chainerxx/internal/random_order.h"
#include "cupyxx/error.h"

namespace chainerxx::internal {
namespace {

// Orders come from another sequence than the random numbers of examples.
constexpr std::uint64_t kOrders = 0x6f7264657273;

}  // namespace

BatchOrder::BatchOrder(const char* owner, std::int64_t size, std::int64_t batch_size, bool repeat,
                       bool shuffle, std::uint64_t seed)
    : owner_(owner),
      size_(size),
      batch_size_(batch_size),
      repeat_(repeat),
      shuffle_(shuffle),
      seed_(seed) {
  if (batch_size < 1) {
    throw cupyxx::ValueError(cupyxx::message(owner, ": a batch of ", batch_size, " examples"));
  }
  if (size < 0) {
    throw cupyxx::ValueError(cupyxx::message(owner, ": a dataset of ", size, " examples"));
  }
  if (size < 1 && repeat) {
    throw cupyxx::ValueError(cupyxx::message(owner, ": the dataset has no examples to repeat"));
  }
}

std::shared_ptr<const std::vector<std::int64_t>> BatchOrder::order_of(std::int64_t epoch) const {
  if (!shuffle_) return nullptr;
  datasets::ExampleRandom random(seed_ ^ kOrders, static_cast<std::uint64_t>(epoch));
  try {
    return std::make_shared<const std::vector<std::int64_t>>(random_order(size_, random));
  } catch (const std::exception&) {  // bad_alloc or length_error
    throw cupyxx::OutOfMemoryError(
        cupyxx::message(owner_, ": there is no room for the order of ", size_, " examples"));
  }
}

OrderState BatchOrder::start() const {
  OrderState state;
  state.order = order_of(0);
  return state;
}

bool BatchOrder::is_done(const OrderState& state) const {
  return !repeat_ && (state.epoch > state.first || size_ == 0);
}

OrderState BatchOrder::another_pass(OrderState state) const {
  state.first = state.epoch;
  state.order = order_of(state.epoch);
  return state;
}

double BatchOrder::epoch_detail(const OrderState& state) const {
  return static_cast<double>(state.epoch) +
         (size_ == 0 ? 0 : static_cast<double>(state.position) / static_cast<double>(size_));
}

BatchNumbers BatchOrder::advance(OrderState& state) const {
  BatchNumbers batch;
  const std::int64_t most = repeat_ ? batch_size_ : std::min(batch_size_, size_ - state.position);
  try {
    batch.numbers.reserve(static_cast<std::size_t>(most));
  } catch (const std::exception&) {  // bad_alloc or length_error
    throw cupyxx::OutOfMemoryError(
        cupyxx::message(owner_, ": there is no room for a batch of ", most, " examples"));
  }
  batch.first_draw = state.drawn;
  state.previous_epoch_detail = epoch_detail(state);
  state.is_new_epoch = false;
  std::int64_t left = batch_size_;
  for (;;) {
    const std::int64_t count = std::min(left, size_ - state.position);
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t at = state.position + i;
      batch.numbers.push_back(state.order == nullptr ? at : (*state.order)[at]);
    }
    left -= count;
    state.position += count;
    if (state.position < size_) break;
    state.position = 0;
    ++state.epoch;
    state.is_new_epoch = true;
    if (!repeat_) break;
    state.order = order_of(state.epoch);
    if (left == 0) break;
  }
  state.drawn += std::ssize(batch.numbers);
  return batch;
}

void BatchOrder::serialize(const training::Serializer& s, OrderState& state) {
  OrderState next = state;
  std::uint64_t seed = seed_;
  std::int64_t size = size_;
  bool shuffle = shuffle_;
  s("current_position", next.position);
  s.count("epoch", next.epoch);
  if (s.contains("first_epoch")) {
    s.count("first_epoch", next.first);
  } else {
    next.first = 0;  // of a file from before there was another pass
  }
  s("is_new_epoch", next.is_new_epoch);
  s("previous_epoch_detail", next.previous_epoch_detail);
  s.count("drawn", next.drawn);
  s("seed", seed);
  s("shuffle", shuffle);
  s("size", size);
  if (s.is_saving()) return;
  if (size != size_) {
    s.refuse("size", cupyxx::message("is ", size, ", but the dataset has ", size_, " examples"));
  }
  if (shuffle != shuffle_) s.refuse("shuffle", shuffle_ ? "is off, not on" : "is on, not off");
  if (next.first > next.epoch) {
    s.refuse("first_epoch", cupyxx::message("is ", next.first, ", after epoch ", next.epoch));
  }
  if (next.position < 0 || next.position >= std::max<std::int64_t>(size_, 1)) {
    s.refuse("current_position", cupyxx::message("is ", next.position, ", of ", size_));
  }
  if (!s.commits()) return;
  seed_ = seed;
  next.order = order_of(next.epoch);
  state = next;
}

}  // namespace chainerxx::internal
