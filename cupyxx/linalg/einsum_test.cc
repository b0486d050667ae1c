// SPDX-License-Identifier: MIT
// Einstein's notation; the expectations are NumPy's.
#include <gtest/gtest.h>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/linalg.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx {
namespace {

using testing::expect_elements;
using testing::expect_error;

class Einsum : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(Einsum);

ndarray numbers(const Shape& shape) {
  return (arange(shape.element_count(), float64)).reshape(shape);
}

TEST_P(Einsum, OneOperand) {
  const ndarray a = numbers({3, 3}), b = numbers({2, 3, 3}), c = numbers({2, 3, 4});
  expect_elements<double>(einsum("ii", {a}), {}, {12});
  expect_elements<double>(einsum("ii->i", {a}), {3}, {0, 4, 8});
  expect_elements<double>(einsum("ij->ji", {a}), {3, 3}, {0, 3, 6, 1, 4, 7, 2, 5, 8});
  expect_elements<double>(einsum("ba", {a}), {3, 3}, {0, 3, 6, 1, 4, 7, 2, 5, 8});
  expect_elements<double>(einsum("...ii->...i", {b}), {2, 3}, {0, 4, 8, 9, 13, 17});
  expect_elements<double>(einsum("ijj", {b}), {2}, {12, 39});
  expect_elements<double>(einsum("ijk->k", {c}), {4}, {60, 66, 72, 78});
  expect_elements<double>(einsum("ijk->", {c}), {}, {276});
  expect_elements<double>(einsum("i...->...", {c}), {3, 4},
                          {12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34});
  expect_elements<double>(einsum("iii->i", {numbers({2, 2, 2})}), {2}, {0, 7});
}

TEST_P(Einsum, TwoOperands) {
  const ndarray m = numbers({3, 4}), n = numbers({4, 5}), v = numbers({4});
  const ndarray s = numbers({2, 3, 4}), t = numbers({2, 4, 5}), o = numbers({1, 4, 5});
  expect_elements<double>(einsum("ij,jk->ik", {m, n}), {3, 5},
                          {70, 76, 82, 88, 94, 190, 212, 234, 256, 278, 310, 348, 386, 424, 462});
  expect_elements<double>(einsum("ij,jk", {m, n}), {3, 5},
                          {70, 76, 82, 88, 94, 190, 212, 234, 256, 278, 310, 348, 386, 424, 462});
  expect_elements<double>(einsum("ij, jk -> ki", {m, n}), {5, 3},
                          {70, 190, 310, 76, 212, 348, 82, 234, 386, 88, 256, 424, 94, 278, 462});
  expect_elements<double>(einsum("ij,j", {m, v}), {3}, {14, 38, 62});
  expect_elements<double>(einsum("i,i", {v, v}), {}, {14});
  expect_elements<double>(einsum("i,j->ji", {v, v}), {4, 4},
                          {0, 0, 0, 0, 0, 1, 2, 3, 0, 2, 4, 6, 0, 3, 6, 9});
  expect_elements<double>(einsum("i,i->i", {v, v}), {4}, {0, 1, 4, 9});
  expect_elements<double>(
      einsum("bij,bjk->bik", {s, t}), {2, 3, 5},
      {70,   76,   82,   88,   94,   190,  212,  234,  256,  278,  310,  348,  386,  424,  462,
       1510, 1564, 1618, 1672, 1726, 1950, 2020, 2090, 2160, 2230, 2390, 2476, 2562, 2648, 2734});
  expect_elements<double>(einsum("bij,bjk->k", {s, t}), {5}, {6420, 6696, 6972, 7248, 7524});
  expect_elements<double>(
      einsum("...ij,...jk->...ik", {s, o}), {2, 3, 5},
      {70,  76,  82,  88,  94,  190, 212, 234, 256, 278, 310, 348, 386, 424, 462,
       430, 484, 538, 592, 646, 550, 620, 690, 760, 830, 670, 756, 842, 928, 1014});
  expect_elements<double>(
      einsum("...ij,jk", {s, n}), {2, 3, 5},
      {70,  76,  82,  88,  94,  190, 212, 234, 256, 278, 310, 348, 386, 424, 462,
       430, 484, 538, 592, 646, 550, 620, 690, 760, 830, 670, 756, 842, 928, 1014});
  expect_elements<double>(einsum("...,...", {m, v}), {3, 4},
                          {0, 1, 4, 9, 0, 5, 12, 21, 0, 9, 20, 33});
  expect_elements<double>(einsum("ijk,ijk->j", {s, s}), {3}, {748, 1356, 2220});
  expect_elements<double>(einsum("ij,kl->", {m, n}), {}, {12540});
  expect_elements<double>(einsum("ii,ij->j", {numbers({3, 3}), m}), {4}, {80, 92, 104, 116});
}

TEST_P(Einsum, SeveralOperandsAndDtypes) {
  const ndarray m = arange(6).reshape({2, 3}), n = arange(12).reshape({3, 4});
  expect_elements<double>(einsum("ij,jk,ik->i", {m, n, ones({2, 4}, int64)}), {2}, {98, 296});
  expect_elements<double>(einsum("ij,jk,kl->il", {m, n, arange(8).reshape({4, 2})}), {2, 2},
                          {324, 422, 1008, 1304});
  EXPECT_EQ(einsum("ij,jk->ik", {m, n}).dtype(), int64);
  EXPECT_EQ(einsum("ij,jk->ik", {m.astype(float32), n.astype(float32)}).dtype(), float32);
}

TEST_P(Einsum, ReportsWhatDoesNotFit) {
  const ndarray a = numbers({2, 3});
  expect_error<ValueError>([&] { einsum("ij,jk", {a}); },
                           "einsum: 1 operands for 2 lists of subscripts; 'ij,jk'");
  expect_error<ValueError>([&] { einsum("i", {a}); },
                           "einsum: subscripts 'i' do not fit an operand of shape (2, 3); 'i'");
  expect_error<ValueError>([&] { einsum("ii", {a}); }, "a repeated subscript has two extents");
  expect_error<ValueError>(
      [&] {
        einsum("ij,ij", {a, numbers({3, 3})});
      },
      "one subscript has the extents 2 and 3");
  expect_error<ValueError>([&] { einsum("ij->k", {a}); },
                           "the result has a subscript 'k' that no operand has");
  expect_error<ValueError>([&] { einsum("i1", {a}); }, "invalid subscript '1'");
}

}  // namespace
}  // namespace cupyxx
