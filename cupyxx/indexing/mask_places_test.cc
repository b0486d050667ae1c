// SPDX-License-Identifier: MIT
// Masks and index arrays of many lengths and layouts beside loops over the elements.
#include <gtest/gtest.h>

#include <complex>
#include <cstdint>
#include <random>
#include <vector>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"
#include "cupyxx/sorting.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx {
namespace {

using testing::expect_array_equal;
using testing::expect_error;

class MaskPlaces : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(MaskPlaces);

using Numbers = std::vector<std::int64_t>;

/// Flags of which one in `rarity` is true; none for 0.
std::vector<std::uint8_t> random_flags(std::int64_t n, std::uint64_t rarity) {
  std::mt19937_64 generator(static_cast<std::uint64_t>(n) + rarity);
  std::vector<std::uint8_t> flags(static_cast<std::size_t>(n), 0);
  for (std::uint8_t& flag : flags) flag = rarity != 0 && generator() % rarity == 0 ? 1 : 0;
  return flags;
}

Numbers true_places(const std::vector<std::uint8_t>& flags) {
  Numbers places;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    if (flags[i] != 0) places.push_back(static_cast<std::int64_t>(i));
  }
  return places;
}

constexpr dtype kTypes[] = {int8, float16, float32, int64, complex128};

TEST_P(MaskPlaces, TrueElementsOfEveryLengthAndDensity) {
  for (const std::int64_t n : {0, 1, 7, 8, 9, 15, 16, 17, 40, 63, 64, 100, 5000}) {
    for (const std::uint64_t rarity : {0, 1, 2, 50}) {
      SCOPED_TRACE(::testing::Message() << n << " flags, one in " << rarity);
      const std::vector<std::uint8_t> flags = random_flags(n, rarity);
      const Numbers places = true_places(flags);
      const ndarray mask = array(flags).astype(bool_), at = array(places).astype(int64);
      EXPECT_EQ(flatnonzero(mask).to_vector<std::int64_t>(), places);
      EXPECT_EQ(nonzero(mask)[0].to_vector<std::int64_t>(), places);
      EXPECT_EQ(nonzero(mask.astype(float32))[0].to_vector<std::int64_t>(), places);
      EXPECT_EQ(argwhere(mask).to_vector<std::int64_t>(), places);
      for (const dtype type : kTypes) {
        const ndarray a = remainder(arange(n, int64), 100).astype(type);
        const ndarray chosen = a(mask), taken = take(a, at, 0);
        expect_array_equal(chosen, taken);
        expect_array_equal(extract(mask, a), taken);
        expect_array_equal(compress(mask, a, 0), taken);
        const ndarray filled = a.copy(), marked = a.copy(), given = a.copy(), cycled = a.copy();
        filled(mask) = 77;
        expect_array_equal(filled, where(mask, full({n}, 77, type), a));
        putmask(marked, mask, array({5, 6}).astype(type));
        expect_array_equal(marked,
                           where(mask, add(remainder(arange(n, int64), 2), 5).astype(type), a));
        const ndarray values = arange(at.size(), int64).astype(type);
        given(mask) = values;
        expect_array_equal(given(mask), values);
        expect_array_equal(where(mask, a, given), a);
        place(cycled, mask, array({1, 2, 3}).astype(type));
        expect_array_equal(cycled(mask),
                           add(remainder(arange(at.size(), int64), 3), 1).astype(type));
        expect_array_equal(where(mask, a, cycled), a);
      }
    }
  }
}

TEST_P(MaskPlaces, TrueElementsOfMatrices) {
  for (const Shape& shape : {Shape{3, 50}, Shape{50, 3}, Shape{7, 1}, Shape{4, 5, 6}, Shape{0, 4},
                             Shape{2, 17, 9}, Shape{1, 300}}) {
    const std::int64_t size = shape.element_count();
    const ndarray mask = array(random_flags(size, 3)).astype(bool_).reshape(shape);
    const ndarray flat = flatnonzero(mask);
    const std::vector<ndarray> places = nonzero(mask);
    ASSERT_EQ(static_cast<int>(places.size()), shape.ndim());
    const ndarray rows = argwhere(mask);
    EXPECT_EQ(rows.shape(), (Shape{flat.size(), shape.ndim()}));
    ndarray combined = zeros({flat.size()}, int64);
    for (int axis = 0; axis < shape.ndim(); ++axis) {
      const ndarray& along = places[static_cast<std::size_t>(axis)];
      EXPECT_EQ(along.dtype(), int64);
      combined = add(multiply(combined, shape[axis]), along);
      expect_array_equal(rows(slice(), axis), along);
    }
    expect_array_equal(combined, flat);
    const ndarray a = arange(size, int64).reshape(shape);
    expect_array_equal(a(mask), flat);
    expect_array_equal(nonzero(mask.T())[0], nonzero(mask.T().copy())[0]);
  }
}

