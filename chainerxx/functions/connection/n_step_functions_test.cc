// SPDX-License-Identifier: MIT
// Recurrent networks as functions of lists of weights, against loops over each sequence by itself
// in NumPy, whose numbers are written down here, and what they refuse.
#include "chainerxx/functions/connection/n_step_functions.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "chainerxx/functions/array/array.h"
#include "chainerxx/functions/array/parts.h"
#include "chainerxx/functions/array/sequences.h"
#include "chainerxx/functions/math/sum.h"
#include "chainerxx/functions/testing/refusals.h"
#include "chainerxx/scope.h"
#include "cupyxx/creation.h"
#include "cupyxx/math.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx::functions {
namespace {

using cupyxx::Shape;
using cupyxx::testing::expect_allclose;
using cupyxx::testing::expect_array_equal;
using testing::expect_refusals;
using Variables = std::vector<Variable>;

class NStepFunctionsTest : public cupyxx::testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(NStepFunctionsTest);

/// scale * sin(phase + 0), scale * sin(phase + 1), ...
ndarray waves(const Shape& shape, double phase, double scale = 0.5) {
  return (cupyxx::sin(cupyxx::arange(shape.element_count()) + phase) * scale).reshape(shape);
}

/// Steps of sequences of lengths 4, 3 and 1.
Variables steps() {
  return {waves({3, 3}, 1, 1), waves({2, 3}, 12, 1), waves({2, 3}, 23, 1), waves({1, 3}, 34, 1)};
}

/// Weights and biases of two layers of two units.
std::pair<WeightLists, WeightLists> lists(int gates, int directions) {
  WeightLists ws, bs;
  for (int i = 0; i < 2 * directions; ++i) {
    const std::int64_t in = i < directions ? 3 : 2 * directions;
    Variables w, b;
    for (int k = 0; k < 2 * gates; ++k) {
      w.emplace_back(waves({2, k < gates ? in : 2}, i + 0.1 * k));
      b.emplace_back(waves({2}, 20 + i + 0.1 * k));
    }
    ws.push_back(w);
    bs.push_back(b);
  }
  return {ws, bs};
}

void expect_steps(const Variables& ys, const ndarray& expected) {
  ASSERT_EQ(ys.size(), 4u);
  const std::int64_t counts[] = {3, 2, 2, 1};
  for (std::size_t t = 0; t < 4; ++t)
    EXPECT_EQ(ys[t].shape(), (Shape{counts[t], expected.shape()[1]}));
  expect_allclose(concat(ys, 0).data(), expected, 1e-13, 1e-15);
}

TEST_P(NStepFunctionsTest, LSTMs) {
  const auto [ws, bs] = lists(4, 1);
  const Variable hx(waves({2, 3, 2}, 5)), cx(waves({2, 3, 2}, 6));
  const auto [hy, cy, ys] = n_step_lstm(2, 0, hx, cx, ws, bs, steps());
  expect_allclose(hy.data(),
                  cupyxx::array({{{0.604678437503741, 0.624981810210015},
                                  {0.83538659865606, 0.263386774996929},
                                  {0.402583891497668, -0.118042915394628}},
                                 {{0.721655599010965, -0.0988944481086082},
                                  {0.754328915545183, -0.106241204831149},
                                  {0.244844489519945, -0.137132859918381}}}),
                  1e-13, 1e-15);
  expect_allclose(cy.data(),
                  cupyxx::array({{{1.26897759943883, 1.25653119528835},
                                  {1.69955843780556, 0.666255886635287},
                                  {0.524286988569582, -0.25356285384857}},
                                 {{1.62376582328004, -0.363492802080625},
                                  {1.95985312877885, -0.359473717946482},
                                  {0.378444120137953, -0.372748104002105}}}),
                  1e-13, 1e-15);
  expect_steps(ys, cupyxx::array({{0.0589493036864495, 0.00302478757294695},
                                  {0.575574149351701, -0.0386142352391899},
                                  {0.244844489519945, -0.137132859918381},
                                  {0.383230722886146, -0.0668353793108219},
                                  {0.704551012346042, -0.0839230142398337},
                                  {0.603003190188055, -0.0924502496686004},
                                  {0.754328915545183, -0.106241204831149},
                                  {0.721655599010965, -0.0988944481086082}}));
}

TEST_P(NStepFunctionsTest, LSTMsInBothDirections) {
  const auto [ws, bs] = lists(4, 2);
  const Variable hx(waves({4, 3, 2}, 5)), cx(waves({4, 3, 2}, 6));
  const auto [hy, cy, ys] = n_step_bilstm(2, 0, hx, cx, ws, bs, steps());
  expect_allclose(hy.data(),
                  cupyxx::array({{{0.604678437503741, 0.624981810210015},
                                  {0.83538659865606, 0.263386774996929},
                                  {0.402583891497668, -0.118042915394628}},
                                 {{0.562416371493528, -0.0526187018745906},
                                  {0.36596133370333, -0.00677834531195345},
                                  {0.421821387931521, -0.0777791809557203}},
                                 {{-0.0868253898625795, -0.0961622086816085},
                                  {-0.0931519125974541, -0.0901495044050513},
                                  {-0.0524587540325112, -0.0799687401205178}},
                                 {{-0.0611595904386677, -0.0839398022975175},
                                  {-0.0458481356111026, -0.0231121926930078},
                                  {-0.0361132018750126, -0.102525509538831}}}),
                  1e-13, 1e-15);
  expect_allclose(cy.data(),
                  cupyxx::array({{{1.26897759943883, 1.25653119528835},
                                  {1.69955843780556, 0.666255886635287},
                                  {0.524286988569582, -0.25356285384857}},
                                 {{0.913066440778344, -0.24316870974176},
                                  {0.87737629466622, -0.0127176574811606},
                                  {0.608696220759084, -0.349833876089647}},
                                 {{-0.20824093800226, -0.283540316563022},
                                  {-0.248021571783084, -0.244561552668295},
                                  {-0.130547920898307, -0.318243866279452}},
                                 {{-0.275306707593084, -0.201329576212207},
                                  {-0.234666934018602, -0.0499736186968654},
                                  {-0.173908022366454, -0.280342190925446}}}),
                  1e-13, 1e-15);
  expect_steps(
      ys,
      cupyxx::array(
          {{-0.118893095826227, -0.0441299084218132, -0.0611595904386677, -0.0839398022975175},
           {-0.00417769132931327, -0.0230347701012553, -0.0458481356111026, -0.0231121926930078},
           {-0.0524587540325112, -0.0799687401205178, -0.0361132018750126, -0.102525509538831},
           {-0.106338319702893, -0.0706652069313736, -0.0756893827658907, -0.0727631181708241},
           {-0.0698591312830335, -0.0733275453224185, -0.0312278341184633, 0.0429776303069218},
           {-0.0954454387833351, -0.0887634713853988, -0.0688974291211761, -0.0557360404639302},
           {-0.0931519125974541, -0.0901495044050513, -0.0176166295650553, 0.104677051740935},
           {-0.0868253898625795, -0.0961622086816085, -0.0921407973372593, -0.0295110760298218}}));
}

TEST_P(NStepFunctionsTest, GRUs) {
  const auto [ws, bs] = lists(3, 1);
  const Variable hx(waves({2, 3, 2}, 5));
  const auto [hy, ys] = n_step_gru(2, 0, hx, ws, bs, steps());
  expect_allclose(hy.data(),
                  cupyxx::array({{{0.152991488675348, 0.249356401956947},
                                  {0.476792690448757, 0.318254166094868},
                                  {0.330756200311306, -0.183977782722368}},
                                 {{0.30775209996721, -0.247205066113181},
                                  {0.515903376968418, -0.326972640486647},
                                  {0.406492243444705, -0.144992331584141}}}),
                  1e-13, 1e-15);
  expect_steps(ys, cupyxx::array({{-0.199294398628166, -0.165663388688139},
                                  {0.335785108146534, -0.17705193937463},
                                  {0.406492243444705, -0.144992331584141},
                                  {0.0114651178742861, -0.137071565813906},
                                  {0.439041764440347, -0.339284446028054},
                                  {0.177882038689346, -0.187752546661116},
                                  {0.515903376968418, -0.326972640486647},
                                  {0.30775209996721, -0.247205066113181}}));
}

TEST_P(NStepFunctionsTest, GRUsInBothDirections) {
  const auto [ws, bs] = lists(3, 2);
  const Variable hx(waves({4, 3, 2}, 5));
  const auto [hy, ys] = n_step_bigru(2, 0, hx, ws, bs, steps());
  expect_allclose(hy.data(),
                  cupyxx::array({{{0.152991488675348, 0.249356401956947},
                                  {0.476792690448757, 0.318254166094868},
                                  {0.330756200311306, -0.183977782722368}},
                                 {{0.139710472172956, -0.557042186511574},
                                  {0.103966668610462, -0.0603419401353406},
                                  {0.424441339175122, -0.565112719983976}},
                                 {{-0.0766831031900044, -0.508493917103185},
                                  {-0.0217419277349165, -0.318998943746798},
                                  {0.237257595201633, -0.401598667160534}},
                                 {{-0.472568882869477, -0.388830524439269},
                                  {-0.711190471951783, 0.10714703908912},
                                  {-0.354502894461317, -0.118846623618079}}}),
                  1e-13, 1e-15);
  expect_steps(
      ys, cupyxx::array(
              {{-0.288749731820384, -0.453500723912586, -0.472568882869477, -0.388830524439269},
               {-0.0451940339906358, -0.150300513082451, -0.711190471951783, 0.10714703908912},
               {0.237257595201633, -0.401598667160534, -0.354502894461317, -0.118846623618079},
               {-0.214890273708302, -0.515609182412313, -0.450405669130093, -0.428141246990884},
               {-0.0722938869461939, -0.204774443638669, -0.730977085059953, 0.190703931652226},
               {-0.150539974488699, -0.536774104387294, -0.467780137377615, -0.375582074396707},
               {-0.0217419277349165, -0.318998943746798, -0.577517483432886, 0.197187552307779},
               {-0.0766831031900044, -0.508493917103185, -0.490113428002829, -0.326235221834488}}));
}

TEST_P(NStepFunctionsTest, RNNs) {
  const auto [ws, bs] = lists(1, 1);
  const Variable hx(waves({2, 3, 2}, 5));
  const auto [hy, ys] = n_step_rnn(2, 0, hx, ws, bs, steps());
  expect_allclose(hy.data(),
                  cupyxx::array({{{0.629164260260752, 0.944088174228168},
                                  {0.956710315248798, 0.587744563181408},
                                  {0.890376355238312, 0.349516810637764}},
                                 {{0.947679596584716, -0.236903090785647},
                                  {0.950254931530594, -0.136344497479469},
                                  {0.8903268696425, -0.0624392336067402}}}),
                  1e-13, 1e-15);
  expect_steps(ys, cupyxx::array({{0.734987688705516, 0.0103737448534761},
                                  {0.941865701546553, -0.502414673123442},
                                  {0.8903268696425, -0.0624392336067402},
                                  {0.941073451803541, -0.158522936401157},
                                  {0.936994239441791, -0.139225213376005},
                                  {0.95091480410062, -0.269673759191557},
                                  {0.950254931530594, -0.136344497479469},
                                  {0.947679596584716, -0.236903090785647}}));
}

TEST_P(NStepFunctionsTest, RNNsInBothDirections) {
  const auto [ws, bs] = lists(1, 2);
  const Variable hx(waves({4, 3, 2}, 5));
  const auto [hy, ys] = n_step_birnn(2, 0, hx, ws, bs, steps(), "relu");
  expect_allclose(
      hy.data(),
      cupyxx::array(
          {{{1.19787491318856, 1.90489766085155},
            {2.27765566151367, 0.849571725856415},
            {1.42373906493147, 0.364893217170236}},
           {{2.14407777066136, 0}, {0.804289912705267, 0.759487579847779}, {1.64528713361247, 0}},
           {{0.4528227263733, 0}, {0.330254514476855, 0}, {0.17218557965056, 0}},
           {{0, 0.0801261654680874}, {0, 0}, {0, 0}}}),
      1e-13, 1e-15);
  expect_steps(ys, cupyxx::array({{0, 0.460459803098968, 0, 0.0801261654680874},
                                  {0, 0, 0, 0},
                                  {0.17218557965056, 0, 0, 0},
                                  {0.312381436361509, 0, 0, 0.274677584346828},
                                  {0, 0.40707241209019, 0, 0.602766835378568},
                                  {0.190727198005743, 0, 0, 0.176205788726612},
                                  {0.330254514476855, 0, 0, 0.671547433533968},
                                  {0.4528227263733, 0, 0, 0.728541403574462}}));
}

TEST_P(NStepFunctionsTest, StatesStartAtZeroWithoutOthers) {
  const auto [ws, bs] = lists(4, 2);
  const Variable zeros(cupyxx::zeros({4, 3, 2}));
  const auto [hy, cy, ys] = n_step_bilstm(2, 0, {}, {}, ws, bs, steps());
  const auto [hz, cz, zs] = n_step_bilstm(2, 0, zeros, zeros, ws, bs, steps());
  expect_array_equal(hy.data(), hz.data());
  expect_array_equal(cy.data(), cz.data());
  expect_array_equal(ys[0].data(), zs[0].data());
}

// As Chainer's manual shows it: sequences from the longest to the shortest, and steps of them.
TEST_P(NStepFunctionsTest, TakeTransposedSequences) {
  const auto [ws, bs] = lists(3, 1);
  const Variables sequences = {waves({4, 3}, 1), waves({2, 3}, 2)};
  const NStepResult out = n_step_gru(2, 0, {}, ws, bs, transpose_sequence(sequences));
  const Variables ys = transpose_sequence(out.ys);
  ASSERT_EQ(ys.size(), 2u);
  EXPECT_EQ(ys[1].shape(), (Shape{2, 2}));
  const NStepResult alone =
      n_step_gru(2, 0, {}, ws, bs, transpose_sequence(Variables{sequences[1]}));
  expect_allclose(ys[1].data(), transpose_sequence(alone.ys)[0].data(), 1e-14, 1e-15);
  expect_allclose(out.hy.data()(cupyxx::slice(), 1), alone.hy.data()(cupyxx::slice(), 0), 1e-14,
                  1e-15);
}

TEST_P(NStepFunctionsTest, DropoutActsBetweenLayersInTraining) {
  const auto [ws, bs] = lists(1, 1);
  const auto [hy, ys] = n_step_rnn(2, 0.5, {}, ws, bs, steps());
  const auto [hz, zs] = n_step_rnn(2, 0, {}, ws, bs, steps());
  expect_array_equal(hy.data()(0), hz.data()(0));
  {
    const TrainScope test(false);
    const auto [ht, ts] = n_step_rnn(2, 0.5, {}, ws, bs, steps());
    expect_array_equal(ht.data(), hz.data());
    expect_array_equal(ts[3].data(), zs[3].data());
  }
}

TEST_P(NStepFunctionsTest, WhatTheyRefuse) {
  const auto made = lists(4, 1);
  const WeightLists ws = made.first, bs = made.second;
  const auto other = [](WeightLists all, std::size_t list, std::size_t number, const Variable& x) {
    all[list][number] = x;
    return all;
  };
  const Variable matrix(waves({2, 5}, 0));
  const auto run = [=](std::int64_t layers, double ratio, const Variable& hx, const WeightLists& w,
                       const WeightLists& b, const Variables& xs) {
    return [=] { n_step_lstm(layers, ratio, hx, {}, w, b, xs); };
  };
  const Variables growing = {waves({1, 3}, 0), waves({2, 3}, 0)};
  const Variables uneven = {waves({2, 3}, 0), waves({2, 4}, 0)};
  expect_refusals({
      {"no layers", run(0, 0, {}, ws, bs, steps()), "ValueError",
       "n_step_lstm: the number of layers is not in [1, 10000]; 0"},
      {"all dropped", run(2, 1, {}, ws, bs, steps()), "ValueError",
       "n_step_lstm: the dropout ratio is not in [0, 1); 1.0"},
      {"three layers", run(3, 0, {}, ws, bs, steps()), "ValueError",
       "n_step_lstm: ws are not 3 lists; 2"},
      {"weights of a GRU", run(2, 0, {}, lists(3, 1).first, bs, steps()), "ValueError",
       "n_step_lstm: ws[0] are not 8 arrays; 6"},
      {"biases of one direction", [=] { n_step_bigru(1, 0, {}, lists(3, 1).first, {}, steps()); },
       "ValueError", "n_step_bigru: bs are not 2 lists; 0"},
      {"no steps", run(2, 0, {}, ws, bs, {}), "ValueError", "n_step_lstm: there are no steps"},
      {"a step of None", run(2, 0, {}, ws, bs, {Variable()}), "TypeError",
       "n_step_lstm: input xs[0] is None"},
      {"steps of other sizes", run(2, 0, {}, ws, bs, uneven), "ShapeError",
       "n_step_lstm: xs[1] is not (n, in); (2, 4)"},
      {"steps that grow", run(2, 0, {}, ws, bs, growing), "ValueError",
       "n_step_lstm: xs[1] has more sequences than the step before, 2 and 1; transpose_sequence "
       "makes steps of sequences, the longest first"},
      {"a weight of None", run(2, 0, {}, other(ws, 1, 7, {}), bs, steps()), "TypeError",
       "n_step_lstm: input ws[1][7] is None"},
      {"no weight to begin with", run(2, 0, {}, other(ws, 0, 4, {}), bs, steps()), "TypeError",
       "n_step_lstm: input ws[0][4] is None"},
      {"a vector as a weight", run(2, 0, {}, other(ws, 0, 4, bs[0][0]), bs, steps()), "ShapeError",
       "n_step_lstm: ws[0][4] is not (units, units); (2,)"},
      {"another weight of x", run(2, 0, {}, other(ws, 0, 1, matrix), bs, steps()), "ShapeError",
       "n_step_lstm: ws[0][1] is not (2, 3); (2, 5)"},
      {"another bias", run(2, 0, {}, ws, other(bs, 1, 0, matrix), steps()), "ShapeError",
       "n_step_lstm: bs[1][0] is not (2,); (2, 5)"},
      {"states of another batch", run(2, 0, Variable(waves({2, 2, 2}, 0)), ws, bs, steps()),
       "ShapeError", "n_step_lstm: hx is not (2, 3, 2); (2, 2, 2)"},
      {"another activation",
       [] { n_step_rnn(1, 0, {}, lists(1, 1).first, lists(1, 1).second, steps(), "sigmoid"); },
       "ValueError", "the activation must be tanh or relu; 'sigmoid'"},
  });
}

}  // namespace
}  // namespace chainerxx::functions
