// SPDX-License-Identifier: MIT
// The forward recursion of Graves et al., 2006, section 4.1, in logarithms, over the whole batch at
// once: (batch, places), where the places are the labels with blanks around them.
#include "chainerxx/functions/loss/ctc_composed.h"

#include <vector>

#include "chainerxx/functions/activation/activation.h"
#include "chainerxx/functions/array/array.h"
#include "chainerxx/functions/array/parts.h"
#include "chainerxx/functions/loss/reduced.h"
#include "chainerxx/functions/math/arithmetic.h"
#include "chainerxx/functions/math/matmul.h"
#include "chainerxx/functions/math/reductions.h"
#include "cupyxx/creation.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"

namespace chainerxx::functions {
namespace {

using cupyxx::slice;

/// The logarithm of what never happens: finite, since the difference of two infinities would not be
/// a number, and small enough for its exponential to vanish beside any other.
double never(cupyxx::dtype dtype) { return dtype == cupyxx::float16 ? -1e4 : -1e30; }

/// What the labels and the lengths decide, as arrays on the device of the labels.
class Spelling {
 public:
  Spelling(const ndarray& labels, const cupyxx::Shape& logits, cupyxx::dtype dtype, int blank,
           const CtcLengths& lengths)
      : batch_(labels.shape()[0]), places_(2 * labels.shape()[1] + 1), dtype_(dtype) {
    symbols_ = cupyxx::full({batch_, places_}, blank, labels.dtype());
    if (places_ > 1) symbols_(slice(), slice(1, cupyxx::none, 2)) = labels;
    const ndarray classes = cupyxx::arange(logits[1]).reshape({1, logits[1], 1});
    selection_ = cupyxx::equal(classes, symbols_.reshape({batch_, 1, places_})).astype(dtype);
    place_ = cupyxx::arange(places_).reshape({1, places_});
    label_length_ = clipped(lengths.label, labels.shape()[1]);
    input_length_ = lengths.input;
  }

  std::int64_t places() const { return places_; }

  /// The places where all begins: before the first moment a path has spelled one blank.
  ndarray start() const {
    return cupyxx::broadcast_to(allowed(cupyxx::equal(place_, 0)), {batch_, places_});
  }
  /// Where a path may come from the last label but one, over no blank.
  ndarray skips() const {
    ndarray may_skip = cupyxx::zeros({batch_, places_}, cupyxx::bool_);
    if (places_ > 3) {
      const slice later(3, cupyxx::none, 2), earlier(1, -2, 2);
      may_skip(slice(), later) =
          cupyxx::not_equal(symbols_(slice(), later), symbols_(slice(), earlier));
    }
    return allowed(may_skip);
  }
  /// The two places at which a path may end: the last label and the blank behind it.
  ndarray end() const {
    const ndarray last = label_length_ * 2;
    return allowed(cupyxx::logical_and(cupyxx::less_equal(place_, last),
                                       cupyxx::greater_equal(place_, last - 1)));
  }
  /// Which sequences go on at a moment, (batch, 1); null where all do.
  ndarray goes_on(std::int64_t moment) const {
    if (input_length_.is_none()) return {};
    return cupyxx::greater(input_length_.reshape({batch_, 1}), moment);
  }
  /// log_y (batch, classes) of the symbol at each place.
  Variable at_places(const Variable& log_y) const {
    const cupyxx::Shape s = log_y.shape();
    return reshape(batch_matmul(reshape(log_y, {s[0], 1, s[1]}), Variable(selection_)),
                   {s[0], places_});
  }
  /// Columns that nothing reaches.
  Variable unreached(std::int64_t columns) const {
    return Variable(cupyxx::full({batch_, columns}, never(dtype_), dtype_));
  }

 private:
  ndarray clipped(const ndarray& lengths, std::int64_t most) const {
    if (lengths.is_none()) return cupyxx::full({batch_, 1}, most, cupyxx::int64);
    return cupyxx::clip(lengths.reshape({batch_, 1}), 0, most);
  }
  /// 0 where something is possible, else the logarithm of what never happens.
  ndarray allowed(const ndarray& is_possible) const {
    return cupyxx::logical_not(is_possible).astype(dtype_) * never(dtype_);
  }

  std::int64_t batch_, places_;
  cupyxx::dtype dtype_;
  ndarray symbols_;    // (batch, places)
  ndarray selection_;  // (batch, classes, places): 1 for the class at a place
  ndarray place_;      // (1, places)
  ndarray label_length_, input_length_;
};

/// The columns moved to the right by `by`.
Variable moved(const Spelling& spelling, const Variable& alpha, std::int64_t by) {
  return concat({spelling.unreached(by), get_item(alpha, {slice(), slice(0, -by)})});
}

/// Sums over the ways to come to each place.
Variable arrivals(const Spelling& spelling, const Variable& alpha, const Variable& skips) {
  std::vector<Variable> ways{alpha};
  if (spelling.places() > 1) {
    ways.push_back(moved(spelling, alpha, 1));
    ways.push_back(moved(spelling, alpha, 2) + skips);
  }
  return logsumexp(stack(ways), 0);
}

Variable chosen(const ndarray& condition, const Variable& yes, const Variable& no) {
  if (condition.is_none()) return yes;
  return where(Variable(cupyxx::broadcast_to(condition, yes.shape())), yes, no);
}

}  // namespace

Variable composed_ctc(VariableSpan in, int blank_symbol, const CtcLengths& lengths) {
  const Variable& first = in[1];
  const std::int64_t batch = first.shape()[0];
  const Spelling spelling(in[0].data(), first.shape(), first.dtype(), blank_symbol, lengths);
  const Variable skips(spelling.skips());
  Variable alpha(spelling.start());
  Variable normalizers(cupyxx::zeros({batch, 1}, first.dtype()));
  for (std::size_t i = 1; i < in.size(); ++i) {
    const ndarray goes_on = spelling.goes_on(static_cast<std::int64_t>(i) - 1);
    const Variable emitted = spelling.at_places(log_softmax(in[i]));
    alpha = chosen(goes_on, arrivals(spelling, alpha, skips) + emitted, alpha);
    const Variable normalizer = reshape(logsumexp(in[i], 1), {batch, 1});
    normalizers = chosen(goes_on, normalizers + normalizer, normalizers);
  }
  const Variable total = logsumexp(alpha + Variable(spelling.end()), 1);
  // The kernel's gradient of an infinite loss is the softmax alone.
  const ndarray is_possible = cupyxx::greater(total.data(), never(first.dtype()) / 2);
  const Variable log_p = chosen(is_possible, total, -reshape(normalizers, {batch}));
  return internal::reduced(-log_p, lengths.reduce);
}

}  // namespace chainerxx::functions
