// SPDX-License-Identifier: MIT
// Calls of ufuncs: promotion, options, errors. Values of operations are in ops/driver_test.cc.
#include "cupyxx/ufunc.h"

#include <gtest/gtest.h>

#include <limits>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx {
namespace {

using testing::expect_elements;
using testing::expect_error;

class UfuncCall : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(UfuncCall);

// ---- Promotion (NEP 50).

TEST_P(UfuncCall, ArraysPromoteByTheTable) {
  const auto sum = [](dtype a, dtype b) { return (ones({2}, a) + ones({2}, b)).dtype(); };
  EXPECT_EQ(sum(int8, uint8), int16);
  EXPECT_EQ(sum(int64, uint64), float64);
  EXPECT_EQ(sum(int16, float16), float32);
  EXPECT_EQ(sum(int32, float32), float64);
  EXPECT_EQ(sum(bool_, uint8), uint8);
  EXPECT_EQ(sum(float32, float16), float32);
}

TEST_P(UfuncCall, NumbersAreWeak) {
  EXPECT_EQ((ones({2}, uint8) + 1).dtype(), uint8);
  EXPECT_EQ((ones({2}, int16) + 1L).dtype(), int16);
  EXPECT_EQ((ones({2}, float16) * 2.5).dtype(), float16);
  EXPECT_EQ((2 * ones({2}, float32)).dtype(), float32);
  EXPECT_EQ((ones({2}, int8) * 2.5).dtype(), float64);
  EXPECT_EQ((ones({2}, uint8) + true).dtype(), uint8);
  EXPECT_EQ((ones({2}, bool_) + 1).dtype(), int64);
  EXPECT_EQ((ones({2}, bool_) * 1.5).dtype(), float64);
  EXPECT_EQ((ones({2}, bool_) + true).dtype(), bool_);
  EXPECT_EQ(left_shift(ones({2}, bool_), 1).dtype(), int64);
  EXPECT_EQ(add(1, 2).dtype(), int64);
  EXPECT_EQ(add(1, 2.5).dtype(), float64);
  EXPECT_EQ(exp(1).dtype(), float64);
}

TEST_P(UfuncCall, NumbersWithADtypeAndZeroDimensionsAreStrong) {
  EXPECT_EQ((ones({2}, uint8) + Scalar(1, int64)).dtype(), int64);
  EXPECT_EQ((ones({2}, float32) + Scalar(1.0, float64)).dtype(), float64);
  EXPECT_EQ((ones({2}, float32) + array(1.0)).dtype(), float64);
  EXPECT_EQ((ones({2}, int8) + array(Scalar(1), int16)).dtype(), int16);
}

TEST_P(UfuncCall, IntegersOfFloatingOperationsTakeTheSmallestSafeFloat) {
  EXPECT_EQ(exp(ones({2}, int8)).dtype(), float16);
  EXPECT_EQ(exp(ones({2}, uint16)).dtype(), float32);
  EXPECT_EQ(sqrt(ones({2}, int32)).dtype(), float64);
  EXPECT_EQ(exp(ones({2}, bool_)).dtype(), float16);
  EXPECT_EQ(true_divide(ones({2}, int8), ones({2}, int8)).dtype(), float64);
  EXPECT_EQ((ones({2}, int32) / 2).dtype(), float64);
  EXPECT_EQ((ones({2}, bool_) / ones({2}, bool_)).dtype(), float64);
  EXPECT_EQ(ldexp(ones({2}, float32), 3).dtype(), float32);
  EXPECT_EQ(ldexp(ones({2}, uint64), 3).dtype(), float64);
  expect_elements<double>(ldexp(array({1.5f, -2.0f}), 3), {2}, {12, -16});
}

TEST_P(UfuncCall, WherePromotesItsTwoChoices) {
  const ndarray c = array({true, false});
  EXPECT_EQ(where(c, 1, 2).dtype(), int64);
  EXPECT_EQ(where(c, 1.5, 2).dtype(), float64);
  EXPECT_EQ(where(c, ones({2}, float32), 0).dtype(), float32);
  EXPECT_EQ(where(c, ones({2}, int8), ones({2}, uint8)).dtype(), int16);
  expect_elements<std::int64_t>(where(c, 1, 2), {2}, {1, 2});
  expect_elements<std::int64_t>(where(array({3, 0}), 1, 2), {2}, {1, 2});
}

TEST_P(UfuncCall, IntegersThatDoNotFitOverflow) {
  expect_error<OverflowError>([] { ones({2}, uint8) + 256; }, "add: 256 does not fit uint8");
  expect_error<OverflowError>([] { ones({2}, uint8) - (-1); }, "subtract: -1 does not fit uint8");
  expect_error<OverflowError>([] { ones({2}, int8) * 128; }, "multiply: 128 does not fit int8");
  EXPECT_NO_THROW(ones({2}, int8) * -128);
  expect_error<OverflowError>([] { ones({2}, int64) + 18446744073709551615u; },
                              "does not fit int64");
  EXPECT_EQ((ones({1}, uint64) + 9223372036854775808u).item<std::uint64_t>(), 9223372036854775809u);
}

TEST_P(UfuncCall, LogicReadsIntegersOfAnySize) {
  const ndarray a = array({0, 7}, uint8);
  expect_elements<int>(logical_and(a, -1), {2}, {0, 1});
  expect_elements<int>(logical_or(a, 256), {2}, {1, 1});
  expect_elements<int>(logical_xor(1000, a), {2}, {1, 0});
  EXPECT_EQ(logical_or(a, -1).dtype(), bool_);
}

TEST_P(UfuncCall, OfTwoZerosFloatsTakeTheSecondAndHalvesTheFirst) {
  for (const dtype type : {float16, float32, float64}) {
    const ndarray x = array({0.0, -0.0}, type);
    const ndarray y = array({-0.0, 0.0}, type);
    const std::vector<int> taken = type == float16 ? std::vector{0, 1} : std::vector{1, 0};
    for (const ufunc* f : std::initializer_list<const ufunc*>{
             &find_ufunc("maximum"), &find_ufunc("minimum"), &find_ufunc("fmax"),
             &find_ufunc("fmin"), &find_ufunc("nextafter")}) {
      SCOPED_TRACE(std::string(f->name()) + " " + std::string(type.name()));
      const Operand left(x), right(y);
      const Operand* operands[] = {&left, &right};
      expect_elements<int>(signbit(f->call(operands, {}, {})[0]), {2}, taken);
    }
    // Zeros that are reached keep the side they are reached from.
    const ndarray smallest = nextafter(array({0.0, 0.0}, type), array({1.0, -1.0}, type));
    expect_elements<int>(signbit(nextafter(smallest, array({-1.0, 1.0}, type))), {2}, {0, 1});
  }
}

TEST_P(UfuncCall, LargerAndSmallerHalves) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInf = std::numeric_limits<double>::infinity();
  const ndarray x = array({1.5, -2.0, kNan, -kNan, 3.0, -kInf, -5.0}, float16);
  const ndarray y = array({-1.5, -1.0, 1.0, 1.0, -kNan, 65504.0, -6e-8}, float16);
  testing::expect_array_equal(maximum(x, y),
                              array({1.5, -1.0, kNan, kNan, kNan, 65504.0, -6e-8}, float16));
  testing::expect_array_equal(minimum(x, y),
                              array({-1.5, -2.0, kNan, kNan, kNan, -kInf, -5.0}, float16));
  testing::expect_array_equal(fmax(x, y),
                              array({1.5, -1.0, 1.0, 1.0, 3.0, 65504.0, -6e-8}, float16));
  testing::expect_array_equal(fmin(x, y), array({-1.5, -2.0, 1.0, 1.0, 3.0, -kInf, -5.0}, float16));
}