TEST_P(MaskPlaces, MaskedRowsAreWritten) {
  const ndarray mask = array(random_flags(40, 2)).astype(bool_);
  const ndarray a = arange(200, float32).reshape({40, 5}), b = a.copy(), c = a.copy();
  b(mask) = -1;
  expect_array_equal(b, where(mask.reshape({40, 1}), full({}, -1, float32), a));
  const ndarray row = array({9, 8, 7, 6, 5});
  c(mask) = row;
  expect_array_equal(c, where(mask.reshape({40, 1}), row.astype(float32), a));
  // A mask that is the array itself, or lies in it.
  const ndarray flags = array({1, 0, 1, 1, 0, 0, 1, 0, 1, 1}).astype(bool_);
  const ndarray own = flags.copy();
  own(own) = false;
  EXPECT_EQ(count_nonzero(own), 0);
  const ndarray shifted = flags.copy();
  const ndarray head = shifted(slice(0, 9)), tail = shifted(slice(1, none));
  head(tail) = false;
  const ndarray expected = flags.copy();
  copyto(expected(slice(0, 9)), false, {.where = flags(slice(1, none)).copy()});
  expect_array_equal(shifted, expected);
  // Values from the array itself.
  const ndarray up = arange(10, int64);
  putmask(up, greater(up, 4), flip(up));
  EXPECT_EQ(up.to_vector<std::int64_t>(), (Numbers{0, 1, 2, 3, 4, 4, 3, 2, 1, 0}));
}

TEST_P(MaskPlaces, TheLastOfSeveralValuesWins) {
  const std::int64_t n = 4000, extent = 97;
  std::mt19937_64 generator(3);
  Numbers index(static_cast<std::size_t>(n)), expected(static_cast<std::size_t>(extent), -1);
  for (std::size_t i = 0; i < index.size(); ++i) {
    index[i] = static_cast<std::int64_t>(generator() % (2 * extent)) - extent;
    const std::int64_t at = index[i] < 0 ? index[i] + extent : index[i];
    expected[static_cast<std::size_t>(at)] = static_cast<std::int64_t>(i) % 100;
  }
  const ndarray places = array(index), values = remainder(arange(n, int64), 100);
  for (const dtype type : kTypes) {
    const ndarray a = full({extent}, -1, type), b = full({2 * extent}, -1, type);
    a(places) = values;
    expect_array_equal(a, array(expected).astype(type));
    const ndarray every = b(slice(none, none, -2));
    every(places) = values;
    expect_array_equal(b(slice(none, none, -2)), array(expected).astype(type));
    put(a, places, values.astype(type));
    expect_array_equal(a, array(expected).astype(type));
    expect_array_equal(take(a, places), where(less(places, 0), take(a, remainder(places, extent)),
                                              take(a, remainder(places, extent))));
    expect_array_equal(a(places), take(a, remainder(places, extent)));
  }
}

