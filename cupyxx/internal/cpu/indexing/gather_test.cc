// SPDX-License-Identifier: MIT
// Elements by indices along each axis of arrays in several layouts, beside one index at a time.
#include <gtest/gtest.h>

#include <vector>

#include "cupyxx/cupyxx.h"

namespace cupyxx {
namespace {

// Three axes in the order of memory, turned, and with gaps.
std::vector<ndarray> layouts(dtype type) {
  const ndarray a = arange(7 * 5 * 6).reshape({7, 5, 6}).astype(type);
  const ndarray wide = arange(14 * 5 * 12).reshape({14, 5, 12}).astype(type);
  return {a, transpose(a, {2, 0, 1}), transpose(a, {0, 2, 1}), a(slice(none, none, -1)),
          wide(slice(none, none, 2), slice(), slice(1, none, 2))};
}

std::int64_t place(std::int64_t index, std::int64_t extent, IndexMode mode) {
  if (mode == IndexMode::clip) return index < 0 ? 0 : index < extent ? index : extent - 1;
  return (index % extent + extent) % extent;
}

ndarray one_at_a_time(const ndarray& a, const std::vector<std::int64_t>& indices, int axis,
                      IndexMode mode) {
  std::vector<ndarray> parts;
  for (const std::int64_t index : indices) {
    parts.push_back(moveaxis(a, axis, 0)(place(index, a.shape()[axis], mode)));
  }
  return stack(parts, axis);
}

TEST(Gather, AlongAnAxis) {
  const std::vector<std::int64_t> inside = {2, 0, 4, 4, 1}, negative = {-1, 3, -5, 0};
  const std::vector<std::int64_t> far = {5, -6, 100, -100, 7, INT64_MAX, INT64_MIN, 3};
  for (const dtype type : {bool_, int16, float32, float64, complex128}) {
    for (const ndarray& a : layouts(type)) {
      for (int axis = 0; axis < 3; ++axis) {
        for (const auto& indices : {inside, negative}) {
          const ndarray wanted = one_at_a_time(a, indices, axis, IndexMode::raise);
          EXPECT_TRUE(array_equal(take(a, array(indices), axis), wanted));
          EXPECT_TRUE(array_equal(take(a, array(indices).astype(int32), axis), wanted));
        }
        for (const IndexMode mode : {IndexMode::wrap, IndexMode::clip}) {
          EXPECT_TRUE(array_equal(take(a, array(far), axis, {.mode = mode}),
                                  one_at_a_time(a, far, axis, mode)));
        }
        EXPECT_THROW(take(a, array({0, 7}), axis), IndexError);
        EXPECT_THROW(take(a, array({0, -8}), axis), IndexError);
        EXPECT_THROW(take(a, array({0, -8}).astype(int32), axis), IndexError);
      }
    }
  }
}

TEST(Gather, Selections) {
  const std::vector<std::int64_t> indices = {-1, 3, 0, 3};
  const ndarray at = array(indices), mask = array({true, false, true, true, false});
  for (const dtype type : {uint8, float16, int32, float64, complex128}) {
    for (const ndarray& a : layouts(type)) {
      const ndarray first = a(at), middle = a(slice(), at), last = a(slice(), slice(), at);
      EXPECT_TRUE(array_equal(first, one_at_a_time(a, indices, 0, IndexMode::raise)));
      EXPECT_TRUE(array_equal(middle, one_at_a_time(a, indices, 1, IndexMode::raise)));
      EXPECT_TRUE(array_equal(last, one_at_a_time(a, indices, 2, IndexMode::raise)));
      if (a.shape()[1] == 5) {
        const ndarray chosen = a(slice(), mask);
        EXPECT_TRUE(array_equal(chosen, one_at_a_time(a, {0, 2, 3}, 1, IndexMode::raise)));
      }
      // The last of two values for one place stays.
      const ndarray b = a.copy(), values = zeros_like(middle);
      values(slice(), 3) = 1;
      b(slice(), at) = values;
      const ndarray row = moveaxis(b, 1, 0)(3);
      EXPECT_TRUE(array_equal(row, ones_like(row)));
      EXPECT_TRUE(array_equal(moveaxis(b, 1, 0)(1), moveaxis(a, 1, 0)(1)));
      // Two axes at once, and an axis between them.
      const ndarray pairs = a(at, slice(), at);
      for (int k = 0; k < 4; ++k) {
        const std::int64_t i = indices[static_cast<std::size_t>(k)];
        EXPECT_TRUE(array_equal(pairs(k), a(i, slice(), i)));
      }
    }
  }
}

}  // namespace
}  // namespace cupyxx
