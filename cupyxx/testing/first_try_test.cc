// SPDX-License-Identifier: MIT
// What people type before they have read a header means what NumPy means by it, or does not
// compile.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <bitset>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "cupyxx/cupyxx.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx {
namespace {

using testing::expect_elements;
using testing::expect_error;

class FirstTry : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(FirstTry);

std::string printed(const auto& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

/// What is an integer by itself was printed as a shape, too: ambiguous.
TEST_P(FirstTry, OtherClassesAreStillPrinted) {
  const std::atomic<long> count = 3;
  const std::vector<bool> flags{true, false};
  std::bitset<4> bits(5);
  std::ostringstream out;
  out << count << flags[0] << bits << bits[1] << std::integral_constant<int, 4>() << Shape{2, 3}
      << ones({2}).shape();
  EXPECT_EQ(out.str(), "31010104(2, 3)(2,)");
}

TEST_P(FirstTry, OperandsStandInTheCall) {
  const ndarray x = arange(3);
  const ndarray y = arange(2);
  const ndarray m = arange(6).reshape({2, 3});
  EXPECT_EQ(printed(meshgrid(x, y)[1]), "[[0 0 0]\n [1 1 1]]");
  EXPECT_EQ(printed(einsum("ij,j->i", m, x)), "[ 5 14]");
  EXPECT_EQ(printed(einsum("ij->ji", m)), printed(m.T()));
  EXPECT_EQ(printed(where(m > 3)[0]), "[1 1]");
  EXPECT_EQ(printed(m(ix_(y, array({0, 2})))), "[[0 2]\n [3 5]]");
  EXPECT_EQ(printed(m(ix_({0, 1}, {0, 2}))), "[[0 2]\n [3 5]]");
  EXPECT_EQ(printed(m({0, 1}, {1, 2})), "[1 5]");
  m({0, 1}, {1, 2}) = 0;
  EXPECT_EQ(printed(m), "[[0 0 2]\n [3 4 0]]");
  m(where(m == 0)) = 9;
  EXPECT_EQ(printed(m), "[[9 9 2]\n [3 4 9]]");
  EXPECT_EQ(printed(m(nonzero(m == 2))), "[2]");
  EXPECT_EQ(printed(m(unravel_index(array({1, 4}), m.shape()))), "[9 4]");
  EXPECT_EQ(mgrid(slice(0, 2), slice(0, 3)).shape(), (Shape{2, 2, 3}));
  EXPECT_EQ(printed(mgrid(slice(0, 6, 2))), "[0 2 4]");
  EXPECT_EQ(ogrid(slice(3), slice(1, 3))[1].shape(), (Shape{1, 2}));
  expect_error<ValueError>([] { mgrid(slice(3, none)); },
                           "mgrid: a slice without an end; it begins at 3");
}

/// Two texts are not the two ends of one.
template <class A>
concept MakesArrayOfTwo = requires(A first, A second) {
  array(first, second);
};
static_assert(MakesArrayOfTwo<const float*> && !MakesArrayOfTwo<const char*>);

TEST_P(FirstTry, OptionsInTheirPlace) {
  const ndarray x = arange(3);
  EXPECT_EQ(printed(pad(x, {1, 2}, "edge")), "[0 0 1 2 2 2]");
  EXPECT_EQ(printed(pad(x, {1, 2})), "[0 0 1 2 0 0]");
  EXPECT_EQ(printed(pad(x, {{1, 2}})), "[0 0 1 2 0 0]");
  EXPECT_EQ(printed(pad(x, 1, "constant", {.constant_values = 7})), "[7 0 1 2 7]");
  EXPECT_EQ(printed(pad(x, 1, PadMode::wrap)), "[2 0 1 2 0]");
  EXPECT_EQ(printed(pad(arange(4).reshape({2, 2}), {{0, 0}, {1, 0}}, "maximum")),
            "[[1 0 1]\n [3 2 3]]");
  expect_error<ValueError>([&] { pad(x, 1, "mirror"); }, "pad: mode 'mirror' is not supported");
  const ndarray m = array({{3., -4.}, {0., 1.}});
  EXPECT_EQ(printed(linalg::norm(m, 1)), "5.0");
  EXPECT_EQ(printed(linalg::norm(m, inf, 1)), "[4. 1.]");
  EXPECT_EQ(printed(linalg::norm(m(0), 2)), "5.0");
  EXPECT_EQ(printed(linalg::norm(m, 1, 0, true)), "[[3. 5.]]");
  EXPECT_EQ(printed(linalg::norm(m, "fro")), printed(linalg::norm(m)));
  EXPECT_EQ(printed(polyval(array({1, 2, 3}), 2)), "11");
  EXPECT_EQ(printed(polyval(array({1, 2, 3}), 0.5)), "4.25");
  EXPECT_EQ(printed(isin(x, {2, 3})), "[False False  True]");
  EXPECT_EQ(printed(isin(x, {0.5, 1.0}, {.invert = true})), "[ True False  True]");
  EXPECT_EQ(printed(piecewise(x, {x < 1, x >= 1}, {-1, 1})), "[-1  1  1]");
  EXPECT_EQ(printed(piecewise(x, {x < 1}, {5, 6})), "[5 6 6]");
  EXPECT_EQ(x.astype<float>().dtype(), float32);
  EXPECT_EQ(x.astype<bool>().dtype(), bool_);
  const std::vector<short> numbers{1, 2, 3};
  EXPECT_EQ(array(numbers.begin() + 1, numbers.end()).dtype(), int16);
  EXPECT_EQ(printed(array(numbers.data(), numbers.data() + 2, float32)), "[1. 2.]");
}

TEST_P(FirstTry, ShapesAreNumbersOrLists) {
  EXPECT_EQ(zeros(10).shape(), Shape{10});
  EXPECT_EQ(ones(std::size_t{3}).shape(), Shape{3});
  EXPECT_EQ(full(2, 7).shape(), Shape{2});
  const std::int64_t rows = 2;
  EXPECT_EQ(zeros({rows, 3}).shape(), (Shape{2, 3}));
  EXPECT_EQ(zeros(std::vector<int>{2, 3}).shape(), (Shape{2, 3}));
  const auto a = arange(12).reshape(-1, 2);
  EXPECT_EQ(a.shape(), (Shape{6, 2}));
  EXPECT_EQ(a.reshape(12).shape(), Shape{12});
  EXPECT_EQ(a.reshape({2, 3, 2}).transpose(2, 0, 1).shape(), (Shape{2, 2, 3}));
  EXPECT_EQ(ndarray({3, 4}).shape(), (Shape{3, 4}));
  EXPECT_EQ(ndarray({5}).shape(), Shape{5});
  EXPECT_EQ(ndarray(a.shape()).shape(), (Shape{6, 2}));
}

TEST_P(FirstTry, ShapesComeApart) {
  const auto a = zeros({3, 4});
  const auto [h, w] = a.shape<2>();
  EXPECT_EQ(h, 3);
  EXPECT_EQ(w, 4);
  EXPECT_EQ(a.shape(0) * a.shape(-1), 12);
  EXPECT_EQ(a.shape()[0], 3);
  expect_error<ValueError>([&] { a.shape<3>(); },
                           "shape: an array with 3 axes is expected; (3, 4)");
  expect_error<AxisError>([&] { a.shape(2); }, "shape: axis 2");
}

TEST_P(FirstTry, DtypesHaveNames) {
  EXPECT_EQ(array({1, 2, 3}, "float32").dtype(), float32);
  EXPECT_EQ(zeros({3}, "int32").dtype(), int32);
  EXPECT_EQ(zeros(3).astype("int").dtype(), int64);
  EXPECT_EQ(zeros(3, {.dtype = "f4"}).dtype(), float32);
  expect_error<TypeError>([] { zeros(3, "flaot32"); }, "dtype: not a data type; 'flaot32'");
}

TEST_P(FirstTry, ElementsBecomeNumbers) {
  const auto a = arange(6.0).reshape({2, 3});
  const double x = a(0, 1);
  EXPECT_EQ(x, 1);
  EXPECT_EQ(static_cast<double>(a(1, 2)), 5);
  EXPECT_EQ(static_cast<float>(a.max()), 5);
  const float largest = a.max().item();
  EXPECT_EQ(largest, 5);
  const int count = sum(a > 2).item();
  EXPECT_EQ(count, 3);
  EXPECT_EQ(a.item<int>(1, 1), 4);
  double total = 0;
  for (const double element : a.ravel()) total += element;
  EXPECT_EQ(total, 15);
  if (a(0, 1) > 3) FAIL();
  std::vector<int> table{10, 20};
  EXPECT_EQ(table[static_cast<std::size_t>(static_cast<int>(a(0, 1)))], 20);
}

TEST_P(FirstTry, ElementsAreAddedToNumbers) {
  const ndarray a = array({1.5, 2.5, -0.25});
  double total = 0;
  for (int i = 0; i < 3; ++i) total += a(i);
  EXPECT_EQ(total, 3.75);
  for (const auto& element : a) total -= element;
  EXPECT_EQ(total, 0);
  float product = 1;
  for (int i = 0; i < 3; ++i) product *= a(i);
  EXPECT_EQ(product, -0.9375f);
  product /= a.sum().item();
  EXPECT_EQ(product, -0.25f);
  // As double, even to a float: 1 + 2^-30 is no float, twice that sum is.
  float small = 1;
  small *= array(std::ldexp(1 + std::ldexp(1, -30), 24))(ellipsis);
  EXPECT_EQ(small, 16777216.0f);
  std::int64_t count = std::int64_t{1} << 60;
  count += arange(4)(3);
  EXPECT_EQ(count, (std::int64_t{1} << 60) + 3);
  std::uint8_t byte = 250;
  byte -= array({50})(0);
  EXPECT_EQ(byte, 200);
  expect_error<ValueError>([&] { count += a(0); }, "item: 1.5 is no integer");
  expect_error<OverflowError>([&] { byte += array({300})(0); }, "item: 300 does not fit uint8");
  expect_error<ValueError>([&] { total += a(slice(2)); }, "item: only an array of one element");
}

TEST_P(FirstTry, ElementsAreAddedToTruthValuesAndBits) {
  const ndarray a = array({3, 1, 6});
  bool any = false, all = true, odd = false;
  for (const auto& x : a) {
    any |= x > 5;
    all &= x > 0;
    odd ^= x % 2 == 1;
  }
  EXPECT_TRUE(any && all && !odd);
  any &= (a > 6).any().item();
  EXPECT_FALSE(any);
  int bits = 8;
  bits |= a(0);
  bits ^= a(1);
  std::uint64_t low = ~std::uint64_t{0};
  low &= a(2);
  EXPECT_EQ(bits, 10);
  EXPECT_EQ(low, 6u);
  expect_error<ValueError>([&] { bits |= array({0.5})(0); }, "item: 0.5 is no integer");
  expect_error<ValueError>([&] { any |= a > 2; }, "bool: the truth value of an array");
}

TEST_P(FirstTry, PoolsHaveCuPysNames) {
  cuda::set_allocator(none);
  EXPECT_TRUE(cuda::get_allocator().is_default());
  EXPECT_GE(get_default_memory_pool().used_bytes(), 0);
  EXPECT_GE(get_default_pinned_memory_pool().n_free_blocks(), 0);
}

TEST_P(FirstTry, PartsAreExchanged) {
  ndarray a = arange(6).reshape({3, 2});
  swap(a(0), a(2));
  expect_elements<int>(a, {3, 2}, {4, 5, 2, 3, 0, 1});
  swap(a(slice(), 0), a(slice(), 1));
  expect_elements<int>(a, {3, 2}, {5, 4, 3, 2, 1, 0});
  swap(a(1, 1), a(1, 1));
  EXPECT_EQ(a.item<int>(1, 1), 2);
  expect_error<ShapeError>([&] { swap(a(0), a(slice(), 0)); },
                           "swap: the shapes differ; (2,) and (3,)");
  ndarray b = zeros({1});
  swap(a, b);
  EXPECT_EQ(a.size(), 1);
  EXPECT_EQ(b.size(), 6);
  EXPECT_FALSE(b == none);
  EXPECT_TRUE(ndarray() == none);
}

TEST_P(FirstTry, NumbersAreExactOrErrors) {
  const std::int64_t large = (std::int64_t{1} << 62) + 1;
  const std::int64_t back = array(large).item();
  EXPECT_EQ(back, large);
  const std::uint64_t top = array(std::numeric_limits<std::uint64_t>::max()).item();
  EXPECT_EQ(top, std::numeric_limits<std::uint64_t>::max());
  expect_error<ValueError>([] { [[maybe_unused]] const int n = array(2.7).item(); },
                           "item: 2.7 is no integer; write item<std::int32_t>() to cut its "
                           "fraction off");
  EXPECT_EQ(array(2.7).item<int>(), 2);  // as int() in Python
  expect_error<ValueError>([] { array(NAN).item<int>(); },
                           "item: cannot convert float NaN to integer");
  expect_error<OverflowError>([] { array(300).item<std::int8_t>(); },
                              "item: 300 does not fit int8");
  expect_error<OverflowError>([] { array(1e300).item<std::int64_t>(); }, "item: 1e+300");
  expect_error<TypeError>([] { array(std::complex<double>(1, 2)).item<double>(); },
                          "item: a complex number cannot become a real one; (1+2j)");
  const std::complex<double> z = array(std::complex<double>(1, 2)).item();
  EXPECT_EQ(z, std::complex<double>(1, 2));
  expect_error<ValueError>([] { [[maybe_unused]] const double x = arange(4)(slice(2)); },
                           "item: only an array of one element has a value; (2,)");
}

double mean_of(const ndarray& a) { return a.mean(); }
bool all_positive(const ndarray& a) { return all(a > 0); }

TEST_P(FirstTry, NumbersNeedNoCast) {
  const ndarray a = arange(6.0).reshape({2, 3});
  const double s = a.sum();
  EXPECT_EQ(s, 15);
  EXPECT_EQ(mean_of(a), 2.5);
  EXPECT_FALSE(all_positive(a));
  const bool some = any(a > 4);
  EXPECT_TRUE(some);
  const std::vector<std::string> names{"a", "b", "c"};
  EXPECT_EQ(names[argmax({1, 5, 3})], "b");
  const char* const words[] = {"x", "y"};
  EXPECT_EQ(words[a.argmin()], words[0]);
  std::vector<double> means;
  means.push_back(a.mean());
  for (const ndarray& row : a) means.push_back(row.max());
  EXPECT_EQ(means, (std::vector<double>{2.5, 2, 5}));
  double best = 9;
  if (a.min() < best) best = a.min();
  best = best + a.max();  // an array, which becomes a number
  best += a.max();
  EXPECT_EQ(best, 10);
  const std::pair<double, float> range{a.min(), a.max()};
  EXPECT_EQ(range.second, 5);
  EXPECT_EQ(printed(arange(a.max() - 1)), "[0. 1. 2. 3.]");
  EXPECT_EQ(printed(arange(1, a.max(), int32)), "[1 2 3 4]");
  EXPECT_EQ(a(0)(slice(0, a(0).argmax())).size(), 2);
  const ndarray filled = zeros(2);
  filled.fill(a.max());
  EXPECT_EQ(printed(filled), "[5. 5.]");
  // A cast cuts, an assignment is exact.
  EXPECT_EQ(static_cast<int>(a.mean()), 2);
  EXPECT_EQ(static_cast<int>(a(0, 1) + 0.5), 1);
  EXPECT_EQ(static_cast<char>(a(0, 1) + 64), 'A');
  expect_error<ValueError>([&] { [[maybe_unused]] const int n = a.mean(); },
                           "item: 2.5 is no integer");
  expect_error<ValueError>([&] { [[maybe_unused]] const double x = a; },
                           "item: only an array of one element has a value; (2, 3)");
  expect_error<ValueError>([&] { [[maybe_unused]] const bool b = a > 1; },
                           "bool: the truth value of an array with 6 elements is ambiguous; use "
                           "any() or all()");
  expect_error<TypeError>([] { [[maybe_unused]] const double x = ndarray(); }, "None");
}

TEST_P(FirstTry, VectorsTakeLines) {
  const ndarray a = arange(3.0);
  const std::vector<double> v = a;
  const std::vector<double> w(a);  // not three zeros
  EXPECT_EQ(v, (std::vector<double>{0, 1, 2}));
  EXPECT_EQ(w, v);
  EXPECT_EQ(std::vector<double>(array({4})), (std::vector<double>{4}));
  std::vector<float> f;
  f = a(slice(1, none));
  EXPECT_EQ(f, (std::vector<float>{1, 2}));
  expect_error<ValueError>([&] { [[maybe_unused]] const std::vector<double> x = a.reshape(1, 3); },
                           "std::vector: an array of shape (1, 3) is not one-dimensional; write "
                           "ravel() or to_vector()");
  EXPECT_EQ(std::vector<int>(int(a.max()) + 1).size(), 3u);
  expect_error<ValueError>([&] { [[maybe_unused]] const std::vector<int> x(a.max() + 1); },
                           "std::vector: an array of shape () is not one-dimensional; write "
                           "int(n) for a vector of n elements, or ravel()");
}

// No text takes an element for a character.
static_assert(!std::is_assignable_v<std::string&, ndarray>);
static_assert(!std::is_convertible_v<ndarray, char>);
// Nor for a place in it: `"sum: " + a.sum()`.
template <class X, class Y>
concept Added = requires(const X& x, const Y& y) {
  x + y;
};
static_assert(!Added<char[6], ndarray> && !Added<const char*, ndarray>);
static_assert(!Added<ndarray, const char*> && !Added<std::string, ndarray>);
static_assert(Added<ndarray, double> && Added<ndarray, ndarray>);
// Nor is one a complex number, or a pointer, by itself.
static_assert(!std::is_convertible_v<ndarray, std::complex<double>>);
static_assert(!std::is_convertible_v<ndarray, const void*>);
static_assert(std::is_same_v<decltype(ndarray() + 1), ndarray>);
static_assert(std::is_same_v<decltype(1 - ndarray()), ndarray>);
static_assert(std::is_same_v<decltype(ndarray() << 1), ndarray>);
static_assert(std::is_same_v<decltype(2 == ndarray()), ndarray>);

// Arithmetic beside a view or a number from an array stays that of arrays.
static_assert(std::is_same_v<decltype(ndarray()(0) + 1), ndarray>);
static_assert(std::is_same_v<decltype(2.5 * ndarray()(0)), ndarray>);
static_assert(std::is_same_v<decltype(ndarray().item() < 3), ndarray>);
static_assert(std::is_same_v<decltype(-ndarray()(0)), ndarray>);

TEST_P(FirstTry, RowsAreVisited) {
  const auto a = zeros({2, 2});
  for (auto& row : a) row += 1;
  for (auto row : a) row *= 2;
  expect_elements<double>(a, {2, 2}, {2, 2, 2, 2});
  const auto z = arange(10)(slice(none, none, -1));
  EXPECT_EQ(printed(z), "[9 8 7 6 5 4 3 2 1 0]");
  EXPECT_EQ(z.str(), "[9 8 7 6 5 4 3 2 1 0]");
}

TEST_P(FirstTry, OptionsAreNamed) {
  const auto a = arange(6.0).reshape({2, 3});
  EXPECT_EQ(a.mean({.keepdims = true}).shape(), (Shape{1, 1}));
  EXPECT_EQ(a.mean({}, {.keepdims = true}).shape(), (Shape{1, 1}));
  EXPECT_EQ(a.sum({.axis = 1, .keepdims = true}).shape(), (Shape{2, 1}));
  expect_elements<double>(max(a, {.axis = {0}}), {3}, {3, 4, 5});
  EXPECT_EQ(sum(a, {.axis = {0, 1}}).item<int>(), 15);
  EXPECT_EQ(std(array({1., 2., 3.}), {.ddof = 1}).item<double>(), 1);
  expect_elements<int>(argmax(a, {.axis = 1}), {2}, {2, 2});
  EXPECT_EQ(stack({a, a}, {.axis = 1}).shape(), (Shape{2, 2, 3}));
  EXPECT_EQ(concatenate({a, a}, {.axis = 1}).shape(), (Shape{2, 6}));
  EXPECT_EQ(concatenate(a, a).shape(), (Shape{4, 3}));
  EXPECT_EQ(expand_dims(a, {.axis = 0}).shape(), (Shape{1, 2, 3}));
  EXPECT_EQ(median(a, {.axis = 0}).shape(), Shape{3});
  EXPECT_EQ(count_nonzero(a, {.axis = 0, .keepdims = true}).shape(), (Shape{1, 3}));
  expect_elements<double>(sort(array({1., 3., 2.}), {.descending = true}), {3}, {3, 2, 1});
  expect_elements<int>(argsort(array({1, 3, 1, 3}), {.descending = true}), {4}, {1, 3, 0, 2});
  expect_elements<double>(add.reduce(a, {.axis = 1}), {2}, {3, 12});
  expect_elements<double>(take(a, array({2}), {.axis = 1}), {2, 1}, {2, 5});
  expect_elements<int>(diff(array({1, 4, 9}), {.n = 2}), {1}, {2});
  expect_elements<int>(clip(array({0, 5}), {.min = 1}), {2}, {1, 5});
  expect_elements<int>(array({0, 5}).clip({.max = 4}), {2}, {0, 4});
}

TEST_P(FirstTry, AnAxisIsGivenOnce) {
  const auto a = arange(6.0).reshape({2, 3});
  expect_error<TypeError>([&] { sum(a, 1, {.axis = 0}); },
                          "sum: the axis is given twice, by position (1) and by name (0)");
  expect_error<TypeError>(
      [&] {
        median(a, {0, 1}, {.axis = 0});
      },
      "median: the axis is given twice, by position ((0, 1)) and by name (0)");
  expect_error<TypeError>([&] { sort(a, 0, {.axis = 1}); },
                          "sort: the axis is given twice, by position (0) and by name (1)");
  expect_error<TypeError>(
      [&] {
        stack({a, a}, {.axis = {0, 1}});
      },
      "stack: takes one axis; (0, 1)");
}

TEST_P(FirstTry, NoneSaysItsName) {
  const ndarray none_at_all;
  expect_error<TypeError>([&] { none_at_all.shape(); }, "shape: the array is None");
  expect_error<TypeError>([&] { none_at_all.dtype(); }, "dtype: the array is None");
  expect_error<TypeError>([&] { none_at_all.size(); }, "size: the array is None");
  expect_error<TypeError>([&] { none_at_all.ndim(); }, "ndim: the array is None");
  expect_error<TypeError>([&] { none_at_all.len(); }, "len: the array is None");
  expect_error<TypeError>([&] { none_at_all.data(); }, "data: the array is None");
  expect_error<TypeError>([&] { none_at_all.device(); }, "device: the array is None");
  expect_error<TypeError>([&] { none_at_all.strides(); }, "strides: the array is None");
  expect_error<TypeError>([&] { none_at_all.flags(); }, "flags: the array is None");
  expect_error<TypeError>([&] { none_at_all.T(); }, "T: the array is None");
  expect_error<TypeError>([&] { none_at_all.view(); }, "view: the array is None");
  expect_error<TypeError>([&] { none_at_all.version(); }, "version: the array is None");
  expect_error<TypeError>([&] { none_at_all.item(); }, "item: the array is None");
  expect_error<TypeError>([&] { none_at_all.to_vector<int>(); }, "the array is None");
  expect_error<TypeError>([&] { none_at_all.span<int>(); }, "span: the array is None");
  expect_error<TypeError>([&] { none_at_all(0); }, "getitem: the array is None");
  expect_error<TypeError>([&] { none_at_all(arange(2)); }, "getitem: the array is None");
  expect_error<TypeError>(
      [&] {
        for (const auto& row : none_at_all) static_cast<void>(row);
      },
      "len: the array is None");
  EXPECT_TRUE(none_at_all == nullptr);
}

TEST_P(FirstTry, MethodsOfArrays) {
  auto a = arange(6);
  a.put(array({0, 5}), array({-1, -5}));
  expect_elements<int>(a, {6}, {-1, 1, 2, 3, 4, -5});
  expect_elements<int>(a.repeat(2)(slice(0, 4)), {4}, {-1, -1, 1, 1});
  expect_elements<int>(array({1, 0}).choose({array({1, 2}), array({3, 4})}), {2}, {3, 2});
  expect_elements<int>(a.compress(a > 2), {2}, {3, 4});
  a.partition(2);
  expect_elements<int>(sort(a(slice(0, 3))), {3}, {-5, -1, 1});
  EXPECT_EQ(array({1, 2}, uint8).tobytes(), (std::vector<std::byte>{std::byte{1}, std::byte{2}}));
  const auto m = zeros({2, 2});
  m.flat()(3) = 5;
  EXPECT_EQ(m.item<int>(1, 1), 5);
  expect_error<ValueError>([&] { m.T().flat(); }, "flat: the elements of shape (2, 2)");
  auto grown = array({1, 2});
  grown.resize({2, 2});
  expect_elements<int>(grown, {2, 2}, {1, 2, 0, 0});
  const auto shared = grown;
  expect_error<ValueError>([&] { grown.resize({3}); }, "resize: the array of shape (2, 2)");
  expect_elements<int>(grown, {2, 2}, {1, 2, 0, 0});
}

// What does not compile.
template <class A>
concept Zeros = requires(A a) {
  zeros(a, 0);
};
static_assert(!Zeros<int>);
template <class A>
concept Brackets = requires(A a) {
  a[0];
};
static_assert(!Brackets<ndarray>);
template <class A>
concept OffsetAsStrides = requires(A a) {
  ndarray(Shape{2}, float64, a, 8);
};
static_assert(!OffsetAsStrides<ndarray>);
template <class I>
concept Index1 = requires(ndarray a, I i) {
  a(i)(i);
};
static_assert(Index1<int> && Index1<slice> && !Index1<double> && !Index1<const char*>);
// A name of a part is bound once.
static_assert(!std::is_assignable_v<View&, int> && !std::is_assignable_v<View&, const ndarray&>);
static_assert(std::is_assignable_v<View, int> && std::is_assignable_v<View, const ndarray&>);
template <class V>
concept SwapsNames = requires(V x, V y) {
  swap(x, y);
};
static_assert(!SwapsNames<View> && SwapsNames<ndarray>);

TEST_P(FirstTry, ListsOfArraysPrintAsPythonPrintsThem) {
  const ndarray x = arange(4);
  EXPECT_EQ(printed(split(x, 2)), "[array([0, 1]), array([2, 3])]");
  EXPECT_EQ(printed(nonzero(x > 1)), "[array([2, 3])]");
  EXPECT_EQ(printed(meshgrid(arange(2), arange(1))), "[array([[0, 1]]), array([[0, 0]])]");
  EXPECT_EQ(printed(std::vector<ndarray>()), "[]");
}

TEST_P(FirstTry, VectorsOfTheProgramAreOperands) {
  const ndarray x = arange(3);
  const std::vector<int> list{2, 1, 0};
  const double plain[] = {0.5, 0.5, 0.5};
  EXPECT_EQ(printed(x + list), "[2 2 2]");
  EXPECT_EQ(printed(list - x), "[ 2  0 -2]");
  EXPECT_EQ(printed(x * std::array{1.5, 1.0, 0.5}), "[0. 1. 1.]");
  EXPECT_EQ(printed(x / plain), "[0. 2. 4.]");
  EXPECT_EQ(printed(x == list), "[False  True False]");
  EXPECT_EQ(printed(x > list), "[False False  True]");
  expect_error<ShapeError>(
      [&] {
        x + std::vector{1, 2};
      },
      "add: operands could not be broadcast together with shapes (3,) and "
      "(2,)");
}

/// The two ends would belong to two shapes that no longer are.
template <class S>
concept HasEndsWithoutAName = requires(S&& shape) {
  std::forward<S>(shape).begin();
}
|| requires(S&& shape) { std::forward<S>(shape).end(); };
static_assert(HasEndsWithoutAName<const Shape&> && HasEndsWithoutAName<Shape&>);
static_assert(!HasEndsWithoutAName<Shape> && !HasEndsWithoutAName<const Shape>);

/// `array(1, 2, 3)` is a list without its braces, and not a number with a dtype.
// The letter that NumPy takes for a dtype would be the end.
template <class T>
concept EndsRange = requires(T last) {
  arange(3, last);
};
static_assert(EndsRange<int> && EndsRange<cupyxx::dtype> && !EndsRange<char>);

template <class... T>
concept MakesArrayOf = requires(T... numbers) {
  array(numbers...);
};
static_assert(!MakesArrayOf<int, int> && !MakesArrayOf<double, int, float>);
static_assert(MakesArrayOf<int> && MakesArrayOf<int, dtype>);

TEST_P(FirstTry, ShapesWithANameHaveEnds) {
  const Shape shape = zeros({2, 3}).shape();
  EXPECT_EQ(std::vector<std::int64_t>(shape.begin(), shape.end()),
            (std::vector<std::int64_t>{2, 3}));
  std::int64_t sum = 0;
  for (const std::int64_t extent : zeros({2, 3}).shape()) sum += extent;
  EXPECT_EQ(sum, 5);
}

TEST_P(FirstTry, SelectAmongNumbers) {
  const ndarray x = arange(6.0);
  EXPECT_EQ(printed(select({x < 2, x < 4}, {0, 1}, 2)), "[0 0 1 1 2 2]");
  EXPECT_EQ(printed(select({x < 2, x < 4}, {x, 0}, 9)), "[0. 1. 0. 0. 9. 9.]");
  EXPECT_EQ(printed(select({x < 2}, {1.5}, x)), "[1.5 1.5 2.  3.  4.  5. ]");
  EXPECT_EQ(printed(select({x < 2}, {5})), "[5 5 0 0 0 0]");
  EXPECT_EQ(select({x < 2, x < 4}, {x.astype(float32), 0.5}).dtype(), float32);
  expect_error<ValueError>(
      [&] {
        select({x < 2}, {0, 1});
      },
      "select: conditions and choices differ in number; 1 and 2");
}

TEST_P(FirstTry, EyeTakesADtypeWhereIdentityDoes) {
  EXPECT_EQ(printed(eye(2, int64)), "[[1 0]\n [0 1]]");
  EXPECT_EQ(eye(2, float32).dtype(), float32);
}

TEST_P(FirstTry, DrawsByName) {
  random::Generator rng = random::default_rng(3);
  EXPECT_EQ(rng.choice(3, {.size = {2, 4}, .p = {0.0, 1.0, 0.0}}).shape(), (Shape{2, 4}));
  EXPECT_EQ(printed(rng.choice({7, 8, 9}, {.size = 3, .p = {0.0, 0.0, 1.0}})), "[9 9 9]");
  EXPECT_EQ(printed(sort(rng.choice(arange(3), {.size = 3, .replace = false}))), "[0 1 2]");
  EXPECT_EQ(printed(rng.choice(2, {.p = {0.0, 1.0}})), "1");
  EXPECT_EQ(printed(random::choice(2, {.size = 2, .p = {1.0, 0.0}})), "[0 0]");
  EXPECT_EQ(rng.choice(3, {5}).shape(), (Shape{5}));
  EXPECT_EQ(rng.choice({1, 2}, {2, 3}).shape(), (Shape{2, 3}));
  EXPECT_EQ(printed(rng.integers(4, 4, {.size = 3, .endpoint = true})), "[4 4 4]");
  EXPECT_EQ(rng.integers(2, {.size = {4, 4}, .dtype = int32}).dtype(), int32);
  EXPECT_EQ(rng.integers(2, {.size = {4, 4}}).shape(), (Shape{4, 4}));
  EXPECT_EQ(rng.integers(2, {5}).shape(), (Shape{5}));
  EXPECT_EQ(rng.integers(0, 2, {5}).shape(), (Shape{5}));
  EXPECT_EQ(rng.integers(0, 2, {2, 3}).shape(), (Shape{2, 3}));
  EXPECT_EQ(printed(rng.integers(1, 2, {.size = 2})), "[1 1]");
}

TEST_P(FirstTry, MoreListsInFront) {
  EXPECT_EQ(printed(linalg::norm({3.0, -4.0}, inf)), "4.0");
  EXPECT_EQ(printed(linalg::norm({{1, -2}, {3, 4}}, 1, 0)), "[4. 6.]");
  EXPECT_EQ(printed(ediff1d({1, 4, 9})), "[3 5]");
  EXPECT_EQ(printed(sinc({0.0, 1.0}).round(3)), "[1. 0.]");
}

TEST_P(FirstTry, StacksOfTheArraysOfACall) {
  const ndarray a = array({1, 2}), b = array({3, 4});
  const ndarray m = array({{1, 2}, {3, 4}});
  EXPECT_EQ(printed(vstack(a, b)), "[[1 2]\n [3 4]]");
  EXPECT_EQ(printed(hstack(a, b, a)), "[1 2 3 4 1 2]");
  EXPECT_EQ(printed(stack(a, b)), "[[1 2]\n [3 4]]");
  EXPECT_EQ(printed(column_stack(a, b)), "[[1 3]\n [2 4]]");
  EXPECT_EQ(dstack(a, b).shape(), (Shape{1, 2, 2}));
  EXPECT_EQ(printed(vstack(m(0), m(1))), "[[1 2]\n [3 4]]");
  EXPECT_EQ(printed(hstack(m(slice(), 0), m(1))), "[1 3 3 4]");
  EXPECT_EQ(len(m(slice(none, 1))), 1);
}

}  // namespace
}  // namespace cupyxx