TEST_P(MaskPlaces, IndexArraysBesideOtherAxes) {
  const ndarray a = add(arange(6 * 7 * 5, int64), 1).reshape({6, 7, 5});
  const ndarray j = array({3, -1, 0, 3}), i = array({5, 0, -2, 5}), column = i.reshape({4, 1});
  for (const ndarray& x : {a, a.copy(Order::F), ndarray(flip(a)).copy()}) {
    const ndarray middle = x(slice(), j), pairs = x(i, j), grid = x(column, j);
    const ndarray ends = x(i, slice(), j), last = x(ellipsis, j);
    EXPECT_EQ(middle.shape(), (Shape{6, 4, 5}));
    EXPECT_EQ(grid.shape(), (Shape{4, 4, 5}));
    EXPECT_EQ(ends.shape(), (Shape{4, 7}));
    for (std::int64_t p = 0; p < 4; ++p) {
      const auto ip = i(p).item<std::int64_t>(), jp = j(p).item<std::int64_t>();
      expect_array_equal(middle(slice(), p), x(slice(), jp));
      expect_array_equal(last(ellipsis, p), x(ellipsis, jp));
      expect_array_equal(pairs(p), x(ip, jp));
      expect_array_equal(ends(p), x(ip, slice(), jp));
      for (std::int64_t q = 0; q < 4; ++q) expect_array_equal(grid(p, q), x(ip, j(q).item<int>()));
    }
    // What is written is read again, and nothing else changes.
    const ndarray y = x.copy(), z = x.copy();
    y(slice(), array({2, 5})) = -x(slice(), slice(0, 2));
    expect_array_equal(y(slice(), 2), -x(slice(), 0));
    expect_array_equal(y(slice(), 5), -x(slice(), 1));
    expect_array_equal(y(slice(), slice(3, 5)), x(slice(), slice(3, 5)));
    z(array({1, 4}), slice(), array({0, 2})) = 0;
    EXPECT_EQ(count_nonzero(equal(z, 0)), 14);
  }
}

TEST_P(MaskPlaces, AnIndexWithinTheArrayIsReadFirst) {
  const ndarray a = array({3, 2, 1, 0, 4}).astype(int64), b = a.copy();
  const ndarray copy = a.copy();
  a(a) = array({10, 11, 12, 13, 14});
  b(copy) = array({10, 11, 12, 13, 14});
  expect_array_equal(a, b);
  const ndarray c = array({3, 2, 1, 0, 4}).astype(int64);
  put(c, c, flip(c));
  EXPECT_EQ(c.to_vector<std::int64_t>(), (Numbers{2, 1, 0, 4, 3}));
}

TEST(MaskPlacesOnTheHost, EveryByteButZeroIsTrue) {
  const DeviceScope scope(Device::cpu());
  const ndarray mask = array({0, 2, 128, 255, 0, 1, 0, 64, 3, 0, 7}).astype(uint8).view(bool_);
  const Numbers expected = {1, 2, 3, 5, 7, 8, 10};
  EXPECT_EQ(flatnonzero(mask).to_vector<std::int64_t>(), expected);
  EXPECT_EQ(arange(11, int64)(mask).get().to_vector<std::int64_t>(), expected);
}

TEST(MaskPlacesOnTheHost, IndicesOutOfRangeAreNamed) {
  const DeviceScope scope(Device::cpu());
  const ndarray a = zeros({3, 20});
  Numbers index(3000, 2);
  index[2500] = -4, index[2600] = 3;
  const ndarray places = array(index);
  expect_error<IndexError>([&] { take(a, places, 0); },
                           "take: index -4 is out of bounds for axis 0 with size 3");
  expect_error<IndexError>([&] { a(places) = 1; },
                           "setitem: index 3 is out of bounds for axis 0 with size 3");
  expect_error<IndexError>(
      [&] {
        a(slice(), array(Numbers{0, INT64_MIN})) = 1;
      },
      "is out of bounds for axis 1 with size 20");
  expect_error<IndexError>(
      [&] {
        take(a, array(Numbers{INT64_MAX, INT64_MIN}), 0);
      },
      "take: index 9223372036854775807 is out of bounds");
  EXPECT_EQ(count_nonzero(a), 0);
}

// Lists and numbers are cast, as NumPy makes an array of the dtype of them.
TEST_P(MaskPlaces, RefusesArraysOfAnotherKind) {
  const ndarray a = arange(4), mask = a > 1;
  expect_error<TypeError>(
      [&] {
        putmask(a, mask, array({0.5, 1.5}));
      },
      "putmask: cannot cast values of float64 to int64 with casting rule 'same_kind'");
  expect_error<TypeError>(
      [&] { place(a, mask, array({std::complex<double>(1, 2)})); },
      "place: cannot cast values of complex128 to int64 with casting rule 'same_kind'");
  expect_array_equal(a, arange(4));
  place(a, mask, {7.5, 8.5});
  expect_array_equal(a, array({0, 1, 7, 8}));
  const ndarray b = zeros({3}, float32);
  putmask(b, array({true, false, true}), array({1, 2, 3}));
  expect_array_equal(b, array({1, 0, 3}).astype(float32));
}

}  // namespace
}  // namespace cupyxx
