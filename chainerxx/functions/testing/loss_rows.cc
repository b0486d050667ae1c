// SPDX-License-Identifier: MIT
#include "chainerxx/functions/loss/ctc.h"
#include "chainerxx/functions/loss/decorrelation.h"
#include "chainerxx/functions/loss/discriminative_loss.h"
#include "chainerxx/functions/loss/distances.h"
#include "chainerxx/functions/loss/errors.h"
#include "chainerxx/functions/loss/mean_squared_error.h"
#include "chainerxx/functions/loss/sampled_losses.h"
#include "chainerxx/functions/loss/sigmoid_cross_entropy.h"
#include "chainerxx/functions/loss/softmax_cross_entropy.h"
#include "chainerxx/functions/loss/vae.h"
#include "chainerxx/functions/network/crf1d.h"
#include "chainerxx/functions/testing/function_rows.h"
#include "cupyxx/creation.h"

namespace chainerxx::testing {

using V = Variables;
namespace F = functions;

namespace {

/// One label of four does not count.
ndarray labels() { return cupyxx::array({0, 2, -1, 1}); }
/// Two pairs that belong together and two that do not.
ndarray pairs() { return cupyxx::array({1, -1, -1, 1}); }
ndarray bits() { return cupyxx::array({{1, 0, -1}, {0, 1, 1}}); }
ndarray class_weights() { return cupyxx::array({0.5, 2.0, 1.25}); }
ndarray instances() { return cupyxx::array({{{1, 1, 2}, {0, 2, 2}}, {{1, 3, 1}, {1, 0, 1}}}); }
ndarray words() { return cupyxx::array({{0, 1}, {1, 1}}); }

}  // namespace

namespace {

std::vector<FunctionRow> cross_entropies() {
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
      {"softmax_cross_entropy_ignoring", "softmax_cross_entropy", {{4, 3}}, one([](const V& x) {
         return F::softmax_cross_entropy(x[0], four_labels(), {.ignore_label = 2});
       })},
      {"softmax_cross_entropy_weighted", "softmax_cross_entropy", {{4, 3}}, one([](const V& x) {
         return F::softmax_cross_entropy(x[0], labels(),
                                         {.normalize = false, .class_weight = class_weights()});
       })},
      {"softmax_cross_entropy_smoothed", "softmax_cross_entropy", {{4, 3}}, one([](const V& x) {
         return F::softmax_cross_entropy(x[0], labels(),
                                         {.class_weight = class_weights(), .label_smoothing = 0.2});
       })},
      {"softmax_cross_entropy_of_each", "softmax_cross_entropy", {{2, 3, 3}}, one([](const V& x) {
         return F::softmax_cross_entropy(x[0], bits(),
                                         {.reduce = F::Reduce::no, .label_smoothing = 0.1});
       })},
      {"softmax_cross_entropy_summed", "softmax_cross_entropy", {{4, 3}}, one([](const V& x) {
         return F::softmax_cross_entropy(x[0], labels(), {.reduce = F::Reduce::sum});
       })},
      {"sigmoid_cross_entropy",
       "SigmoidCrossEntropy sigmoid_cross_entropy",
       {{2, 3}},
       one([](const V& x) { return F::sigmoid_cross_entropy(x[0], bits()); })},
      {"sigmoid_cross_entropy_normalized", "sigmoid_cross_entropy", {{2, 3}}, one([](const V& x) {
         return F::sigmoid_cross_entropy(x[0], bits(), {.normalize = true});
       })},
      {"sigmoid_cross_entropy_of_each", "sigmoid_cross_entropy", {{2, 3}}, one([](const V& x) {
         return F::sigmoid_cross_entropy(x[0], bits(), {.reduce = F::Reduce::no});
       })},
      {"sigmoid_cross_entropy_summed", "sigmoid_cross_entropy", {{2, 3}}, one([](const V& x) {
         return F::sigmoid_cross_entropy(x[0], bits(), {.reduce = F::Reduce::sum});
       })},
  };
}

std::vector<FunctionRow> distances() {
  return {
      {"mean_squared_error",
       "MeanSquaredError mean_squared_error",
       {{4, 3}, {4, 3}},
       one([](const V& x) { return F::mean_squared_error(x[0], x[1]); })},
      {"absolute_error", "absolute_error", {{4, 3}, {4, 3}}, one([](const V& x) {
         return F::absolute_error(x[0], x[1]);
       })},
      {"squared_error", "squared_error", {{4, 3}, {4, 3}}, one([](const V& x) {
         return F::squared_error(x[0], x[1]);
       })},
      {"mean_absolute_error", "mean_absolute_error", {{4, 3}, {4, 3}}, one([](const V& x) {
         return F::mean_absolute_error(x[0], x[1]);
       })},
      {"kl_div",
       "kl_div",
       {{4, 3}, {4, 3}},
       one([](const V& x) { return F::kl_div(x[0], x[1]); }),
       0.1,
       1},
      {"kl_div_of_each",
       "kl_div",
       {{4, 3}, {4, 3}},
       one([](const V& x) { return F::kl_div(x[0], x[1], F::Reduce::no); }),
       0.1,
       1},
      {"cosine_similarity", "cosine_similarity", {{4, 3}, {4, 3}}, one([](const V& x) {
         return F::cosine_similarity(x[0], x[1]);
       })},
      {"cosine_similarity_of_columns", "cosine_similarity", {{4, 3}, {4, 3}}, one([](const V& x) {
         return F::cosine_similarity(x[0], x[1], 0);
       })},
      {"cosine_embedding_loss", "cosine_embedding_loss", {{4, 3}, {4, 3}}, one([](const V& x) {
         return F::cosine_embedding_loss(x[0], x[1], pairs(), -0.9);
       })},
      {"cosine_embedding_loss_of_each",
       "cosine_embedding_loss",
       {{4, 3}, {4, 3}},
       one([](const V& x) {
         return F::cosine_embedding_loss(x[0], x[1], pairs(), -0.9, F::Reduce::no);
       })},
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
      {"ctc_of_each",
       "connectionist_temporal_classification",
       {{2, 3}, {2, 3}, {2, 3}, {2, 3}},
       one([](const V& x) {
         return F::connectionist_temporal_classification(x, words(), 2, {.reduce = "no"});
       })},
      {"hinge", "Hinge hinge", {{4, 3}}, one([](const V& x) {
         return F::hinge(x[0], four_labels());
       })},
      {"hinge_squares", "hinge", {{4, 3}}, one([](const V& x) {
         return F::hinge(x[0], four_labels(), F::HingeNorm::L2);
       })},
      {"hinge_of_each", "hinge", {{4, 3}}, one([](const V& x) {
         return F::hinge(x[0], four_labels(), F::HingeNorm::L2, F::Reduce::no);
       })},
      {"huber_loss", "HuberLoss huber_loss", {{3, 4}, {3, 4}}, one([](const V& x) {
         return F::huber_loss(x[0], x[1], 0.6);
       })},
      {"huber_loss_of_vectors", "huber_loss", {{4}, {4}}, one([](const V& x) {
         return F::huber_loss(x[0], x[1], 0.6);
       })},
      {"huber_loss_of_each", "huber_loss", {{3, 4}, {3, 4}}, one([](const V& x) {
         return F::huber_loss(x[0], x[1], 0.6, F::Reduce::no);
       })},
      {"huber_loss_mean", "huber_loss", {{4}, {4}}, one([](const V& x) {
         return F::huber_loss(x[0], x[1], 0.6, F::Reduce::mean);
       })},
      {"huber_loss_of_images", "huber_loss", {{2, 2, 3}, {2, 2, 3}}, one([](const V& x) {
         return F::huber_loss(x[0], x[1], 0.6);
       })},
      {"cross_covariance",
       "CrossCovariance cross_covariance",
       {{4, 2}, {4, 3}},
       one([](const V& x) { return F::cross_covariance(x[0], x[1]); })},
      {"crf1d", "crf1d", {{3, 3}, {2, 3}, {2, 3}, {1, 3}}, one([](const V& x) {
         return F::crf1d(x[0], {x[1], x[2], x[3]},
                         {cupyxx::array({0, 2}), cupyxx::array({1, 1}), cupyxx::array({2})});
       })},
      {"crf1d_of_each", "crf1d", {{3, 3}, {2, 3}, {1, 3}}, one([](const V& x) {
         return F::crf1d(x[0], {x[1], x[2]}, {cupyxx::array({0, 2}), cupyxx::array({1})},
                         F::Reduce::no);
       })},
      {"contrastive", "contrastive", {{4, 2}, {4, 2}}, one([](const V& x) {
         return F::contrastive(x[0], x[1], cupyxx::array({1, 0, 0, 1}), 2);
       })},
      {"contrastive_of_each", "contrastive", {{4, 2}, {4, 2}}, one([](const V& x) {
         return F::contrastive(x[0], x[1], cupyxx::array({1, 0, 0, 1}), 2, F::Reduce::no);
       })},
      {"triplet", "triplet", {{4, 2}, {4, 2}, {4, 2}}, one([](const V& x) {
         return F::triplet(x[0], x[1], x[2], 3);
       })},
      {"triplet_of_each", "triplet", {{4, 2}, {4, 2}, {4, 2}}, one([](const V& x) {
         return F::triplet(x[0], x[1], x[2], 3, F::Reduce::no);
       })},
  };
}

ndarray drawn() { return cupyxx::array({{0, 1}, {2, 2}, {1, 0}, {2, 1}}); }

std::vector<FunctionRow> samples() {
  return {
      {"discriminative_loss",
       "discriminative_margin_based_clustering_loss",
       {{2, 2, 2, 3}},
       [](const V& x) {
         const auto loss =
             F::discriminative_margin_based_clustering_loss(x[0], instances(), 0.1, 0.9, 2);
         return V{loss[0], loss[1], loss[2]};
       }},
      {"discriminative_loss_of_lengths",
       "discriminative_margin_based_clustering_loss",
       {{2, 2, 2, 3}},
       [](const V& x) {
         const auto loss =
             F::discriminative_margin_based_clustering_loss(x[0], instances(), 0.1, 0.9, 2, 2);
         return V{loss[0], loss[1], loss[2]};
       }},
      {"decov", "decov", {{4, 3}}, one([](const V& x) { return F::decov(x[0]); })},
      {"decov_covariances", "decov", {{4, 3}}, one([](const V& x) {
         return F::decov(x[0], F::DeCovReduce::no);
       })},
      {"negative_sampling_function", "negative_sampling", {{4, 2}, {3, 2}}, one([](const V& x) {
         return F::negative_sampling(x[0], four_labels(), x[1], drawn());
       })},
      {"negative_sampling_of_each", "negative_sampling", {{4, 2}, {3, 2}}, one([](const V& x) {
         return F::negative_sampling(x[0], four_labels(), x[1], drawn(), F::Reduce::no);
       })},
      {"black_out", "black_out", {{4, 2}, {3, 2}}, one([](const V& x) {
         return F::black_out(x[0], four_labels(), x[1], drawn());
       })},
      {"black_out_of_each", "black_out", {{4, 2}, {3, 2}}, one([](const V& x) {
         return F::black_out(x[0], four_labels(), x[1], drawn(), F::Reduce::no);
       })},
  };
}

std::vector<FunctionRow> autoencoders() {
  return {
      {"gaussian_kl_divergence", "gaussian_kl_divergence", {{3, 2}, {3, 2}}, one([](const V& x) {
         return F::gaussian_kl_divergence(x[0], x[1]);
       })},
      {"bernoulli_nll", "bernoulli_nll", {{3, 2}, {3, 2}}, one([](const V& x) {
         return F::bernoulli_nll(x[0], x[1]);
       })},
      {"gaussian_nll", "gaussian_nll", {{3, 2}, {3, 2}, {3, 2}}, one([](const V& x) {
         return F::gaussian_nll(x[0], x[1], x[2]);
       })},
      {"gaussian_kl_divergence_of_each",
       "gaussian_kl_divergence",
       {{3, 2}, {3, 2}},
       one([](const V& x) { return F::gaussian_kl_divergence(x[0], x[1], F::Reduce::no); })},
      {"bernoulli_nll_mean", "bernoulli_nll", {{3, 2}, {3, 2}}, one([](const V& x) {
         return F::bernoulli_nll(x[0], x[1], F::Reduce::mean);
       })},
      {"gaussian_nll_mean", "gaussian_nll", {{3, 2}, {3, 2}, {3, 2}}, one([](const V& x) {
         return F::gaussian_nll(x[0], x[1], x[2], F::Reduce::mean);
       })},
  };
}

}  // namespace

std::vector<FunctionRow> loss_rows() {
  std::vector<FunctionRow> all;
  for (const auto family : {cross_entropies, distances, samples, autoencoders}) {
    for (FunctionRow& row : family()) all.push_back(std::move(row));
  }
  return all;
}

}  // namespace chainerxx::testing
