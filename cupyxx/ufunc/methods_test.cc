// SPDX-License-Identifier: MIT
// reduce, accumulate, reduceat, outer and at; the expectations are NumPy's.
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

using testing::expect_allclose;
using testing::expect_elements;
using testing::expect_error;

constexpr double kInf = std::numeric_limits<double>::infinity();

class UfuncMethods : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(UfuncMethods);

TEST_P(UfuncMethods, ReduceCombinesAlongAxes) {
  const ndarray a = arange(1, 25).reshape({2, 3, 4});
  expect_elements<double>(add.reduce(a), {3, 4}, {14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36});
  expect_elements<double>(multiply.reduce(a, 1), {2, 4},
                          {45, 120, 231, 384, 4641, 5544, 6555, 7680});
  expect_elements<double>(maximum.reduce(a, Axes()), {}, {24});
  expect_elements<double>(minimum.reduce(a, {0, 2}), {3}, {1, 5, 9});
  expect_elements<double>(subtract.reduce(a, 1), {2, 4}, {-13, -14, -15, -16, -25, -26, -27, -28});
  expect_elements<double>(bitwise_and.reduce(a, -1), {2, 3}, {0, 0, 8, 0, 16, 16});
  expect_elements<double>(bitwise_or.reduce(a, {0, 1}), {4}, {29, 30, 31, 28});
  expect_elements<double>(bitwise_xor.reduce(a, Axes()), {}, {24});
  expect_elements<double>(logical_and.reduce(a > 1, 2), {2, 3}, {0, 1, 1, 1, 1, 1});
  expect_elements<double>(logical_xor.reduce(a % 3, 1), {2, 4}, {0, 0, 0, 0, 0, 0, 0, 0});
  expect_elements<double>(fmax.reduce(a, 1, {.keepdims = true}), {2, 1, 4},
                          {9, 10, 11, 12, 21, 22, 23, 24});
  expect_allclose(
      true_divide.reduce(a, 2),
      array(std::vector<double>{0.041666666666666664, 0.014880952380952382, 0.006818181818181818,
                                0.003869047619047619, 0.002485380116959064, 0.0017292490118577077})
          .reshape({2, 3}),
      1e-10);
  expect_allclose(
      logaddexp.reduce(a, 2),
      array(std::vector<double>{4.440189698561196, 8.440189698561195, 12.440189698561195,
                                16.440189698561195, 20.440189698561195, 24.440189698561195})
          .reshape({2, 3}),
      1e-10);
  expect_allclose(hypot.reduce(a, {1, 2}),
                  array(std::vector<double>{25.495097567963924, 65.19202405202648}).reshape({2}),
                  1e-10);
  EXPECT_EQ(add.reduce(array({true, true})).dtype(), int64);
  EXPECT_EQ(add.reduce(array({1, 2}, int8), 0, {.dtype = int8}).dtype(), int8);
  EXPECT_EQ(subtract.reduce(array({1, 2}, int8)).dtype(), int8);
}

TEST_P(UfuncMethods, ReduceStartsWithTheIdentity) {
  expect_elements<double>(hypot.reduce(array({-6.0})), {}, {6});
  expect_elements<double>(gcd.reduce(array({{-4, 6}, {-8, 2}}), {0, 1}), {}, {2});
  expect_elements<double>(gcd.reduce(array({-3, 9}), Axes::none()), {2}, {3, 9});
}

TEST_P(UfuncMethods, ReduceNeedsALoopOfTheDtype) {
  expect_error<DtypeError>(
      [] {
        less.reduce(array({1.0, 2.0}));
      },
      "less.reduce: no loop for float64");
  expect_error<DtypeError>([] { bitwise_or.reduce(arange(3), 0, {.dtype = float32}); },
                           "bitwise_or.reduce: no loop for float32");
  expect_error<DtypeError>([] { logical_and.accumulate(zeros({2}), 0, {.dtype = float32}); },
                           "logical_and.accumulate: no loop for float32");
  // The loop that keeps the values is taken, though others give bool, too.
  expect_elements<double>(logical_xor(array({-32768}, int16), array({0}, uint64), {.dtype = bool_}),
                          {1}, {1});
}

TEST_P(UfuncMethods, CastingCountsForOperandsToo) {
  expect_error<DtypeError>(
      [] { add(ones({2}, float32), ones({2}), {.casting = Casting::no}); },
      "add: cannot cast operand 0 from float32 to float64 with casting rule 'no'");
  EXPECT_EQ(power(zeros({0}, uint8), array(-2, int8)).dtype(), int16);
}

