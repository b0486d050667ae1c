// SPDX-License-Identifier: MIT
// Copies and operations of arrays with short rows, beside one element at a time.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "cupyxx/cupyxx.h"

namespace cupyxx {
namespace {

class Layouts {
 public:
  explicit Layouts(unsigned seed) : random_(seed) {}

  int pick(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }

  Shape shape() {
    Shape shape;
    for (int axes = pick(2, 4); axes > 0; --axes) shape.push_back(pick(1, axes == 1 ? 20 : 9));
    shape[0] = pick(1, 50);
    return shape;
  }

  /// Small integers whose axes lie in any order, go backward, skip elements, or are broadcast.
  ndarray array(const Shape& shape, dtype type, bool broadcasts) {
    std::vector<int> way;
    Shape base;
    for (const std::int64_t extent : shape) {
      way.push_back(pick(0, broadcasts ? 4 : 3));
      const std::int64_t lengths[] = {extent, 2 * extent + 1, extent, extent + 2, 1};
      base.push_back(lengths[way.back()]);
    }
    ndarray x = random::randint(0, 100, base).astype(type);
    if (pick(0, 1) == 0) {
      x = swapaxes(x, 0, -1).copy();
      x = swapaxes(x, 0, -1);
    }
    for (int axis = 0; axis < shape.ndim(); ++axis) {
      ndarray first = moveaxis(x, axis, 0);
      const int chosen = way[static_cast<std::size_t>(axis)];
      if (chosen == 1) first = first(slice(1, none, 2));
      if (chosen == 2) first = first(slice(none, none, -1));
      if (chosen == 3) first = first(slice(1, -1));
      x = moveaxis(first, 0, axis);
    }
    return broadcasts ? ndarray(broadcast_to(x, shape)) : x;
  }

 private:
  std::mt19937 random_;
};

/// The bytes of each element, in the order of the axes.
std::vector<std::string> elements(const ndarray& x) {
  std::vector<std::string> all;
  for (std::int64_t i = 0; i < x.size(); ++i) {
    const auto* at = static_cast<const char*>(x.data());
    std::int64_t rest = i;
    for (int axis = x.ndim() - 1; axis >= 0; --axis) {
      at += rest % x.shape()[axis] * x.strides()[axis];
      rest /= x.shape()[axis];
    }
    all.emplace_back(at, static_cast<std::size_t>(x.itemsize()));
  }
  return all;
}

constexpr dtype kTypes[] = {bool_,   int8,    uint8,   int16,     int32,     int64,
                            float16, float32, float64, complex64, complex128};

TEST(ShortRows, Copies) {
  Layouts layouts(1);
  for (int trial = 0; trial < 120; ++trial) {
    const Shape shape = layouts.shape();
    const dtype type = kTypes[trial % 11];
    const ndarray from = layouts.array(shape, type, true), to = layouts.array(shape, type, false);
    const std::vector<std::string> wanted = elements(from);
    EXPECT_EQ(elements(from.copy()), wanted) << type.name() << shape;
    copyto(to, from);
    EXPECT_EQ(elements(to), wanted) << type.name() << shape;
  }
}

// Elements of contiguous copies, whose rows are one, are those of the views.
TEST(ShortRows, Operations) {
  Layouts layouts(2);
  for (int trial = 0; trial < 120; ++trial) {
    const Shape shape = layouts.shape();
    const dtype type = kTypes[1 + trial % 10];
    const ndarray a = layouts.array(shape, type, true), b = layouts.array(shape, type, true);
    const ndarray mask = layouts.array(shape, int8, true) > 50;
    const ndarray x = a.copy(), y = b.copy();
    EXPECT_EQ(elements(a + b), elements(x + y)) << type.name() << shape;
    EXPECT_EQ(elements(a < b), elements(x < y)) << type.name() << shape;
    EXPECT_EQ(elements(where(mask, a, b)), elements(where(mask.copy(), x, y))) << type.name();
    const ndarray out = layouts.array(shape, type, false);
    const ndarray before = out.copy();
    maximum(out, b, {.out = out});
    EXPECT_EQ(elements(out), elements(maximum(before, y))) << type.name() << shape;
  }
}

// An operand that lies in the result is read before it is written.
TEST(ShortRows, InPlace) {
  const ndarray a = arange(3000.0).reshape({1000, 3});
  const ndarray whole = a.copy(), first = a(slice(none, 1)).copy();
  ndarray b = a.copy();
  b -= b(slice(none, 1));
  EXPECT_TRUE(array_equal(b, whole - first));
  ndarray c = a.copy();
  c *= c(slice(), slice(2, 3));
  EXPECT_TRUE(array_equal(c, whole * whole(slice(), slice(2, 3)).copy()));
  ndarray d = a.copy();
  d(slice(1, none)) = d(slice(none, -1));
  EXPECT_TRUE(array_equal(d(slice(1, none)), whole(slice(none, -1))));
  ndarray e = a.copy();
  e(slice(), slice(none, none, -1)) = e;
  EXPECT_TRUE(array_equal(e, whole(slice(), slice(none, none, -1))));
}

}  // namespace
}  // namespace cupyxx
