// SPDX-License-Identifier: MIT
// NumPy's positional forms: a number in front is a parameter, never a size; a dtype stands where
// options stand; one bound of randint; choice(a, size, replace, p).
#include <gtest/gtest.h>

#include <concepts>
#include <vector>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/math.h"
#include "cupyxx/random.h"
#include "cupyxx/reduction.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx::random {
namespace {

using testing::expect_array_equal;
using testing::expect_error;

class PositionalTest : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(PositionalTest);

TEST_P(PositionalTest, TakesParametersInNumpysOrder) {
  const auto drawn = [](const auto& draw) {
    seed(7);
    return draw();
  };
  const auto same = [&](const auto& one, const auto& other) {
    expect_array_equal(drawn(one), drawn(other));
  };
  same(
      [] {
        return normal(1, 2.5, {3, 4});
      },
      [] {
        return normal({3, 4}, {.loc = 1, .scale = 2.5});
      });
  // The size by name.
  same([] { return normal(1, 2.5, {.size = {3, 4}}); }, [] { return normal(1, 2.5, {3, 4}); });
  same([] { return uniform(0, 2, {.size = 5}); }, [] { return uniform(0, 2, {5}); });
  same([] { return randint(0, 9, {.size = 5, .dtype = int8}); },
       [] { return randint(0, 9, {5}, int8); });
  same([] { return randint(9, {.size = {2, 2}}); }, [] { return randint(0, 9, {2, 2}); });
  same([] { return get_random_state().normal(1, 2, {.size = 3, .dtype = float32}); },
       [] { return normal(1, 2, {3}, float32); });
  EXPECT_EQ(normal(0, 1, {}).shape(), Shape{});
  same([] { return uniform(-1, 1, {5}); }, [] { return uniform({5}, {.low = -1, .high = 1}); });
  same([] { return uniform(0.25); }, [] { return uniform({}, {.low = 0.25}); });
  same([] { return lognormal(1, 0.5, {5}); },
       [] { return lognormal({5}, {.mean = 1, .sigma = 0.5}); });
  same([] { return laplace(1, 2, {5}); }, [] { return laplace({5}, {.loc = 1, .scale = 2}); });
  same([] { return gumbel(1, 2, {5}); }, [] { return gumbel({5}, {.loc = 1, .scale = 2}); });
  same([] { return logistic(1, 2, {5}); }, [] { return logistic({5}, {.loc = 1, .scale = 2}); });
  same([] { return exponential(3, {5}); }, [] { return exponential({5}, {.scale = 3}); });
  same([] { return rayleigh(3, {5}); }, [] { return rayleigh({5}, {.scale = 3}); });
  same([] { return gamma(2, 3, {5}); }, [] { return gamma(2, {5}, {.scale = 3}); });
  same([] { return randint(10, {5}); }, [] { return randint(0, 10, {5}); });
  same([] { return random_integers(10, {5}); }, [] { return random_integers(1, 10, {5}); });
  same([] { return choice(10, {3}, false); }, [] { return choice(10, {3}, {.replace = false}); });
  const ndarray p = array({0.5, 0.25, 0.25});
  same(
      [&] {
        return choice(array({7, 8, 9}), {6}, true, p);
      },
      [&] {
        return choice(array({7, 8, 9}), {6}, {.p = p});
      });
}

TEST_P(PositionalTest, ReadsANumberInFrontAsTheParameter) {
  seed(7);
  const auto around = [](const ndarray& drawn, double low, double high) {
    EXPECT_EQ(drawn.shape(), Shape());
    const auto value = drawn.item<double>();
    EXPECT_TRUE(value > low && value < high) << value;
  };
  around(normal(1000), 900, 1100);
  around(normal(1000.0, 0.001), 999, 1001);
  around(laplace(1000), 900, 1100);
  around(gumbel(1000), 900, 1100);
  around(logistic(1000), 900, 1100);
  around(lognormal(100, 0.001), 1e43, 1e44);
  around(uniform(5, 6), 5, 6);
  around(exponential(1e-6), 0, 1e-3);
  around(rayleigh(1e-6), 0, 1e-3);
  around(gamma(1e6, 2), 1.9e6, 2.1e6);
  EXPECT_EQ(randint(1).item<int>(), 0);
  EXPECT_EQ(random_integers(1).item<int>(), 1);
  // Its result's shape is that of array parameters.
  EXPECT_EQ(normal(array({1.0, 2.0})).shape(), Shape({2}));
  EXPECT_EQ(normal(array({1.0, 2.0}), 1, {3, 2}).shape(), Shape({3, 2}));
  // As NumPy's Generator: 5 is low.
  expect_error<ValueError>([] { uniform(5); }, "uniform: high - low < 0; 5.0 and 1.0");
  expect_error<ValueError>([] { randint(0); }, "randint: low >= high; 0 and 0");
  expect_error<ValueError>([] { normal(0, -1, {3}); }, "normal: scale < 0; -1.0");
}

// Which calls do not compile: a number beside options would be a size here and a parameter there.
template <class First>
concept NumberBesideOptions = requires(First first) {
  normal(first, NormalOptions{});
}
|| requires(First first) { uniform(first, UniformOptions{}); }
|| requires(First first) { exponential(first, ScaleOptions{}); }
|| requires(First first) { lognormal(first, LognormalOptions{}); }
|| requires(First first) { normal(first, float32); }
|| requires(First first) { exponential(first, float32); }
|| requires(First first) { gamma(2.0, first, ScaleOptions{}); };
static_assert(!NumberBesideOptions<int> && !NumberBesideOptions<double>);
static_assert(NumberBesideOptions<Shape>);
template <class N>
concept Chooses = requires(N n) {
  choice(n);
}
|| requires(N n) { permutation(n); };
static_assert(Chooses<int> && Chooses<std::size_t> && !Chooses<double>);
template <class N>
concept Extents = requires(N n) {
  rand(n, n);
};
static_assert(Extents<int> && Extents<std::size_t> && !Extents<double> && !Extents<bool>);
static_assert(!std::convertible_to<int, SizeList> && std::convertible_to<Shape, SizeList>);
// What has a name is no size, whole shapes and vectors included.
template <class Size>
concept Named = requires(Size size) {
  normal({.nonsense = size});
}
|| requires(Size size) { RandomState(1).uniform({.nonsense = size}); }
|| requires(Size size) { randint(3, {.nonsense = size}); }
|| requires(Size size) { normal({.nonsense = size, .more = 3}); };
static_assert(!Named<Shape> && !Named<std::vector<int>> && !Named<int>);

TEST_P(PositionalTest, TakesTheDtypeInThePlaceOfOptions) {
  const auto check = [](const ndarray& drawn, dtype expected) {
    EXPECT_EQ(drawn.dtype(), expected);
    EXPECT_EQ(drawn.shape(), Shape({3}));
  };
  check(rand({3}, float32), float32);
  check(randn({3}, float32), float32);
  check(random({3}, float32), float32);
  check(random_sample({3}, float32), float32);
  check(ranf({3}, float32), float32);
  check(sample({3}, float32), float32);
  check(normal({3}, float32), float32);
  check(normal(0, 1, {3}, float32), float32);
  check(normal(0, 1, {3}, {.dtype = float32}), float32);
  check(uniform({3}, float32), float32);
  check(uniform(0, 1, {3}, float16), float16);
  check(uniform(0, 1, {3}, {.dtype = bfloat16_}), bfloat16_);
  check(lognormal(0, 1, {3}, float32), float32);
  check(laplace({3}, float32), float32);
  check(gumbel(0, 1, {3}, float32), float32);
  check(logistic(0, 1, {3}, float32), float32);
  check(exponential({3}, float32), float32);
  check(exponential(2, {3}, float32), float32);
  check(exponential(2, {3}, {.dtype = float32}), float32);
  check(rayleigh(2, {3}, float32), float32);
  check(gamma(2, {3}, float32), float32);
  check(gamma(2, 1, {3}, float32), float32);
  check(standard_normal({3}, float32), float32);
  check(standard_exponential({3}, float32), float32);
  check(standard_cauchy({3}, float32), float32);
  check(standard_gamma(2, {3}, float32), float32);
  check(beta(1, 2, {3}, float32), float32);
  check(chisquare(2, {3}, float32), float32);
  check(f(2, 3, {3}, float32), float32);
  check(noncentral_chisquare(2, 1, {3}, float32), float32);
  check(noncentral_f(2, 3, 1, {3}, float32), float32);
  check(standard_t(2, {3}, float32), float32);
  check(weibull(2, {3}, float32), float32);
  check(pareto(2, {3}, float32), float32);
  check(power(2, {3}, float32), float32);
  check(triangular(0, 1, 2, {3}, float32), float32);
  check(wald(1, 2, {3}, float32), float32);
  check(vonmises(1, 2, {3}, float32), float32);
  check(poisson(2, {3}, int32), int32);
  check(binomial(5, 0.5, {3}, int32), int32);
  check(bernoulli(0.5, {3}, int8), int8);
  check(negative_binomial(5, 0.5, {3}, int32), int32);
  check(geometric(0.5, {3}, int32), int32);
  check(zipf(2, {3}, int32), int32);
  check(logseries(0.5, {3}, int32), int32);
  check(hypergeometric(5, 5, 3, {3}, int32), int32);
  check(randint(10, {3}, int32), int32);
  check(randint(10, {3}, {.dtype = uint8}), uint8);
  check(randint(0, 10, {3}, int16), int16);
  check(randint(10, none, {3}, int16), int16);
  check(random_integers(10, {3}, int32), int32);
}

TEST_P(PositionalTest, TakesExtentsOneByOne) {
  EXPECT_EQ(rand(3).shape(), Shape({3}));
  EXPECT_EQ(rand(3, 4).shape(), Shape({3, 4}));
  EXPECT_EQ(randn(2, std::size_t{3}, 4L).shape(), Shape({2, 3, 4}));
  EXPECT_EQ(rand().shape(), Shape());
  EXPECT_EQ(randn().shape(), Shape());
  expect_error<ValueError>([] { rand(3, -1); }, "-1");
}

TEST_P(PositionalTest, WorksOnGenerators) {
  Generator g(0), h(0);
  expect_array_equal(g.normal(0, 1, {3}), h.normal({3}));
  expect_array_equal(g.integers(10, {5}), h.integers(0, 10, {5}));
  EXPECT_EQ(g.integers(1).item<int>(), 0);
  EXPECT_EQ(g.integers(0, 10, {5}, uint8).dtype(), uint8);
  EXPECT_EQ(g.integers(10, {5}, int32).dtype(), int32);
  EXPECT_TRUE((g.integers(3, 3, {5}, int32, true) == 3).all().item<bool>());
  EXPECT_EQ(g.random({2}, float32).dtype(), float32);
  EXPECT_EQ(g.choice(array({1, 2, 3}), {2}, false).shape(), Shape({2}));
  EXPECT_EQ(g.uniform(2, 3, {2}, float32).dtype(), float32);
}

// Beside the overloads that refuse two lists of numbers.
TEST_P(PositionalTest, NamesOptionsBehindASize) {
  EXPECT_EQ(uniform({5}, {.low = 0, .high = 2}).shape(), Shape({5}));
  EXPECT_EQ(lognormal({2, 3}, {.mean = 0, .sigma = 1}).shape(), (Shape{2, 3}));
  EXPECT_EQ(laplace({2}, {.loc = 0, .scale = 1}).shape(), Shape({2}));
  EXPECT_EQ(normal({2}, {.loc = 1, .scale = 2}).shape(), Shape({2}));
  EXPECT_EQ(RandomState(1).normal({2, 3}, {.loc = 0, .scale = 2}).shape(), (Shape{2, 3}));
}

/// NumPy's lists in the places of parameters are parameters; a list where a size may stand is
/// refused (refused_forms.txt).
TEST_P(PositionalTest, ListsAreParameters) {
  const auto same = [](auto lists, auto arrays) {
    seed(3);
    const ndarray expected = arrays();
    seed(3);
    const ndarray found = lists();
    expect_array_equal(found, expected);
  };
  const ndarray a = array({1., 20.}), b = array({3., 4.});
  same([] { return poisson({1., 20.}); }, [&] { return poisson(a); });
  same([] { return poisson({1, 20}, {3, 2}); }, [&] { return poisson(a, {3, 2}); });
  same([] { return poisson(std::vector<double>{1, 20}); }, [&] { return poisson(a); });
  same([] { return exponential(std::vector{1., 20.}); }, [&] { return exponential(a); });
  same([] { return normal(0, {1, 20}); }, [&] { return normal(0, a); });
  same([] { return normal(std::vector{1., 20.}, {3, 4}); }, [&] { return normal(a, b); });
  same([] { return uniform(0, {1, 20}, {3, 2}); }, [&] { return uniform(0, a, {3, 2}); });
  same([] { return gamma({1, 20}, 2); }, [&] { return gamma(a, 2); });
  same([] { return gamma({1, 20}); }, [&] { return gamma(a); });
  same([] { return beta({1, 20}, {3, 4}, {5, 2}); }, [&] { return beta(a, b, {5, 2}); });
  same([] { return binomial({1, 20}, 0.5); }, [&] { return binomial(a, 0.5); });
  same([] { return triangular({1, 20}, 30, 40); }, [&] { return triangular(a, 30, 40); });
  same([] { return randint({1, 20}, 30); }, [] { return randint(array({1, 20}), 30); });
  // Sizes, as before.
  EXPECT_EQ(normal(std::vector<int>{3, 4}).shape(), (Shape{3, 4}));
  EXPECT_EQ(normal({3, 4}).shape(), (Shape{3, 4}));
  EXPECT_EQ(exponential({3, 4}, {.scale = 2}).shape(), (Shape{3, 4}));
  EXPECT_EQ(exponential({3, 4}, float32).shape(), (Shape{3, 4}));
  EXPECT_EQ(gamma(2, {3, 4}, {.scale = 2}).shape(), (Shape{3, 4}));
  EXPECT_EQ(rayleigh({5}).shape(), (Shape{5}));
}

}  // namespace
}  // namespace cupyxx::random