TEST_P(UfuncMethods, ReduceTakesOptions) {
  const ndarray a = arange(1., 7.).reshape({2, 3});
  const ndarray w = array({{true, false, true}, {false, false, true}});
  expect_elements<double>(add.reduce(a, 0, {.initial = 10, .where = w}), {3}, {11, 10, 19});
  expect_elements<double>(subtract.reduce(a, 0, {.initial = 10}), {3}, {5, 3, 1});
  expect_elements<double>(subtract.reduce(a, 0, {.initial = 10, .where = w}), {3}, {9, 10, 1});
  expect_elements<double>(fmax.reduce(a, 0, {.initial = 2, .where = w}), {3}, {2, 2, 6});
  expect_elements<double>(
      bitwise_or.reduce(array({1, 2, 4}), 0, {.where = array({true, false, true})}), {}, {5});
  const ndarray out = zeros({3}, float32);
  power.reduce(a, 0, {.out = out});
  expect_elements<double>(out, {3}, {1, 32, 729});
  expect_elements<double>(add.reduce(zeros({0, 2})), {2}, {0, 0});
  expect_elements<double>(bitwise_and.reduce(zeros({0}, int32)), {}, {-1});
  expect_elements<double>(logaddexp.reduce(zeros({0})), {}, {-kInf});
}

TEST_P(UfuncMethods, ReduceReportsWhatIsImpossible) {
  expect_error<ValueError>(
      [] {
        subtract.reduce(zeros({2, 3}), {0, 1});
      },
      "subtract.reduce: the operation is not reorderable, so at most one axis "
      "may be specified; 2 are");
  expect_error<ValueError>([] { fmax.reduce(zeros({0})); },
                           "fmax.reduce: zero-size array to a reduction operation without "
                           "identity; (0,)");
  expect_error<ValueError>(
      [] {
        fmax.reduce(zeros({2}), 0, {.where = array({true, false})});
      },
      "fmax.reduce: the operation does not have an identity, so to use a where mask one has to "
      "specify 'initial'");
  const ufunc& f = exp;
  expect_error<ValueError>([&] { f.reduce(zeros({2})); }, "only supported for binary functions");
}

TEST_P(UfuncMethods, AccumulateKeepsTheIntermediateResults) {
  const ndarray a = arange(1, 25).reshape({2, 3, 4});
  expect_elements<double>(
      add.accumulate(a), {2, 3, 4},
      {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36});
  expect_elements<double>(
      add.accumulate(a, 1), {2, 3, 4},
      {1, 2, 3, 4, 6, 8, 10, 12, 15, 18, 21, 24, 13, 14, 15, 16, 30, 32, 34, 36, 51, 54, 57, 60});
  expect_elements<double>(multiply.accumulate(a, -1), {2, 3, 4},
                          {1,  2,   6,    24,    5,  30,  210,  1680,   9,  90,  990,   11880,
                           13, 182, 2730, 43680, 17, 306, 5814, 116280, 21, 462, 10626, 255024});
  expect_elements<double>(subtract.accumulate(a, 2), {2, 3, 4},
                          {1,  -1, -4,  -8,  5,  -1, -8,  -16, 9,  -1, -12, -24,
                           13, -1, -16, -32, 17, -1, -20, -40, 21, -1, -24, -48});
  expect_elements<double>(maximum.accumulate(array({3, 1, 4, 1, 5, 9, 2, 6})), {8},
                          {3, 3, 4, 4, 5, 9, 9, 9});
  expect_allclose(true_divide.accumulate(a, 1),
                  array(std::vector<double>{1,
                                            2,
                                            3,
                                            4,
                                            0.2,
                                            0.3333333333333333,
                                            0.42857142857142855,
                                            0.5,
                                            0.022222222222222223,
                                            0.03333333333333333,
                                            0.03896103896103896,
                                            0.041666666666666664,
                                            13,
                                            14,
                                            15,
                                            16,
                                            0.7647058823529411,
                                            0.7777777777777778,
                                            0.7894736842105263,
                                            0.8,
                                            0.03641456582633053,
                                            0.03535353535353535,
                                            0.034324942791762014,
                                            0.03333333333333333})
                      .reshape({2, 3, 4}),
                  1e-10);
  expect_elements<double>(add.accumulate(array({true, true, false})), {3}, {1, 2, 2});
  EXPECT_EQ(add.accumulate(zeros({0})).shape(), (Shape{0}));
  expect_error<TypeError>([] { add.accumulate(array(Scalar(1))); }, "cannot be on a scalar");
}

