// SPDX-License-Identifier: MIT
// What is None says so, with the name of what was asked of it. Inputs of functions are walked in
// functions/contracts_test.cc.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "chainerxx/chainerxx.h"
#include "cupyxx/cupyxx.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect_error.h"

namespace chainerxx {
namespace {

namespace F = functions;
using cupyxx::testing::expect_error;

class NoneTest : public cupyxx::testing::DeviceTest {
 protected:
  Variable x_{cupyxx::ones({3, 4}, cupyxx::float32)};
};
CUPYXX_TEST_ON_DEVICES(NoneTest);

TEST_P(NoneTest, AccessorsOfVariables) {
  const Variable x;
  const auto refuses = [&](const std::string& name, auto&& call) {
    SCOPED_TRACE(name);
    expect_error<cupyxx::TypeError>([&] { call(); }, name + ": the variable is None");
  };
  refuses("data", [&] { x.data(); });
  refuses("array", [&] { x.array(); });
  refuses("detach", [&] { x.detach(); });
  refuses("set_data", [&] { x.set_data(x_.data()); });
  refuses("grad", [&] { x.grad(); });
  refuses("set_grad", [&] { x.set_grad(x_.data()); });
  refuses("set_grad", [&] { x.set_grad(ndarray()); });
  refuses("grad_var", [&] { x.grad_var(); });
  refuses("set_grad_var", [&] { x.set_grad_var(x_); });
  refuses("cleargrad", [&] { x.cleargrad(); });
  refuses("zerograd", [&] { x.zerograd(); });
  refuses("creator", [&] { x.creator(); });
  refuses("volatile", [&] { x.volatile_(); });
  refuses("set_volatile", [&] { x.set_volatile(true); });
  refuses("label", [&] { x.label(); });
  refuses("rank", [&] { x.rank(); });
  refuses("shape", [&] { x.shape(); });
  refuses("dtype", [&] { x.dtype(); });
  refuses("device", [&] { x.device(); });
  refuses("ndim", [&] { x.ndim(); });
  refuses("size", [&] { x.size(); });
  refuses("len", [&] { x.len(); });
  refuses("item", [&] { x.item(); });
  refuses("item", [&] { x.item<float>(); });
  refuses("backward", [&] { x.backward(); });
  refuses("backward", [&] { x.backward(true); });
  refuses("backward", [&] { Variable().backward(); });
  refuses("unchain_backward", [&] { x.unchain_backward(); });
  refuses("less", [&] { (void)(x < 1); });
  refuses("greater", [&] { (void)(x > 1); });
  refuses("less", [&] { (void)(x_ > x); });
  refuses("index", [&] { x_(x); });
  expect_error<cupyxx::TypeError>([&] { Variable{ndarray()}; }, "Variable: the data is None");
  expect_error<cupyxx::TypeError>([&] { x_.set_data(ndarray()); }, "set_data: the data is None");
  expect_error<cupyxx::TypeError>([&] { x(0); }, "GetItem: input 0 is None");
  expect_error<cupyxx::TypeError>(
      [&] { x + x_; }, "_ + _: input 0 is None; a sum that begins as 0 or None grows by += and -=");
  expect_error<cupyxx::TypeError>([&] { x - x_; }, "_ - _: input 0 is None; a sum that begins");
  expect_error<cupyxx::TypeError>([&] { x_ + x; }, "_ + _: input 1 is None");
  expect_error<cupyxx::TypeError>([&] { x.T(); }, "Transpose: input 0 is None");
  expect_error<cupyxx::TypeError>([&] { x.sum(); }, "Sum: input 0 is None");
  expect_error<cupyxx::TypeError>([&] { +x; }, "__pos__: input 0 is None");
  expect_error<cupyxx::TypeError>([&] { x + 1; }, "_ + 1: input 0 is None");
  expect_error<cupyxx::TypeError>([&] { x_ + x; }, "_ + _: input 1 is None");
  Variable none = nullptr, other = cupyxx::none;
  EXPECT_TRUE(none.is_none() && other.is_none());
}

TEST_P(NoneTest, LabelsAndParameters) {
  const Variable x;
  const auto refuses = [&](const std::string& text, auto&& call) {
    SCOPED_TRACE(text);
    expect_error<cupyxx::TypeError>([&] { call(); }, text);
  };
  refuses("SoftmaxCrossEntropy: input 1 is None", [&] { F::softmax_cross_entropy(x_, x); });
  refuses("SigmoidCrossEntropy: input 1 is None", [&] { F::sigmoid_cross_entropy(x_, x); });
  refuses("Accuracy: input 1 is None", [&] { F::accuracy(x_, x); });
  refuses("SelectItem: input 1 is None", [&] { F::select_item(x_, x); });
  refuses("Hinge: input 1 is None", [&] { F::hinge(x_, x); });
  refuses("contrastive: input 2 is None", [&] { F::contrastive(x_, x_, x); });
  refuses("triplet: input 1 is None", [&] { F::triplet(x_, x, x_); });
  refuses("gaussian_nll: input 2 is None", [&] { F::gaussian_nll(x_, x_, x); });
  refuses("Where: input 0 is None", [&] { F::where(x, x_, x_); });
  refuses("EmbedIDFunction: input 0 is None", [&] { F::embed_id(x, x_); });
  refuses("Dropout: input 0 is None", [&] { F::dropout(x, 0.5, false); });
  refuses("Linear: input 0 is None", [&] { F::Linear(4, 3)(x); });
  refuses("EmbedID: input 0 is None", [&] { F::EmbedID(4, 3)(x); });
  refuses("GRU: input 0 is None", [&] { F::GRU(4, 3)(x, x_); });
  refuses("Concat: input 1 is None", [&] { F::concat({x_, x}); });
  refuses("Stack: input 0 is None", [&] { F::stack({x, x_}); });
  refuses("embedding_dropout: input 0 is None", [&] { F::embedding_dropout(x); });
  refuses("scaled_dot_product_attention: input 0 is None",
          [&] { F::scaled_dot_product_attention(x, x_, x_); });
  refuses("self_attention: input 0 is None", [&] { F::self_attention(x, 1); });
  refuses("maxout: input 0 is None", [&] { F::maxout(x, 2); });
  refuses("ConnectionistTemporalClassification: input 1 is None",
          [&] { F::connectionist_temporal_classification({x}, x_, 0); });
  refuses("Parameter: the array is None", [&] { F::Parameter{ndarray()}; });
  refuses("grad: input 0 is None", [&] { grad({x_}, {x}); });
}

TEST_P(NoneTest, WhatALayerHasLost) {
  struct Set : FunctionSet {
    F::Linear& l = add("l", F::Linear(4, 3));
  } set;
  optimizers::SGD opt;
  set.l.gW = ndarray();
  expect_error<cupyxx::ValueError>([&] { opt.setup(set); },
                                   "setup: a parameter or its gradient is None; l/W");
  set.zero_grads();  // passes over it
  const Variable y = set.l(x_);
  y.set_grad(cupyxx::ones_like(y.data()));
  expect_error<cupyxx::TypeError>([&] { y.backward(); },
                                  "Linear: the gradient gW of a parameter is None");
}

// With and without the checks of types, on both devices: kernels read what they are given.
TEST_P(NoneTest, LayersWithoutTheirArrays) {
  const auto check = [&](const std::string& name, auto make, auto member, const std::string& array,
                         const auto&... inputs) {
    SCOPED_TRACE(name + " " + array);
    auto layer = make();
    layer.*member = ndarray();
    const std::vector<Variable> x = {inputs...};
    const std::string said = name + ": the " + array + " is None";
    for (const bool checks : {true, false}) {
      Function::type_check_enable = checks;
      expect_error<cupyxx::TypeError>([&] { layer.call(x); }, said);
    }
    Function::type_check_enable = true;
  };
  const Variable image(cupyxx::ones({1, 2, 4, 4}, cupyxx::float32));
  const Variable ids(cupyxx::array({0, 2}, cupyxx::int32));
  const Variable steps(cupyxx::ones({2, 3, 4}, cupyxx::float32));
  const Variable state(cupyxx::ones({3, 5}, cupyxx::float32));
  const auto linear = [] { return F::Linear(4, 3); };
  const auto conv = [] { return F::Convolution2D(2, 3, 3); };
  const auto deconv = [] { return F::Deconvolution2D(2, 3, 3); };
  const auto norm = [] { return F::BatchNormalization(4); };
  const auto lstm = [] { return F::LSTMSequence(4, 5); };
  check("Linear", linear, &F::Linear::W, "parameter W", x_);
  check("Convolution2D", conv, &F::Convolution2D::W, "parameter W", image);
  check("Deconvolution2D", deconv, &F::Deconvolution2D::W, "parameter W", image);
  check(
      "PReLU", [] { return F::PReLU({4}); }, &F::PReLU::W, "parameter W", x_);
  check(
      "Scale", [] { return F::Scale({4}); }, &F::Scale::W, "parameter W", x_);
  check(
      "EmbedID", [] { return F::EmbedID(3, 2); }, &F::EmbedID::W, "parameter W", ids);
  check(
      "Bilinear", [] { return F::Bilinear(4, 4, 2); }, &F::Bilinear::W, "parameter W", x_, x_);
  check("BatchNormalization", norm, &F::BatchNormalization::gamma, "parameter gamma", x_);
  check("BatchNormalization", norm, &F::BatchNormalization::beta, "parameter beta", x_);
  check("BatchNormalization", norm, &F::BatchNormalization::avg_mean, "state avg_mean", x_);
  check("BatchNormalization", norm, &F::BatchNormalization::avg_var, "state avg_var", x_);
  check("LSTMSequence", lstm, &F::LSTMSequence::W, "parameter W", steps, state, state);
  check("LSTMSequence", lstm, &F::LSTMSequence::U, "parameter U", steps, state, state);
  check("LSTMSequence", lstm, &F::LSTMSequence::b, "parameter b", steps, state, state);
  const auto sampling = [] { return F::NegativeSampling(4, {1, 1, 1}, 2); };
  const auto tree = [] { return F::BinaryHierarchicalSoftmax(4, F::Tree(F::Tree(0, 1), 2)); };
  const Variable labels(cupyxx::array({0, 2, 1}, cupyxx::int32));
  check("NegativeSampling", sampling, &F::NegativeSampling::W, "parameter W", x_, labels);
  check("BinaryHierarchicalSoftmax", tree, &F::BinaryHierarchicalSoftmax::W, "parameter W", x_,
        labels);
  F::Parameter parameter(x_.data());
  parameter.W = ndarray();
  expect_error<cupyxx::TypeError>([&] { parameter(); }, "Parameter: the parameter W is None");
  // A bias is not needed.
  F::Linear without(4, 3);
  without.b = ndarray();
  EXPECT_EQ(without(x_).shape(), cupyxx::Shape({3, 3}));
}

}  // namespace
}  // namespace chainerxx