TEST_P(UfuncCall, IntegersWrapAround) {
  expect_elements<int>(array({127, -128, 100}, int8) + array({1, -1, 100}, int8), {3},
                       {-128, 127, -56});
  expect_elements<int>(negative(array({-128, 1}, int8)), {2}, {-128, -1});
  expect_elements<int>(array({200}, uint8) * 2, {1}, {144});
}

TEST_P(UfuncCall, ComparesIntegersBeyondTheDtypeExactly) {
  const ndarray a = array({0, 255}, uint8);
  expect_elements<int>(a < 256, {2}, {1, 1});
  expect_elements<int>(a == 256, {2}, {0, 0});
  expect_elements<int>(a != 256, {2}, {1, 1});
  expect_elements<int>(a > -1, {2}, {1, 1});
  expect_elements<int>(a <= -1, {2}, {0, 0});
  expect_elements<int>(300 > a, {2}, {1, 1});
  expect_elements<int>(300 <= a, {2}, {0, 0});
  expect_elements<int>(-1 >= a, {2}, {0, 0});
  const ndarray largest = array({std::numeric_limits<std::int64_t>::max()});
  expect_elements<int>(largest < 9223372036854775808u, {1}, {1});
  EXPECT_EQ((a < 256).dtype(), bool_);
  const ndarray out = zeros({2}, bool_);
  less(a, 256, {.out = out, .where = array({false, true})});
  expect_elements<int>(out, {2}, {0, 1});
}

