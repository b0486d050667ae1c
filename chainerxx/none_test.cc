// SPDX-License-Identifier: MIT
// What is None says so, with the name of what was asked of it. Inputs of functions are walked in
// functions/contracts_test.cc.
#include <gtest/gtest.h>

#include <sstream>
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
}

}  // namespace
}  // namespace chainerxx
