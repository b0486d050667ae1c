// SPDX-License-Identifier: MIT
#include "cupyxx/reduction.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx {
namespace {

using testing::expect_elements;
using testing::expect_error;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

class ReductionTest : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(ReductionTest);

struct Operation {
  const char* name;
  ndarray (*call)(const ndarray& a, const Axes& axes);
  double (*reference)(const std::vector<double>& x);
  bool exact;
};

double sum_of(const std::vector<double>& x) {
  double total = 0;
  for (const double v : x) total += v;
  return total;
}
double mean_of(const std::vector<double>& x) { return sum_of(x) / static_cast<double>(x.size()); }
double variance_of(const std::vector<double>& x) {
  const double mean = mean_of(x);
  double squares = 0;
  for (const double v : x) squares += (v - mean) * (v - mean);
  return squares / static_cast<double>(x.size());
}
std::size_t first_extreme(const std::vector<double>& x, double sign) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < x.size(); ++i) {
    if (std::isnan(x[best])) break;
    if (sign * x[i] > sign * x[best] || std::isnan(x[i])) best = i;
  }
  return best;
}

const Operation kOperations[] = {
    {"sum", [](const ndarray& a, const Axes& axes) { return sum(a, axes); }, sum_of, false},
    {"mean", [](const ndarray& a, const Axes& axes) { return mean(a, axes); }, mean_of, false},
    {"var", [](const ndarray& a, const Axes& axes) { return var(a, axes); }, variance_of, false},
    {"std", [](const ndarray& a, const Axes& axes) { return cupyxx::std(a, axes); },
     [](const std::vector<double>& x) { return std::sqrt(variance_of(x)); }, false},
    {"amax", [](const ndarray& a, const Axes& axes) { return amax(a, axes); },
     [](const std::vector<double>& x) { return x[first_extreme(x, 1)]; }, true},
    {"amin", [](const ndarray& a, const Axes& axes) { return amin(a, axes); },
     [](const std::vector<double>& x) { return x[first_extreme(x, -1)]; }, true},
    {"all", [](const ndarray& a, const Axes& axes) { return all(a, axes); },
     [](const std::vector<double>& x) {
       for (const double v : x) {
         if (v == 0) return 0.0;
       }
       return 1.0;
     },
     true},
    {"any", [](const ndarray& a, const Axes& axes) { return any(a, axes); },
     [](const std::vector<double>& x) {
       for (const double v : x) {
         if (v != 0) return 1.0;
       }
       return 0.0;
     },
     true},
};

/// Compares with the reference, element by element of the result.
void check(const Operation& operation, const ndarray& a, std::uint32_t mask) {
  std::vector<std::int64_t> axes;
  std::int64_t kept = 1, reduced = 1;
  for (int d = 0; d < a.ndim(); ++d) {
    if ((mask >> d & 1) != 0) axes.push_back(d);
    (mask >> d & 1 ? reduced : kept) *= a.shape()[d];
  }
  SCOPED_TRACE(std::string(operation.name) + " of " + std::string(a.dtype().name()) + " " +
               a.shape().str() + ", strides " + a.strides().str() + ", axes " + Shape(axes).str());
  const std::vector<double> elements = a.to_vector<double>();
  std::vector<std::vector<double>> groups(static_cast<std::size_t>(kept));
  for (std::int64_t i = 0; i < a.size(); ++i) {
    std::int64_t rest = i, group = 0, scale = 1;
    for (int d = a.ndim() - 1; d >= 0; --d) {
      const std::int64_t place = rest % a.shape()[d];
      rest /= a.shape()[d];
      if ((mask >> d & 1) != 0) continue;
      group += place * scale;
      scale *= a.shape()[d];
    }
    groups[static_cast<std::size_t>(group)].push_back(elements[static_cast<std::size_t>(i)]);
  }
  const ndarray result = operation.call(a, axes);
  ASSERT_EQ(result.size(), kept);
  const std::vector<double> found = result.to_vector<double>();
  const double relative = result.dtype() == float16   ? 1e-3
                          : result.dtype() == float32 ? 2e-6
                                                      : 1e-13;
  for (std::size_t k = 0; k < groups.size(); ++k) {
    const double expected = operation.reference(groups[k]);
    const double bound =
        operation.exact || !result.dtype().is_floating()
            ? 0
            : relative * (std::abs(expected) + 1 + 0.05 * static_cast<double>(reduced));
    ASSERT_LE(std::abs(found[k] - expected), bound)
        << "result " << k << ": " << found[k] << " instead of " << expected;
  }
}