TEST_P(UfuncCall, ComparesSignedWithUnsignedExactly) {
  // As float64 the two would be equal.
  const ndarray s = array({std::int64_t{9007199254740993}, std::int64_t{-1}});
  const ndarray u = array(std::vector<std::uint64_t>{9007199254740992u, 18446744073709551615u});
  expect_elements<int>(s == u, {2}, {0, 0});
  expect_elements<int>(s > u, {2}, {1, 0});
  expect_elements<int>(u >= s, {2}, {0, 1});
  expect_elements<int>(u != s, {2}, {1, 1});
  expect_elements<int>(s < u, {2}, {0, 1});
  expect_elements<int>(u <= s, {2}, {1, 0});
}

TEST_P(UfuncCall, RefusesDtypesWithoutALoop) {
  expect_error<DtypeError>([] { ones({2}, bool_) - ones({2}, bool_); },
                           "subtract: no loop for bool and bool");
  expect_error<DtypeError>([] { negative(ones({2}, bool_)); }, "negative: no loop for bool");
  expect_error<DtypeError>([] { ones({2}) & ones({2}); },
                           "bitwise_and: no loop for float64 and float64");
  expect_error<DtypeError>([] { invert(ones({2}, float32)); }, "invert: no loop for float32");
  expect_error<DtypeError>([] { left_shift(ones({2}, int32), 1.5); }, "left_shift: no loop");
}

TEST_P(UfuncCall, RefusesNegativeIntegerPowers) {
  expect_error<ValueError>(
      [] {
        power(array({2, 3}), -1);
      },
      "power: integers to negative integer powers are not allowed");
  expect_elements<double>(power(array({2.0, 4.0}), -1), {2}, {0.5, 0.25});
  expect_elements<int>(power(array({2, 3}), 3), {2}, {8, 27});
  if (device().is_cpu()) {
    expect_error<ValueError>([] { power(array({2, 3}), array({1, -1})); }, "power: integers to");
  }
  // What a mask leaves out is not looked at.
  const ndarray out = zeros({3}, int64), exponents = array({2, -1, 3});
  power(array({2, 3, 4}), exponents, {.out = out, .where = exponents >= 0});
  expect_elements<int>(out, {3}, {4, 0, 64});
}

// ---- Broadcasting and shapes.

