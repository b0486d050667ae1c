// SPDX-License-Identifier: MIT
// A named selection is a copy, whatever happens to the array or the index afterwards; so is a named
// element.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <thread>
#include <type_traits>
#include <vector>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/interop.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/random.h"
#include "cupyxx/reduction.h"
#include "cupyxx/statistics.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx {
namespace {

using testing::expect_elements;
using testing::expect_error;

class NamedSelection : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(NamedSelection);

// `s = 0` and `s = t` do not compile, `a(i) = 0` does.
static_assert(!std::is_assignable_v<Selection&, int>);
static_assert(!std::is_assignable_v<Selection&, ndarray>);
static_assert(!std::is_assignable_v<Selection&, Selection>);
static_assert(std::is_assignable_v<Selection, int>);
static_assert(std::is_assignable_v<Selection, Selection>);

TEST_P(NamedSelection, SwapsRows) {
  const ndarray a = arange(5), i = array({0, 1}), j = array({3, 4});
  auto old = a(i);
  a(i) = a(j);
  a(j) = old;
  expect_elements<int>(a, {5}, {3, 4, 2, 0, 1});
}

TEST_P(NamedSelection, KeepsWhatAMaskChose) {
  ndarray b = arange(4);
  auto big = b(b > 1);
  b *= 0;
  expect_elements<int>(big + 0, {2}, {2, 3});
  expect_elements<int>(big, {2}, {2, 3});
}

TEST_P(NamedSelection, DoesNotSeeItsIndexChange) {
  const ndarray a = arange(5) * 10, i = array({0, 1}), mask = a > 20;
  auto by_index = a(i);
  auto by_mask = a(mask);
  auto&& reference = a(i, newaxis);
  i += 2;
  mask.fill(false);
  expect_elements<int>(by_index, {2}, {0, 10});
  expect_elements<int>(by_mask, {2}, {30, 40});
  expect_elements<int>(reference, {2, 1}, {0, 10});
}

TEST_P(NamedSelection, ChangesAlone) {
  const ndarray a = arange(4);
  auto s = a(array({1, 2}));
  s += 100;
  s *= 2;
  s.fill(7);
  s(0) = 5;
  expect_elements<int>(s, {2}, {5, 7});
  expect_elements<int>(a, {4}, {0, 1, 2, 3});
  auto t = a(a > 1);
  // NOLINTNEXTLINE(performance-unnecessary-value-param): what is passed is a copy
  const auto change = [](Selection chosen) { chosen += 1; };
  change(t);
  expect_elements<int>(a, {4}, {0, 1, 2, 3});
}

TEST_P(NamedSelection, StatementsWriteToTheArray) {
  const ndarray a = arange(5);
  a(array({0, 1})) += 10;
  a(a > 10) *= 2;
  a(a == 2) = -2;
  a({3, 4}) -= 3;
  a.getitem(std::vector<Index>{slice(0, 1)}) += 5;
  expect_elements<int>(a, {5}, {15, 22, -2, 0, 1});
}

// Each way in which the library writes, with a selection that is not read until after it.
TEST_P(NamedSelection, IsTakenBeforeEveryWrite) {
  const std::vector<std::function<void(const ndarray&)>> writes = {
      [](const ndarray& a) { a.fill(-1); },
      [](const ndarray& a) { a(slice(0, 3)) = -1; },
      [](const ndarray& a) { a(a > 0) = -1; },
      [](const ndarray& a) {
        a(array({1, 1, 2})) = array({7, 8, 9}).astype(a.dtype());
      },
      [](const ndarray& a) { a.T() += 1; },
      [](const ndarray& a) { add(a, 1, {.out = a}); },
      [](const ndarray& a) {
        add.at(a, array({1, 2}), 5);
      },
      [](const ndarray& a) {
        sum(a.reshape({1, 6}), 0, {.out = a});
      },
      [](const ndarray& a) { cumsum(a, 0, {.out = a}); },
      [](const ndarray& a) { copyto(a, zeros({6})); },
      [](const ndarray& a) { put(a, array({1}), 9); },
      [](const ndarray& a) { put_along_axis(a, array({1}), 9, 0); },
      [](const ndarray& a) { putmask(a, a > 0, zeros({6})); },
      [](const ndarray& a) {
        place(a, a > 0, array({9.0, 8.0}));
      },
      [](const ndarray& a) {
        fill_diagonal(a.reshape({2, 3}), 9);
      },
      [](const ndarray& a) {
        (-a).sort();
        a *= -1;
        a.sort();
      },
      [](const ndarray& a) { a.set(zeros({6})); },
      [](const ndarray& a) {
        take(a, array({5, 4, 3, 2, 1, 0}), 0, {.out = a});
      },
      [](const ndarray& a) { random::rand({6}, {.out = a}); },
      [](const ndarray& a) {
        random::shuffle(a);
        a += 1;
      },
  };
  for (std::size_t k = 0; k < writes.size(); ++k) {
    const ndarray a = arange(6.0);
    const auto odd = a(array({1, 3, 5}));
    const auto large = a(a > 2);
    writes[k](a);
    expect_elements<double>(odd, {3}, {1, 3, 5});
    expect_elements<double>(large, {3}, {3, 4, 5});
    EXPECT_FALSE(HasFailure()) << "write " << k;
  }
}

TEST_P(NamedSelection, IsTakenBeforeUnseenWrites) {
  const ndarray a = arange(4), b = arange(4);
  auto before = a(array({1, 2}));
  void* const address = a.data();
  static_cast<void>(address);
  auto after = a(array({2, 3}));  // of memory that somebody may write to
  auto shown = b(array({1, 2}));
  const ndarray twin = from_dlpack(to_dlpack(b));
  auto later = b(array({0, 1}));
  twin += 10;
  a += 10;
  expect_elements<int>(before, {2}, {1, 2});
  expect_elements<int>(after, {2}, {2, 3});
  expect_elements<int>(shown, {2}, {1, 2});
  expect_elements<int>(later, {2}, {0, 1});
  b(array({0, 1})) = 5;  // still a statement
  expect_elements<int>(b, {4}, {5, 5, 12, 13});
}

TEST(NamedSelectionOnHost, DoesNotSeeWritesThroughSpans) {
  const ndarray a = arange(4);
  auto before = a(array({1, 2}));
  const auto elements = a.span<std::int64_t>();
  elements[1] = 100;
  auto after = a(array({1, 2}));
  elements[2] = 100;
  expect_elements<int>(before, {2}, {1, 2});
  expect_elements<int>(after, {2}, {100, 2});
}

TEST_P(NamedSelection, HasTheMethodsOfArrays) {
  const ndarray a = arange(6).reshape({2, 3});
  auto s = a(a > 1);
  EXPECT_EQ(s.shape(), Shape{4});
  EXPECT_EQ(s.sum().item<int>(), 14);
  EXPECT_EQ(s.dtype(), int64);
  EXPECT_EQ(s.device(), a.device());
  expect_elements<int>(s(slice(0, 2)), {2}, {2, 3});
  expect_elements<int>(s.reshape({2, 2}).T(), {2, 2}, {2, 4, 3, 5});
  expect_elements<int>(a(a > 1)(array({0, -1})), {2}, {2, 5});
  std::vector<int> seen;
  for (const int x : s) seen.push_back(x);
  EXPECT_EQ(seen, (std::vector<int>{2, 3, 4, 5}));
  const ndarray kept = a(a > 4);
  EXPECT_FALSE(kept.shares_memory(a));
}

TEST_P(NamedSelection, TakesListsOfNumbers) {
  const ndarray a = arange(6).reshape({3, 2});
  expect_elements<int>(a({0, 2}), {2, 2}, {0, 1, 4, 5});
  expect_elements<int>(a(std::vector{2, 0}), {2, 2}, {4, 5, 0, 1});
  expect_elements<int>(a(std::vector<bool>{true, false, false}), {1, 2}, {0, 1});
  expect_elements<int>(a(slice(), {1, 1}), {3, 2}, {1, 1, 3, 3, 5, 5});
  expect_elements<int>(a({0, 1}, 1), {2}, {1, 3});
  a({0, 2}) = -1;
  expect_elements<int>(a, {3, 2}, {-1, -1, 2, 3, -1, -1});
}

TEST_P(NamedSelection, OutlivesItsArray) {
  const auto make = [] {
    const ndarray a = arange(5) * 2;
    return a(array({4, 0}));
  };
  expect_elements<int>(make(), {2}, {8, 0});
  const std::vector<ndarray> many = {arange(3)(array({1})), arange(3)(arange(3) > 1)};
  expect_elements<int>(many[1], {1}, {2});
}

TEST(NamedSelectionOnHost, SaysWhatIsWrongWhereItIsRead) {
  const ndarray a = arange(3);
  auto s = a(array({0, 7}));
  a += 1;  // takes it; the error waits for who reads it
  const char* const message = "getitem: index 7 is out of bounds for axis 0 with size 3";
  expect_error<IndexError>([&] { s.sum(); }, message);
  expect_error<IndexError>([&] { s.shape(); }, message);
  expect_error<IndexError>([&] { const ndarray copy = s; }, message);
}

TEST(NamedSelectionOnHost, IsTakenOnceByManyThreads) {
  for (int round = 0; round < 200; ++round) {
    const ndarray a = arange(1000);
    const auto s = a(arange(0, 1000, 2));
    std::vector<std::thread> threads;
    for (int k = 0; k < 4; ++k) {
      threads.emplace_back([&, copy = s] { EXPECT_EQ(copy.sum().item<int>(), 249500); });
    }
    a += 1;
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(s.sum().item<int>(), 249500);
  }
}

// A single element that integers name is NumPy's number on the host, CuPy's view on a device.
class NamedElement : public testing::DeviceTest {
 protected:
  bool is_number() const { return device().is_cpu(); }
};
CUPYXX_TEST_ON_DEVICES(NamedElement);

TEST_P(NamedElement, OfAnArrayOnADeviceIsAView) {
  if (is_number()) return;  // the tests below
  const ndarray a = arange(3);
  auto t = a(1);
  a(1) = 7;
  EXPECT_EQ(t.item<int>(), 7);
  t += 1;
  expect_elements<int>(a, {3}, {0, 8, 2});
}

TEST_P(NamedElement, IsExchanged) {
  if (!is_number()) return;
  const ndarray a = arange(5);
  auto t = a(1);
  a(1) = a(3);
  a(3) = t;
  expect_elements<int>(a, {5}, {0, 3, 2, 1, 4});
  const ndarray m = arange(6.0).reshape({2, 3});
  auto corner = m(0, 2);
  m(0, 2) = m(-1, 0);
  m(-1, 0) = corner;
  expect_elements<double>(m, {2, 3}, {0, 1, 3, 2, 4, 5});
}

TEST_P(NamedElement, IsInserted) {
  if (!is_number()) return;
  const ndarray a = array({5, 2, 4, 6, 1, 3});
  for (int i = 1; i < a.len(); ++i) {
    auto key = a(i);
    int j = i - 1;
    for (; j >= 0 && a(j) > key; --j) a(j + 1) = a(j);
    a(j + 1) = key;
  }
  expect_elements<int>(a, {6}, {1, 2, 3, 4, 5, 6});
}

double twice(const ndarray& x) { return (x + x).item<double>(); }
double half_of(auto x) { return x / 2; }

TEST_P(NamedElement, IsWhatItWasWhereverItIsRead) {
  if (!is_number()) return;
  for (const dtype type : {float64, float32, int8, uint64, float16, complex128}) {
    const ndarray a = arange(4).astype(type);
    auto t = a(3);
    const auto& r = a(2);
    const ndarray held = t;
    std::vector<ndarray> list{t};
    auto copied = t;  // NOLINT(performance-unnecessary-copy-initialization)
    auto late = [t] { return t + 0; };
    a *= 0;
    EXPECT_EQ(t.real().item<double>(), 3) << type.name();
    EXPECT_EQ(r.real().item<double>(), 2) << type.name();
    EXPECT_EQ(sum(list[0]).real().item<double>(), 3) << type.name();
    EXPECT_EQ(copied.real().item<double>() + held.real().item<double>(), 6) << type.name();
    EXPECT_EQ(late().real().item<double>(), 3) << type.name();
    expect_elements<int>(a.real(), {4}, {0, 0, 0, 0});
  }
  const ndarray a = arange(4.0);
  auto t = a(3);
  auto u = a(1);
  a.fill(7);
  const double number = t;
  EXPECT_EQ(number, 3);
  EXPECT_EQ(twice(t), 6);
  EXPECT_EQ(half_of(t), 1.5);
  EXPECT_EQ(t.str(), "3.0");
  EXPECT_TRUE(t > u && t == 3.0);
  EXPECT_EQ(expand_dims(t, 0).item<double>(), 3);
  const ndarray b = zeros(2);
  b(0) = t;
  expect_elements<double>(b, {2}, {3, 0});
}

TEST_P(NamedElement, IsWhatItWasWhenSomebodyWritesUnseen) {
  if (!is_number()) return;
  const ndarray a = arange(4.0);
  auto t = a(3);
  auto u = a(2);
  a.span<double>()[3] = 7;
  static_cast<double*>(a.data())[2] = 8;
  EXPECT_EQ(t.item<double>(), 3);
  EXPECT_EQ(u.item<double>(), 2);
  // Its own address is that of the array's element.
  auto v = a(1);
  *static_cast<double*>(v.data()) = 9;
  a(0).span<double>()[0] = 5;
  expect_elements<double>(a, {4}, {5, 9, 8, 7});
}

TEST_P(NamedElement, ChangesAlone) {
  const ndarray a = arange(4);
  auto t = a(3);
  if (is_number()) {
    t += 10;
    t *= 2;
    EXPECT_EQ(t.item<int>(), 26);
    expect_elements<int>(a, {4}, {0, 1, 2, 3});
  }
  // Statements write to the array, and so does what says that it means a place in it.
  a(3) += 10;
  a(-4) -= 1;
  expect_elements<int>(a, {4}, {-1, 1, 2, 13});
  auto place = a(1);
  place(ellipsis) = 5;
  EXPECT_EQ(place.item<int>(), 5);
  add(a(2), 1, {.out = a(2)});
  expect_elements<int>(a, {4}, {-1, 5, 3, 13});
  for (auto& x : a) x += 1;
  expect_elements<int>(a, {4}, {0, 6, 4, 14});
  // A part with axes is a view.
  const ndarray m = zeros({2, 2});
  auto row = m(0);
  row += 1;
  auto all = a(slice(3));
  all += 1;
  auto one = a(3, ellipsis);
  one += 1;
  expect_elements<int>(a, {4}, {1, 7, 5, 15});
  expect_elements<int>(m, {2, 2}, {1, 1, 0, 0});
}

TEST_P(NamedElement, ChangesAloneAsAnArray) {
  if (!is_number()) return;
  const ndarray a = arange(4);
  ndarray total = a(0);
  for (int i = 1; i < a.len(); ++i) total += a(i);
  EXPECT_EQ(total.item<int>(), 6);
  const auto grow = [](const ndarray& x) { x *= 10; };
  grow(a(3));
  const ndarray power = a(2);
  power.ipow(3);
  expect_elements<int>(a, {4}, {0, 1, 2, 3});
  // Statements and parts with axes write to the array.
  a(3).ifloordiv(2);
  View(a(2)) -= 5;
  grow(a(slice(0, 2)));
  expect_elements<int>(a, {4}, {0, 10, -3, 1});
  expect_error<TypeError>([] { ndarray() += 1; }, "add: ");
}

TEST_P(NamedElement, OfAnotherNameIsANumberOfItsOwn) {
  if (!is_number()) return;
  for (const dtype type : {float64, float32, int8, complex128}) {
    const ndarray a = arange(4).astype(type);
    auto t = a(3);
    auto u = t;  // NOLINT(performance-unnecessary-copy-initialization)
    a(3) = 7;
    auto v = t;  // NOLINT(performance-unnecessary-copy-initialization)
    u += 10;
    t *= 2;
    // Of one that has memory of its own.
    auto w = t;  // NOLINT(performance-unnecessary-copy-initialization)
    t -= 1;
    w *= 10;
    EXPECT_EQ(u.real().item<double>(), 13) << type.name();
    EXPECT_EQ(v.real().item<double>(), 3) << type.name();
    EXPECT_EQ(t.real().item<double>(), 5) << type.name();
    EXPECT_EQ(w.real().item<double>(), 60) << type.name();
    expect_elements<int>(a.real(), {4}, {0, 1, 2, 7});
  }
  std::vector<View> views;
  const ndarray a = arange(3);
  for (int i = 0; i < 3; ++i) views.push_back(a(i));
  a += 5;
  EXPECT_EQ(views[2].item<int>() - views[0].item<int>(), 2);
  EXPECT_EQ(View(View(ndarray())).handle(), nullptr);
}

TEST_P(NamedElement, OfALoopIsANumber) {
  const ndarray a = array({3, 1, 2});
  for (auto& x : a) x += 1;
  for (auto&& x : a) x += 1;
  expect_elements<int>(a, {3}, {5, 3, 4});
  if (!is_number()) return;
  int sum = 0;
  for (auto x : a) {
    x *= 2;
    sum += static_cast<int>(x);
  }
  EXPECT_EQ(sum, 24);
  for (auto row : a.reshape({1, 3})) {
    for (auto x : row) x += 1;
  }
  expect_elements<int>(a, {3}, {5, 3, 4});
  // What is kept of it, by whatever name, stays what it was.
  ndarray least = a(0);
  for (auto x : a) {
    if (x < least) least = x;
  }
  ndarray last;
  for (const auto& x : a) last = x;
  ndarray second;
  for (const ndarray& x : a) {
    second = x;
    if (x == 3) break;
  }
  const std::vector<ndarray> all(a.begin(), a.end());
  const auto largest = std::max_element(all.begin(), all.end());
  a.fill(0);
  EXPECT_EQ(least.item<int>(), 3);
  EXPECT_EQ(last.item<int>(), 4);
  EXPECT_EQ(second.item<int>(), 3);
  EXPECT_EQ(largest->item<int>(), 5);
  all[0] += 1;
  expect_elements<int>(a, {3}, {0, 0, 0});
}

TEST_P(NamedElement, OfALoopOverRowsIsAView) {
  const ndarray m = zeros({2, 2});
  for (auto row : m) row += 1;
  std::vector<ndarray> rows(m.begin(), m.end());
  rows[1] += 1;
  m(0) += 4;
  expect_elements<double>(m, {2, 2}, {5, 5, 2, 2});
  expect_elements<double>(rows[0], {2}, {5, 5});
}

TEST_P(NamedElement, OfAListIsOneToo) {
  const ndarray a = arange(5);
  const std::vector<Index> second{1}, fourth{3};
  a.getitem(second) = 7;
  a.getitem(second) += 1;
  a.getitem(fourth) = {9};
  expect_elements<int>(a, {5}, {0, 8, 2, 9, 4});
  if (!is_number()) return;
  auto t = a.getitem(second);
  a.getitem(second) = a.getitem(fourth);
  a.getitem(fourth) = t;
  expect_elements<int>(a, {5}, {0, 9, 2, 8, 4});
  auto alone = a.getitem(second);
  alone += 1;
  EXPECT_EQ(alone.item<int>(), 10);
  expect_elements<int>(a, {5}, {0, 9, 2, 8, 4});
}

TEST_P(NamedElement, OfAnArrayWithoutAxesIsTheArray) {
  const ndarray a = array(3);
  auto t = a(ellipsis);
  a.fill(5);
  EXPECT_EQ(t.item<int>(), 5);
}

TEST_P(NamedElement, IsReadByManyThreads) {
  const ndarray a = arange(4);
  auto t = a(3);
  if (!is_number()) return;
  a.fill(0);
  std::vector<std::thread> threads;
  std::vector<int> found(8);
  for (std::size_t i = 0; i < found.size(); ++i) {
    threads.emplace_back([&, i] { found[i] = t.item<int>(); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(found, std::vector<int>(8, 3));
}

}  // namespace
}  // namespace cupyxx
