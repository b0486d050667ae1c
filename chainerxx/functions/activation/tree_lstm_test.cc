// SPDX-License-Identifier: MIT
// Cells of trees against NumPy's numbers for the recurrences of their papers, and what they refuse.
#include "chainerxx/functions/activation/tree_lstm.h"

#include <gtest/gtest.h>

#include "chainerxx/functions/testing/refusals.h"
#include "cupyxx/creation.h"
#include "cupyxx/math.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx::functions {
namespace {

using cupyxx::testing::expect_allclose;
using testing::expect_refusals;
using testing::f32;
using testing::f64;
using testing::i32;

class TreeLSTMTest : public cupyxx::testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(TreeLSTMTest);

/// Eighths from -1 to 1 in an order of their own.
Variable eighths(const cupyxx::Shape& shape, int step) {
  const ndarray places = cupyxx::arange(shape.element_count()) * step;
  return Variable(((cupyxx::remainder(places, 17) - 8) / 8.0).reshape(shape));
}

TEST_P(TreeLSTMTest, TwoChildren) {
  const auto [c, h] = tree_lstm(eighths({2, 2}, 3), eighths({2, 2}, 5), eighths({2, 10}, 7));
  expect_allclose(c.data(),
                  cupyxx::array({{-1.424591928187548, -0.721486207054733},
                                 {-0.48767755891547543, 0.682343705810713}}),
                  1e-13);
  expect_allclose(h.data(),
                  cupyxx::array({{-0.5278009948193352, -0.18177455663756056},
                                 {-0.2946541799158335, 0.20676083797195277}}),
                  1e-13);
}

TEST_P(TreeLSTMTest, LeavesHaveNoForgetGates) {
  const auto [c, h] = tree_lstm(std::vector<Variable>(), eighths({2, 6}, 7));
  expect_allclose(
      c.data(),
      cupyxx::array({{-0.5172585281416178, -0.04694831545590539}, {0.0, 0.4381526114556267}}),
      1e-13);
  expect_allclose(
      h.data(),
      cupyxx::array({{-0.2818611920889374, -0.0138027577247752}, {0.0, 0.2189177443710544}}),
      1e-13);
}

TEST_P(TreeLSTMTest, PairsOfChildren) {
  const auto [c, h] =
      slstm(eighths({2, 2}, 3), eighths({2, 2}, 5), eighths({2, 8}, 7), eighths({2, 8}, 11));
  expect_allclose(c.data(),
                  cupyxx::array({{-1.894911719781904, -0.3792685178536581},
                                 {-0.5549405497031061, 0.9322924283582599}}),
                  1e-13);
  expect_allclose(h.data(),
                  cupyxx::array({{-0.5949464574539592, -0.26469587702242975},
                                 {-0.17579171923924827, 0.34299577736380926}}),
                  1e-13);
}

TEST_P(TreeLSTMTest, Refusals) {
  const Variable c = f32({2, 3}), x = f32({2, 15}), x4 = f32({2, 12});
  expect_refusals({
      {"another width",
       [=] {
         tree_lstm(c, c, f32({2, 14}));
       },
       "ShapeError", "tree_lstm: x is not (n, 5 units, ...); (2, 14)"},
      {"a vector as x", [=] { tree_lstm(c, f32({4})); }, "ShapeError",
       "tree_lstm: x is not (n, 4 units, ...); (4,)"},
      {"cells of another batch",
       [=] {
         tree_lstm(c, f32({1, 3}), x);
       },
       "ShapeError", "tree_lstm: cells do not fit x; (1, 3) instead of (2, 3)"},
      {"cells of another dtype",
       [=] {
         tree_lstm(c, f64({2, 3}), x);
       },
       "InvalidType", "Expect: in_types[0].dtype == in_types[1].dtype\nActual: float32 != float64"},
      {"integers",
       [=] {
         tree_lstm(i32({2, 3}), i32({2, 12}));
       },
       "InvalidType", "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"None as a child", [=] { tree_lstm(c, Variable(), x); }, "TypeError",
       "tree_lstm: input 1 is None"},
      {"None as x",
       [=] {
         tree_lstm({c, c}, Variable());
       },
       "TypeError", "tree_lstm: input 2 is None"},
      {"other cells",
       [=] {
         slstm(c, f32({2, 4}), x4, x4);
       },
       "ShapeError",
       "slstm: cells and inputs are not (n, units, ...) and (n, 4 units, ...); (2, 3), (2, 4), (2, "
       "12) and (2, 12)"},
      {"a vector of cells", [=] { slstm(f32({3}), f32({3}), x4, x4); }, "ShapeError",
       "slstm: cells and inputs are not (n, units, ...) and (n, 4 units, ...); (3,), (3,), (2, 12) "
       "and (2, 12)"},
      {"None", [=] { slstm(c, c, x4, Variable()); }, "TypeError", "slstm: input 3 is None"},
  });
}

}  // namespace
}  // namespace chainerxx::functions