TEST_P(UfuncCall, Broadcasts) {
  const ndarray column = arange(3).reshape({3, 1});
  const ndarray row = arange(4);
  expect_elements<int>(column * 10 + row, {3, 4}, {0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23});
  EXPECT_EQ((ones({5, 1, 4}) + ones({3, 1})).shape(), (Shape{5, 3, 4}));
  EXPECT_EQ((ones({1, 0}) + ones({3, 1})).shape(), (Shape{3, 0}));
  EXPECT_EQ((array(1.0) + array(2.0)).shape(), Shape{});
  expect_error<ShapeError>(
      [] {
        ones({2, 3}) + ones({2});
      },
      "add: operands could not be broadcast together with shapes (2, 3) "
      "and (2,)");
  expect_error<ShapeError>([] { ones({0}) + ones({2}); }, "(0,) and (2,)");
}

TEST_P(UfuncCall, TakesLargeTransposedOperands) {
  // Values tell the place: 1000 i + j.
  const ndarray rows = arange(2 * 200).reshape({2, 200, 1}) * 1000;
  const ndarray a = rows + arange(300);                                // (2, 200, 300)
  const ndarray b = (rows + arange(300)).transpose({2, 1, 0}).copy();  // (300, 200, 2)
  const ndarray mask = (a % 3 == 0).transpose({2, 1, 0}).copy().T();
  const auto check = [&](const ndarray& found, auto value) {
    const auto values = found.to_vector<std::int64_t>();
    std::size_t at = 0;
    for (std::int64_t i = 0; i < 400; ++i) {
      for (std::int64_t j = 0; j < 300; ++j, ++at) ASSERT_EQ(values[at], value(1000 * i + j)) << at;
    }
  };
  check(a - 2 * b.T(), [](std::int64_t v) { return -v; });
  check(b.T().astype(int32), [](std::int64_t v) { return v; });
  check(where(mask, b.T(), -1), [](std::int64_t v) { return v % 3 == 0 ? v : -1; });
  const ndarray out = zeros({2, 200, 300}, int64);
  negative(b.T(), {.out = out, .where = mask});
  check(out, [](std::int64_t v) { return v % 3 == 0 ? -v : 0; });
}

TEST_P(UfuncCall, TakesThirtyTwoAxes) {
  Shape deep;
  for (int i = 0; i < 32; ++i) deep.push_back(i < 4 ? 2 : 1);
  const ndarray a = arange(16).reshape(deep);
  const ndarray b = a + a.T();
  EXPECT_EQ(b.ndim(), 32);
  EXPECT_EQ(b.size(), 256);
  EXPECT_EQ(b.to_vector<int>().back(), 30);
}

// ---- out, where, dtype, casting.

TEST_P(UfuncCall, WritesToOut) {
  const ndarray a = arange(3);
  const ndarray out = zeros({3}, float32);
  const ndarray result = add(a, 1, {.out = out});
  EXPECT_EQ(result.body(), out.body());
  expect_elements<double>(out, {3}, {1, 2, 3});
  const ndarray wide = zeros({2, 3}, int64);
  add(a, 1, {.out = wide});
  expect_elements<int>(wide, {2, 3}, {1, 2, 3, 1, 2, 3});
  // In NumPy's place, behind the operands.
  EXPECT_EQ(multiply(a, 2, out).body(), out.body());
  expect_elements<double>(out, {3}, {0, 2, 4});
  square(a, wide(1));
  expect_elements<int>(wide, {2, 3}, {1, 2, 3, 0, 1, 4});
}

TEST_P(UfuncCall, RefusesAnOutThatDoesNotFit) {
  expect_error<ShapeError>(
      [] {
        add(ones({2, 3}), 1, {.out = ones({3})});
      },
      "add: out has shape (3,), the result (2, 3)");
  expect_error<DtypeError>([] { add(ones({2}), 1, {.out = ones({2}, int32)}); },
                           "add: cannot cast the result from float64 to int32 with casting rule "
                           "'same_kind'");
  expect_error<DtypeError>([] { ones({2}, int64) /= 2; }, "true_divide: cannot cast the result");
  expect_error<DtypeError>([] { ones({2}, bool_) += 1; },
                           "add: cannot cast the result from int64 to bool");
  expect_error<ValueError>([] { broadcast_to(ones({1}), {3}) += 1; }, "read-only");
  EXPECT_NO_THROW(add(ones({2}), 1, {.out = ones({2}, int32), .casting = Casting::unsafe}));
  EXPECT_NO_THROW(ones({2}, int8) += ones({2}, int64));  // same kind
}

