// SPDX-License-Identifier: MIT
// Integers, slices, newaxis and ellipsis: a new shape and strides over the same memory.
#include "cupyxx/error.h"
#include "cupyxx/index.h"
#include "cupyxx/internal/arrays.h"
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

}  // namespace

View ndarray::getitem(std::span<const IndexItem> index) const {
  internal::check_not_none("getitem", *this);
  const int rank = ndim();
  int used = 0;
  int ellipses = 0;
  for (const IndexItem& item : index) {
    if (item.kind == IndexItem::Kind::ellipsis) ++ellipses;
    if (item.kind == IndexItem::Kind::integer || item.kind == IndexItem::Kind::slice) ++used;
  }
  if (ellipses > 1) {
    throw IndexError("getitem: an index can only have a single ellipsis ('...'); found " +
                     std::to_string(ellipses));
  }
  if (used > rank) {
    throw IndexError("getitem: too many indices for array: array is " + std::to_string(rank) +
                     "-dimensional, but " + std::to_string(used) + " were indexed");
  }
  Shape shape;
  Strides strides;
  const internal::Body* b = body();
  char* data = b->data;
  int axis = 0;
  const auto keep = [&](int count) {
    for (int i = 0; i < count; ++i, ++axis) {
      shape.push_back(b->shape[axis]);
      strides.push_back(b->strides[axis]);
    }
  };
  for (const IndexItem& item : index) {
    switch (item.kind) {
      case IndexItem::Kind::ellipsis:
        keep(rank - used);
        break;
      case IndexItem::Kind::newaxis:
        shape.push_back(1);
        strides.push_back(0);
        break;
      case IndexItem::Kind::integer: {
        const std::int64_t extent = b->shape[axis];
        if (item.integer < -extent || item.integer >= extent) {
          throw IndexError("getitem: index " + std::to_string(item.integer) +
                           " is out of bounds for axis " + std::to_string(axis) + " with size " +
                           std::to_string(extent));
        }
        data += (item.integer < 0 ? item.integer + extent : item.integer) * b->strides[axis];
        ++axis;
        break;
      }
      case IndexItem::Kind::slice: {
        const Range range = resolve(item.range, b->shape[axis]);
        if (range.count > 0) data += range.start * b->strides[axis];
        shape.push_back(range.count);
        strides.push_back(static_cast<std::int64_t>(static_cast<std::uint64_t>(range.step) *
                                                    static_cast<std::uint64_t>(b->strides[axis])));
        ++axis;
        break;
      }
    }
  }
  keep(rank - axis);
  return View(internal::make_view(*this, data, b->dtype, shape, strides));
}

void ndarray::setitem(std::span<const IndexItem> index, const Operand& value) const {
  internal::assign("setitem", getitem(index), value);
}

const View& View::operator=(const Operand& value) const&& {
  internal::assign("setitem", *this, value);
  return *this;
}

const View& View::operator=(const View& value) const&& {
  internal::assign("setitem", *this, value);
  return *this;
}

}  // namespace cupyxx
