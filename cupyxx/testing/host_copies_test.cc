// SPDX-License-Identifier: MIT
// Copies and choices that the host does in loops of its own, element by element against their
// definitions. What devices do is held by the tests of the chapters.
#include <gtest/gtest.h>

#include <vector>

#include "cupyxx/cupyxx.h"

namespace cupyxx {
namespace {

const std::vector<dtype> kTypes = {bool_,   int8,    uint16,  int32,     int64,
                                   float16, float32, float64, complex64, complex128};

// Numbers that tell places apart; truths by their parity.
ndarray numbers(const Shape& shape, dtype type) {
  const ndarray all = arange(shape.element_count()).reshape(shape);
  return type.is_bool() ? equal(remainder(all, 3), 1) : remainder(all, 120).astype(type);
}

std::vector<double> values_of(const ndarray& a) {
  return (a.dtype().is_complex() ? real(a) : a).to_vector<double>();
}

TEST(HostCopies, TransposedOnesOfAllSizes) {
  for (const dtype type : kTypes) {
    for (const std::int64_t rows : {1, 7, 8, 9, 64, 67, 131}) {
      for (const std::int64_t columns : {1, 8, 15, 33, 64, 100}) {
        const ndarray a = numbers({rows, columns}, type);
        const std::vector<double> from = values_of(a), to = values_of(a.T().copy());
        for (std::int64_t i = 0; i < rows; ++i) {
          for (std::int64_t j = 0; j < columns; ++j) {
            ASSERT_EQ(to[static_cast<std::size_t>(j * rows + i)],
                      from[static_cast<std::size_t>(i * columns + j)])
                << type << " " << rows << " x " << columns;
          }
        }
      }
    }
    // Planes, and an output that is a part of an array.
    const ndarray planes = numbers({3, 20, 24}, type), out = zeros({3, 30, 30}, type);
    out(slice(), slice(2, 26), slice(5, 25)) = planes.transpose({0, 2, 1});
    for (int plane = 0; plane < 3; ++plane) {
      for (int i = 0; i < 24; ++i) {
        EXPECT_TRUE(array_equal(out(plane, i + 2, slice(5, 25)), planes(plane, slice(), i)));
      }
    }
    EXPECT_EQ(count_nonzero(out), count_nonzero(planes));
  }
}

TEST(HostCopies, ElementsApartAndBackwards) {
  for (const dtype type : kTypes) {
    for (const std::int64_t n : {0, 1, 5, 31, 64, 1000}) {
      const ndarray a = numbers({2 * n + 3}, type);
      const std::vector<double> all = values_of(a);
      for (const std::int64_t step : {-3, -2, -1, 1, 2, 3}) {
        const ndarray part = step > 0 ? a(slice(1, none, step)) : a(slice(none, none, step));
        const std::vector<double> found = values_of(part.copy());
        ASSERT_EQ(static_cast<std::int64_t>(found.size()), part.size());
        std::int64_t at = step > 0 ? 1 : a.size() - 1;
        for (const double value : found) {
          ASSERT_EQ(value, all[static_cast<std::size_t>(at)]) << type << " by " << step;
          at += step;
        }
      }
    }
    // Into its own memory, a place on.
    const ndarray moved = numbers({500}, type), before = moved.copy();
    moved(slice(1, none)) = moved(slice(none, -1));
    EXPECT_TRUE(array_equal(moved(slice(1, none)), before(slice(none, -1)))) << type;
    moved(slice()) = moved(slice(none, none, -1));
    EXPECT_TRUE(
        array_equal(moved(slice(none, -1)), before(slice(none, -1))(slice(none, none, -1))));
  }
}

TEST(HostCopies, ComplexNumbersChangeTheirWidth) {
  const ndarray a = empty({1000}, complex128);
  a.real() = arange(1000.0) / 7;
  a.imag() = -arange(1000.0) / 3;
  for (const std::int64_t step : {1, 2}) {
    const ndarray part = a(slice(none, none, step)), narrow = part.astype(complex64);
    EXPECT_TRUE(array_equal(real(narrow), real(part).astype(float32)));
    EXPECT_TRUE(array_equal(imag(narrow), imag(part).astype(float32)));
    const ndarray wide = narrow(slice(none, none, step)).astype(complex128);
    EXPECT_TRUE(array_equal(imag(wide), imag(narrow)(slice(none, none, step)).astype(float64)));
  }
}

TEST(HostCopies, OneNumberFillsRows) {
  for (const dtype type : kTypes) {
    for (const std::int64_t n : {1, 16, 100, 255, 256, 257, 700, 5000, 100001}) {
      const ndarray rows = zeros({3, n + 2}, type);
      rows(slice(), slice(1, n + 1)) = ones({3, 1}, type);
      EXPECT_EQ(count_nonzero(equal(rows, 1)), 3 * n) << type << " " << n;
      EXPECT_EQ(count_nonzero(rows(slice(), 0)) + count_nonzero(rows(slice(), n + 1)), 0);
    }
  }
}

// Memory that the pool hands out again, above and below the size whose pages go back.
TEST(HostCopies, ZerosOfUsedMemory) {
  for (const std::int64_t n : {100, 100000, 5000001}) {
    full({n}, 7.5);
    for (int round = 0; round < 2; ++round) {
      const ndarray a = zeros({n});
      EXPECT_EQ(count_nonzero(a), 0);
      a.fill(round + 1);
      EXPECT_EQ(a.sum().item<double>(), static_cast<double>(n * (round + 1)));
    }
  }
}

TEST(HostCopies, BlocksStandInTheirPlaces) {
  for (const dtype type : kTypes) {
    const ndarray a = numbers({2, 3}, type), b = numbers({2, 4}, type), c = numbers({5, 7}, type);
    const ndarray all = block({{a, b}, {c}});
    EXPECT_EQ(all.dtype(), type);
    EXPECT_EQ(all.shape(), (Shape{7, 7}));
    EXPECT_TRUE(array_equal(all(slice(0, 2), slice(0, 3)), a));
    EXPECT_TRUE(array_equal(all(slice(0, 2), slice(3, none)), b));
    EXPECT_TRUE(array_equal(all(slice(2, none)), c));
    const ndarray turned = block({{a.T(), b.T()(slice(0, 3))}, {a.T(), zeros({3, 2}, type)}});
    EXPECT_TRUE(array_equal(turned(slice(3, none), slice(0, 2)), a.T()));
  }
  const ndarray mixed = block({{ones({1, 2}, int32)}, {ones({1, 2}, float32)}});
  EXPECT_EQ(mixed.dtype(), float64);
  EXPECT_EQ(block({{ones({2}), ones({3})}, {zeros({5})}}).shape(), (Shape{2, 5}));
  EXPECT_EQ(block({{ones({2, 1, 3})}, {ones({2, 4, 3})}}).shape(), (Shape{2, 5, 3}));
  EXPECT_THROW(block({{ones({2, 2})}, {ones({2, 3})}}), ShapeError);
  EXPECT_THROW(block({{ones({2, 2}), ones({3, 2})}, {ones({2, 4})}}), ShapeError);
}

TEST(HostCopies, DeletedPlacesAreMissing) {
  for (const dtype type : kTypes) {
    const ndarray a = numbers({1000}, type);
    const std::vector<double> all = values_of(a);
    const std::vector<std::int64_t> gone = {3, -1, 500, 3, 0, -1000};
    std::vector<double> left;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (i != 0 && i != 3 && i != 500 && i != 999) left.push_back(all[i]);
    }
    EXPECT_EQ(values_of(delete_(a, array(gone))), left) << type;
    EXPECT_EQ(values_of(delete_(a, array(gone).astype(int16))), left);
    EXPECT_TRUE(array_equal(delete_(a, slice(none, none, 2)), a(slice(1, none, 2))));
    const ndarray mask = equal(remainder(arange(1000), 4), 1);
    EXPECT_TRUE(array_equal(delete_(a, mask), a(logical_not(mask))));
    const ndarray matrix = a.reshape({10, 100});
    EXPECT_TRUE(array_equal(delete_(matrix, array({1, 1}), 0),
                            concatenate({matrix(slice(0, 1)), matrix(slice(2, none))}, 0)));
    EXPECT_TRUE(array_equal(delete_(matrix.T(), array({99}), 0), matrix.T()(slice(0, 99))));
  }
  EXPECT_EQ(delete_(arange(3), zeros({0}, int64)).size(), 3);
  EXPECT_THROW(delete_(arange(3), array({3})), IndexError);
  EXPECT_THROW(delete_(arange(3), array({1.5})), IndexError);
  EXPECT_THROW(delete_(arange(3), array({true})), ValueError);
}

TEST(HostCopies, ChosenElements) {
  const ndarray selector = remainder(arange(500) * 7, 3);
  const std::vector<double> at = values_of(selector);
  for (const dtype type : kTypes) {
    const ndarray choices[] = {numbers({500}, type), numbers({501}, type)(slice(1, none)),
                               numbers({1000}, type)(slice(none, none, 2))};
    for (const bool together : {true, false}) {
      std::vector<ndarray> given;
      for (const ndarray& choice : choices) given.push_back(together ? choice.copy() : choice);
      const std::vector<double> found = values_of(choose(selector, given));
      for (std::size_t i = 0; i < found.size(); ++i) {
        ASSERT_EQ(found[i], values_of(given[static_cast<std::size_t>(at[i])])[i]) << type;
        if (i == 20) break;
      }
      EXPECT_TRUE(
          array_equal(choose(selector - 3, given, IndexMode::wrap), choose(selector, given)));
      EXPECT_TRUE(array_equal(choose(selector * 5, given, IndexMode::clip),
                              choose(minimum(selector * 5, 2), given)));
      EXPECT_THROW(choose(selector + 1, given), ValueError);
    }
  }
}

TEST(HostCopies, TakenInAllModes) {
  const ndarray a = arange(50.0), inside = remainder(arange(3000) * 13, 50);
  for (const IndexMode mode : {IndexMode::raise, IndexMode::wrap, IndexMode::clip}) {
    EXPECT_TRUE(array_equal(take(a, inside, {.mode = mode}), inside));
  }
  const ndarray outside = inside.copy();
  outside(2999) = 120;
  outside(1500) = -1;
  const ndarray wrapped = take(a, outside, {.mode = IndexMode::wrap});
  EXPECT_EQ(wrapped(2999).item<double>(), 20);
  EXPECT_EQ(wrapped(1500).item<double>(), 49);
  const ndarray clipped = take(a, outside, {.mode = IndexMode::clip});
  EXPECT_EQ(clipped(2999).item<double>(), 49);
  EXPECT_EQ(clipped(1500).item<double>(), 0);
  EXPECT_THROW(take(a, outside), IndexError);
}

TEST(HostCopies, PlacesOfMatricesAndBack) {
  for (const Shape& shape : {Shape{40, 30, 20}, Shape{1, 24000, 1}, Shape{70000, 70000, 3}}) {
    for (const Order order : {Order::C, Order::F}) {
      const ndarray flat = remainder(arange(5000) * 7919 * 31, shape.element_count());
      const auto parts = unravel_index(flat, shape, order);
      const auto at = flat.to_vector<std::int64_t>();
      for (std::size_t i = 0; i < at.size(); ++i) {
        std::int64_t rest = at[i];
        for (int k = 0; k < 3; ++k) {
          const int axis = order == Order::C ? 2 - k : k;
          if (i % 500 == 0) {
            ASSERT_EQ(parts[static_cast<std::size_t>(axis)](static_cast<std::int64_t>(i))
                          .item<std::int64_t>(),
                      rest % shape[axis]);
          }
          rest /= shape[axis];
        }
      }
      EXPECT_TRUE(array_equal(ravel_multi_index(parts, shape, {.order = order}), flat));
    }
  }
  EXPECT_THROW(ravel_multi_index({array({1, 5}), array({0, 0})}, {3, 3}), ValueError);
  const ndarray wrapped =
      ravel_multi_index({array({1, 5}), array({0, 2})}, {3, 3}, {.mode = IndexMode::wrap});
  EXPECT_TRUE(array_equal(wrapped, array({3, 8})));
}

TEST(HostCopies, TruthsOfLongRows) {
  for (const dtype type : {bool_, int32, float64, complex128}) {
    for (const std::int64_t n : {3000, 131073, 400000}) {
      for (const std::int64_t place : {std::int64_t{0}, n / 2, n - 1}) {
        const ndarray a = ones({3, n}, type);
        a(1, place) = 0;
        EXPECT_TRUE(array_equal(all(a, 1), array({true, false, true}))) << type << " " << n;
        EXPECT_FALSE(static_cast<bool>(all(a)));
        const ndarray b = zeros({3, n}, type);
        b(2, place) = 1;
        EXPECT_TRUE(array_equal(any(b, 1), array({false, false, true}))) << type << " " << n;
        EXPECT_TRUE(static_cast<bool>(any(b)));
        EXPECT_TRUE(static_cast<bool>(all(a(slice(none, none, 2)))));
        EXPECT_FALSE(static_cast<bool>(any(b(slice(0, 2)))));
      }
    }
  }
}

TEST(HostCopies, PolynomialsInPieces) {
  for (const dtype type : {float32, float64, complex128}) {
    const ndarray p = array({2.0, -1.0, 0.5}).astype(type);
    const ndarray x = (arange(20000.0) / 10000 - 1).astype(type);
    const ndarray y = add(multiply(add(multiply(p(0), x), p(1)), x), p(2));
    EXPECT_EQ(polyval(p, x).dtype(), type);
    EXPECT_TRUE(array_equal(polyval(p, x), y));
    EXPECT_TRUE(array_equal(polyval(p, x.reshape({100, 200}).T()), y.reshape({100, 200}).T()));
    EXPECT_EQ(polyval(p, x(3).copy()).ndim(), 0);
  }
  EXPECT_EQ(polyval(array({1, 2}), array({0.5})).dtype(), float64);
}

TEST(HostCopies, WritesThroughOneIndexArray) {
  const ndarray a = zeros({10, 3}, float32), places = array({4, -1, 4});
  a(places) = array({{1, 2, 3}, {4, 5, 6}, {7, 8, 9}});
  EXPECT_TRUE(array_equal(a(4), array({7, 8, 9})));
  EXPECT_TRUE(array_equal(a(9), array({4, 5, 6})));
  EXPECT_EQ(a.sum().item<double>(), 39);
  a(array({{0, 1}, {2, 3}})) = 5;
  EXPECT_EQ(a(slice(0, 4)).sum().item<double>(), 60);
  EXPECT_THROW(a(array({10})) = 1, IndexError);
  // The numbers of the places are written over.
  const ndarray itself = array({2, 0, 1});
  itself(itself) = array({10, 20, 30});
  EXPECT_TRUE(array_equal(itself, array({20, 30, 10})));
}

}  // namespace
}  // namespace cupyxx