TEST_P(UfuncCall, InPlaceKeepsTheArray) {
  ndarray a = array({1.0f, 2.0f, 3.0f});
  const ndarray same = a;
  a += 1;
  a *= a;
  a -= array({1.0f});
  EXPECT_EQ(a.dtype(), float32);
  expect_elements<float>(same, {3}, {3, 8, 15});
  const ndarray b = arange(6).reshape({2, 3});
  b(slice(), 1) += 10;
  b(0) %= 2;
  expect_elements<int>(b, {2, 3}, {0, 1, 0, 3, 14, 5});
  ndarray bits = array({6, 5});
  bits <<= 1;
  bits |= 1;
  bits ^= 2;
  bits &= 14;
  bits >>= 1;
  expect_elements<int>(bits, {2}, {7, 4});
}

TEST_P(UfuncCall, IncrementAndDecrementAddOne) {
  const ndarray counts = zeros({4}, uint8);
  for (const int value : {1, 3, 1}) ++counts(value);
  counts(3)++;
  --counts(-1);
  expect_elements<int>(counts, {4}, {0, 2, 0, 1});
  // A counting sort: the place, and then the next one.
  const ndarray next = array({0, 3, 1});
  const ndarray order = zeros({4}, int64);
  for (const int key : {1, 0, 2, 2}) order(next(key)++) = key;
  expect_elements<int>(order, {4}, {0, 2, 2, 1});
  expect_elements<int>(next, {3}, {1, 4, 3});
  const int last = counts(1)--;
  const int now = ++counts(1);
  EXPECT_EQ(last + now, 4);
  // Arrays, rows, columns and chosen elements.
  ndarray m = zeros({2, 2});
  ++m;
  ++m(0);
  m(slice(), 1)--;
  --m(greater(m, 1));
  m({0})++;
  for (auto& row : m) ++row;
  const ndarray before = m++;
  expect_elements<double>(before, {2, 2}, {3, 3, 2, 1});
  expect_elements<double>(m, {2, 2}, {4, 4, 3, 2});
  EXPECT_EQ(&++m, &m);
  EXPECT_TRUE((--m(1)).shares_memory(m));
  expect_error<DtypeError>([] { ++ndarray(array({true})); }, "add: cannot cast the result");
  expect_error<TypeError>([] { ndarray()++; }, "copy: ");
  if (device().is_cuda()) return;
  auto number = m(0, 0);
  const ndarray changed = ++m(0, 0);
  number++;
  m.fill(0);
  EXPECT_EQ(number.item<double>(), 6);
  EXPECT_EQ(changed.item<double>(), 6);
}

TEST_P(UfuncCall, OverlappingOperandsActAsIfCopiedFirst) {
  const ndarray a = arange(6);
  add(a(slice(none, -1)), a(slice(1, none)), {.out = a(slice(1, none))});
  expect_elements<int>(a, {6}, {0, 1, 3, 5, 7, 9});
  const ndarray m = arange(4).reshape({2, 2});
  m += m.T();
  expect_elements<int>(m, {2, 2}, {0, 3, 3, 6});
  const ndarray r = arange(4);
  r += r(slice(none, none, -1));
  expect_elements<int>(r, {4}, {3, 3, 3, 3});
  const ndarray first = arange(1, 4);
  first *= first(0);
  first += first(2);
  expect_elements<int>(first, {3}, {4, 5, 6});
}

