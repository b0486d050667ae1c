// SPDX-License-Identifier: MIT
// Parts of results without a name: they outlive the list they came in, and have names as Python's
// tuples give them. The texts are what NumPy 1.24 prints.
#include <gtest/gtest.h>

#include <concepts>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "cupyxx/cupyxx.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx {
namespace {

using testing::expect_error;

class Parts : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(Parts);

std::string printed(const auto& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

/// What a loop over a part sees, each element in parentheses.
#define WALK(...)                                      \
  [&] {                                                \
    std::ostringstream out;                            \
    for (auto x : __VA_ARGS__) out << '(' << x << ')'; \
    return out.str();                                  \
  }()

TEST_P(Parts, ResultsArePrinted) {
  const ndarray v = array({2., 0., 2.}), d = array({{3., 0.}, {0., 2.}});
  EXPECT_EQ(printed(unique(v, {.return_counts = true})), "[array([0., 2.]), array([1, 2])]");
  EXPECT_EQ(printed(unique(v, true)), "[array([0., 2.]), array([1, 0])]");
  EXPECT_EQ(printed(histogram(v, 2)), "[array([1, 2]), array([0., 1., 2.])]");
  EXPECT_EQ(printed(divmod(v, 2)), "[array([1., 0., 1.]), array([0., 0., 0.])]");
  EXPECT_EQ(printed(linalg::slogdet(eye(2))), "[array(1.), array(0.)]");
  EXPECT_EQ(printed(linalg::eigh(d)).substr(0, 16), "[array([2., 3.])");
  EXPECT_EQ(
      printed(d.T().flags()),
      "  C_CONTIGUOUS : False\n  F_CONTIGUOUS : True\n  OWNDATA : False\n  WRITEABLE : True\n");
}

TEST_P(Parts, LoopsWalkOverPartsOfTemporaries) {
  const ndarray a = arange(4.0), m = arange(4).reshape({2, 2});
  EXPECT_EQ(WALK(split(a, 2)[1]), "(2.0)(3.0)");
  EXPECT_EQ(WALK(array_split(a, 3).front()), "(0.0)(1.0)");
  EXPECT_EQ(WALK(vsplit(m, 2)[1]), "([2 3])");
  EXPECT_EQ(WALK(hsplit(m, 2).back()), "([1])([3])");
  EXPECT_EQ(WALK(gradient(a)[0]), "(1.0)(1.0)(1.0)(1.0)");
  EXPECT_EQ(WALK(unravel_index(array({1, 3}), {2, 2}).at(1)), "(1)(1)");
  EXPECT_EQ(WALK(ogrid(slice(0, 2), slice(0, 3))[1]), "([0 1 2])");
  EXPECT_EQ(WALK(ix_({0, 1}, {1, 0})[0]), "([0])([1])");
  EXPECT_EQ(WALK(indices_sparse({2, 1})[0]), "([0])([1])");
  EXPECT_EQ(WALK(diag_indices(3)[1]), "(0)(1)(2)");
  EXPECT_EQ(WALK(diag_indices_from(m)[1]), "(0)(1)");
  EXPECT_EQ(WALK(tril_indices(2)[1]), "(0)(0)(1)");
  EXPECT_EQ(WALK(mask_indices(2, triu)[0]), "(0)(0)(1)");
  EXPECT_EQ(WALK(meshgrid(a, array({5, 6}))[1].ravel()), "(5)(5)(5)(5)(6)(6)(6)(6)");
  EXPECT_EQ(WALK(meshgrid({a, a})[0](0)), "(0.0)(1.0)(2.0)(3.0)");
  EXPECT_EQ(WALK(broadcast_arrays(array({1, 2}), array(3))[1]), "(3)(3)");
  EXPECT_EQ(WALK(broadcast(array({1, 2}), array({3})).values()[1]), "(3)(3)");
  EXPECT_EQ(WALK(atleast_1d(array({1, 2}), a)[0]), "(1)(2)");
  EXPECT_EQ(WALK(unstack(m)[1]), "(2)(3)");
  EXPECT_EQ(WALK(unpack<2>(m)[1]), "(2)(3)");
  EXPECT_EQ(WALK(divmod(a, 3)[1]), "(0.0)(1.0)(2.0)(0.0)");
  EXPECT_EQ(WALK(std::get<0>(divmod(a, 3))), "(0.0)(0.0)(0.0)(1.0)");
  EXPECT_EQ(WALK(modf(array({1.5, 2.25}))[0]), "(0.5)(0.25)");
  EXPECT_EQ(WALK(frexp(array({8., 3.}))[1]), "(4)(2)");
  EXPECT_EQ(WALK(unique(a, {.return_counts = true})[1]), "(1)(1)(1)(1)");
  EXPECT_EQ(WALK(unique(a, {.return_counts = true}).counts), "(1)(1)(1)(1)");
  EXPECT_EQ(WALK(histogramdd(array({{0., 0.}, {1., 1.}}), {.bins = 2}).edges[1]),
            "(0.0)(0.5)(1.0)");
}

TEST_P(Parts, ElementsOfTemporariesAreArraysOfTheirOwn) {
  static_assert(std::same_as<decltype(split(ndarray(), 2)[0]), ndarray>);
  static_assert(std::same_as<decltype(meshgrid(ndarray(), ndarray()).front()), ndarray>);
  static_assert(std::same_as<decltype(std::get<0>(divmod(1, 2))), ndarray>);
  Arrays parts = split(arange(4), 2);
  static_assert(std::same_as<decltype(parts[0]), ndarray&>);
  parts[0](0) = 7;
  EXPECT_EQ(printed(parts[0]), "[7 1]");
  EXPECT_EQ(printed(split(arange(4), 2)[-1]), "[2 3]");
  EXPECT_EQ(printed(meshgrid(arange(2), arange(1))[-1]), "[[0 0]]");
  expect_error<IndexError>([&] { parts[2](0) = 1; }, "list: index 2 is out of bounds for 2 arrays");
  expect_error<IndexError>([] { gradient(arange(3.0))[-2].sum(); },
                           "list: index -2 is out of bounds for 1 arrays");
  expect_error<IndexError>([] { divmod(7, 2)[2].sum(); },
                           "list: index 2 is out of bounds for 2 arrays");
  const std::vector<ndarray> list = split(arange(4), 2);
  EXPECT_EQ(printed(list), "[array([0, 1]), array([2, 3])]");
  const std::vector rows{parts, split(arange(4), 2)};
  EXPECT_EQ(printed(block(rows)), "[[7 1 2 3]\n [0 1 2 3]]");
  Arrays grid = meshgrid(array({1}), array({2, 3}));
  EXPECT_EQ(printed(grid.back()), "[[2]\n [3]]");
}

TEST_P(Parts, TwoHaveNames) {
  const ndarray m = array({{1., 2., 4.}, {3., 5., 9.}});
  const auto [gy, gx] = gradient(m);
  EXPECT_EQ(printed(gy), "[[2. 3. 5.]\n [2. 3. 5.]]");
  EXPECT_EQ(printed(gx), "[[1.  1.5 2. ]\n [2.  3.  4. ]]");
  const auto [i, j] = nonzero(m > 3);
  EXPECT_EQ(printed(i), "[0 1 1]");
  EXPECT_EQ(printed(j), "[2 1 2]");
  const auto [row, column] = unravel_index(argmax(m), m.shape());
  EXPECT_EQ(row.item<int>() * 10 + column.item<int>(), 12);
  const auto [head, tail] = split(arange(5), {2});
  EXPECT_EQ(printed(head), "[0 1]");
  EXPECT_EQ(printed(tail), "[2 3 4]");
  Arrays pair = hsplit(m, {1});
  auto& [left, right] = pair;
  left(0) = 0;
  EXPECT_EQ(printed(pair[0]), "[[0.]\n [3.]]");
  EXPECT_EQ(right.shape(), (Shape{2, 2}));
  expect_error<ValueError>([] { const auto [x, y] = gradient(arange(3.0)); },
                           "unpack: 2 arrays are wanted, there are 1");
  expect_error<ValueError>([] { const auto [x, y] = split(arange(3.0), 3); },
                           "unpack: 2 arrays are wanted, there are 3");
}

TEST_P(Parts, UniqueHasThoseThatAreNamed) {
  const ndarray a = array({3, 1, 3, 2});
  const auto [u, counts] = unique(a, {.return_counts = true});
  EXPECT_EQ(printed(u) + printed(counts), "[1 2 3][1 1 2]");
  const auto [v, inverse] = unique(a, {.return_inverse = true});
  EXPECT_EQ(printed(v) + printed(inverse), "[1 2 3][2 0 2 1]");
  const auto [w, index] = unique(a, {.return_index = true});
  EXPECT_EQ(printed(w) + printed(index), "[1 2 3][1 3 0]");
  const auto [x, at, often] = unique(a, {.return_index = true, .return_counts = true});
  EXPECT_EQ(printed(x) + printed(at) + printed(often), "[1 2 3][1 3 0][1 1 2]");
  const auto [y, back, times] = unique(a, {.return_inverse = true, .return_counts = true});
  EXPECT_EQ(printed(y) + printed(back) + printed(times), "[1 2 3][2 0 2 1][1 1 2]");
  const auto [z, first, which] = unique(a, {.return_index = true, .return_inverse = true});
  EXPECT_EQ(printed(z) + printed(first) + printed(which), "[1 2 3][1 3 0][2 0 2 1]");
  const auto [all, p, q, r] =
      unique(a, {.return_index = true, .return_inverse = true, .return_counts = true});
  EXPECT_EQ(printed(all) + printed(p) + printed(q) + printed(r), "[1 2 3][1 3 0][2 0 2 1][1 1 2]");
  const auto [rows, lines] = unique({{1, 2}, {1, 2}, {0, 2}}, {.return_counts = true, .axis = 0});
  EXPECT_EQ(printed(rows) + printed(lines), "[[0 2]\n [1 2]][1 2]");
  const UniqueResult found = unique(a, {.return_counts = true});
  EXPECT_TRUE(found.index.is_none() && found.inverse.is_none());
  EXPECT_EQ(printed(found[1]), "[1 1 2]");
  EXPECT_EQ(printed(unique(array({nan, nan}), {.equal_nan = false}).values), "[nan nan]");
  const bool wanted = false;
  EXPECT_TRUE(unique(a, {.return_counts = wanted}).counts.is_none());
}

}  // namespace
}  // namespace cupyxx
