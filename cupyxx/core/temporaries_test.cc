// SPDX-License-Identifier: MIT
// `a + b * 2` may compute into the memory of `b * 2`, and into nothing that anybody else has.
#include <gtest/gtest.h>

#include <complex>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "cupyxx/creation.h"
#include "cupyxx/cuda/graph.h"
#include "cupyxx/cuda/stream.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/interop.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

// What is left of an array that was moved from is what is tested here.
// NOLINTBEGIN(bugprone-use-after-move,clang-analyzer-cplusplus.Move)
namespace cupyxx {
namespace {

using testing::expect_elements;
using testing::expect_error;

class Temporaries : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(Temporaries);

ndarray made(const std::vector<double>& values) { return array(values); }

/// Whether `result` lies where `a` lay, which is None then, or elsewhere, and `a` holds `values`.
void expect_taken(const ndarray& result, const ndarray& a, const void* place) {
  EXPECT_EQ(result.elements(), place);
  EXPECT_TRUE(a.is_none());
  EXPECT_TRUE(result.flags().owndata && result.flags().writeable);
}
template <class T>
void expect_kept(const ndarray& result, const ndarray& a, const std::vector<T>& values) {
  ASSERT_FALSE(a.is_none());
  EXPECT_NE(result.elements(), a.elements());
  EXPECT_EQ(a.to_vector<T>(), values);
  EXPECT_TRUE(result.flags().owndata && result.flags().writeable);
}

TEST_P(Temporaries, GiveTheirMemory) {
  const ndarray b = made({1, 2, 3});
  const auto check = [&](auto&& compute, const std::vector<double>& expected) {
    ndarray t = made({2, 4, 8});
    const void* place = t.elements();
    const ndarray result = compute(std::move(t));
    expect_taken(result, t, place);
    expect_elements<double>(result, {3}, expected);
  };
  check([&](ndarray&& t) { return std::move(t) + b; }, {3, 6, 11});
  check([&](ndarray&& t) { return b + std::move(t); }, {3, 6, 11});
  check([&](ndarray&& t) { return std::move(t) - b; }, {1, 2, 5});
  check([&](ndarray&& t) { return b - std::move(t); }, {-1, -2, -5});
  check([&](ndarray&& t) { return std::move(t) * b; }, {2, 8, 24});
  check([&](ndarray&& t) { return b * std::move(t); }, {2, 8, 24});
  check([&](ndarray&& t) { return std::move(t) / b; }, {2, 2, 8.0 / 3});
  check([&](ndarray&& t) { return b / std::move(t); }, {0.5, 0.5, 0.375});
  check([&](ndarray&& t) { return std::move(t) - 1; }, {1, 3, 7});
  check([&](ndarray&& t) { return 1 - std::move(t); }, {-1, -3, -7});
  check([&](ndarray&& t) { return std::move(t) * std::vector<double>{1, 0, 2}; }, {2, 0, 16});
  check([&](ndarray&& t) { return std::move(t) / Scalar(2); }, {1, 2, 4});
  check([&](ndarray&& t) { return -std::move(t); }, {-2, -4, -8});
  check([&](ndarray&& t) { return std::move(t) - made({1, 1, 1}); }, {1, 3, 7});
  expect_elements<double>(b, {3}, {1, 2, 3});
}

TEST_P(Temporaries, OfBothSidesOneIsTaken) {
  ndarray s = made({2, 4, 8}), t = made({1, 2, 3});
  const void* place = s.elements();
  const ndarray result = std::move(s) - std::move(t);
  expect_taken(result, s, place);
  expect_kept<double>(result, t, {1, 2, 3});
  ndarray u = made({2, 4, 8});
  expect_elements<double>(std::move(u) * u, {3}, {4, 16, 64});
  ndarray v = made({2, 4, 8});
  expect_elements<double>(std::move(v) - std::move(v), {3}, {0, 0, 0});
}

TEST_P(Temporaries, ChainsOfThemAreRight) {
  // Below and above what runs in one piece, and for several threads.
  for (const int n : {1, 5, 4095, 5000, 300001}) {
    std::vector<double> x(static_cast<std::size_t>(n)), y(x.size()), expected(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = 0.25 * static_cast<double>(i);
      y[i] = static_cast<double>(i % 7) - 3;
      expected[i] = (x[i] + y[i] * 2 - x[i] / 4) * -(x[i] - y[i]);
    }
    const ndarray a = array(x), b = array(y);
    expect_elements<double>((a + b * 2 - a / 4) * -(a - b), {n}, expected);
    expect_elements<double>(a, {n}, x);
    expect_elements<double>(b, {n}, y);
  }
}

TEST_P(Temporaries, EveryDtype) {
  for (const dtype type :
       {float16, bfloat16_, float32, float64, complex64, complex128, int8, uint8, int32, uint64}) {
    const ndarray a = arange(6, type);
    const ndarray result = a * 2 + a * a - a;
    EXPECT_EQ(result.dtype(), type);
    expect_elements<double>(real(result).astype(float64), {6}, {0, 2, 6, 12, 20, 30});
    expect_elements<double>(real(a).astype(float64), {6}, {0, 1, 2, 3, 4, 5});
  }
}

TEST_P(Temporaries, OtherNamesKeepTheirElements) {
  {
    ndarray a = made({1, 2, 3});
    const ndarray b = a;
    const ndarray result = std::move(a) + 1;
    expect_kept<double>(result, a, {1, 2, 3});
    expect_elements<double>(b, {3}, {1, 2, 3});
  }
  {
    ndarray a = made({1, 2, 3});
    const ndarray part = a(slice(1, 3));
    const ndarray result = -std::move(a);
    expect_kept<double>(result, a, {1, 2, 3});
    expect_elements<double>(part, {2}, {2, 3});
  }
  {
    ndarray a = made({1, 2, 3, 4}).reshape({2, 2});
    const ndarray whole = a.base();
    const ndarray result = a.T() + std::move(a);
    expect_kept<double>(result, a, {1, 2, 3, 4});
    expect_elements<double>(result, {2, 2}, {2, 5, 5, 8});
    expect_elements<double>(whole, {4}, {1, 2, 3, 4});
  }
  const std::vector<ndarray> kept{made({1, 2}), made({3, 4})};
  const auto element = [&](int i) { return kept[static_cast<std::size_t>(i)]; };
  expect_elements<double>(element(0) * 2 + element(1), {2}, {5, 8});
  expect_elements<double>((true ? kept[0] : made({0, 0})) - 1, {2}, {0, 1});
  expect_elements<double>(kept[0], {2}, {1, 2});
}

TEST_P(Temporaries, PartsAreNotTaken) {
  const ndarray a = made({1, 2, 3, 4});
  expect_elements<double>(a(slice(0, 2)) + 1, {2}, {2, 3});
  expect_elements<double>(-a(slice(2, 4)), {2}, {-3, -4});
  expect_elements<double>(a(array({0, 3})) * 2, {2}, {2, 8});
  expect_elements<double>(1 - a(a > 2), {2}, {-2, -3});
  expect_elements<double>(a(0) + a(1) * 2, {}, {5});
  expect_elements<double>(ndarray(a(1)) - 5, {}, {-3});
  expect_elements<double>(ndarray(a(slice(1, 3))) - 5, {2}, {-3, -2});
  expect_elements<double>(a.reshape({2, 2}) + 1, {2, 2}, {2, 3, 4, 5});
  expect_elements<double>(broadcast_to(a, {2, 4}) + 1, {2, 4}, {2, 3, 4, 5, 2, 3, 4, 5});
  expect_elements<double>(a.T() * 3, {4}, {3, 6, 9, 12});
  expect_elements<double>(a, {4}, {1, 2, 3, 4});
}

TEST_P(Temporaries, SelectionsKeepWhatTheyChose) {
  ndarray a = made({1, 2, 3, 4});
  const auto chosen = a(array({0, 3}));
  expect_kept<double>(std::move(a) + 1, a, {1, 2, 3, 4});
  expect_elements<double>(chosen, {2}, {1, 4});
  // An index that a selection waits with.
  ndarray index = array({1, 2});
  const auto by_index = a(index);
  expect_kept<std::int64_t>(std::move(index) - 1, index, {1, 2});
  expect_elements<double>(by_index, {2}, {2, 3});
  // A selection that has no name yet, and one that has its elements.
  ndarray copy = a(array({1, 1}));
  expect_elements<double>(std::move(copy) + 1, {2}, {3, 3});
  expect_elements<double>(a, {4}, {1, 2, 3, 4});
}

TEST_P(Temporaries, ShapesThatGrowAreNew) {
  ndarray row = made({1, 2, 3});
  const ndarray wide = made({1, 2, 3, 4, 5, 6}).reshape({2, 3}).copy();
  const ndarray result = std::move(row) + wide;
  expect_kept<double>(result, row, {1, 2, 3});
  expect_elements<double>(result, {2, 3}, {2, 4, 6, 5, 7, 9});
  ndarray column = array({{1.0}, {2.0}});
  expect_elements<double>(std::move(column) - row, {2, 3}, {0, -1, -2, 1, 0, -1});
  expect_elements<double>(column, {2, 1}, {1, 2});
}

TEST_P(Temporaries, AShapeThatStaysIsTaken) {
  const ndarray row = made({1, 2, 3}), column = array({{1.0}, {2.0}});
  ndarray t = array({{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}});
  const void* place = t.elements();
  const ndarray sum = std::move(t) + row;
  expect_taken(sum, t, place);
  expect_elements<double>(sum, {2, 3}, {2, 4, 6, 5, 7, 9});
  expect_elements<double>(column - (sum + 0) * row, {2, 3}, {-1, -7, -17, -3, -12, -25});
  expect_elements<double>(sum, {2, 3}, {2, 4, 6, 5, 7, 9});
  ndarray u = array({{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}});
  place = u.elements();
  const ndarray with_integers = std::move(u) * array({1, 0, 2});
  expect_taken(with_integers, u, place);
  expect_elements<double>(with_integers, {2, 3}, {1, 0, 6, 4, 0, 12});
}

TEST_P(Temporaries, ADtypeThatChangesIsNew) {
  ndarray t = array({1, 2, 3});
  const ndarray half = std::move(t) / 2;
  expect_kept<std::int64_t>(half, t, {1, 2, 3});
  expect_elements<double>(half, {3}, {0.5, 1, 1.5});
  const ndarray sum = std::move(t) + 0.5;
  expect_kept<std::int64_t>(sum, t, {1, 2, 3});
  expect_elements<double>(sum, {3}, {1.5, 2.5, 3.5});
  ndarray narrow = array({1, 2, 3}, float32);
  const ndarray wide = std::move(narrow) * made({1, 2, 3});
  EXPECT_EQ(wide.dtype(), float64);
  expect_kept<float>(wide, narrow, {1, 2, 3});
  ndarray whole = array({1, 2, 3});
  EXPECT_EQ((std::move(whole) + std::complex<double>(0, 1)).dtype(), complex128);
  expect_elements<std::int64_t>(whole, {3}, {1, 2, 3});
}

TEST_P(Temporaries, KeepTheLayout) {
  const ndarray b = ones({3, 2});
  ndarray t = array({{1.0, 2.0}, {3.0, 4.0}, {5.0, 6.0}}).copy(Order::F);
  const ndarray other = t.copy(Order::F);
  const Strides as_new = (b + other).strides(), alike = (other + other).strides();
  EXPECT_EQ((b + std::move(t)).strides(), as_new);
  t = other.copy(Order::F);
  EXPECT_EQ((std::move(t) + other).strides(), alike);
  t = other.copy(Order::F);
  EXPECT_EQ((-std::move(t)).strides(), alike);
  // One of another order beside them decides with them.
  ndarray c = b.copy();
  EXPECT_EQ((std::move(c) + other).strides(), as_new);
}

TEST_P(Temporaries, ErrorsLeaveTheNameAsItWas) {
  ndarray t = made({1, 2, 3});
  expect_error<ShapeError>([&] { static_cast<void>(std::move(t) + made({1, 2})); }, "(3,)");
  expect_elements<double>(t, {3}, {1, 2, 3});
  expect_error<TypeError>([&] { static_cast<void>(std::move(t) + ndarray()); }, "None");
  expect_error<TypeError>([&] { static_cast<void>(ndarray() - std::move(t)); }, "None");
  expect_error<TypeError>([&] { static_cast<void>(-ndarray()); }, "None");
  expect_elements<double>(t, {3}, {1, 2, 3});
  ndarray small = array({1, 2}, uint8);
  expect_error<Error>([&] { static_cast<void>(std::move(small) + 300); }, "300");
  expect_elements<int>(small, {2}, {1, 2});
  ndarray truths = array({true, false});
  expect_error<DtypeError>([&] { static_cast<void>(std::move(truths) - true); }, "subtract");
  expect_error<DtypeError>([&] { static_cast<void>(-std::move(truths)); }, "negative");
  expect_elements<bool>(truths, {2}, {true, false});
  // What a name has lost is None: an error, never another number.
  const ndarray sum = std::move(t) + 1;
  expect_error<TypeError>([&] { static_cast<void>(t + 1); }, "None");
}

TEST_P(Temporaries, OthersThatSeeTheMemory) {
  ndarray t = made({1, 2, 3});
  static_cast<void>(t.data());
  expect_kept<double>(std::move(t) + 1, t, {1, 2, 3});
  ndarray fixed = made({1, 2, 3});
  fixed.set_writeable(false);
  expect_kept<double>(std::move(fixed) + 1, fixed, {1, 2, 3});
}

TEST(TemporariesOfTheHost, MemoryOfOthersIsNotTaken) {
  std::vector<double> values{1, 2, 3};
  expect_elements<double>(from_host_buffer(std::span(values)) * 2, {3}, {2, 4, 6});
  expect_elements<double>(-from_host_buffer(std::span(values)), {3}, {-1, -2, -3});
  EXPECT_EQ(values, (std::vector<double>{1, 2, 3}));
}

TEST_P(Temporaries, AComparisonIsForgotten) {
  const ndarray a = made({1, 2, 3});
  // A sum of truth values is no comparison, which `< 3` would refuse.
  expect_elements<bool>(((a < 2) + (a > 2)) < 3, {3}, {true, true, true});
  expect_elements<bool>((a < 2) * (a > 0), {3}, {true, false, false});
}

TEST_P(Temporaries, AlgorithmsMoveTheirSums) {
  const std::vector<ndarray> terms{made({1, 2}), made({3, 4}), made({5, 6})};
  const ndarray start = zeros(2);
  expect_elements<double>(std::accumulate(terms.begin(), terms.end(), start), {2}, {9, 12});
  std::vector<ndarray> sums(3), differences(3);
  std::partial_sum(terms.begin(), terms.end(), sums.begin());
  expect_elements<double>(sums[0], {2}, {1, 2});
  expect_elements<double>(sums[1], {2}, {4, 6});
  expect_elements<double>(sums[2], {2}, {9, 12});
  std::adjacent_difference(sums.begin(), sums.end(), differences.begin());
  expect_elements<double>(differences[1], {2}, {3, 4});
  expect_elements<double>(differences[2], {2}, {5, 6});
  expect_elements<double>(sums[1], {2}, {4, 6});
  expect_elements<double>(start, {2}, {0, 0});
}

TEST_P(Temporaries, OfAnotherStreamAreNotTaken) {
  if (device().is_cpu()) return;
  const cuda::Stream stream;
  ndarray t = made({1, 2, 3});
  const cuda::StreamScope scope(stream);
  expect_kept<double>(std::move(t) + 1, t, {1, 2, 3});
}

TEST_P(Temporaries, OfBeforeACaptureAreNotTaken) {
  if (device().is_cpu()) return;
  const cuda::Stream stream({.non_blocking = true});
  const cuda::StreamScope scope(stream);
  ndarray t = made({1, 2, 3}), result;
  static_cast<void>(t * 2 + 1);
  const cuda::Graph graph = cuda::Graph::capture([&] { result = std::move(t) * 2 + 1; });
  for (int run = 0; run < 2; ++run) {
    graph.launch();
    expect_kept<double>(result + 0, t, {1, 2, 3});
    expect_elements<double>(result, {3}, {3, 5, 7});
  }
}

}  // namespace
}  // namespace cupyxx
// NOLINTEND(bugprone-use-after-move,clang-analyzer-cplusplus.Move)