TEST_P(UfuncCall, WhereKeepsTheOthers) {
  const ndarray out = full({4}, 9.0);
  const ndarray mask = array({true, false, true, false});
  sqrt(array({1.0, 4.0, 9.0, 16.0}), {.out = out, .where = mask});
  expect_elements<double>(out, {4}, {1, 9, 3, 9});
  const ndarray rows = zeros({2, 4}, int32);
  add(ones({4}, int32), 1, {.out = rows, .where = mask});
  expect_elements<int>(rows, {2, 4}, {2, 0, 2, 0, 2, 0, 2, 0});
  expect_error<DtypeError>([] { add(ones({2}), 1, {.where = ones({2})}); },
                           "add: where must be bool, not float64");
}

TEST_P(UfuncCall, DtypeChoosesTheLoop) {
  EXPECT_EQ(add(ones({2}, int32), 1, {.casting = Casting::same_kind, .dtype = float32}).dtype(),
            float32);
}

TEST_P(UfuncCall, UpdatesTheVersionOfWhatItWrites) {
  const ndarray a = ones({4});
  const auto before = a.version();
  const ndarray b = a + 1;
  EXPECT_EQ(a.version(), before);
  a += 1;
  EXPECT_GT(a.version(), before);
  const auto then = a.version();
  a(slice(2)) = 0;
  EXPECT_GT(a.version(), then);
  EXPECT_EQ(a(0).version(), a.version());
}

// ---- The type-erased object.

TEST(Ufunc, DescribesItself) {
  const ufunc& f = divmod;
  EXPECT_EQ(f.name(), "divmod");
  EXPECT_EQ(f.nin(), 2);
  EXPECT_EQ(f.nout(), 2);
  EXPECT_EQ(f.nargs(), 4);
  EXPECT_EQ(f.types().front(), "bb->bb");
  EXPECT_EQ(add.name(), "add");
  EXPECT_EQ(modf.nin() + 10 * modf.nout() + 100 * divmod.nargs(), 421);
  EXPECT_EQ(exp.types(), find_ufunc("exp").types());
  EXPECT_EQ(exp.doc(), find_ufunc("exp").doc());
  EXPECT_EQ(find_ufunc("divide").name(), "true_divide");
  const ndarray a = array({1, 4, 9});
  expect_elements<int>(find_ufunc("add")(a, 2), {3}, {3, 6, 11});
  expect_elements<double>(find_ufunc("sqrt")(a), {3}, {1, 2, 3});
  const ndarray out = zeros({3});
  const ufunc& times = multiply;
  times(a, {1, 2, 3}, {.out = out, .where = a > 1});
  expect_elements<double>(out, {3}, {0, 8, 27});
  expect_error<TypeError>([&] { find_ufunc("add")(a); }, "add: takes 2 operands, not 1");
  expect_error<TypeError>([&] { find_ufunc("modf")(a); },
                          "modf: has 2 results, which call() returns");
  EXPECT_EQ(&find_ufunc("exp"), &static_cast<const ufunc&>(exp));
  expect_error<ValueError>([] { find_ufunc("frobnicate"); },
                           "find_ufunc: there is no ufunc named 'frobnicate'");
}

TEST(Ufunc, ChecksTheNumberOfOperands) {
  const Operand one(1);
  const Operand* operands[] = {&one};
  expect_error<TypeError>([&] { find_ufunc("add").call(operands, {}, {}); },
                          "add: takes 2 operands, not 1");
  const ndarray out[2];
  expect_error<TypeError>([&] { find_ufunc("exp").call(operands, out, {}); },
                          "exp: has 1 outputs, not 2");
}

TEST_P(UfuncCall, TwoOutputs) {
  const auto [quotient, rest] = divmod(array({7, -7, 7, -7}), array({2, 2, -2, -2}));
  expect_elements<int>(quotient, {4}, {3, -4, -4, 3});
  expect_elements<int>(rest, {4}, {1, 1, -1, -1});
  const auto [mantissa, exponent] = frexp(array({8.0, -0.75}));
  expect_elements<double>(mantissa, {2}, {0.5, -0.75});
  expect_elements<int>(exponent, {2}, {4, 0});
  EXPECT_EQ(exponent.dtype(), int32);
  const ndarray whole = zeros({2});
  const auto parts = modf(array({1.5, -2.25}), {ndarray(), whole});
  expect_elements<double>(parts[0], {2}, {0.5, -0.25});
  expect_elements<double>(whole, {2}, {1, -2});
}

