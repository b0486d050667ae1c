// SPDX-License-Identifier: MIT
// Fused functions give the bits of the operations one after the other. Literal values: NumPy.
#include "cupyxx/fuse.h"

#include <gtest/gtest.h>

#include <tuple>
#include <utility>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/linalg.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx {
namespace {

using testing::expect_array_equal;
using testing::expect_elements;
using testing::expect_error;

class FuseTest : public testing::DeviceTest {
 protected:
  // The fused function and the same lines on arrays: equal in every bit.
  template <class Function, class... A>
  void expect_same(Function function, const A&... arguments) {
    const auto fused = fuse(function);
    for (int call = 0; call < 2; ++call) {  // recorded, then found
      expect_array_equal(fused(arguments...), function(arguments...));
    }
  }
};
CUPYXX_TEST_ON_DEVICES(FuseTest);

const auto kHypotenuse = [](auto x, auto y) { return sqrt(x * x + y * y); };

TEST_P(FuseTest, RunsAChainOfOperations) {
  const auto hypotenuse = fuse(kHypotenuse, "hypotenuse");
  auto z = hypotenuse(array({3.0, 5.0, 8.0}), array({4.0, 12.0, 15.0}));
  EXPECT_EQ(z.dtype(), float64);
  expect_elements<double>(z, {3}, {5, 13, 17});
  expect_elements<float>(hypotenuse(array({3.0f}), 4), {1}, {5});
  EXPECT_EQ(hypotenuse(arange(3).astype(int32), 2.0f).dtype(), float64);
}

TEST_P(FuseTest, DtypesAreThoseOfTheOperations) {
  for (const dtype type : {bool_, int8, uint8, int16, uint32, int64, float16, float32, float64}) {
    auto x = (arange(5000) % 7).astype(type);
    auto y = (arange(5000) % 5 + 1).astype(type);
    expect_same([](auto a, auto b) { return a * b + a; }, x, y);
    expect_same([](auto a, auto b) { return a / b * 2 + 1; }, x, y);
    expect_same([](auto a, auto b) { return maximum(a, b) > 2; }, x, y);
    expect_same([](auto a, auto b) { return where(a > b, a, b * 2); }, x, y);
    expect_same([](auto a, auto b) { return (a.astype(float32) + b) * 0.5f; }, x, y);
  }
  for (const dtype type : {complex64, complex128}) {
    auto z = (arange(5000) % 7).astype(type) * complex<double>(1, 0.5) + 1;
    expect_same([](auto a) { return a * a / (a + 1) - a * complex<double>(0, 2); }, z);
    expect_same([](auto a, auto b) { return exp(a) * b; }, z, arange(5000).astype(float32));
  }
  // float16 is rounded after each operation, as it is without.
  auto h = (arange(9000) / 70.0).astype(float16);
  expect_same([](auto a) { return (a * a + a) / 3 - a; }, h);
  expect_same([](auto a, auto b) { return a + b * 3; }, h, arange(9000).astype(int32));
}

TEST_P(FuseTest, FunctionsOfEveryFamily) {
  auto x = linspace(0.1, 3.0, 100003).astype(float32);
  auto y = linspace(-2.0, 2.0, 100003);
  expect_same([](auto a) { return exp(-a * a) * sin(a) + log1p(a); }, x);
  expect_same([](auto a, auto b) { return arctan2(b, a) + hypot(a, b) - cbrt(b); }, x, y);
  expect_same([](auto a, auto b) { return power(a, 2.5) * tanh(b) + logaddexp(a, b); }, x, y);
  expect_same([](auto a) { return clip(floor(a * 10) % 3, 1, 2); }, x);
  auto n = (arange(9000) % 100 - 50).astype(int32);
  expect_same([](auto a) { return ((a << 2) | 1) ^ (a & 7); }, n);
  expect_same([](auto a) { return floor_divide(a, 7) * 7 + remainder(a, 7) + power(a, 3); }, n);
  expect_same([](auto a) { return ~(a > 3) & (a != -4); }, n);
  expect_same([](auto a) { return isfinite(a / 0.0) | signbit(a); }, y);
}

TEST_P(FuseTest, LargeArraysAndLayouts) {
  auto x = (arange(1200000) % 1013).astype(float32).reshape({1200, 1000});
  auto row = arange(1000).astype(float32);
  auto column = arange(1200).astype(float32).reshape({1200, 1});
  const auto line = [](auto a, auto b, auto c) { return a * b + c - a / 3; };
  expect_same(line, x, x, x);
  expect_same(line, x, row, column);
  expect_same(line, x, row, 2.5);
  expect_same(line, x.T(), column.T(), x.T());
  expect_same(line, x(slice(none, none, 2), slice(none, none, -1)), row, 1);
  expect_same(line, column, row, array(3.0f));
  const auto curve = [](auto a, auto b) { return exp(a / 2000) + b * sin(b); };
  expect_same(curve, x, x);
  expect_same(curve, x, row);
  expect_same(curve, x.T(), x.T());
  expect_same(curve, x, array({2.0f}));
  expect_same([](auto a, auto b) { return a + exp(b) * 2; }, x, array(1.5f));
}

TEST_P(FuseTest, SmallShapes) {
  const auto f = [](auto a, auto b) { return exp(a) * b + 1; };
  expect_same(f, zeros({0, 3}), zeros({3}));
  expect_same(f, array(2.0), array(3.0));
  expect_same(f, array({2.0}), array(3.0));
  expect_same(f, array({2.0}), 3);
  expect_same(f, 2, 3.0);
  expect_same([](auto a, auto) { return a + 1; }, arange(3), arange(5));
}

TEST_P(FuseTest, SeveralResults) {
  const auto both = fuse([](auto x, auto y) {
    const auto [quotient, rest] = divmod(x, y);
    return std::array{quotient, rest, quotient};
  });
  const auto [q, r, again] = both(array({7, 8, -9}), 4);
  expect_elements<int>(q, {3}, {1, 2, -3});
  expect_elements<int>(r, {3}, {3, 0, 3});
  expect_elements<int>(again, {3}, {1, 2, -3});
  EXPECT_FALSE(again.shares_memory(q));
  // More than what runs one operation after the other.
  const auto many = arange(-5000, 5000);
  const auto results = both(many, 7);
  expect_array_equal(results[0], floor_divide(many, 7));
  expect_array_equal(results[1], remainder(many, 7));
  expect_array_equal(results[2], results[0]);
  EXPECT_FALSE(results[2].shares_memory(results[0]));
  // Of different shapes: as without.
  const auto shapes = fuse([](auto x, auto y) { return std::array{x + 1, x + y}; });
  const auto [small, large] = shapes(arange(3), zeros({2, 3}, int64));
  EXPECT_EQ(small.shape(), (Shape{3}));
  EXPECT_EQ(large.shape(), (Shape{2, 3}));
}

TEST_P(FuseTest, ResultsAreNewArrays) {
  const auto same = fuse([](auto a) { return a; });
  for (const int size : {4, 10000}) {
    auto x = arange(size);
    auto y = same(x);
    EXPECT_FALSE(y.shares_memory(x));
    expect_array_equal(y, x);
  }
}

TEST_P(FuseTest, FusedFunctionsCompose) {
  const auto hypotenuse = fuse(kHypotenuse);
  const auto normal = fuse([&](auto x, auto y) { return x / hypotenuse(x, y) + hypotenuse(x, 2); });
  auto x = arange(1, 100).astype(float32);
  auto y = arange(2, 101).astype(float32);
  expect_array_equal(normal(x, y), x / sqrt(x * x + y * y) + sqrt(x * x + 4.0f));
}

TEST_P(FuseTest, EndsWithAReduction) {
  const auto norm = fuse([](auto x, auto y) { return sum((x - y) * (x - y), 1); });
  auto x = arange(12).astype(float32).reshape({3, 4});
  expect_elements<float>(norm(x, 1), {3}, {6, 86, 294});
  expect_elements<float>(norm(x, arange(4).astype(float32)), {3}, {0, 64, 256});
  const auto keep = fuse([](auto v) { return (v * 2).mean(0, {.keepdims = true}); });
  expect_elements<float>(keep(x), {1, 4}, {8, 10, 12, 14});
  EXPECT_EQ(fuse([](auto v) { return (v + 1).sum(); })(arange(5).astype(int8)).dtype(), int64);
  EXPECT_EQ(fuse([](auto v) { return (v > 1).sum(); })(x).item<int>(), 10);
  EXPECT_EQ(fuse([](auto v) { return amax(v * -1); })(x).item<int>(), 0);
  EXPECT_EQ(fuse([](auto v) { return amin(v * -1, {0, 1}); })(x).item<int>(), -11);
  EXPECT_EQ(fuse([](auto v) { return prod(v + 1, 0); })(array({1, 2, 3})).item<int>(), 24);
  auto large = (arange(300000) % 10).astype(float64).reshape({300, 1000});
  testing::expect_allclose(fuse([](auto v) { return (v * v).sum(0); })(large),
                           (large * large).sum(0));
  expect_error<ValueError>([&] { fuse([](auto v) { return amax(v + 1); })(zeros({0})); }, "");
}

TEST_P(FuseTest, NumbersFollowTheirOperation) {
  auto bytes = arange(5).astype(uint8);
  expect_error<OverflowError>([&] { fuse([](auto x) { return x + 300; })(bytes); }, "add");
  expect_error<OverflowError>([&] { fuse([](auto x, auto y) { return x + y; })(bytes, 300); },
                              "add");
  const auto less_than = fuse([](auto x, auto y) { return (x < y) & (x >= 0); });
  expect_elements<int>(less_than(bytes, 2), {5}, {1, 1, 0, 0, 0});
  expect_elements<int>(less_than(bytes, 300), {5}, {1, 1, 1, 1, 1});
  expect_elements<int>(fuse([](auto x) { return x > -1; })(bytes), {5}, {1, 1, 1, 1, 1});
  const auto raise = fuse([](auto x, auto y) { return power(x, y) + 0; });
  expect_elements<int>(raise(array({2, 3}), 3), {2}, {8, 27});
  expect_error<ValueError>(
      [&] {
        raise(array({2, 3}), -1);
      },
      "power: integers to negative integer powers are not allowed");
  expect_elements<int>(fuse([](auto x) { return logical_and(x, 2.5); })(bytes), {5},
                       {0, 1, 1, 1, 1});
}

// `y * y` of a C++ number is as weak as the number: float32 stays float32, whatever the size.
TEST_P(FuseTest, NumbersOfNumbersStayWeak) {
  const auto add_square = fuse([](auto x, auto y) { return x + y * y; });
  const auto scale = fuse([](auto x, auto y) { return x * (y * 0.1 + 1); });
  for (const std::int64_t size : {5, 10000}) {
    for (const dtype type : {float16, float32, float64, complex64}) {
      const ndarray x = (arange(size) % 7).astype(type);
      expect_array_equal(add_square(x, 4), x + 16);
      expect_array_equal(add_square(x, 1.5), x + 2.25);
      expect_array_equal(scale(x, 3), x * (3 * 0.1 + 1));
    }
    // Beside integers they are int64, which holds them.
    const ndarray bytes = (arange(size) % 7).astype(uint8);
    expect_array_equal(add_square(bytes, 100), bytes.astype(int64) + 10000);
  }
  EXPECT_EQ(add_square(2, 4).dtype(), int64);
}

TEST_P(FuseTest, PrintsItsPlan) {
  const auto hypotenuse = fuse(
      [](auto a, auto b) {
        const auto square = a * a;
        return sqrt(square + b * b);
      },
      "hypotenuse");
  const std::string steps =
      "hypotenuse(float32 x0, float x1)\n"
      "  v2: float32 = multiply(x0, x0)\n"
      "  v3: float64 = multiply(x1, x1)\n"
      "  v4: float32 = add(v2, v3)\n"
      "  v5: float32 = sqrt(v4)\n"
      "  return v5\n";
  auto x = ones({5000}, float32);
  EXPECT_EQ(hypotenuse.plan(x, 2.0),
            steps + (device().is_cpu() ? "on cpu: one pass in blocks for 4 operations\n"
                                       : "on cuda:0: one kernel for 4 operations\n"));
  const auto total = fuse([](auto a) { return sum(a + 1); }, "total");
  EXPECT_EQ(total.plan(x),
            "total(float32 x0)\n  v2: float32 = add(x0, 1)\n"
            "  return sum(v2): float32\n" +
                std::string(device().is_cpu() ? "on cpu: one pass in blocks for 1 operations, then "
                                                "sum\n"
                                              : "on cuda:0: one kernel for 2 operations\n"));
  const auto shapes = fuse([](auto a, auto b) { return std::array{a + 1, a + b}; });
  EXPECT_NE(
      shapes.plan(x, zeros({2, 5000}))
          .find("2 operations one after the other; the results have different shapes: (5000,) "
                "and (2, 5000)"),
      std::string::npos);
}

TEST_P(FuseTest, RefusesWithAReason) {
  auto x = ones({4, 4}, float32);
  auto n = ones({4}, int32);
  expect_error<ValueError>([&] { fuse([](auto a) { return matmul(a, a); })(x); },
                           "fuse: matmul cannot be fused; only elementwise operations");
  expect_error<ValueError>([&] { fuse([](auto a) { return a.reshape({16}) + 1; })(x); },
                           "fuse: reshape cannot be fused");
  expect_error<ValueError>([&] { fuse([](auto a) { return a(0) + 1; })(x); },
                           "fuse: indexing cannot be fused");
  expect_error<ValueError>([&] { fuse([](auto a) { return a.T() + a; })(x); },
                           "fuse: transpose cannot be fused");
  expect_error<ValueError>([&] { fuse([](auto a) { return a > 0 ? a : -a; })(x); },
                           "fuse: the truth value of an element cannot be fused");
  expect_error<ValueError>([&] { fuse([](auto a) { return a += 1; })(x); },
                           "fuse: += in place cannot be fused");
  expect_error<ValueError>([&] { fuse([&](auto a) { return a + x; })(x); },
                           "fuse: an array that is not an argument cannot be fused");
  expect_error<ValueError>([&] { fuse([](auto a) { return a - sum(a); }, "centre")(x); },
                           "centre: subtract cannot be fused; it takes the result of sum, and a "
                           "reduction must be the last operation");
  expect_error<ValueError>([&] { fuse([](auto a) {
                                   return std::array{sum(a), a};
                                 })(x); },
                           "fused: sum cannot be fused; a reduction must be the only result");
  expect_error<ValueError>([&] { fuse([](auto a) { return power(a, a); })(n); },
                           "fused: power cannot be fused; it looks at the signs of its integer");
  expect_error<ValueError>([&] { fuse([](auto a) { return sum(a, 0, {.dtype = float64}); })(x); },
                           "fuse: sum cannot be fused with options other than keepdims");
  expect_error<DtypeError>([&] { fuse([](auto a) { return a & 1; })(x); }, "bitwise_and");
  expect_error<TypeError>([&] { fuse([](auto a) { return a + 1; })(none); },
                          "fused: argument 0 is None");
  expect_error<ShapeError>([&] { fuse([](auto a, auto b) { return a + b; })(x, ones({3})); },
                           "add: operands could not be broadcast");
  expect_error<ValueError>([] { fuse([](auto a) { return a + 1; }, "two words"); },
                           "the name 'two words' is not an identifier");
}

// As many constants, numbers and arrays as a function likes.
TEST_P(FuseTest, HasNoLimitOfOperands) {
  const auto polynomial = [](const auto& x, const auto& scale) {
    auto sum = x * scale;
    for (int k = 0; k < 40; ++k) sum = sum * scale + (0.25 + k) * x;
    return sum;
  };
  const auto fused = fuse(polynomial);
  for (const dtype type : {float32, float64, int32}) {
    const ndarray x = (arange(20000, float64) / 16384).astype(type);
    expect_array_equal(fused(x, 0.5), polynomial(x, 0.5));
    EXPECT_EQ(fused.plan(x, 0.5).find("one after the other"), std::string::npos)
        << fused.plan(x, 0.5);
  }
  const auto summed = fuse([&](const auto& x) { return sum(polynomial(x, 0.5)); });
  const ndarray x = arange(20000, float64) / 16384;
  testing::expect_allclose(summed(x), sum(polynomial(x, 0.5)), 1e-12, 0);

  // More arrays than one kernel takes.
  const auto add_all = [](const auto&... all) { return (all + ...); };
  const auto with_40 = [&](const auto& f, const ndarray& a) {
    return f(a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a,
             a, a, a, a, a, a, a, a, a, a, a);
  };
  const auto wide = fuse(add_all);
  expect_array_equal(with_40(wide, x), with_40(add_all, x));
}

TEST_P(FuseTest, ReturnsTuplesAndPairs) {
  const ndarray x = arange(4, float64);
  const auto three = fuse([](auto a) { return std::make_tuple(a + 1, a * a, sqrt(a)); })(x);
  static_assert(std::is_same_v<decltype(three), const std::tuple<ndarray, ndarray, ndarray>>);
  expect_array_equal(std::get<0>(three), x + 1);
  expect_array_equal(std::get<1>(three), x * x);
  expect_array_equal(std::get<2>(three), sqrt(x));
  const auto [sum, difference] = fuse([](auto a, auto b) { return std::pair(a + b, a - b); })(x, 3);
  expect_array_equal(sum, x + 3);
  expect_array_equal(difference, x - 3);
}

}  // namespace
}  // namespace cupyxx
