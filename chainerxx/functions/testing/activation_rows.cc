// SPDX-License-Identifier: MIT
#include "chainerxx/functions/activation/activation.h"
#include "chainerxx/functions/activation/gated.h"
#include "chainerxx/functions/activation/lstm.h"
#include "chainerxx/functions/activation/pointwise.h"
#include "chainerxx/functions/activation/prelu.h"
#include "chainerxx/functions/activation/rectifiers.h"
#include "chainerxx/functions/activation/tree_lstm.h"
#include "chainerxx/functions/testing/function_rows.h"
#include "cupyxx/random.h"

namespace chainerxx::testing {

using V = Variables;
namespace F = functions;

std::vector<FunctionRow> activation_rows() {
  return {
      {"relu", "ReLU relu", {{3, 4}}, one([](const V& x) { return F::relu(x[0]); })},
      {"relu_0d", "relu", {{}}, one([](const V& x) { return F::relu(x[0]); })},
      {"crelu", "crelu", {{2, 3, 2}}, one([](const V& x) { return F::crelu(x[0]); })},
      {"crelu_last", "crelu", {{3, 2}}, one([](const V& x) { return F::crelu(x[0], -1); })},
      {"relu6", "relu6", {{3, 4}}, one([](const V& x) { return F::relu6(x[0]); })},
      {"rrelu", "rrelu", {{3, 4}}, one([](const V& x) {
         cupyxx::random::seed(3);
         return F::rrelu(x[0], 0.1, 0.4, true);
       })},
      {"rrelu_test", "rrelu", {{3, 4}}, one([](const V& x) {
         return F::rrelu(x[0], 0.1, 0.4, false);
       })},
      {"sigmoid", "Sigmoid sigmoid", {{3, 4}}, one([](const V& x) { return F::sigmoid(x[0]); })},
      {"tanh", "Tanh tanh", {{3, 4}}, one([](const V& x) { return F::tanh(x[0], false); })},
      {"softmax", "Softmax softmax", {{3, 4}}, one([](const V& x) { return F::softmax(x[0]); })},
      {"softmax_planes", "softmax", {{2, 3, 2, 2}}, one([](const V& x) {
         return F::softmax(x[0]);
       })},
      {"softmax_first", "softmax", {{3, 4}}, one([](const V& x) { return F::softmax(x[0], 0); })},
      {"softmax_last", "softmax", {{2, 3, 4}}, one([](const V& x) {
         return F::softmax(x[0], -1);
       })},
      {"log_softmax", "LogSoftmax log_softmax", {{3, 4}}, one([](const V& x) {
         return F::log_softmax(x[0]);
       })},
      {"log_softmax_first", "log_softmax", {{3, 2, 2}}, one([](const V& x) {
         return F::log_softmax(x[0], 0);
       })},
      {"log_softmax_last", "log_softmax", {{2, 3, 4}}, one([](const V& x) {
         return F::log_softmax(x[0], -1);
       })},
      {"maxout", "maxout", {{3, 6}}, one([](const V& x) { return F::maxout(x[0], 2); })},
      {"maxout_first", "maxout", {{6, 2}}, one([](const V& x) { return F::maxout(x[0], 3, -2); })},
      {"clipped_relu", "ClippedReLU clipped_relu", {{3, 4}}, one([](const V& x) {
         return F::clipped_relu(x[0], 0.6);
       })},
      {"leaky_relu", "LeakyReLU leaky_relu", {{3, 4}}, one([](const V& x) {
         return F::leaky_relu(x[0]);
       })},
      {"leaky_relu_negative", "leaky_relu", {{3, 4}}, one([](const V& x) {
         return F::leaky_relu(x[0], -0.3);
       })},
      {"elu", "ELU elu", {{3, 4}}, one([](const V& x) { return F::elu(x[0], 0.7); })},
      {"selu", "selu", {{3, 4}}, one([](const V& x) { return F::selu(x[0]); })},
      {"softplus", "Softplus softplus", {{3, 4}}, one([](const V& x) {
         return F::softplus(x[0], 3);
       })},
      {"softplus_negative_beta", "softplus", {{3, 4}}, one([](const V& x) {
         return F::softplus(x[0], -1);
       })},
      {"hard_sigmoid",
       "HardSigmoid hard_sigmoid",
       {{3, 4}},
       one([](const V& x) { return F::hard_sigmoid(x[0]); }),
       -4,
       4},
      {"gelu", "GELU gelu", {{3, 4}}, one([](const V& x) { return F::gelu(x[0]); }), -2, 2},
      {"gelu_tanh",
       "GELUTanh gelu",
       {{3, 4}},
       one([](const V& x) { return F::gelu(x[0], true); }),
       -2,
       2},
      {"swish",
       "Swish swish",
       {{3, 4}},
       one([](const V& x) { return F::swish(x[0], 1.5); }),
       -2,
       2},
      {"softsign", "Softsign softsign", {{3, 4}}, one([](const V& x) {
         return F::softsign(x[0]);
       })},
      {"mish", "Mish mish", {{3, 4}}, one([](const V& x) { return F::mish(x[0]); }), -2, 2},
      {"glu", "glu", {{3, 4}}, one([](const V& x) { return F::glu(x[0]); })},
      {"glu_first", "glu", {{4, 2, 2}}, one([](const V& x) { return F::glu(x[0], 0); })},
      {"prelu", "PReLUFunction prelu", {{2, 3, 2}, {3}}, one([](const V& x) {
         return F::prelu(x[0], x[1]);
       })},
      {"prelu_rows", "prelu", {{2, 3, 2}, {3, 2}}, one([](const V& x) {
         return F::prelu(x[0], x[1]);
       })},
      {"prelu_scalar", "prelu", {{2, 3}, {}}, one([](const V& x) { return F::prelu(x[0], x[1]); })},
      {"lstm",
       "LSTM lstm",
       {{3, 2}, {3, 8}},
       [](const V& x) {
         const auto [c, h] = F::lstm(x[0], x[1]);
         return V{c, h};
       }},
      {"lstm_inner",
       "lstm",
       {{2, 2, 3}, {2, 8, 3}},
       [](const V& x) {
         const auto [c, h] = F::lstm(x[0], x[1]);
         return V{c * h};
       }},
      {"tree_lstm",
       "tree_lstm",
       {{2, 2}, {2, 2}, {2, 10}},
       [](const V& x) {
         const auto [c, h] = F::tree_lstm({x[0], x[1]}, x[2]);
         return V{c, h};
       }},
      {"tree_lstm_leaf",
       "tree_lstm",
       {{2, 6, 2}},
       [](const V& x) { return V{F::tree_lstm(V(), x[0])[1]}; }},
      {"slstm",
       "slstm",
       {{2, 2}, {2, 2}, {2, 8}, {2, 8}},
       [](const V& x) {
         const auto [c, h] = F::slstm(x[0], x[1], x[2], x[3]);
         return V{c, h};
       }},
      {"slstm_inner",
       "slstm",
       {{1, 2, 2}, {1, 2, 2}, {1, 8, 2}, {1, 8, 2}},
       [](const V& x) { return V{F::slstm(x[0], x[1], x[2], x[3])[1]}; }},
      {"lstm_cell_only",
       "lstm",
       {{3, 2}, {3, 8}},
       [](const V& x) { return V{F::lstm(x[0], x[1])[0]}; }},
      {"lstm_hidden_only",
       "lstm",
       {{3, 2}, {3, 8}},
       [](const V& x) { return V{F::lstm(x[0], x[1])[1]}; }},
  };
}

}  // namespace chainerxx::testing
