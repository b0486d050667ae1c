// SPDX-License-Identifier: MIT
// Integers, slices, newaxis and ellipsis: a new shape and strides over the same memory.
#include <vector>

#include "cupyxx/core/arrays.h"
#include "cupyxx/core/index.h"
#include "cupyxx/error.h"
#include "cupyxx/ndarray.h"

namespace cupyxx {

namespace {

using internal::IndexItem;

// Python's slice.indices(): start, count and step within an axis.
struct Range {
  std::int64_t start;
  std::int64_t count;
  std::int64_t step;
};

Range resolve(const slice& s, std::int64_t extent) {
  const std::int64_t step = s.step.given ? s.step.value : 1;
  if (step == 0) throw ValueError("getitem: slice step cannot be zero");
  const std::int64_t low = step > 0 ? 0 : -1;
  const std::int64_t high = step > 0 ? extent : extent - 1;
  const auto bound = [&](const SliceBound& b, std::int64_t missing) {
    if (!b.given) return missing;
    std::int64_t v = b.value < 0 ? b.value + extent : b.value;
    if (v < low) v = low;
    return v > high ? high : v;
  };
  const std::int64_t start = bound(s.start, step > 0 ? low : high);
  const std::int64_t stop = bound(s.stop, step > 0 ? high : low);
  // The subtraction is safe: both ends lie within the axis. INT64_MIN has no negative.
  std::int64_t count = 0;
  if (step > 0 && stop > start) count = (stop - start - 1) / step + 1;
  if (step < 0 && stop < start) {
    const auto stride = -static_cast<std::uint64_t>(step);
    count = static_cast<std::int64_t>((static_cast<std::uint64_t>(start - stop) - 1) / stride) + 1;
  }
  return {start, count, step};
}

[[noreturn, gnu::cold]] void throw_two_ellipses(int count) {
  throw IndexError(
      message("getitem: an index can only have a single ellipsis ('...'); found ", count));
}

[[noreturn, gnu::cold]] void throw_too_many(int rank, int used) {
  throw IndexError(message("getitem: too many indices for array: array is ", rank,
                           "-dimensional, but ", used, " were indexed"));
}

[[noreturn, gnu::cold]] void throw_out_of_bounds(std::int64_t index, int axis,
                                                 std::int64_t extent) {
  throw IndexError(message("getitem: index ", index, " is out of bounds for axis ", axis,
                           " with size ", extent));
}

[[noreturn, gnu::cold]] void throw_too_many_axes(int ndim) {
  throw ValueError(message("getitem: an array has at most ", kMaxNdim, " axes; ", ndim));
}

std::int64_t times(std::int64_t step, std::int64_t stride) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(step) *
                                   static_cast<std::uint64_t>(stride));
}

}  // namespace

View& ndarray::Iterator::operator*() const {
  internal::leave(view_.handle());
  static_cast<ndarray&>(view_) = array_(i_);
  internal::make_live(view_.handle());  // `for (auto& x : a) x += 1` writes to the array
  return view_;
}

ndarray::Iterator::~Iterator() { internal::leave(view_.handle()); }

View ndarray::Iterator::upto(const Iterator& end) const {
  internal::check_not_none("iterator", array_);
  internal::check_not_none("iterator", end.array_);
  if (array_.elements() != end.array_.elements() || array_.shape() != end.array_.shape() ||
      array_.strides() != end.array_.strides()) {
    throw ValueError(message("iterator: the two are of different arrays, of shapes ",
                             array_.shape(), " and ", end.array_.shape()));
  }
  const std::int64_t length = array_.len();
  if (i_ < 0 || end.i_ < i_ || end.i_ > length) {
    throw IndexError(message("iterator: from ", i_, " to ", end.i_, " of ", length));
  }
  return array_(slice(i_, end.i_));
}

void internal::sort_between(const ndarray::Iterator& first, const ndarray::Iterator& last) {
  const ndarray part = first.upto(last);
  if (part.ndim() != 1) {
    Shape row = part.shape();
    row.erase(0);
    throw ValueError(
        message("std::sort: rows have no order, the elements are arrays of shape ", row));
  }
  part.sort();
}

void internal::reverse_between(const ndarray::Iterator& first, const ndarray::Iterator& last) {
  const ndarray part = first.upto(last);
  part(ellipsis) = part(slice(none, none, -1)).copy();
}

View ndarray::getitem(std::span<const IndexItem> index) const {
  internal::check_not_none("getitem", *this);
  using Kind = IndexItem::Kind;
  internal::Body* const b = body();
  internal::make_live(b);
  const int rank = b->ndim;
  int used = 0;
  int integers = 0;
  int ellipses = 0;
  for (const IndexItem& item : index) {
    integers += item.kind == Kind::integer;
    used += item.kind == Kind::integer || item.kind == Kind::slice;
    ellipses += item.kind == Kind::ellipsis;
  }
  if (ellipses > 1) throw_two_ellipses(ellipses);
  if (used > rank) throw_too_many(rank, used);
  const int added = static_cast<int>(index.size()) - used - ellipses;
  if (rank - integers + added > kMaxNdim) throw_too_many_axes(rank - integers + added);

  std::int64_t shape[kMaxNdim];
  std::int64_t strides[kMaxNdim];
  int ndim = 0;
  int axis = 0;
  char* data = b->data;
  const auto keep = [&](int count) {
    for (const int end = axis + count; axis < end; ++axis, ++ndim) {
      shape[ndim] = b->shape[axis];
      strides[ndim] = b->strides[axis];
    }
  };
  for (const IndexItem& item : index) {
    switch (item.kind) {
      case Kind::ellipsis:
        keep(rank - used);
        break;
      case Kind::newaxis:
        shape[ndim] = 1;
        strides[ndim++] = 0;
        break;
      case Kind::integer: {
        const std::int64_t extent = b->shape[axis];
        const std::int64_t i = item.integer < 0 ? item.integer + extent : item.integer;
        if (i < 0 || i >= extent) throw_out_of_bounds(item.integer, axis, extent);
        data += i * b->strides[axis++];
        break;
      }
      case Kind::slice: {
        const Range range = resolve(item.range, b->shape[axis]);
        if (range.count > 0) data += range.start * b->strides[axis];
        shape[ndim] = range.count;
        strides[ndim++] = times(range.step, b->strides[axis++]);
        break;
      }
    }
  }
  keep(rank - axis);
  internal::retain(b->storage);
  internal::Body* view = internal::new_body(b->storage, data, b->dtype, ndim, shape, strides);
  view->writeable = b->writeable;
  view->owndata = false;
  if (integers > 0 && integers == rank && static_cast<int>(index.size()) == rank &&
      view->device().is_cpu()) {
    internal::make_element(view);
  }
  return View(adopt(view));
}

void ndarray::own_element() const { internal::own_element(body()); }

ndarray View::another_name(const View& other) {
  internal::Body* const body = other.handle();
  if (body == nullptr || !body->number) return other;
  return adopt(internal::another_name(body));
}

void View::make_place() const {
  if (handle() != nullptr) internal::make_live(handle());
}

View ndarray::operator()(const Shape& index) const {
  std::vector<IndexItem> items(index.begin(), index.end());
  return getitem(std::span<const IndexItem>(items));
}

}  // namespace cupyxx
