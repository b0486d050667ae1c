// SPDX-License-Identifier: MIT
// Recurrent networks over lists of sequences, and cells that keep their states: against PyTorch
// 1.13's numbers, Chainer's recurrences, and what they refuse.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "chainerxx/functions/activation/activation.h"
#include "chainerxx/functions/activation/lstm.h"
#include "chainerxx/functions/activation/pointwise.h"
#include "chainerxx/functions/array/array.h"
#include "chainerxx/functions/connection/highway.h"
#include "chainerxx/functions/connection/n_step.h"
#include "chainerxx/functions/connection/stateful.h"
#include "chainerxx/functions/math/sum.h"
#include "chainerxx/functions/testing/refusals.h"
#include "chainerxx/scope.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx::functions {
namespace {

using cupyxx::float64;
using cupyxx::none;
using cupyxx::Shape;
using cupyxx::testing::expect_allclose;
using cupyxx::testing::expect_array_equal;
using testing::expect_refusals;
using Variables = std::vector<Variable>;

class RecurrentTest : public cupyxx::testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(RecurrentTest);

/// scale * sin(phase + 0), scale * sin(phase + 1), ...
ndarray waves(const Shape& shape, double phase, double scale = 0.5) {
  return (cupyxx::sin(cupyxx::arange(shape.element_count()) + phase) * scale).reshape(shape);
}

/// Sequences of lengths 2, 3 and 1.
Variables sequences() { return {waves({2, 3}, 1, 1), waves({3, 3}, 11, 1), waves({1, 3}, 21, 1)}; }

/// Parameters of float64: of layer k W, U, b (and the bias of U) start at k + 0.1, 0.2, 0.3 (0.4).
void set_waves(FunctionSet& set) {
  for (const NamedField& field : set.fields()) {
    const double layer = field.name[0] - '0';
    const std::string rest = field.name.substr(2);
    const double phase = rest == "W" || rest == "x/W"   ? 0.1
                         : rest == "U" || rest == "h/W" ? 0.2
                         : rest == "b" || rest == "x/b" ? 0.3
                                                        : 0.4;
    *field.array = waves(field.array->shape(), layer + phase);
    *field.gradient = cupyxx::zeros_like(*field.array);
  }
}

void expect_rows(const Variables& ys, const ndarray& expected) {
  ASSERT_EQ(ys.size(), 3u);
  EXPECT_EQ(ys[0].shape(), Shape({2, 4}));
  EXPECT_EQ(ys[1].shape(), Shape({3, 4}));
  EXPECT_EQ(ys[2].shape(), Shape({1, 4}));
  expect_allclose(concat(ys, 0).data(), expected, 1e-12, 1e-14);
}

TEST_P(RecurrentTest, NStepLSTMsAreThoseOfPyTorch) {
  NStepBiLSTM network(2, 3, 2);
  set_waves(network);
  const Variable hx(waves({4, 3, 2}, 5)), cx(waves({4, 3, 2}, 6));
  const auto [hy, cy, ys] = network(hx, cx, sequences());
  expect_rows(ys, cupyxx::array({
                      {0.003989832340399, 0.120131671678167, -0.015941585955562, 0.12881375260827},
                      {0.090979821855383, -0.020554607142183, 0.005027842587985, 0.095551849143003},
                      {0.18229536773091, 0.022264532911645, -0.042569857435762, 0.185698126794655},
                      {0.156660425059207, -0.021253046536391, -0.01557743231663, 0.172679659889264},
                      {0.146999420978612, -0.040875192189721, 0.031620917262669, 0.170492084583876},
                      {0.0827585615085, -0.179969148285051, 0.030553065847318, -0.052371503647055},
                  }));
  expect_allclose(hy.data()(0),
                  cupyxx::array({{-0.134827275861383, -0.159592404755833},
                                 {0.063061016268728, -0.094654061746861},
                                 {-0.189267465501127, -0.406422862850891}}),
                  1e-12, 1e-14);
  expect_allclose(cy.data()(3),
                  cupyxx::array({{-0.031308916783087, 0.346894445733158},
                                 {-0.082399908846251, 0.532557101215001},
                                 {0.058871406622385, -0.166657594716842}}),
                  1e-12, 1e-14);
}

TEST_P(RecurrentTest, NStepGRUsAreThoseOfPyTorch) {
  NStepBiGRU network(2, 3, 2);
  set_waves(network);
  const auto [hy, ys] = network(waves({4, 3, 2}, 5), sequences());
  expect_rows(ys, cupyxx::array({
                      {-0.156570795870041, 0.504091710125926, 0.164107387610974, 0.311865574049151},
                      {-0.139400644969394, 0.742158936519699, 0.090359425197082, 0.067271095687022},
                      {-0.192428675344987, 0.66561516634755, 0.154395931275699, 0.643659943127943},
                      {-0.309066167915363, 0.733248295488627, 0.156889895335518, 0.611497656406345},
                      {-0.239190908826034, 0.794828772568631, 0.039906223589486, 0.58247422807129},
                      {0.095613099119342, 0.422477897119053, 0.38440082714, 0.380099853622905},
                  }));
  expect_allclose(hy.data()(1),
                  cupyxx::array({{-0.589856835060393, -0.335111770600134},
                                 {-0.676115174729274, 0.310618738654784},
                                 {-0.177828449722399, 0.027209888221186}}),
                  1e-12, 1e-14);
}

TEST_P(RecurrentTest, NStepRNNsAreThoseOfPyTorch) {
  NStepBiRNNTanh network(2, 3, 2);
  set_waves(network);
  const auto [hy, ys] = network(waves({4, 3, 2}, 5), sequences());
  expect_rows(ys,
              cupyxx::array({
                  {0.544866269848105, 0.564140099195003, -0.464747493582765, -0.051898774253905},
                  {0.499378455302226, -0.256031952664455, -0.387147052948333, -0.528715321649467},
                  {0.292471931245602, 0.217208210592528, -0.755872600785002, -0.305692659891993},
                  {0.724859621274972, 0.200968007137371, -0.604843377002483, 0.324307367805358},
                  {0.549112121753999, 0.044341135613509, -0.773474337874589, -0.472220771094894},
                  {0.273356484740399, 0.426131746688497, -0.802016965552883, -0.63518351648993},
              }));
  NStepBiRNNReLU rectified(2, 3, 2);
  set_waves(rectified);
  const NStepResult out = rectified(waves({4, 3, 2}, 5), sequences());
  expect_allclose(out.ys[1].data()(1),
                  cupyxx::array({0.198402088303496, 0.885675213426192, 0.0, 0.360996807588057}),
                  1e-12, 1e-14);
  expect_allclose(out.hy.data()(0),
                  cupyxx::array({{0.000138034499808, 1.76806358426709},
                                 {0.616339128741643, 1.614301169640493},
                                 {0.0, 1.478479624680306}}),
                  1e-11, 1e-14);
}

// One direction, where each sequence by itself gives what it gives among others; states of None are
// zeros.
TEST_P(RecurrentTest, SequencesDoNotSeeEachOther) {
  NStepLSTM lstm(2, 3, 2);
  NStepGRU gru(1, 3, 2);
  NStepRNNTanh rnn(1, 3, 2);
  NStepRNNReLU rectified(1, 3, 2);
  for (FunctionSet* set :
       {static_cast<FunctionSet*>(&lstm), static_cast<FunctionSet*>(&gru),
        static_cast<FunctionSet*>(&rnn), static_cast<FunctionSet*>(&rectified)}) {
    set_waves(*set);
  }
  const Variables xs = sequences();
  const auto together = lstm(none, none, xs);
  for (std::size_t i = 0; i < xs.size(); ++i) {
    const ndarray zeros = cupyxx::zeros({2, 1, 2});
    const auto alone = lstm(zeros, zeros, {xs[i]});
    const auto place = static_cast<std::int64_t>(i);
    expect_allclose(together.ys[i].data(), alone.ys[0].data(), 1e-14, 1e-15);
    expect_allclose(together.cy.data()(cupyxx::slice(), place), alone.cy.data()(cupyxx::slice(), 0),
                    1e-14, 1e-15);
    for (const auto run : {+[](NStepGRU&g, NStepRNN&, const Variables&x) { return g(none, x); },
                           +[](NStepGRU&, NStepRNN&r, const Variables&x) { return r(none, x); }}) {
      expect_allclose(run(gru, rnn, xs).ys[i].data(), run(gru, rnn, {xs[i]}).ys[0].data(), 1e-14,
                      1e-15);
    }
  }
}

TEST_P(RecurrentTest, DropoutActsBetweenLayersInTraining) {
  NStepRNNTanh one(1, 3, 2, 0.5), two(2, 3, 2, 0.5);
  set_waves(one);
  set_waves(two);
  const auto run = [](NStepRNN& network, bool train) {
    const TrainScope scope(train);
    return network(none, sequences()).ys[1].data();
  };
  expect_array_equal(run(one, true), run(one, false));
  expect_array_equal(run(two, false), run(two, false));
  EXPECT_GT(cupyxx::absolute(run(two, true) - run(two, false)).max().item<double>(), 0);
}

TEST_P(RecurrentTest, NStepNetworksAreCopied) {
  NStepBiGRU network(2, 3, 2);
  set_waves(network);
  auto copy = deep_copy(network, 2, 3, 2);
  expect_array_equal(copy(none, sequences()).hy.data(), network(none, sequences()).hy.data());
}

void to_float64(FunctionSet& set) {
  for (const NamedField& field : set.fields()) {
    *field.array = field.array->astype(float64);
    *field.gradient = field.gradient->astype(float64);
  }
}

TEST_P(RecurrentTest, StatefulLSTMsKeepTheirStates) {
  StatefulLSTM layer(3, 2, {.lateral_init = "One", .bias_init = 0.25, .forget_bias_init = 2});
  const ndarray row = cupyxx::array({0.25, 0.25, 2.0, 0.25, 0.25, 0.25, 2.0, 0.25});
  expect_array_equal(layer.upward.b.astype(float64), row);
  expect_array_equal(layer.lateral.W, cupyxx::ones({8, 2}, cupyxx::float32));
  to_float64(layer);
  const Variable x(waves({4, 3}, 1)), y(waves({3, 3}, 7));
  const auto [c1, h1] = lstm(cupyxx::zeros({4, 2}), layer.upward(x));
  expect_allclose(layer(x).data(), h1.data(), 1e-14);
  // A sequence has ended: its states rest.
  const Variable h3 = get_item(h1, {cupyxx::slice(0, 3)}), c3 = get_item(c1, {cupyxx::slice(0, 3)});
  const auto [c2, h2] = lstm(c3, layer.upward(y) + layer.lateral(h3));
  expect_allclose(layer(y).data(), h2.data(), 1e-14);
  expect_allclose(layer.c().data()(cupyxx::slice(0, 3)), c2.data(), 1e-14);
  expect_array_equal(layer.h().data()(3), h1.data()(3));
  layer.reset_state();
  EXPECT_TRUE(layer.c().is_none());
  expect_allclose(layer(x).data(), h1.data(), 1e-14);
  layer.set_state(c3, h3);
  expect_allclose(layer(y).data(), h2.data(), 1e-14);
}

// Chainer's tutorial: the graph is cut behind each part, the states go on.
TEST_P(RecurrentTest, BackpropagationIsTruncated) {
  StatefulGRU layer(3, 2);
  to_float64(layer);
  const ndarray x = waves({4, 3}, 1);
  const Variable first(x), second(x);
  Variable loss = sum(layer(first));
  loss.backward();
  const ndarray before = first.grad().copy();
  loss.unchain_backward();
  Variable h = layer.h();
  EXPECT_FALSE(h.is_none());
  h.unchain_backward();
  loss = sum(layer(second));
  loss.backward();
  expect_array_equal(first.grad(), before);
  EXPECT_GT(cupyxx::absolute(layer.U.gW).max().item<double>(), 0);
}

TEST_P(RecurrentTest, StatelessLSTMsAreGivenTheirStates) {
  StatelessLSTM layer(3, 2, {.forget_bias_init = 2});
  to_float64(layer);
  const Variable x(waves({4, 3}, 1)), y(waves({4, 3}, 7));
  const auto [c1, h1] = layer(nullptr, nullptr, x);
  const auto [first_c, first_h] = lstm(cupyxx::zeros({4, 2}), layer.upward(x));
  expect_allclose(h1.data(), first_h.data(), 1e-14);
  const auto [c2, h2] = layer(c1, h1, y);
  const auto [second_c, second_h] = lstm(first_c, layer.upward(y) + layer.lateral(first_h));
  expect_allclose(c2.data(), second_c.data(), 1e-14);
  expect_allclose(h2.data(), second_h.data(), 1e-14);
}

TEST_P(RecurrentTest, StatefulGRUsStartAsChainerDoes) {
  StatefulGRU layer(3, 2);
  to_float64(layer);
  layer.U_z.b.fill(0.5);
  const Variable x(waves({4, 3}, 1));
  const Variable h1 = sigmoid(layer.W_z(x)) * tanh(layer.W(x));
  expect_allclose(layer(x).data(), h1.data(), 1e-14);
  const Variable h2 = static_cast<GRU&>(layer)(h1, x);
  expect_allclose(layer(x).data(), h2.data(), 1e-14);
  layer.reset_state();
  EXPECT_TRUE(layer.h().is_none());
  layer.set_state(h1);
  expect_allclose(layer(x).data(), h2.data(), 1e-14);
}

TEST_P(RecurrentTest, PeepholesSeeTheCells) {
  StatefulPeepholeLSTM layer(3, 2);
  to_float64(layer);
  const Variable x(waves({4, 3}, 1));
  Variable c(cupyxx::zeros({4, 2})), h(cupyxx::zeros({4, 2}));
  for (int step = 0; step < 2; ++step) {
    const Variable gates = reshape(layer.upward(x) + layer.lateral(h), {4, 2, 4});
    const auto part = [&](int k) { return gates(cupyxx::slice(), cupyxx::slice(), k); };
    const Variable i = sigmoid(part(1) + layer.peep_i(c)), f = sigmoid(part(2) + layer.peep_f(c));
    c = tanh(part(0)) * i + f * c;
    h = sigmoid(part(3) + layer.peep_o(c)) * tanh(c);
    expect_allclose(layer(x).data(), h.data(), 1e-13);
    expect_allclose(layer.c().data(), c.data(), 1e-13);
  }
  layer.reset_state();
  EXPECT_TRUE(layer.h().is_none());
  layer.set_state(c, h);
  EXPECT_EQ(layer.h().node(), h.node());
}

TEST_P(RecurrentTest, WhatTheyRefuse) {
  using testing::f32;
  using testing::f64;
  expect_refusals({
      {"no layers", [] { NStepLSTM(0, 3, 2); }, "ValueError",
       "NStepLSTM: the number of layers is not in [1, 10000]; 0"},
      {"all dropped", [] { NStepBiGRU(1, 3, 2, 1); }, "ValueError",
       "NStepBiGRU: the dropout ratio is not in [0, 1); 1.0"},
      {"a negative size", [] { NStepRNNTanh(1, -3, 2); }, "ValueError",
       "NStepRNNTanh: a size is negative; -3 and 2"},
      {"too many units", [] { NStepRNNReLU(1, 3, std::int64_t{1} << 62); }, "ValueError",
       "NStepRNNReLU: the extent exceeds 64 bits; 4 * 4611686018427387904"},
      {"no sequences", [] { NStepLSTM(1, 3, 2)(none, none, {}); }, "ValueError",
       "NStepLSTM: there are no sequences"},
      {"a sequence of None",
       [] {
         NStepLSTM(1, 3, 2)(none, none, {f32({2, 3}), Variable()});
       },
       "TypeError", "NStepLSTM: sequence 1 is None"},
      {"another width",
       [] {
         NStepBiLSTM(1, 3, 2)(none, none, {f32({2, 3}), f32({2, 4})});
       },
       "ShapeError", "NStepBiLSTM: sequence 1 is not (length, 3); (2, 4)"},
      {"an empty sequence",
       [] {
         NStepBiRNNTanh(1, 3, 2)(none, {f32({0, 3})});
       },
       "ValueError", "NStepBiRNNTanh: sequence 0 is empty"},
      {"a state of another shape",
       [] {
         NStepBiRNNReLU(1, 3, 2)(f32({1, 1, 2}), {f32({2, 3})});
       },
       "ShapeError", "NStepBiRNNReLU: hx is not (2, 1, 2); (1, 1, 2)"},
      {"cells of another shape",
       [] {
         NStepLSTM(1, 3, 2)(none, f32({1, 2}), {f32({2, 3})});
       },
       "ShapeError", "NStepLSTM: cx is not (1, 1, 2); (1, 2)"},
      {"another dtype",
       [] {
         NStepGRU(1, 3, 2)(none, {f64({2, 3})});
       },
       "InvalidType", "Expect: in_types[0].dtype == float32\nActual: float64 != float32"},
      {"a larger batch",
       [] {
         StatefulLSTM layer(3, 2);
         layer(f32({2, 3}));
         layer(f32({3, 3}));
       },
       "ShapeError", "StatefulLSTM: the batch is larger than the one before; 3 and 2"},
      {"another batch",
       [] {
         StatefulGRU layer(3, 2);
         layer(f32({2, 3}));
         layer(f32({1, 3}));
       },
       "ShapeError",
       "StatefulGRU: the state and the input have different batches; (2, 2) and (1, 3)"},
      {"None", [] { StatefulPeepholeLSTM(3, 2)(Variable()); }, "TypeError",
       "StatefulPeepholeLSTM: input 0 is None"},
      {"a state of another batch",
       [] {
         StatelessLSTM(3, 2)(f32({2, 2}), f32({2, 2}), f32({3, 3}));
       },
       "ShapeError",
       "StatelessLSTM: the state and the input have different batches; (2, 2) and (3, 3)"},
      {"a single number", [] { StatefulLSTM(3, 2)(f32({})); }, "ShapeError",
       "StatefulLSTM: x is not (n, in); ()"},
      {"states of two shapes",
       [] {
         StatefulLSTM(3, 2).set_state(f32({2, 2}), f32({3, 2}));
       },
       "ShapeError", "StatefulLSTM: the shapes differ; (2, 2) and (3, 2)"},
      {"a state of other units",
       [] {
         StatefulGRU(3, 2).set_state(f32({2, 3}));
       },
       "ShapeError", "StatefulGRU: a state is not (n, 2); (2, 3)"},
  });
}

TEST_P(RecurrentTest, HighwaysAndMaximaOfProducts) {
  Highway highway(3);
  to_float64(highway);
  const Variable x(waves({4, 3}, 1));
  const Variable t = sigmoid(highway.transform(x));
  EXPECT_EQ(highway.transform.b(0).item<double>(), -1);
  expect_allclose(highway(x).data(), (t * relu(highway.plain(x)) + (1 - t) * x).data(), 1e-14);
  for (Highway* const other : {new Highway(3, {.nobias = true, .activate = tanh, .init_Wh = 0.5}),
                               new Highway(3, true, tanh, 0.5)}) {
    const std::unique_ptr<Highway> owner(other);
    EXPECT_EQ(other->names(), highway.names());
    EXPECT_TRUE(other->plain.b.is_none() && other->transform.b.is_none());
    EXPECT_EQ(other->plain.W(2, 1).item<float>(), 0.5);
    to_float64(*other);
    const Variable share = sigmoid(other->transform(x));
    expect_allclose((*other)(x).data(), (share * tanh(other->plain(x)) + (1 - share) * x).data(),
                    1e-14);
  }
  EXPECT_EQ(Highway(3, {.init_bh = 2, .init_bt = -3}).plain.b(1).item<float>(), 2);
  Maxout layer(3, 2, 4);
  to_float64(layer);
  const ndarray all = layer.linear(x).data().reshape({4, 2, 4});
  expect_array_equal(layer(x).data(), all.max(2));
  expect_refusals(
      {{"an empty pool", [] { Maxout(3, 2, 0); }, "ValueError",
        "Maxout: the size of a pool is not in [1, 2 ** 20]; 0"},
       {"None", [] { Highway(3)(Variable()); }, "TypeError", "Highway: input 0 is None"},
       {"images",
        [] {
          Highway(4)(testing::f32({1, 2, 2}));
        },
        "ShapeError", "Highway: x is not (n, size); (1, 2, 2)"}});
}

}  // namespace
}  // namespace chainerxx::functions
