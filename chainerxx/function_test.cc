// SPDX-License-Identifier: MIT
#include "chainerxx/function.h"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "chainerxx/scope.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/math.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"
#include "typecheck/expect.h"

namespace chainerxx {
namespace {

using cupyxx::Shape;
using cupyxx::testing::expect_elements;
using cupyxx::testing::expect_error;
using Arrays = std::vector<ndarray>;
using ArraySpan = std::span<const ndarray>;

class FunctionTest : public cupyxx::testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(FunctionTest);

// The tutorial's x * y + z.
struct MulAdd final : FunctionOf<MulAdd> {
  void check_type_forward(const typecheck::TypeInfos& in) const override {
    typecheck::expect(in.size() == 3, in[0].dtype() == cupyxx::float32,
                      in[0].shape() == in[1].shape());
  }
  Arrays forward(ArraySpan x) override { return {x[0] * x[1] + x[2]}; }
  Arrays backward(ArraySpan x, ArraySpan gy) override {
    return {x[1] * gy[0], x[0] * gy[0], gy[0]};
  }
};

// The manual's elementwise product with a parameter.
struct EltwiseParamProduct final : FunctionOf<EltwiseParamProduct> {
  explicit EltwiseParamProduct(const Shape& shape)
      : W(cupyxx::full(shape, 3, cupyxx::float32)), gW(cupyxx::zeros(shape, cupyxx::float32)) {}
  Arrays forward(ArraySpan x) override { return {W * x[0]}; }
  Arrays backward(ArraySpan x, ArraySpan gy) override {
    gW += gy[0] * x[0];
    return {gy[0] * W};
  }
  std::vector<Field> fields() override { return {{"W", &W, &gW}}; }