/// Small numbers of both signs, fractions for floating dtypes.
ndarray sample(const Shape& shape, dtype type) {
  std::vector<double> values(static_cast<std::size_t>(shape.element_count()));
  std::uint32_t state = 5;
  for (double& v : values) {
    state = state * 1664525u + 1013904223u;
    v = static_cast<double>(state >> 29);
    if (type.is_floating()) v -= 3.5;
    if (type.is_signed_integer()) v -= 3;
  }
  return array(values).astype(type).reshape(shape);
}

constexpr dtype kDtypes[] = {bool_,  int8,   int16,  int32,   int64,   uint8,
                             uint16, uint32, uint64, float16, float32, float64};

TEST_P(ReductionTest, AgreesWithTheReferenceForEveryDtypeLayoutAndAxis) {
  for (const dtype type : kDtypes) {
    const ndarray a = sample({5, 8, 6}, type);
    const ndarray layouts[] = {
        a,
        a.transpose(Shape{2, 0, 1}),
        a(slice(none, none, -1), slice(1, none, 3), slice(none, none, 2)),
        broadcast_to(a(0, slice(), slice(0, 1)), {4, 8, 3}),
    };
    for (const Operation& operation : kOperations) {
      for (const ndarray& layout : layouts) {
        for (std::uint32_t mask = 0; mask < 8; ++mask) check(operation, layout, mask);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST_P(ReductionTest, AgreesWithTheReferenceWhereKernelsSplit) {
  const struct {
    Shape shape;
    std::uint32_t mask;
  } cases[] = {
      {{100003}, 1},     {{300000}, 1},   {{3, 70001}, 2},       {{6000, 9}, 2},
      {{6000, 8}, 2},    {{5000, 33}, 2}, {{20011, 7}, 1},       {{20000, 12}, 1},
      {{400, 516}, 1},   {{400, 515}, 2}, {{9, 8, 7, 8}, 13},    {{9, 8, 49}, 5},
      {{30, 50, 64}, 2}, {{1, 70000}, 1}, {{2, 3, 4, 5, 6}, 21},
  };
  for (const dtype type : {int8, int32, float16, float32, float64}) {
    for (const auto& c : cases) {
      const ndarray a = sample(c.shape, type);
      for (const Operation& operation : kOperations) {
        check(operation, a, c.mask);
        if (HasFatalFailure()) return;
      }
      if (a.shape().back() > 8) check(kOperations[0], a(ellipsis, slice(1, none)), c.mask);
    }
  }
}

TEST_P(ReductionTest, FindsTheFirstExtreme) {
  for (const dtype type : kDtypes) {
    for (const Shape& shape : {Shape{7, 11}, Shape{3, 40000}, Shape{9000, 5}}) {
      const ndarray a = sample(shape, type);
      const std::vector<double> x = a.to_vector<double>();
      EXPECT_EQ(argmax(a).item<std::size_t>(), first_extreme(x, 1)) << type << shape;
      EXPECT_EQ(argmin(a).item<std::size_t>(), first_extreme(x, -1)) << type << shape;
      for (const int axis : {0, 1}) {
        const ndarray rows = axis == 0 ? a.T() : a;
        const ndarray found = argmax(a, axis), lowest = argmin(a, axis);
        EXPECT_EQ(found.dtype(), int64);
        ASSERT_EQ(found.shape(), (Shape{shape[1 - axis]}));
        const std::vector<double> values = rows.to_vector<double>();
        const auto length = static_cast<std::size_t>(shape[axis]);
        const auto places = found.to_vector<std::size_t>(), lows = lowest.to_vector<std::size_t>();
        for (std::size_t k = 0; k < places.size(); ++k) {
          const std::vector<double> row(
              values.begin() + static_cast<std::ptrdiff_t>(k * length),
              values.begin() + static_cast<std::ptrdiff_t>((k + 1) * length));
          ASSERT_EQ(places[k], first_extreme(row, 1)) << type << shape << k;
          ASSERT_EQ(lows[k], first_extreme(row, -1)) << type << shape << k;
        }
      }
    }
  }
}

TEST_P(ReductionTest, FlattensInCOrderForPositions) {
  const ndarray a = array({{1.0, 9.0}, {9.0, 2.0}, {0.0, 9.0}});
  EXPECT_EQ(argmax(a).item<int>(), 1);
  EXPECT_EQ(argmax(a.T()).item<int>(), 1);  // 1 9 0 / 9 2 9
  EXPECT_EQ(argmin(a.T()).item<int>(), 2);
  EXPECT_EQ(argmax(a(slice(none, none, -1))).item<int>(), 1);
}

// An axis stands behind the array; extremes of pairs are maximum and minimum.
template <class T>
concept AnAxis = requires(const ndarray& a, const T& x) {
  max(a, x);
  min(a, x);
};
static_assert(AnAxis<int> && AnAxis<std::int64_t> && AnAxis<Axes> && AnAxis<None>);
static_assert(!AnAxis<double> && !AnAxis<float> && !AnAxis<ndarray> && !AnAxis<View>);

TEST_P(ReductionTest, LetsNanWin) {
  const ndarray a = array({{1.0, kNan, 3.0}, {kInf, 2.0, kNan}});
  for (const dtype type : {float16, float32, float64}) {
    const ndarray x = a.astype(type);
    EXPECT_TRUE(std::isnan(amax(x).item<double>()));
    EXPECT_TRUE(std::isnan(amin(x).item<double>()));
    EXPECT_EQ(amax(x, 0).to_vector<double>()[0], kInf);
    EXPECT_TRUE(std::isnan(amin(x, 0).to_vector<double>()[1]));
    expect_elements<std::int64_t>(argmax(x, 1), {2}, {1, 2});
    expect_elements<std::int64_t>(argmin(x, 0), {3}, {0, 0, 1});
    EXPECT_EQ(argmax(x).item<int>(), 1);
    EXPECT_TRUE(std::isnan(var(x(1, slice(0, 2))).item<double>()));
    EXPECT_TRUE(any(x(0, slice(1, 2))).item<bool>());
  }
}

TEST_P(ReductionTest, HasTheResultDtypesOfNumpy) {
  for (const dtype type : kDtypes) {
    const ndarray a = ones({2, 3}, type);
    const bool is_signed = type.is_bool() || type.is_signed_integer();
    const dtype wide = type.is_floating() ? type : is_signed ? int64 : uint64;
    EXPECT_EQ(sum(a).dtype(), wide);
    EXPECT_EQ(prod(a, 0).dtype(), wide);
    EXPECT_EQ(mean(a).dtype(), type.is_floating() ? type : float64);
    EXPECT_EQ(var(a, 1).dtype(), type.is_floating() ? type : float64);
    EXPECT_EQ(amax(a).dtype(), type);
    EXPECT_EQ(all(a).dtype(), bool_);
    EXPECT_EQ(argmin(a, 1).dtype(), int64);
  }
}

TEST_P(ReductionTest, MultipliesAndWrapsAround) {
  expect_elements<std::int64_t>(prod(array({{1, 2, 3}, {4, 5, 6}}), 1), {2}, {6, 120});
  expect_elements<double>(prod(array({{1.5, 2.0}, {4.0, -0.5}}), 0), {2}, {6.0, -1.0});
  EXPECT_EQ(prod(full({64}, 2, int32)).item<std::int64_t>(), 0);
  EXPECT_EQ(prod(full({3}, -3, int8)).item<std::int64_t>(), -27);
  EXPECT_EQ(sum(full({3}, 100, int8), {}, {.dtype = int8}).item<int>(), 44);
  EXPECT_EQ(sum(array({true, true, false})).item<int>(), 2);
  EXPECT_TRUE(sum(array({0, 3}), {}, {.dtype = bool_}).item<bool>());
}

// What is beyond the range or the digits of the elements' dtype, in every layout.
TEST_P(ReductionTest, SumsNarrowElementsInFloat32) {
  for (const dtype type : {float16, bfloat16_}) {
    const ndarray rows = (arange(70000 * 6) % 3).reshape({70000, 6}).astype(type);
    const ndarray layouts[] = {rows, rows.T().copy(Order::C).T(), rows(slice(none, none, 2)),
                               rows(slice(), slice(none, none, -2))};
    for (const ndarray& a : layouts) {
      for (const Axes& axes : {Axes(), Axes(0), Axes(1)}) {
        const ndarray found = sum(a, axes, {.dtype = float32});
        EXPECT_EQ(found.dtype(), float32);
        EXPECT_EQ(found.to_vector<double>(), sum(a.astype(float64), axes).to_vector<double>());
      }
      const ndarray out = zeros({a.shape()[1]}, float32);
      sum(a, 0, {.dtype = float32, .out = out});
      EXPECT_EQ(out.to_vector<double>(), sum(a.astype(float64), 0).to_vector<double>());
    }
    EXPECT_EQ(sum(zeros({0, 3}, type), 0, {.dtype = float32}).to_vector<double>(),
              std::vector<double>(3));
  }
}

TEST_P(ReductionTest, ComputesInTheDtypeAskedFor) {
  const ndarray halves = full({4096}, 16.0, float16);
  EXPECT_EQ(sum(halves).item<double>(), kInf);
  EXPECT_EQ(sum(halves, {}, {.dtype = float32}).item<double>(), 65536.0);
  EXPECT_EQ(mean(halves).item<double>(), 16.0);  // the sum itself is kept in float32
  EXPECT_EQ(mean(array({1, 2}), {}, {.dtype = float32}).dtype(), float32);
  EXPECT_EQ(sum(array({1.5, 2.7}), {}, {.dtype = int64}).item<int>(), 3);
  // An integer dtype is that of the elements; `out` may take the quotient as it is.
  const ndarray x = array({{1.9, 0.1}, {2.6, -1.7}}), out = zeros({2});
  const ndarray some = array({{true, true}, {false, true}});
  expect_elements<int>(mean(x, 1, {.dtype = int64}), {2}, {0, 0});
  expect_elements<int>(mean(x, 1, {.dtype = int64, .where = ones({2, 2}, bool_)}), {2}, {0, 0});
  expect_elements<double>(mean(x, 1, {.dtype = int64, .out = out}), {2}, {0.5, 0.5});
  expect_elements<double>(mean(x, 1, {.dtype = int64, .out = out, .where = some}), {2}, {0.5, -1});
  EXPECT_EQ(var(array({1.0, 2.0}, float32), {}, {.dtype = float64}).dtype(), float64);
}

TEST_P(ReductionTest, LongRunsOfNarrowTypes) {
  for (const dtype type : {float16, bfloat16_}) {
    // 16 neighbours add up to 0.
    const ndarray all = tile((arange(16) - 7.5).astype(type), 1 << 20);
    EXPECT_EQ(sum(all).item<double>(), 0);
    EXPECT_EQ(sum(all.reshape({1 << 12, 1 << 12})).item<double>(), 0);
    const ndarray part = all(slice(3, -1));  // without -7.5, -6.5, -5.5 and 7.5
    EXPECT_EQ(sum(part).item<double>(), 12);
    EXPECT_EQ(mean(part, {}, {.dtype = float32}).item<float>(), 12.0f / ((1 << 24) - 4));
    EXPECT_EQ(sum(part, {}, {.keepdims = true}).shape(), Shape{1});
    all(12345) = kInf;
    EXPECT_EQ(sum(part).item<double>(), kInf);
    all(slice(-1, none)) = kNan;
    EXPECT_EQ(sum(part).item<double>(), kInf);
    EXPECT_TRUE(std::isnan(sum(all).item<double>()));
  }
}

TEST_P(ReductionTest, KeepsDimensions) {
  const ndarray a = arange(24).reshape({2, 3, 4});
  EXPECT_EQ(sum(a, 1, {.keepdims = true}).shape(), (Shape{2, 1, 4}));
  EXPECT_EQ(mean(a, {0, -1}, {.keepdims = true}).shape(), (Shape{1, 3, 1}));
  EXPECT_EQ(amax(a, {}, {.keepdims = true}).shape(), (Shape{1, 1, 1}));
  EXPECT_EQ(argmax(a, {}, {.keepdims = true}).shape(), (Shape{1, 1, 1}));
  EXPECT_EQ(sum(a, Axes::none()).shape(), a.shape());
  expect_elements<std::int64_t>(sum(a, {0, 2}, {.keepdims = true}), {1, 3, 1}, {60, 92, 124});
}

TEST_P(ReductionTest, DividesByTheDegreesOfFreedom) {
  const ndarray a = array({1.0, 2.0, 4.0});
  EXPECT_DOUBLE_EQ(var(a, {}, {.ddof = 1}).item<double>(), 7.0 / 3);
  EXPECT_DOUBLE_EQ(cupyxx::std(a, {}, {.ddof = 1}).item<double>(), std::sqrt(7.0 / 3));
  EXPECT_EQ(var(a, {}, {.ddof = 3}).item<double>(), kInf);
  EXPECT_TRUE(std::isnan(var(array({1.0}), {}, {.ddof = 1}).item<double>()));
}

TEST_P(ReductionTest, WritesIntoOut) {
  const ndarray a = array({{1, 2}, {3, 4}});
  const ndarray out = zeros({2}, float32);
  const ndarray result = sum(a, 0, {.out = out});
  EXPECT_TRUE(result.shares_memory(out));
  expect_elements<float>(out, {2}, {4, 6});
  const ndarray wide = zeros({2, 2}, int64);
  sum(a, 1, {.out = wide(slice(), 1)});
  expect_elements<std::int64_t>(wide, {2, 2}, {0, 3, 0, 7});
  const ndarray same = array({1.0, 2.0, 3.0});
  sum(same, {}, {.out = same(slice(0, 1)).reshape({})});
  expect_elements<double>(same, {3}, {6, 2, 3});
  expect_error<ShapeError>([&] { sum(a, 0, {.out = zeros({3}, int64)}); },
                           "sum: out has shape (3,), the result (2,)");
  // Results of reductions are cast to whatever `out` holds.
  expect_elements<std::int64_t>(mean(a, 0, {.out = zeros({2}, int64)}), {2}, {2, 3});
  expect_elements<bool>(sum(a, 1, {.out = zeros({2}, bool_)}), {2}, {true, true});
  expect_error<DtypeError>([&] { argmax(a, 0, {.out = zeros({2})}); },
                           "argmax: out holds no positions; float64");
  expect_error<ValueError>([&] { amax(a, 0, {.out = broadcast_to(zeros({1}, int64), {2})}); },
                           "amax: the output array is read-only");
}

// NumPy adds and multiplies in the common dtype of the elements and `out`.
TEST_P(ReductionTest, OutWidensWhatIsAdded) {
  const ndarray big = full({30}, 10, int64), out = zeros({});
  prod(big, {}, {.out = out});
  EXPECT_NEAR(out.item<double>(), 1e30, 1e16);
  multiply.reduce(big, 0, {.out = out});
  EXPECT_NEAR(out.item<double>(), 1e30, 1e16);
  const ndarray small = full({100000}, 0.1f, float32);
  const double sum_of_all = 100000 * static_cast<double>(0.1f);
  sum(small, {}, {.out = out});
  EXPECT_NEAR(out.item<double>(), sum_of_all, 1e-9);
  mean(small, {}, {.out = out});
  EXPECT_NEAR(out.item<double>(), static_cast<double>(0.1f), 1e-15);
  var(array({0.1f, 0.2f}), {}, {.out = out});
  const double half = (static_cast<double>(0.2f) - static_cast<double>(0.1f)) / 2;
  EXPECT_NEAR(out.item<double>(), half * half, 1e-17);
  // Integers stay exact in a wider one, and beyond 2^53 beside another kind of integer.
  const ndarray odd = array({(std::int64_t{1} << 53) + 1, std::int64_t{0}});
  expect_elements<std::uint64_t>(sum(odd, {}, {.out = zeros({}, uint64)}), {},
                                 {(std::uint64_t{1} << 53) + 1});
}

TEST_P(ReductionTest, StartsFromInitialAndSkipsWhatIsMasked) {
  const ndarray a = array({{1.0, 2.0}, {3.0, 4.0}});
  const ndarray mask = array({{true, false}, {true, true}});
  expect_elements<double>(sum(a, 0, {.initial = 10}), {2}, {14, 16});
  expect_elements<double>(prod(a, 0, {.initial = 2, .where = mask}), {2}, {6, 8});
  expect_elements<double>(sum(a, 0, {.where = mask}), {2}, {4, 4});
  expect_elements<double>(sum(a, {}, {.where = array({false, true})}), {}, {6});
  expect_elements<double>(mean(a, 1, {.where = mask}), {2}, {1, 3.5});
  expect_elements<double>(amax(a, 1, {.initial = -1, .where = mask}), {2}, {1, 4});
  expect_elements<double>(amin(a, 1, {.initial = 2.5}), {2}, {1, 2.5});
  EXPECT_EQ(amax(zeros({0, 3}), {}, {.initial = 7}).item<double>(), 7.0);
  EXPECT_TRUE(all(array({1, 0}), {}, {.where = array({true, false})}).item<bool>());
  EXPECT_FALSE(any(array({0, 5}), {}, {.where = array({true, false})}).item<bool>());
  EXPECT_TRUE(std::isnan(mean(a, {}, {.where = array(false)}).item<double>()));
  expect_error<ValueError>([&] { amax(a, 0, {.where = mask}); },
                           "amax: has no identity, so that a where mask needs initial");
  expect_error<DtypeError>(
      [&] {
        sum(a, 0, {.where = array({1, 0})});
      },
      "sum: where must be bool, not int64");
}

TEST_P(ReductionTest, GivesIdentitiesForNothing) {
  const ndarray none = zeros({0, 3});
  expect_elements<double>(sum(none, 0), {3}, {0, 0, 0});
  expect_elements<double>(prod(none, 0), {3}, {1, 1, 1});
  EXPECT_EQ(sum(none, 1).shape(), (Shape{0}));
  EXPECT_EQ(amax(none, 1).shape(), (Shape{0}));
  EXPECT_TRUE(all(none).item<bool>());
  EXPECT_FALSE(any(none).item<bool>());
  EXPECT_TRUE(std::isnan(mean(none).item<double>()));
  EXPECT_TRUE(std::isnan(cupyxx::std(none).item<double>()));
  EXPECT_EQ(count_nonzero(none), 0);
}

TEST_P(ReductionTest, TakesArraysOfRankZero) {
  const ndarray a = array(3.5);
  EXPECT_EQ(sum(a).item<double>(), 3.5);
  EXPECT_EQ(sum(a, 0).item<double>(), 3.5);
  EXPECT_EQ(amax(a, -1).item<double>(), 3.5);
  EXPECT_EQ(var(a).item<double>(), 0.0);
  EXPECT_EQ(argmax(a).item<int>(), 0);
  EXPECT_EQ(sum(a, {}, {.keepdims = true}).shape(), Shape{});
}

TEST_P(ReductionTest, CountsNonzeroElements) {
  EXPECT_EQ(count_nonzero(array({0.0, -0.0, kNan, 2.0})), 2);
  EXPECT_EQ(count_nonzero(array({{true, false}, {true, true}}).T()), 3);
  EXPECT_EQ(count_nonzero(arange(100000)), 99999);
}

TEST_P(ReductionTest, SaysWhatIsWrong) {
  const ndarray none = zeros({0, 3});
  expect_error<ValueError>(
      [&] { amax(none); },
      "amax: zero-size array to reduction operation which has no identity; (0, 3)");
  expect_error<ValueError>(
      [&] { amin(none, 0); },
      "amin: zero-size array to reduction operation which has no identity; (0, 3)");
  // As NumPy's, also where the result would have no elements.
  const ndarray nothing = zeros({0, 0, 4});
  expect_error<ValueError>([&] { amax(nothing, 1); }, "which has no identity; (0, 0, 4)");
  EXPECT_EQ(amax(nothing, 2).shape(), (Shape{0, 0}));
  expect_error<ValueError>([&] { argmax(none); },
                           "argmax: attempt to get argmax of an empty sequence; (0, 3)");
  expect_error<AxisError>([&] { sum(none, 2); }, "sum: ");
  expect_error<IndexError>([&] { cupyxx::std(none, -3); }, "std: ");
  expect_error<ValueError>([&] { mean(none, {0, 0}); }, "mean: duplicate value in 'axis'; (0, 0)");
  expect_error<TypeError>(
      [&] {
        argmin(ones({2, 2}), {0, 1});
      },
      "argmin: takes one axis or none; (0, 1)");
  expect_error<TypeError>([&] { sum(ndarray()); }, "sum: ");
}

TEST_P(ReductionTest, GivesTheSameBitsEveryTime) {
  const ndarray a = sample({700, 901}, float32) * 0.1;
  const ndarray full_sum = sum(a), columns = var(a, 0), rows = mean(a, 1);
  for (int i = 0; i < 5; ++i) {
    testing::expect_array_equal(sum(a), full_sum);
    testing::expect_array_equal(var(a, 0), columns);
    testing::expect_array_equal(mean(a, 1), rows);
  }
}

TEST_P(ReductionTest, ExtremesAndTheirPlacesHaveADtype) {
  const ndarray a = array({{1.5, 9.7}, {4.0, 2.0}});
  EXPECT_EQ(argmax(a, 1, {.dtype = int32}).dtype(), int32);
  expect_elements<int>(argmax(a, 1, {.dtype = int32}), {2}, {1, 0});
  expect_elements<int>(argmin(a, {}, {.dtype = int8, .keepdims = true}), {1, 1}, {0});
  expect_elements<int>(amax(a, 0, {.dtype = int32}), {2}, {4, 9});
  EXPECT_EQ(amin(a, {}, {.dtype = float32}).dtype(), float32);
  EXPECT_EQ(a.max(0, {.keepdims = true, .dtype = float32}).dtype(), float32);
  expect_error<OverflowError>([] { argmax(zeros({300}), {}, {.dtype = int8}); },
                              "argmax: positions up to 299 do not fit int8");
}

}  // namespace
}  // namespace cupyxx
