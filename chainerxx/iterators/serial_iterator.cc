// SPDX-License-Identifier: MIT
#include "chainerxx/iterators/serial_iterator.h"

#include <chrono>
#include <optional>
#include <utility>

#include "chainerxx/internal/batch_order.h"
#include "chainerxx/internal/random_order.h"
#include "cupyxx/error.h"

namespace chainerxx::iterators {
namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

struct SerialIterator::Impl {
  datasets::DatasetRef dataset;
  // What peek() has made.
  std::optional<Batch> ahead = {};
  internal::OrderState behind = {};
};

SerialIterator::SerialIterator(datasets::DatasetRef dataset, std::int64_t batch_size,
                               const IteratorOptions& options)
    : OrderedIterator(std::make_unique<internal::BatchPlace>(
          internal::BatchOrder("SerialIterator", dataset->size(), batch_size, options.repeat,
                               options.shuffle.value_or(options.repeat),
                               options.seed ? *options.seed : internal::drawn_seed()))),
      impl_(std::make_unique<Impl>(Impl{.dataset = std::move(dataset)})) {}

SerialIterator::~SerialIterator() = default;

const Batch& SerialIterator::peek() {
  if (impl_->ahead) return *impl_->ahead;
  if (is_done()) {
    throw cupyxx::IndexError(
        "SerialIterator: there is no other batch; {.repeat = true} begins again after each pass, "
        "reset() does now");
  }
  const double start = now();
  const internal::BatchOrder& order = place().order;
  impl_->behind = place().state;
  const internal::BatchNumbers batch = order.advance(impl_->behind);
  impl_->ahead = datasets::make_batch(*impl_->dataset, batch.numbers, order.seed(),
                                      static_cast<std::uint64_t>(batch.first_draw));
  waited_ += now() - start;
  return *impl_->ahead;
}

Batch SerialIterator::next() {
  peek();
  Batch batch = std::move(*impl_->ahead);
  impl_->ahead.reset();
  place().state = std::move(impl_->behind);
  return batch;
}

void SerialIterator::reset() {
  impl_->ahead.reset();
  place().state = place().order.start();
}

void SerialIterator::begin_pass() {
  if (is_done()) place().state = place().order.another_pass(place().state);
}

void SerialIterator::serialize(const training::Serializer& s) {
  place().order.serialize(s, place().state);
  if (s.commits()) impl_->ahead.reset();
}

}  // namespace chainerxx::iterators
