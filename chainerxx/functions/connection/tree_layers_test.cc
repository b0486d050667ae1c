// SPDX-License-Identifier: MIT
// Networks over trees, minimal gated units and cells with zoneout against NumPy's numbers for their
// papers' recurrences, and what they refuse.
#include <gtest/gtest.h>

#include "chainerxx/functions/connection/mgu.h"
#include "chainerxx/functions/connection/stateful.h"
#include "chainerxx/functions/connection/tree_lstm_layers.h"
#include "chainerxx/functions/testing/refusals.h"
#include "cupyxx/creation.h"
#include "cupyxx/logic.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx::functions {
namespace {

using cupyxx::testing::expect_allclose;
using testing::expect_refusals;
using testing::f32;
using Variables = std::vector<Variable>;

class TreeLayersTest : public cupyxx::testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(TreeLayersTest);

ndarray eighths(const cupyxx::Shape& shape, int step) {
  const ndarray places = cupyxx::arange(shape.element_count()) * step;
  return ((cupyxx::remainder(places, 17) - 8) / 8.0).reshape(shape);
}

/// Parameters of float64 for a layer, without gradients of another dtype.
void set(Linear& layer, const ndarray& W, const ndarray& b = {}) {
  layer.W = W;
  layer.gW = cupyxx::zeros_like(W);
  if (b.is_none()) return;
  layer.b = b;
  layer.gb = cupyxx::zeros_like(b);
}

Variables cells() { return {eighths({2, 2}, 3), eighths({2, 2}, 5)}; }
Variables hidden() { return {eighths({2, 2}, 7), eighths({2, 2}, 11)}; }
Variable input() { return eighths({2, 3}, 5); }

TEST_P(TreeLayersTest, ChildrenAreAddedUp) {
  ChildSumTreeLSTM layer(3, 2);
  set(layer.W_x, eighths({8, 3}, 5), eighths({8}, 3));
  set(layer.W_h_aio, eighths({6, 2}, 7));
  set(layer.W_h_f, eighths({2, 2}, 11));
  const auto [c, h] = layer(cells(), hidden(), input());
  expect_allclose(c.data(),
                  cupyxx::array({{-1.1565348219560578, -1.0379916731888796},
                                 {-0.5486652047301174, 0.7638737440731009}}),
                  1e-12);
  expect_allclose(h.data(),
                  cupyxx::array({{-0.5624150237678468, -0.6918420861224753},
                                 {-0.2808179229602558, 0.35920135323056507}}),
                  1e-12);
  // A child that there is not, and any order, change nothing.
  const auto [same, unused] =
      layer({cells()[1], Variable(), cells()[0]}, {hidden()[1], Variable(), hidden()[0]}, input());
  expect_allclose(same.data(), c.data(), 1e-14);
  EXPECT_EQ(layer({}, {}, input())[1].shape(), (cupyxx::Shape{2, 2}));
}

TEST_P(TreeLayersTest, EachChildHasItsWeights) {
  NaryTreeLSTM layer(3, 2);
  set(layer.W_x, eighths({10, 3}, 5), eighths({10}, 3));
  for (const NamedField& field : layer.fields()) {
    if (field.name[2] != 'h') continue;
    *field.array = eighths({10, 2}, field.name == "W_h1/W" ? 7 : 13);
  }
  EXPECT_EQ(layer.n_ary(), 2);
  const auto [c, h] = layer(cells(), hidden(), input());
  expect_allclose(c.data(),
                  cupyxx::array({{-0.5720126644540564, -0.5191114188437195},
                                 {-0.906382846898393, 0.8655234220583519}}),
                  1e-12);
  expect_allclose(h.data(),
                  cupyxx::array({{-0.4058756317684221, -0.3366692770059219},
                                 {-0.4910378126566102, 0.2742797543678546}}),
                  1e-12);
  const Variable first = layer({cells()[0], Variable()}, {hidden()[0], Variable()}, input())[0];
  expect_allclose(first.data(),
                  cupyxx::array({{0.04003618244187288, -0.5569766622946133},
                                 {-0.9064536879850631, 0.3615683961109505}}),
                  1e-12);
  EXPECT_EQ(layer.W_h(1).W.shape(), (cupyxx::Shape{10, 2}));
}

TEST_P(TreeLayersTest, MinimalGatedUnit) {
  StatefulMGU layer(3, 2);
  set(layer.W_f, eighths({2, 5}, 7), cupyxx::array({0.5, -0.25}));
  set(layer.W_h, eighths({2, 5}, 11), cupyxx::array({0.125, 0.25}));
  layer.set_state(cells()[0]);
  expect_allclose(layer(input()).data(),
                  cupyxx::array({{0.26025000224462713, -0.02290535874918287},
                                 {-0.4822931532208454, 0.5656691930283707}}),
                  1e-12);
  EXPECT_EQ(layer.h().shape(), (cupyxx::Shape{2, 2}));
  layer.reset_state();
  EXPECT_TRUE(layer.h().is_none());
  const Variable zeros = cupyxx::zeros({2, 2});
  const Variable first = layer(input());
  expect_allclose(first.data(), layer.StatelessMGU::operator()(zeros, input()).data(), 0, 0);
}

TEST_P(TreeLayersTest, ZoneoutKeepsStates) {
  StatefulLSTM plain(3, 40);
  StatefulZoneoutLSTM layer(3, 40, 0.25, 0.75);
  layer.upward.W = plain.upward.W;
  layer.upward.b = plain.upward.b;
  layer.lateral.W = plain.lateral.W;
  const Variable x = f32({50, 3});
  plain(x);
  expect_allclose(layer(x, false).data(), plain.h().data(), 0, 0);
  const ndarray c_before = layer.c().data(), h_before = layer.h().data();
  plain(x);
  layer(x, true);
  // Each element is the old or the new one; of 2,000 a share near the ratios is the old one.
  const auto kept = [](const Variable& state, const ndarray& before, const ndarray& after) {
    const ndarray old = cupyxx::equal(state.data(), before);
    EXPECT_TRUE(cupyxx::logical_or(old, cupyxx::equal(state.data(), after)).all().item<bool>());
    return old.astype(cupyxx::float64).mean().item<double>();
  };
  EXPECT_NEAR(kept(layer.c(), c_before, plain.c().data()), 0.25, 0.06);
  // The new hidden states are of the new cells before zoneout.
  EXPECT_NEAR(kept(layer.h(), h_before, plain.h().data()), 0.75, 0.06);
  layer.reset_state();
  EXPECT_TRUE(layer.c().is_none());
}

TEST_P(TreeLayersTest, Refusals) {
  const Variable x = f32({2, 3}), c = f32({2, 2});
  expect_refusals({
      {"as many cells as hidden states", [=] { ChildSumTreeLSTM(3, 2)({c}, {}, x); }, "ValueError",
       "ChildSumTreeLSTM: there are not as many cells as hidden states; 1 and 0"},
      {"half a child", [=] { ChildSumTreeLSTM(3, 2)({c}, {Variable()}, x); }, "ValueError",
       "ChildSumTreeLSTM: child 0 has only one of cells and hidden states"},
      {"another batch",
       [=] {
         NaryTreeLSTM(3, 2)({c, f32({1, 2})}, {c, c}, x);
       },
       "ShapeError",
       "NaryTreeLSTM: the state and the input have different batches; (1, 2) and (2, 3)"},
      {"another width",
       [=] {
         NaryTreeLSTM(3, 2)({c, c}, {c, f32({2, 3})}, x);
       },
       "ShapeError", "NaryTreeLSTM: a state is not (n, 2); (2, 3)"},
      {"other children", [=] { NaryTreeLSTM(3, 2)({c}, {c}, x); }, "ValueError",
       "NaryTreeLSTM: there are not as many children as weights; 1 and 2"},
      {"no children", [] { NaryTreeLSTM(3, 2, 0); }, "ValueError",
       "NaryTreeLSTM: the number of children is not in [1, 1000]; 0"},
      {"None as x", [=] { ChildSumTreeLSTM(3, 2)({c}, {c}, Variable()); }, "TypeError",
       "ChildSumTreeLSTM: input 0 is None"},
      {"a missing weight", [] { NaryTreeLSTM(3, 2).W_h(2); }, "IndexError",
       "NaryTreeLSTM: there is no child 2 of 2"},
      {"another batch of a unit",
       [=] {
         StatelessMGU(3, 2)(f32({1, 2}), x);
       },
       "ShapeError",
       "MGU: the state and the input are not (n, out) and (n, in); (1, 2) and (2, 3)"},
      {"a state of another width",
       [] {
         StatefulMGU(3, 2).set_state(f32({2, 3}));
       },
       "ShapeError", "MGU: a state is not (n, 2); (2, 3)"},
      {"a negative size", [] { StatefulMGU(-1, 2); }, "ValueError",
       "MGU: a size is negative; (-1, 2)"},
      {"a ratio of 1", [] { StatefulZoneoutLSTM(3, 2, 1); }, "ValueError",
       "StatefulZoneoutLSTM: the ratio is not in [0, 1); 1.0"},
      {"no input", [] { StatefulZoneoutLSTM(3, 2)(Variable()); }, "TypeError",
       "StatefulZoneoutLSTM: input 0 is None"},
  });
}

}  // namespace
}  // namespace chainerxx::functions
