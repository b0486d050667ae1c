// SPDX-License-Identifier: MIT
#include "chainerxx/iterators/ordered_iterator.h"

#include <utility>

#include "chainerxx/internal/batch_order.h"

namespace chainerxx::iterators {

Iterator::~Iterator() = default;

OrderedIterator::OrderedIterator(std::unique_ptr<internal::BatchPlace> place)
    : place_(std::move(place)) {}
OrderedIterator::~OrderedIterator() = default;

bool OrderedIterator::is_done() const { return place_->order.is_done(place_->state); }

std::int64_t OrderedIterator::epoch() const { return place_->state.epoch; }

double OrderedIterator::epoch_detail() const { return place_->order.epoch_detail(place_->state); }

std::optional<double> OrderedIterator::previous_epoch_detail() const {
  const double before = place_->state.previous_epoch_detail;
  return before < 0 ? std::nullopt : std::optional(before);
}

bool OrderedIterator::is_new_epoch() const { return place_->state.is_new_epoch; }

std::int64_t OrderedIterator::batch_size() const { return place_->order.batch_size(); }

std::int64_t OrderedIterator::epoch_size() const { return place_->order.size(); }

bool OrderedIterator::repeats() const { return place_->order.repeats(); }

}  // namespace chainerxx::iterators
