// SPDX-License-Identifier: MIT
#include "chainerxx/iterators/serial_iterator.h"

#include <chrono>
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

Iterator::~Iterator() = default;

struct SerialIterator::Impl {
  datasets::DatasetRef dataset;
  internal::BatchOrder order;
  internal::OrderState state = {};
  // What peek() has made.
  std::optional<Batch> ahead = {};
  internal::OrderState behind = {};
};

SerialIterator::SerialIterator(datasets::DatasetRef dataset, std::int64_t batch_size,
                               const IteratorOptions& options) {
  const std::int64_t size = dataset->size();
  internal::BatchOrder order("SerialIterator", size, batch_size, options.repeat,
                             options.shuffle.value_or(options.repeat),
                             options.seed ? *options.seed : internal::drawn_seed());
  impl_ = std::make_unique<Impl>(Impl{.dataset = std::move(dataset), .order = order});
  impl_->state = order.start();
}

SerialIterator::~SerialIterator() = default;

const Batch& SerialIterator::peek() {
  if (impl_->ahead) return *impl_->ahead;
  if (is_done()) throw cupyxx::IndexError("SerialIterator: there is no other batch");
  const double start = now();
  impl_->behind = impl_->state;
  const internal::BatchNumbers batch = impl_->order.advance(impl_->behind);
  impl_->ahead = datasets::make_batch(*impl_->dataset, batch.numbers, impl_->order.seed(),
                                      static_cast<std::uint64_t>(batch.first_draw));
  waited_ += now() - start;
  return *impl_->ahead;
}

Batch SerialIterator::next() {
  peek();
  Batch batch = std::move(*impl_->ahead);
  impl_->ahead.reset();
  impl_->state = std::move(impl_->behind);
  return batch;
}

bool SerialIterator::is_done() const { return impl_->order.is_done(impl_->state); }

std::int64_t SerialIterator::epoch() const { return impl_->state.epoch; }

double SerialIterator::epoch_detail() const { return impl_->order.epoch_detail(impl_->state); }

std::optional<double> SerialIterator::previous_epoch_detail() const {
  const double before = impl_->state.previous_epoch_detail;
  return before < 0 ? std::nullopt : std::optional(before);
}

bool SerialIterator::is_new_epoch() const { return impl_->state.is_new_epoch; }

std::int64_t SerialIterator::batch_size() const { return impl_->order.batch_size(); }

std::int64_t SerialIterator::epoch_size() const { return impl_->order.size(); }

bool SerialIterator::repeats() const { return impl_->order.repeats(); }

void SerialIterator::reset() {
  impl_->ahead.reset();
  impl_->state = impl_->order.start();
}

void SerialIterator::serialize(const training::Serializer& s) {
  impl_->order.serialize(s, impl_->state);
  if (s.commits()) impl_->ahead.reset();
}

}  // namespace chainerxx::iterators