TEST_P(UfuncMethods, AccumulateLooksAtExponents) {
  expect_error<ValueError>(
      [] {
        power.accumulate(array({2, -1, 3})).to_vector<std::int64_t>();
      },
      "power: integers to negative integer powers are not allowed");
  expect_elements<std::int64_t>(power.accumulate(array({2, 1, 3})), {3}, {2, 2, 8});
  expect_elements<double>(power.accumulate(array({2., -1., 2.})), {3}, {2, 0.5, 0.25});
}

// NumPy combines in the common dtype of the elements and `out`.
TEST_P(UfuncMethods, OutWidensWhatIsCombined) {
  const ndarray a = array({-100, 100, 7}, int8);
  const auto wide = [] { return zeros({3}, int64); };
  expect_elements<std::int64_t>(subtract.accumulate(a, 0, {.out = wide()}), {3},
                                {-100, -200, -207});
  expect_elements<std::int64_t>(subtract.reduce(a, 0, {.out = zeros({}, int64)}), {}, {-207});
  expect_elements<std::int64_t>(subtract.reduceat(a, array({0, 1, 2}), 0, {.out = wide()}), {3},
                                {-100, 100, 7});
  expect_elements<std::int64_t>(
      subtract.reduceat(array({-100, 100}, int8), array({0}), 0, {.out = zeros({1}, int64)}), {1},
      {-200});
  const ndarray quotients = floor_divide.accumulate(array({5, 0}), 0, {.out = zeros({2})});
  EXPECT_EQ(quotients.to_vector<double>()[1], std::numeric_limits<double>::infinity());
  // Narrower ones, and those of no loop, leave it as it is.
  expect_elements<float>(add.accumulate(array({0.5, 1.}), 0, {.out = zeros({2}, float32)}), {2},
                         {0.5f, 1.5f});
  expect_elements<double>(bitwise_or.reduce(array({1, 2}), 0, {.out = zeros({})}), {}, {3});
}

TEST_P(UfuncMethods, ReduceatReducesSlices) {
  const ndarray a = arange(8), b = arange(12).reshape({3, 4});
  expect_elements<double>(add.reduceat(a, array({0, 4, 1, 5, 2, 6, 3, 7})), {8},
                          {6, 4, 10, 5, 14, 6, 18, 7});
  expect_elements<double>(multiply.reduceat(b, array({0, 3}), 1), {3, 2}, {0, 3, 120, 7, 720, 11});
  expect_elements<double>(subtract.reduceat(b, array({0, 2}), 0), {2, 4},
                          {-4, -4, -4, -4, 8, 9, 10, 11});
  expect_error<IndexError>([&] { add.reduceat(a, array({8})); },
                           "add.reduceat: index 8 out-of-bounds in [0, 8)");
}

TEST_P(UfuncMethods, OuterCombinesAllPairs) {
  expect_elements<double>(subtract.outer(arange(3), array({{1, 2}, {3, 4}})), {3, 2, 2},
                          {-1, -2, -3, -4, 0, -1, -2, -3, 1, 0, -1, -2});
  expect_elements<double>(less.outer(arange(2), arange(3)), {2, 3}, {0, 1, 1, 0, 0, 1});
}

TEST_P(UfuncMethods, AtAppliesOncePerOccurrence) {
  const ndarray a = zeros({4});
  add.at(a, array({0, 1, 1, 3, 1}), array({1, 2, 3, 4, 5}));
  expect_elements<double>(a, {4}, {1, 10, 0, 4});
  subtract.at(a, array({-1, -1}), 1);
  negative.at(a, array({0, 0, 1}));
  expect_elements<double>(a, {4}, {1, -10, 0, 2});
  const ndarray b = arange(6).reshape({2, 3});
  const ufunc& times = multiply;
  times.at(b, std::vector<Index>{slice(), array({1, 1})}, 2);
  const ufunc& plus = add;
  plus.at(b, std::vector<Index>{array({0, 1, 0}), array({0, 2, 0})}, array({10, 20, 30}));
  expect_elements<double>(b, {2, 3}, {40, 4, 2, 3, 16, 25});
  expect_error<TypeError>([&] { plus.at(a, array({0})); }, "a second operand is needed");
  expect_error<IndexError>(
      [&] {
        add.at(a, array({9}), 1);
        a.to_vector<double>();
      },
      "add.at: index 9 is out of bounds for ");
}

TEST_P(UfuncMethods, AtReadsItsOperandsBeforeItWrites) {
  ndarray a = array({3, 2, 1, 0});
  add.at(a, a, a);
  expect_elements<std::int64_t>(a, {4}, {3, 3, 3, 3});
  a = array({3, 2, 1, 0});
  add.at(a(slice(none, none, -1)), array({0, 0, 1, 3}), a);
  expect_elements<std::int64_t>(a, {4}, {3, 2, 2, 5});
  const ndarray b = array({1.0, 2.0, 4.0});
  multiply.at(b(slice(1, 3)), array({0, 1}), b(slice(0, 2)));
  expect_elements<double>(b, {3}, {1, 2, 8});
}

