// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>

#include "chainerxx/iterators/iterator.h"

namespace chainerxx::internal {
struct BatchPlace;
}

namespace chainerxx::iterators {

/// Base of the iterators that go through a dataset in an order drawn for each pass: what they say
/// of where they stand.
class CUPYXX_API OrderedIterator : public Iterator {
 public:
  ~OrderedIterator() override;

  bool is_done() const override;
  std::int64_t epoch() const override;
  double epoch_detail() const override;
  std::optional<double> previous_epoch_detail() const override;
  bool is_new_epoch() const override;
  std::int64_t batch_size() const override;
  std::int64_t epoch_size() const override;
  bool repeats() const override;

 protected:
  explicit OrderedIterator(std::unique_ptr<internal::BatchPlace> place);
  internal::BatchPlace& place() const { return *place_; }

 private:
  std::unique_ptr<internal::BatchPlace> place_;
};

}  // namespace chainerxx::iterators
