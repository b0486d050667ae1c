// SPDX-License-Identifier: MIT
#include "chainerxx/functions/loss/ctc.h"
#include "chainerxx/functions/loss/distances.h"
#include "chainerxx/functions/loss/mean_squared_error.h"
#include "chainerxx/functions/loss/sigmoid_cross_entropy.h"
#include "chainerxx/functions/loss/softmax_cross_entropy.h"
#include "chainerxx/functions/loss/vae.h"
#include "chainerxx/functions/testing/function_rows.h"
#include "cupyxx/creation.h"

namespace chainerxx::testing {

using V = Variables;
namespace F = functions;

namespace {

/// One label of four does not count.
ndarray labels() { return cupyxx::array({0, 2, -1, 1}); }
ndarray bits() { return cupyxx::array({{1, 0, -1}, {0, 1, 1}}); }
ndarray words() { return cupyxx::array({{0, 1}, {1, 1}}); }

}  // namespace

std::vector<FunctionRow> loss_rows() {
  return {
      {"softmax_cross_entropy",
       "SoftmaxCrossEntropy softmax_cross_entropy",
       {{4, 3}},
       one([](const V& x) { return F::softmax_cross_entropy(x[0], labels()); })},
      {"softmax_cross_entropy_by_samples", "softmax_cross_entropy", {{4, 3}}, one([](const V& x) {
         return F::softmax_cross_entropy(x[0], labels(), {.normalize = false}) * 2;
       })},
      {"softmax_cross_entropy_planes", "softmax_cross_entropy", {{2, 3, 3}}, one([](const V& x) {
         return F::softmax_cross_entropy(x[0], bits());
       })},
      {"sigmoid_cross_entropy",
       "SigmoidCrossEntropy sigmoid_cross_entropy",
       {{2, 3}},
       one([](const V& x) { return F::sigmoid_cross_entropy(x[0], bits()); })},
      {"sigmoid_cross_entropy_normalized", "sigmoid_cross_entropy", {{2, 3}}, one([](const V& x) {
         return F::sigmoid_cross_entropy(x[0], bits(), {.normalize = true});
       })},
      {"mean_squared_error",
       "MeanSquaredError mean_squared_error",
       {{4, 3}, {4, 3}},
       one([](const V& x) { return F::mean_squared_error(x[0], x[1]); })},
      {"ctc",
       "ConnectionistTemporalClassification connectionist_temporal_classification",
       {{2, 3}, {2, 3}, {2, 3}, {2, 3}},
       one([](const V& x) { return F::connectionist_temporal_classification(x, words(), 2); })},
      {"ctc_lengths",
       "connectionist_temporal_classification",
       {{2, 3}, {2, 3}, {2, 3}, {2, 3}},
       one([](const V& x) {
         return F::connectionist_temporal_classification(
             x, words(), 2, {.input = cupyxx::array({4, 2}), .label = cupyxx::array({2, 1})});
       })},
      {"hinge", "Hinge hinge", {{4, 3}}, one([](const V& x) {
         return F::hinge(x[0], four_labels());
       })},
      {"hinge_squares", "hinge", {{4, 3}}, one([](const V& x) {
         return F::hinge(x[0], four_labels(), F::HingeNorm::L2);
       })},
      {"huber_loss", "HuberLoss huber_loss", {{3, 4}, {3, 4}}, one([](const V& x) {
         return F::huber_loss(x[0], x[1], 0.6);
       })},
      {"huber_loss_of_vectors", "huber_loss", {{4}, {4}}, one([](const V& x) {
         return F::huber_loss(x[0], x[1], 0.6);
       })},
      {"huber_loss_of_images", "huber_loss", {{2, 2, 3}, {2, 2, 3}}, one([](const V& x) {
         return F::huber_loss(x[0], x[1], 0.6);
       })},
      {"cross_covariance",
       "CrossCovariance cross_covariance",
       {{4, 2}, {4, 3}},
       one([](const V& x) { return F::cross_covariance(x[0], x[1]); })},
      {"contrastive", "contrastive", {{4, 2}, {4, 2}}, one([](const V& x) {
         return F::contrastive(x[0], x[1], cupyxx::array({1, 0, 0, 1}), 2);
       })},
      {"triplet", "triplet", {{4, 2}, {4, 2}, {4, 2}}, one([](const V& x) {
         return F::triplet(x[0], x[1], x[2], 3);
       })},
      {"gaussian_kl_divergence", "gaussian_kl_divergence", {{3, 2}, {3, 2}}, one([](const V& x) {
         return F::gaussian_kl_divergence(x[0], x[1]);
       })},
      {"bernoulli_nll", "bernoulli_nll", {{3, 2}, {3, 2}}, one([](const V& x) {
         return F::bernoulli_nll(x[0], x[1]);
       })},
      {"gaussian_nll", "gaussian_nll", {{3, 2}, {3, 2}, {3, 2}}, one([](const V& x) {
         return F::gaussian_nll(x[0], x[1], x[2]);
       })},
  };
}

}  // namespace chainerxx::testing