// C++ reads `a & 1 == 0` as `a & (1 == 0)`, which was zero everywhere.
TEST_P(UfuncCall, ComparisonsBeforeBits) {
  const ndarray a = arange(4), b = full({4}, 2), mask = a > 1;
  const int one = 1;
  const bool flag = true;
  expect_error<ValueError>(
      [&] { static_cast<void>(a & (one == 0)); },
      "bitwise_and: integers of shape (4,) and a truth value; C++ compares "
      "first in `a & 1 == 0`: write `(a & 1) == 0`, or bitwise_and(a, b == c)");
  EXPECT_THROW(static_cast<void>(a | (one == 1)), ValueError);
  EXPECT_THROW(static_cast<void>(a(slice(1, 3)) ^ true), ValueError);
  EXPECT_THROW(static_cast<void>(a & (b == b)), ValueError);  // a & b == b
  EXPECT_THROW(static_cast<void>(a & (b != 0)), ValueError);
  expect_error<ValueError>(
      [&] { static_cast<void>((0 == a) & 1); },
      "bitwise_and: truth values of shape (4,) and a number; C++ compares "
      "first in `0 == a & 1`: write `0 == (a & 1)`, or bitwise_and(a == b, 1)");
  EXPECT_THROW(static_cast<void>(ones({2}) & true), DtypeError);
  testing::expect_array_equal((a & one) == 0, array({true, false, true, false}));
  testing::expect_array_equal(mask & true, mask);
  testing::expect_array_equal(mask & (a < 3), array({false, false, true, false}));
  testing::expect_array_equal(mask ^ (one == 1), ~mask);
  testing::expect_array_equal(a & flag, a % 2);
  testing::expect_array_equal(a & mask, array({0, 0, 0, 1}));
  testing::expect_array_equal(bitwise_and(a, true), a % 2);
}

// C++ reads `1 < a < 3` as `(1 < a) < 3`, which was true everywhere.
TEST_P(UfuncCall, RefusesChainsOfComparisons) {
  const ndarray a = arange(4);
  expect_error<ValueError>([&] { static_cast<void>(1 < a < 3); },
                           "less: `a < b < c` compares the truth values of `a < b`, (4,), with c; "
                           "write `(a < b) & (b < c)`");
  expect_error<ValueError>([&] { static_cast<void>(3 >= a >= a); }, "greater_equal: `a < b < c`");
  expect_error<ValueError>([&] { static_cast<void>(0 < a(1) <= Scalar(3)); },
                           "less_equal: `a < b < c`");
  expect_elements<bool>((a > 1) < (a < 3), {4}, {true, true, false, false});
  expect_elements<bool>((a > 1) >= true, {4}, {false, false, true, true});
  expect_elements<bool>((a > 1) == 1, {4}, {false, false, true, true});
  expect_elements<bool>(isnan(a) < 1, {4}, {true, true, true, true});
  const auto mask = a > 1;
  expect_elements<bool>(mask < 1, {4}, {true, true, false, false});
}

TEST_P(UfuncCall, RefusesNone) {
  expect_error<TypeError>([] { exp(ndarray()); }, "exp: the array is None");
  expect_error<TypeError>([] { ones({2}) + ndarray(); }, "add: the array is None");
}

TEST_P(UfuncCall, RefusesArraysOfHostAndDevice) {
  if (device().is_cpu()) return;  // needs a second kind of device
  const ndarray host = ones({2}).to_cpu();
  expect_error<TypeError>([&] { ones({2}) + host; }, "add: arrays on different devices");
  EXPECT_NO_THROW(ones({2})(slice()) = host);  // assignment copies across
}

}  // namespace
}  // namespace cupyxx