  ndarray W, gW;
};

// Weights elements by their number in memory, which is right of C-contiguous arrays alone: on the
// host through span(), on a device through views of the memory.
struct Numbered final : FunctionOf<Numbered> {
  Arrays forward(ArraySpan x) override {
    seen.push_back(x[0].strides());
    return {weighted(x[0])};
  }
  Arrays backward(ArraySpan x, ArraySpan gy) override {
    seen.push_back(x[0].strides());
    seen.push_back(gy[0].strides());
    return {weighted(gy[0])};
  }
  static ndarray weighted(const ndarray& a) {
    const ndarray y = cupyxx::empty(a.shape(), a.dtype());
    if (a.device().is_cpu()) {
      const auto from = a.span<const float>();
      const auto to = y.span<float>();
      for (std::size_t i = 0; i < from.size(); ++i) to[i] = from[i] * static_cast<float>(i);
      return y;
    }
    const ndarray memory(Shape{a.size()}, a.dtype(), a);  // refuses what is not C-contiguous
    y.reshape({y.size()}).set(memory * cupyxx::arange(a.size()).astype(a.dtype()));
    return y;
  }
  static inline std::vector<cupyxx::Strides> seen;
};

// Is given what there is.
struct Strided final : FunctionOf<Strided> {
  bool takes_any_layout() const override { return true; }
  Arrays forward(ArraySpan x) override {
    EXPECT_FALSE(x[0].flags().c_contiguous);
    return {x[0] * 2};
  }
  Arrays backward(ArraySpan, ArraySpan gy) override {
    EXPECT_FALSE(gy[0].flags().c_contiguous);
    return {gy[0] * 2};
  }
};

// Sum and difference; the second result has no gradient function of its own.
struct SumDifference final : FunctionOf<SumDifference, 2> {
  Arrays forward(ArraySpan x) override { return {x[0] + x[1], x[0] - x[1]}; }
  Arrays backward(ArraySpan x, ArraySpan gy) override {
    const ndarray zero = cupyxx::zeros_like(x[0]);
    const ndarray gs = gy[0].is_none() ? zero : gy[0], gd = gy[1].is_none() ? zero : gy[1];
    return {gs + gd, gs - gd};
  }
};

struct Third final : FunctionOf<Third> {
  void check_type_forward(const typecheck::TypeInfos& in) const override {
    typecheck::expect(in.size() == 1, in[0].shape()[2] == 3);
  }
  Arrays forward(ArraySpan x) override { return {x[0]}; }
};

struct Pair final : FunctionOf<Pair> {
  Arrays forward(ArraySpan x) override { return {x[0], x[0]}; }
};

struct Devices final : FunctionOf<Devices> {
  Arrays forward_cpu(ArraySpan x) override { return {x[0] + 1}; }
  Arrays forward_gpu(ArraySpan x) override { return {x[0] + 2}; }
  Arrays backward_cpu(ArraySpan, ArraySpan gy) override { return {gy[0] * 10}; }
  Arrays backward_gpu(ArraySpan, ArraySpan gy) override { return {gy[0] * 20}; }
};

struct Stopper final : FunctionOf<Stopper> {
  Arrays forward(ArraySpan x) override { return {x[0] * 1}; }
};

struct WrongGradient final : FunctionOf<WrongGradient> {
  Arrays forward(ArraySpan x) override { return {x[0] * 1}; }
  Arrays backward(ArraySpan, ArraySpan) override { return {cupyxx::ones({7}, cupyxx::float32)}; }
};

struct InPlace final : FunctionOf<InPlace> {
  Arrays forward(ArraySpan x) override { return {x[0] * 2}; }
  Arrays backward(ArraySpan, ArraySpan gy) override {
    const ndarray gx = gy[0];
    gx *= 2;
    return {gx};
  }
};

struct Empty final : FunctionOf<Empty> {};

Variable variable(std::initializer_list<float> values) { return Variable(cupyxx::array(values)); }

TEST_P(FunctionTest, UserFunctionComputesBothWays) {
  const Variable x = variable({1, 2}), y = variable({3, 4}), z = variable({5, 6});
  const Variable w = MulAdd()(x, y, z);
  expect_elements<float>(w.data(), {2}, {8, 14});
  w.set_grad(cupyxx::array({1.0f, 10.0f}));
  w.backward();
  expect_elements<float>(x.grad(), {2}, {3, 40});
  expect_elements<float>(y.grad(), {2}, {1, 20});
  expect_elements<float>(z.grad(), {2}, {1, 10});
}

TEST_P(FunctionTest, GraphIsVisible) {
  const Variable x = variable({1, 2}), y = variable({3, 4}), z = variable({5, 6});
  const Variable w = MulAdd()(x, y, z);
  Function* const f = w.creator();
  ASSERT_NE(f, nullptr);
  EXPECT_EQ(f->label(), "MulAdd");
  EXPECT_EQ(f->rank(), 0);
  ASSERT_EQ(f->inputs().size(), 3u);
  EXPECT_EQ(f->inputs()[1].node(), y.node());
  ASSERT_EQ(f->outputs().size(), 1u);
  EXPECT_EQ(f->outputs()[0].node(), w.node());
}

TEST_P(FunctionTest, CheckRunsBeforeForward) {
  const Variable x = variable({1, 2});
  expect_error<typecheck::InvalidType>([&] { MulAdd()(x, x); },
                                       "Expect: in_types.size == 3\nActual: 2 != 3");
  Function::type_check_enable = false;
  EXPECT_NO_THROW(MulAdd()(Variable(x.data().astype(cupyxx::float64)),
                           Variable(x.data().astype(cupyxx::float64)),
                           Variable(x.data().astype(cupyxx::float64))));
  Function::type_check_enable = true;
}

TEST_P(FunctionTest, ParametersAreSharedByApplications) {
  EltwiseParamProduct f(Shape{2});
  const Variable x = variable({1, 2});
  const Variable y = f(x) + f(f(x));
  y.set_grad(cupyxx::ones({2}, cupyxx::float32));
  y.backward();
  expect_elements<float>(y.data(), {2}, {12, 24});
  expect_elements<float>(f.gW, {2}, {1 + 3 + 3, 2 + 6 + 6});
  EXPECT_EQ(f.parameter_names(), std::vector<std::string>({"W"}));
  EXPECT_EQ(f.gradient_names(), std::vector<std::string>({"gW"}));
  ASSERT_EQ(f.parameters().size(), 1u);
  EXPECT_EQ(f.parameters()[0].body(), f.W.body());
  EXPECT_EQ(f.gradients()[0].body(), f.gW.body());
}

TEST_P(FunctionTest, DeepCopyHasItsOwnArrays) {
  EltwiseParamProduct f(Shape{2});
  const auto copy = f.deep_copy();
  f.W.fill(7);
  expect_elements<float>(copy->parameters()[0], {2}, {3, 3});
  const auto clone = f.clone();
  EXPECT_EQ(clone->parameters()[0].body(), f.W.body());
}

TEST_P(FunctionTest, MovesItsFields) {
  EltwiseParamProduct f(Shape{2});
  EltwiseParamProduct& same = f.to_cpu();
  EXPECT_EQ(&same, &f);
  EXPECT_EQ(f.W.device(), cupyxx::Device::cpu());
  f.move_to(device());
  EXPECT_EQ(f.W.device(), device());
  EXPECT_EQ(f.gW.device(), device());
}

TEST_P(FunctionTest, SeveralResultsAreUnpacked) {
  const Variable x = variable({5}), y = variable({3});
  const auto [s, d] = SumDifference()(x, y);
  EXPECT_EQ(s.data().item<float>(), 8);
  EXPECT_EQ(d.data().item<float>(), 2);
  s.backward();
  EXPECT_EQ(x.grad().item<float>(), 1);
  EXPECT_EQ(y.grad().item<float>(), 1);
  (s * d).backward();  // x^2 - y^2
  EXPECT_EQ(x.grad().item<float>(), 1 + 10);
  EXPECT_EQ(y.grad().item<float>(), 1 - 6);
}

TEST_P(FunctionTest, ConditionsThatCannotBeEvaluatedAreNamed) {
  expect_error<cupyxx::IndexError>(
      [&] {
        Third()(variable({2, 3}));
      },
      "Third: typecheck: tuple index out of range; index 2, length 1: "
      "in_types[0].shape[2] == 3");
}

TEST_P(FunctionTest, ADifferentNumberOfResultsSaysWhatToWrite) {
  expect_error<cupyxx::ValueError>([&] { Pair()(variable({2})); },
                                   "Pair: forward gave another number of results than the function "
                                   "declares; 2 and 1: FunctionOf<Pair, 2> says so");
}

TEST_P(FunctionTest, ResultsThatNobodyHoldsAreForgotten) {
  const Variable x = variable({5}), y = variable({3});
  Variable s = SumDifference()(x, y)[0];
  const auto outputs = s.creator()->outputs();
  ASSERT_EQ(outputs.size(), 2u);
  EXPECT_TRUE(outputs[1].is_none());
}

TEST_P(FunctionTest, DeviceVariantsAreChosenByTheInputs) {
  const Variable x = variable({1});
  const Variable y = Devices()(x);
  const bool is_cpu = device().is_cpu();
  EXPECT_EQ(y.data().item<float>(), is_cpu ? 2 : 3);
  y.backward();
  EXPECT_EQ(x.grad().item<float>(), is_cpu ? 10 : 20);
}

TEST_P(FunctionTest, InputsDecideTheCurrentDevice) {
  struct Probe final : FunctionOf<Probe> {
    Arrays forward(ArraySpan x) override { return {x[0] + cupyxx::ones({1}, cupyxx::float32)}; }
  };
  const Variable x = variable({1});
  const cupyxx::DeviceScope other(cupyxx::Device::cpu());
  EXPECT_EQ(Probe()(x).device(), device());
}

TEST_P(FunctionTest, MissingGradientStopsABranch) {
  const Variable x = variable({2});
  const Variable h = x * 3;
  const Variable y = Stopper()(h) + h;
  y.backward();
  EXPECT_EQ(x.grad().item<float>(), 3);
}

TEST_P(FunctionTest, UsersFunctionsReceiveContiguousArrays) {
  const ndarray plain = cupyxx::arange(6).astype(cupyxx::float32).reshape({2, 3});
  const ndarray turned = plain.T().copy(cupyxx::Order::C).T();  // the same in columns
  ASSERT_FALSE(turned.flags().c_contiguous);
  const auto weights = cupyxx::arange(6).astype(cupyxx::float32).reshape({2, 3});
  for (const bool variables : {false, true}) {
    Numbered::seen.clear();
    const Variable x(turned);
    const Variable y = Numbered()(x);
    y.set_grad((turned + 1).copy());
    ASSERT_FALSE(y.grad().flags().c_contiguous);
    y.backward({.enable_double_backprop = variables});
    cupyxx::testing::expect_array_equal(y.data(), plain * weights);
    cupyxx::testing::expect_array_equal(x.grad(), (plain + 1) * weights);
    EXPECT_EQ(Numbered::seen, std::vector<cupyxx::Strides>(3, cupyxx::Strides{12, 4}));
    // Variables keep what they were given.
    EXPECT_EQ(x.data().strides(), turned.strides());
  }
  // The copy belongs to the function: a change of the variable's array does not reach backward.
  const Variable x(turned.copy());
  const Variable y = Numbered()(x);
  x.data() += 1;
  y.set_grad(plain);
  y.backward();
  cupyxx::testing::expect_array_equal(x.grad(), plain * weights);
}

TEST_P(FunctionTest, AnyLayoutIsTakenWhereAFunctionSaysSo) {
  const Variable x(cupyxx::arange(6).astype(cupyxx::float32).reshape({2, 3}).T());
  const Variable y = Strided()(x);
  EXPECT_FALSE(y.data().flags().c_contiguous);
  y.set_grad(cupyxx::ones_like(y.data()));
  y.backward();
  EXPECT_EQ(x.grad().strides(), x.data().strides());
  EXPECT_TRUE((x + x).creator()->takes_any_layout());
  EXPECT_FALSE(Numbered().takes_any_layout());
}

TEST_P(FunctionTest, WrongGradientsAreNamed) {
  const Variable x = variable({2});
  expect_error<cupyxx::ShapeError>([&] { WrongGradient()(x).backward(); },
                                   "WrongGradient: the gradient of input 0 does not match the "
                                   "input; (7,) float32 on");
}

// It would be the other summand's gradient, too: 8 instead of 5.
TEST_P(FunctionTest, GradientsThatAreGivenAreNotChanged) {
  for (const bool variables : {false, true}) {
    const Variable x = variable({2});
    const Variable h = x * 1;
    const Variable y = InPlace()(h) + h * 3;
    expect_error<cupyxx::ValueError>(
        [&] { y.backward({.enable_double_backprop = variables}); },
        "InPlace: backward changed a gradient that it was given in place; others are given it, "
        "too: write gy[0] * 2, not gy[0] *= 2");
  }
}

TEST_P(FunctionTest, MissingMethodsAreNamed) {
  const Variable x = variable({2});
  expect_error<cupyxx::TypeError>([&] { Empty()(x); }, "Empty: it defines neither forward nor");
}

TEST_P(FunctionTest, SetCreatorTakesAnOutputOver) {
  const Variable x = variable({2});
  const Variable y = x * 3;
  const Variable z = variable({0});
  z.set_creator(*y.creator());
  EXPECT_EQ(y.creator(), nullptr);
  z.backward();
  EXPECT_EQ(x.grad().item<float>(), 3);
  Stopper loose;
  expect_error<cupyxx::ValueError>([&] { z.set_creator(loose); }, "is not part of a graph");
}

/// Asks for what only a graph knows, wherever it runs.
struct Curious final : FunctionOf<Curious> {
  std::vector<ndarray> forward(ArraySpan x) override {
    needs = needs_gradient(0);
    if (asks_for_shape) {
      EXPECT_EQ(input_shape(0), x[0].shape());
    }
    if (retained) retain_inputs({*retained});
    return {x[0] * (needs ? 2 : 1)};
  }
  std::vector<ndarray> backward(ArraySpan, ArraySpan gy) override {
    (void)needs_gradient(asked);
    (void)input_shape(asked);
    return {gy[0] * 2};
  }
  std::vector<Field> fields() override {
    if (has_null) return {{"W", static_cast<ndarray*>(nullptr)}};
    return {};
  }
  bool needs = false, asks_for_shape = false, has_null = false;
  std::optional<int> retained;
  std::size_t asked = 0;
};

TEST_P(FunctionTest, WhatAGraphKnowsIsAskedForAnywhere) {
  const ndarray array = variable({2}).data();
  const Variable x(array);
  Curious f;
  EXPECT_EQ(f(x).item<float>(), 2 * x.item<float>());
  EXPECT_EQ(f(Variable(array, true)).item<float>(), x.item<float>());
  {
    const NoGradScope scope;
    EXPECT_EQ(f(x).item<float>(), x.item<float>());
    f.asks_for_shape = true;
    expect_error<cupyxx::ValueError>([&] { f(x); }, "in forward write x[0].shape()");
  }
  f(x).backward();
  EXPECT_EQ(x.grad().item<float>(), 2);
  f.asked = 7;
  const Variable y = f(x);
  expect_error<cupyxx::IndexError>([&] { y.backward(); },
                                   "Curious: needs_gradient: there is no input 7; there are 1");
  f.retained = -1;
  expect_error<cupyxx::IndexError>([&] { f(x); }, "retain_inputs: a number is negative; -1");
  f = Curious();
  f.has_null = true;
  expect_error<cupyxx::TypeError>([&] { f(x); }, "fields() gives a null pointer for the array W");
}

TEST_P(FunctionTest, UnchainCutsOneFunction) {
  const Variable x = variable({2});
  const Variable h = x * 3;
  const Variable y = h * h;
  h.creator()->unchain();
  EXPECT_EQ(h.creator(), nullptr);
  y.backward();
  EXPECT_EQ(h.grad().item<float>(), 12);
  EXPECT_TRUE(x.grad().is_none());
}

}  // namespace
}  // namespace chainerxx