TEST_P(UfuncMethods, AtTakesATupleOfArraysAndNumbers) {
  const ndarray counts = zeros({2, 3}, int64);
  const ndarray rows = array({0, 1, 1, 1}), columns = array({2, 0, 0, 1});
  add.at(counts, {rows, columns}, 1);
  expect_elements<int>(counts, {2, 3}, {0, 0, 1, 2, 1, 0});
  add.at(counts, counts.nonzero(), 10);
  expect_elements<int>(counts, {2, 3}, {0, 0, 11, 12, 11, 0});
  add.at(counts, {0, 0}, array({1, 0, 0}));
  negative.at(counts, {rows(slice(2)), columns(slice(2))});
  multiply.at(counts, std::vector<Index>{slice(), array({1, 1})}, 2);
  expect_elements<int>(counts, {2, 3}, {2, 0, -11, -12, 44, 0});
}

// Of an axis of extent 1 there is nothing to combine; NumPy copies all the same.
TEST_P(UfuncMethods, ReduceOfOneRowSharesNothing) {
  const ndarray a = arange(3.0).reshape({3, 1});
  for (const ufunc* f : {&find_ufunc("fmax"), &find_ufunc("fmin"), &find_ufunc("hypot"),
                         &find_ufunc("subtract"), &find_ufunc("maximum")}) {
    for (const bool keepdims : {false, true}) {
      const ndarray result = f->reduce(a, 1, {.keepdims = keepdims});
      EXPECT_FALSE(result.shares_memory(a)) << f->name();
      result += 10;
    }
  }
  const ndarray one = array({7.0});
  const ndarray element = fmax.reduce(one);
  element += 1;
  const ndarray bits = array({{1}, {6}});
  bitwise_and.reduce(bits, 1) += 1;
  expect_elements<double>(a, {3, 1}, {0, 1, 2});
  expect_elements<double>(one, {1}, {7});
  expect_elements<int>(bits, {2, 1}, {1, 6});
}

TEST_P(UfuncMethods, AtBearsManyOccurrences) {
  // 3000 occurrences of place 1 and 1000 of place 4, in turn.
  const ndarray place = where(arange(4000) % 4 == 3, 4, 1);
  const ndarray values = (arange(4000) % 5).astype(float64);
  const ndarray sums = zeros({6}), low = full({6}, 9.0), half = zeros({6}, float16);
  add.at(sums, place, values);
  minimum.at(low, place, values - 1);
  subtract.at(half, place, 0.25);
  expect_elements<double>(sums, {6}, {0, 6000, 0, 0, 2000, 0});
  expect_elements<double>(low, {6}, {9, -1, 9, 9, -1, 9});
  // 3000 steps of a quarter in float16 stop where they no longer count: at -512.
  expect_elements<float>(half, {6}, {0, -512, 0, 0, -250, 0});
  const ndarray counts = zeros({6}, uint8), logical = zeros({6}, bool_);
  add.at(counts, place, 1);
  logical_or.at(logical, place, values > 3);
  expect_elements<int>(counts, {6}, {0, 3000 % 256, 0, 0, 1000 % 256, 0});
  expect_elements<int>(logical, {6}, {0, 1, 0, 0, 1, 0});
}

TEST_P(UfuncMethods, AtCastsAndChecksAsACallDoes) {
  const ndarray narrow = zeros({3}, float32), bytes = zeros({3}, uint8);
  add.at(narrow, array({0, 0, 2}), array({0.5, 0.25, 4.0}));
  expect_elements<float>(narrow, {3}, {0.75, 0, 4});
  expect_error<OverflowError>([&] { add.at(bytes, array({0}), 300); }, "300");
  expect_error<DtypeError>([&] { true_divide.at(bytes, array({0}), 2); }, "cast");
  expect_error<ShapeError>([&] { add.at(narrow, array({0, 1}), zeros({3})); }, "broadcast");
  expect_elements<int>(bytes, {3}, {0, 0, 0});
  const ndarray m = zeros({2, 3, 2}, int32);
  const std::vector<Index> index{slice(), array({2, 0, 2})};
  const ufunc& plus = add;
  plus.at(m.swapaxes(0, 2), index, array({1, 2, 3}).reshape({3, 1}));
  expect_elements<int>(m, {2, 3, 2}, {2, 2, 0, 0, 4, 4, 2, 2, 0, 0, 4, 4});
}

}  // namespace
}  // namespace cupyxx
