// SPDX-License-Identifier: MIT
// Ways through a dataset, batch by batch.
#pragma once

#include <cstdint>
#include <optional>

#include "chainerxx/datasets/batch.h"
#include "chainerxx/training/serializer.h"
#include "cupyxx/export.h"

namespace chainerxx::iterators {

using datasets::Batch;

/// Base of all iterators. `for (const Batch& batch : iterator)` takes what is left of the pass, or
/// where nothing is left goes through the data once more.
class CUPYXX_API Iterator {
 public:
  Iterator() = default;
  virtual ~Iterator();
  Iterator(const Iterator&) = delete;
  Iterator& operator=(const Iterator&) = delete;

  /// The next batch. Throws IndexError when there is none.
  virtual Batch next() = 0;
  /// Whether there is no other batch.
  virtual bool is_done() const = 0;
  /// The next batch, which next() will give, without going on: epochs stay as they are. It holds
  /// until then. Throws IndexError when there is none.
  virtual const Batch& peek() = 0;

  /// Passes that are complete.
  virtual std::int64_t epoch() const = 0;
  /// The same with the part of the present one: 2.5.
  virtual double epoch_detail() const = 0;
  /// What epoch_detail() was before the latest batch; nothing before the first.
  virtual std::optional<double> previous_epoch_detail() const = 0;
  /// Whether the latest batch completed a pass.
  virtual bool is_new_epoch() const = 0;
  /// Examples in a batch.
  virtual std::int64_t batch_size() const = 0;
  /// Examples in a pass; 0 where that is not known.
  virtual std::int64_t epoch_size() const { return 0; }
  /// Whether it begins again after each pass.
  virtual bool repeats() const { return true; }
  /// Seconds that calls of next() and peek() have spent until there was a batch.
  double waited_seconds() const { return waited_; }

  /// Goes back to the beginning: what came first comes again.
  virtual void reset() = 0;
  /// Begins another pass when the one before is over, for loops. Those of this library count epochs
  /// on, with new orders and random numbers; unless overridden reset() does it.
  virtual void begin_pass() { reset(); }
  /// Gives up threads, until another batch is asked for.
  virtual void finalize() {}
  /// Writes where it stands, or goes on from there.
  virtual void serialize(const training::Serializer& s) = 0;

  /// For loops over the batches that are left.
  class Each {
   public:
    explicit Each(Iterator* iterator) : iterator_(iterator) {}
    bool operator!=(const Each&) const { return !iterator_->is_done(); }
    void operator++() {}
    Batch operator*() const { return iterator_->next(); }

   private:
    Iterator* iterator_;
  };
  Each begin() {
    if (is_done()) begin_pass();
    return Each(this);
  }
  Each end() { return Each(this); }

 protected:
  double waited_ = 0;
};

/// Options of iterators.
struct IteratorOptions {
  bool repeat = true;                ///< begin again after a pass
  std::optional<bool> shuffle = {};  ///< a new order for each pass; unless given, as `repeat`
  /// Of the orders and of the examples' random numbers; unless given, drawn from the default random
  /// stream, so that random::seed decides.
  std::optional<std::uint64_t> seed = {};
};

}  // namespace chainerxx::iterators
