// SPDX-License-Identifier: MIT
// What the functions of this folder refuse, and how they say it.
#include "chainerxx/functions/testing/refusals.h"

#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "chainerxx/functions/loss/ctc.h"
#include "chainerxx/functions/loss/discriminative_loss.h"
#include "chainerxx/functions/loss/distances.h"
#include "chainerxx/functions/loss/errors.h"
#include "chainerxx/functions/loss/hierarchical_softmax.h"
#include "chainerxx/functions/loss/huffman_tree.h"
#include "chainerxx/functions/loss/mean_squared_error.h"
#include "chainerxx/functions/loss/negative_sampling.h"
#include "chainerxx/functions/loss/sigmoid_cross_entropy.h"
#include "chainerxx/functions/loss/softmax_cross_entropy.h"
#include "chainerxx/functions/loss/vae.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect_error.h"
#include "typecheck/invalid_type.h"

namespace chainerxx::testing {
namespace {

namespace F = functions;

class LossRefusalsTest : public cupyxx::testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(LossRefusalsTest);

using Inputs = std::vector<Variable>;

// "u != i" alone does not say what to write.
TEST_P(LossRefusalsTest, InputsOfOtherKindsSayWhatToWrite) {
  using cupyxx::testing::expect_error;
  const cupyxx::ndarray bytes = cupyxx::zeros({2}, cupyxx::uint8);
  expect_error<typecheck::InvalidType>(
      [&] {
        F::softmax_cross_entropy(f32({2, 3}), bytes);
      },
      "SoftmaxCrossEntropy: uint8 input 1, try .astype(cupyxx::int32): invalid types of the "
      "inputs\nExpect: in_types[1].dtype.kind == i\nActual: u != i");
  expect_error<typecheck::InvalidType>(
      [&] {
        F::softmax_cross_entropy(i32({2, 3}), i32({2}));
      },
      "SoftmaxCrossEntropy: int32 input 0, try .astype(cupyxx::float32): ");
}

TEST_P(LossRefusalsTest, CrossEntropies) {
  expect_refusals({
      {"softmax of integers",
       [] {
         F::softmax_cross_entropy(i32({2, 3}), i32({2}));
       },
       "InvalidType", "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"softmax with floating labels",
       [] {
         F::softmax_cross_entropy(f32({2, 3}), f32({2}));
       },
       "InvalidType", "Expect: in_types[1].dtype.kind == i\nActual: f != i"},
      {"softmax of a vector", [] { F::softmax_cross_entropy(f32({3}), i32({})); }, "InvalidType",
       "Expect: in_types[0].ndim >= 2\nActual: 1 < 2"},
      {"softmax with labels of as many axes",
       [] {
         F::softmax_cross_entropy(f32({2, 3}), i32({2, 3}));
       },
       "InvalidType", "Expect: in_types[1].ndim == in_types[0].ndim - 1\nActual: 2 != 1"},
      {"softmax with another batch",
       [] {
         F::softmax_cross_entropy(f32({2, 3}), i32({4}));
       },
       "InvalidType", "Expect: in_types[0].shape[0] == in_types[1].shape[0]\nActual: 2 != 4"},
      {"softmax with other places",
       [] {
         F::softmax_cross_entropy(f32({2, 3, 4}), i32({2, 5}));
       },
       "InvalidType",
       "Expect: in_types[0].shape[2:] == in_types[1].shape[1:]\nActual: (4,) != (5,)"},
      {"softmax without labels",
       [] {
         F::SoftmaxCrossEntropy().call(Inputs{f32({2, 3})});
       },
       "InvalidType", "Expect: in_types.size == 2\nActual: 1 != 2"},
      {"sigmoid of integers",
       [] {
         F::sigmoid_cross_entropy(i32({2, 3}), i32({2, 3}));
       },
       "InvalidType", "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"sigmoid with floating labels",
       [] {
         F::sigmoid_cross_entropy(f32({2, 3}), f32({2, 3}));
       },
       "InvalidType", "Expect: in_types[1].dtype.kind == i\nActual: f != i"},
      {"sigmoid of a number", [] { F::sigmoid_cross_entropy(f32({}), i32({})); }, "InvalidType",
       "Expect: in_types[0].ndim >= 1\nActual: 0 < 1"},
      {"sigmoid with another shape",
       [] {
         F::sigmoid_cross_entropy(f32({2, 3}), i32({2}));
       },
       "InvalidType", "Expect: in_types[0].shape == in_types[1].shape\nActual: (2, 3) != (2,)"},
      {"sigmoid without labels",
       [] {
         F::SigmoidCrossEntropy().call(Inputs{f32({2, 3})});
       },
       "InvalidType", "Expect: in_types.size == 2\nActual: 1 != 2"},
  });
}

TEST_P(LossRefusalsTest, OptionsOfCrossEntropies) {
  const Variable x = f32({2, 3}), t = i32({2});
  expect_refusals({
      {"all of a label spread", [&] { F::softmax_cross_entropy(x, t, {.label_smoothing = 1}); },
       "ValueError", "softmax_cross_entropy: label_smoothing is not in [0, 1); 1.0"},
      {"less than nothing spread",
       [&] { F::softmax_cross_entropy(x, t, {.label_smoothing = -0.5}); }, "ValueError",
       "softmax_cross_entropy: label_smoothing is not in [0, 1); -0.5"},
      {"weights that are integers",
       [&] {
         F::softmax_cross_entropy(x, t, {.class_weight = cupyxx::array({1, 2, 3})});
       },
       "DtypeError", "softmax_cross_entropy: class_weight is not floating; int64"},
      {"weights of other classes",
       [&] { F::softmax_cross_entropy(x, t, {.class_weight = cupyxx::ones({2})}); }, "InvalidType",
       "Expect: in_types[0].shape[1:2] == class_weight.shape\nActual: (3,) != (2,)"},
  });
}

TEST_P(LossRefusalsTest, Errors) {
  const Variable x = f32({2, 3}), t = i32({2});
  expect_refusals({
      {"absolute_error of other shapes", [&] { F::absolute_error(x, f32({3})); }, "ShapeError",
       "absolute_error: the shapes differ; (2, 3) and (3,)"},
      {"absolute_error of integers",
       [] {
         F::absolute_error(i32({2, 3}), i32({2, 3}));
       },
       "InvalidType", "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"squared_error of other shapes", [&] { F::squared_error(x, f32({3})); }, "ShapeError",
       "squared_error: the shapes differ; (2, 3) and (3,)"},
      {"mean_absolute_error of other shapes", [&] { F::mean_absolute_error(x, f32({1})); },
       "ShapeError", "mean_absolute_error: the shapes differ; (2, 3) and (1,)"},
      {"kl_div of other shapes", [&] { F::kl_div(x, f32({2})); }, "ShapeError",
       "kl_div: the shapes differ; (2, 3) and (2,)"},
      {"cosine_similarity of other shapes", [&] { F::cosine_similarity(x, f32({2})); },
       "ShapeError", "cosine_similarity: the shapes differ; (2, 3) and (2,)"},
      {"cosine_similarity with eps 0", [&] { F::cosine_similarity(x, x, 1, 0); }, "ValueError",
       "cosine_similarity: eps is not positive; 0.0"},
      {"cosine_embedding_loss with a wide margin", [&] { F::cosine_embedding_loss(x, x, t, 1.5); },
       "ValueError", "cosine_embedding_loss: margin is not in [-1, 1]; 1.5"},
      {"cosine_embedding_loss with other labels", [&] { F::cosine_embedding_loss(x, x, i32({3})); },
       "ShapeError", "cosine_embedding_loss: shapes do not fit; (2, 3), (2, 3) and (3,)"},
  });
}

TEST_P(LossRefusalsTest, LabelsOutOfRange) {
  const auto expect_index_error = [](const char* name, const std::function<Variable()>& call) {
    EXPECT_THROW(call().data().to_vector<double>(), cupyxx::IndexError) << name;
  };
  for (const int label : {3, -2}) {
    const Variable t(cupyxx::array({0, label}));
    expect_index_error("softmax", [&] { return F::softmax_cross_entropy(f32({2, 3}), t); });
    expect_index_error("softmax, smoothed", [&] {
      return F::softmax_cross_entropy(f32({2, 3}), t, {.label_smoothing = 0.1});
    });
    expect_index_error("softmax, ignoring another label", [&] {
      return F::softmax_cross_entropy(f32({2, 3}), t, {.ignore_label = 255});
    });
    expect_index_error("softmax, ignoring -1 no more", [&] {
      return F::softmax_cross_entropy(f32({1, 3}), cupyxx::array({-1}), {.ignore_label = 0});
    });
    expect_index_error("hinge", [&] { return F::hinge(f32({2, 3}), t); });
    expect_index_error("hierarchical softmax", [&] {
      return F::BinaryHierarchicalSoftmax(3, F::Tree(F::Tree(0, 1), 2))(f32({2, 3}), t);
    });
    expect_index_error("negative sampling", [&] {
      return F::NegativeSampling(3, {1, 1, 1}, 2)(f32({2, 3}), t);
    });
    expect_index_error("ctc", [&] {
      return F::connectionist_temporal_classification({f32({1, 3}), f32({1, 3})},
                                                      cupyxx::array({{label}}), 0);
    });
  }
}

TEST_P(LossRefusalsTest, Distances) {
  expect_refusals({
      {"mean_squared_error of integers", [] { F::mean_squared_error(i32({2}), i32({2})); },
       "InvalidType", "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"mean_squared_error of other dtypes", [] { F::mean_squared_error(f32({2}), f64({2})); },
       "InvalidType", "Expect: in_types[0].dtype == in_types[1].dtype\nActual: float32 != float64"},
      {"mean_squared_error of other shapes",
       [] {
         F::mean_squared_error(f32({2}), f32({2, 1}));
       },
       "InvalidType", "Expect: in_types[0].shape == in_types[1].shape\nActual: (2,) != (2, 1)"},
      {"mean_squared_error of one", [] { F::MeanSquaredError().call(Inputs{f32({2})}); },
       "InvalidType", "Expect: in_types.size == 2\nActual: 1 != 2"},
      {"huber_loss of integers", [] { F::huber_loss(i32({2}), i32({2}), 1); }, "InvalidType",
       "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"huber_loss of other dtypes", [] { F::huber_loss(f32({2}), f16({2}), 1); }, "InvalidType",
       "Expect: in_types[0].dtype == in_types[1].dtype\nActual: float32 != float16"},
      {"huber_loss of other shapes", [] { F::huber_loss(f32({2}), f32({3}), 1); }, "InvalidType",
       "Expect: in_types[0].shape == in_types[1].shape\nActual: (2,) != (3,)"},
      {"huber_loss of numbers", [] { F::huber_loss(f32({}), f32({}), 1); }, "InvalidType",
       "Expect: in_types[0].ndim >= 1\nActual: 0 < 1"},
      {"huber_loss with delta 0", [] { F::huber_loss(f32({2}), f32({2}), 0); }, "ValueError",
       "huber_loss: delta is not positive; 0.0"},
      {"huber_loss of other shapes, each",
       [] { F::huber_loss(f32({2}), f32({3}), 1, F::Reduce::no); }, "ShapeError",
       "huber_loss: the shapes differ; (2,) and (3,)"},
      {"huber_loss with a negative delta", [] { F::huber_loss(f32({2}), f32({2}), -1); },
       "ValueError", "huber_loss: delta is not positive; -1.0"},
      {"hinge of integers",
       [] {
         F::hinge(i32({2, 3}), i32({2}));
       },
       "InvalidType", "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"hinge with floating labels",
       [] {
         F::hinge(f32({2, 3}), f32({2}));
       },
       "InvalidType", "Expect: in_types[1].dtype.kind == i\nActual: f != i"},
      {"hinge of a vector", [] { F::hinge(f32({2}), i32({2})); }, "InvalidType",
       "Expect: in_types[0].ndim == 2\nActual: 1 != 2"},
      {"hinge with a matrix of labels",
       [] {
         F::hinge(f32({2, 3}), i32({2, 3}));
       },
       "InvalidType", "Expect: in_types[1].ndim == 1\nActual: 2 != 1"},
      {"hinge with another batch",
       [] {
         F::hinge(f32({2, 3}), i32({3}));
       },
       "InvalidType", "Expect: in_types[0].shape[0] == in_types[1].shape[0]\nActual: 2 != 3"},
      {"cross_covariance of integers",
       [] {
         F::cross_covariance(i32({2, 3}), i32({2, 3}));
       },
       "InvalidType", "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"cross_covariance of other dtypes",
       [] {
         F::cross_covariance(f32({2, 3}), f64({2, 3}));
       },
       "InvalidType", "Expect: in_types[0].dtype == in_types[1].dtype\nActual: float32 != float64"},
      {"cross_covariance of a vector",
       [] {
         F::cross_covariance(f32({2}), f32({2, 3}));
       },
       "InvalidType", "Expect: in_types[0].ndim == 2\nActual: 1 != 2"},
      {"cross_covariance by a vector",
       [] {
         F::cross_covariance(f32({2, 3}), f32({2}));
       },
       "InvalidType", "Expect: in_types[1].ndim == 2\nActual: 1 != 2"},
      {"cross_covariance of other batches",
       [] {
         F::cross_covariance(f32({2, 3}), f32({4, 3}));
       },
       "InvalidType", "Expect: in_types[0].shape[0] == in_types[1].shape[0]\nActual: 2 != 4"},
      {"contrastive of other shapes",
       [] {
         F::contrastive(f32({2, 3}), f32({2, 4}), i32({2}));
       },
       "ShapeError", "contrastive: shapes do not fit; (2, 3), (2, 4) and (2,)"},
      {"contrastive of other dtypes",
       [] {
         F::contrastive(f32({2, 3}), f64({2, 3}), i32({2}));
       },
       "InvalidType", "Expect: in_types[0].dtype == in_types[1].dtype\nActual: float32 != float64"},
      {"contrastive of integers",
       [] {
         F::contrastive(i32({2, 3}), i32({2, 3}), i32({2}));
       },
       "InvalidType", "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"contrastive with other labels",
       [] {
         F::contrastive(f32({2, 3}), f32({2, 3}), i32({3}));
       },
       "ShapeError", "contrastive: shapes do not fit; (2, 3), (2, 3) and (3,)"},
      {"contrastive without a margin",
       [] {
         F::contrastive(f32({2, 3}), f32({2, 3}), i32({2}), 0);
       },
       "ValueError", "contrastive: the margin is not positive; 0.0"},
      {"triplet of vectors", [] { F::triplet(f32({2}), f32({2}), f32({2})); }, "ShapeError",
       "triplet: the arrays are no matrices; (2,)"},
      {"triplet of other shapes",
       [] {
         F::triplet(f32({2, 3}), f32({2, 1}), f32({2, 3}));
       },
       "ShapeError", "triplet: the shapes differ; (2, 3) and (2, 1)"},
      {"triplet of integers",
       [] {
         F::triplet(i32({2, 3}), i32({2, 3}), i32({2, 3}));
       },
       "InvalidType", "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"triplet with a negative margin",
       [] {
         F::triplet(f32({2, 3}), f32({2, 3}), f32({2, 3}), -1);
       },
       "ValueError", "triplet: the margin is not positive; -1.0"},
      {"gaussian_kl_divergence of other shapes",
       [] { F::gaussian_kl_divergence(f32({2}), f32({1})); }, "ShapeError",
       "gaussian_kl_divergence: the shapes differ; (2,) and (1,)"},
      {"bernoulli_nll of other shapes",
       [] {
         F::bernoulli_nll(f32({2, 3}), f32({3}));
       },
       "ShapeError", "bernoulli_nll: the shapes differ; (2, 3) and (3,)"},
      {"gaussian_kl_divergence of integers", [] { F::gaussian_kl_divergence(i32({2}), i32({2})); },
       "InvalidType", "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"bernoulli_nll of other dtypes", [] { F::bernoulli_nll(f32({2}), f64({2})); }, "InvalidType",
       "Expect: in_types[0].dtype == in_types[1].dtype\nActual: float32 != float64"},
      {"gaussian_nll of other shapes", [] { F::gaussian_nll(f32({2}), f32({2}), f32({1})); },
       "ShapeError", "gaussian_nll: the shapes differ; (2,) and (1,)"},
  });
}

TEST_P(LossRefusalsTest, DiscriminativeLoss) {
  const auto loss = [](const Variable& e, const Variable& t, int most, int norm = 1) {
    return [=] { F::discriminative_margin_based_clustering_loss(e, t, 0.5, 1.5, most, norm); };
  };
  const Variable e = f32({2, 3, 4, 5}), t = i32({2, 4, 5});
  expect_refusals({
      {"no embeddings", loss({}, t, 3), "TypeError",
       "discriminative_margin_based_clustering_loss: input 0 is None"},
      {"no instances", loss(e, t, 0), "ValueError",
       "discriminative_margin_based_clustering_loss: max_embedding_dim is not positive; 0"},
      {"another norm", loss(e, t, 3, 3), "ValueError",
       "discriminative_margin_based_clustering_loss: norm is not 1 or 2; 3"},
      {"embeddings of another size", loss(e, t, 4), "ShapeError",
       "discriminative_margin_based_clustering_loss: embeddings are not (n, 4, h, w); (2, 3, 4, "
       "5)"},
      {"labels of another size", loss(e, i32({2, 5, 4}), 3), "ShapeError",
       "discriminative_margin_based_clustering_loss: labels are not (2, 4, 5); (2, 5, 4)"},
      {"floating labels", loss(e, f32({2, 4, 5}), 3), "DtypeError",
       "discriminative_margin_based_clustering_loss: labels are integers; float32"},
  });
}

TEST_P(LossRefusalsTest, Ctc) {
  const auto ctc = [](const Inputs& x, const Variable& t, int blank,
                      const F::CtcLengths& lengths = {}) {
    return [=] { F::connectionist_temporal_classification(x, t, blank, lengths); };
  };
  const Inputs x = {f32({2, 3}), f32({2, 3})};
  expect_refusals({
      {"no moments", ctc({}, i32({2, 1}), 0), "InvalidType",
       "Expect: in_types.size >= 2\nActual: 1 < 2"},
      {"floating labels", ctc(x, f32({2, 1}), 0), "InvalidType",
       "Expect: in_types[0].dtype.kind == i\nActual: f != i"},
      {"a vector of labels", ctc(x, i32({2}), 0), "InvalidType",
       "Expect: in_types[0].ndim == 2\nActual: 1 != 2"},
      {"integers", ctc({i32({2, 3})}, i32({2, 1}), 0), "InvalidType",
       "Expect: in_types[1].dtype.kind == f\nActual: i != f"},
      {"a vector of logits", ctc({f32({2})}, i32({2, 1}), 0), "InvalidType",
       "Expect: in_types[1].ndim == 2\nActual: 1 != 2"},
      {"another batch", ctc(x, i32({3, 1}), 0), "InvalidType",
       "Expect: in_types[1].shape[0] == in_types[0].shape[0]\nActual: 2 != 3"},
      {"a negative blank", ctc(x, i32({2, 1}), -1), "InvalidType",
       "Expect: blank_symbol >= 0\nActual: -1 < 0"},
      {"a blank that is no class", ctc(x, i32({2, 1}), 3), "InvalidType",
       "Expect: blank_symbol < in_types[1].shape[1]\nActual: 3 >= 3"},
      {"moments of other dtypes", ctc({f32({2, 3}), f64({2, 3})}, i32({2, 1}), 0), "InvalidType",
       "Expect: in_types[2].dtype == in_types[1].dtype\nActual: float64 != float32"},
      {"moments of other shapes", ctc({f32({2, 3}), f32({2, 4})}, i32({2, 1}), 0), "InvalidType",
       "Expect: in_types[2].shape == in_types[1].shape\nActual: (2, 4) != (2, 3)"},
      {"other lengths of the input", ctc(x, i32({2, 1}), 0, {.input = cupyxx::array({2})}),
       "InvalidType", "Expect: input_length.size == in_types[0].shape[0]\nActual: 1 != 2"},
      {"other lengths of the labels", ctc(x, i32({2, 1}), 0, {.label = cupyxx::array({1, 1, 1})}),
       "InvalidType", "Expect: label_length.size == in_types[0].shape[0]\nActual: 3 != 2"},
      {"floating lengths", ctc(x, i32({2, 1}), 0, {.input = cupyxx::array({2.0, 2.0})}),
       "DtypeError", "connectionist_temporal_classification: lengths are integers; float64"},
  });
}

TEST_P(LossRefusalsTest, SampledLosses) {
  const F::Tree tree(F::Tree(0, 1), 2);
  expect_refusals({
      {"a tree that is a leaf", [] { F::BinaryHierarchicalSoftmax(3, F::Tree(0)); }, "ValueError",
       "BinaryHierarchicalSoftmax: the tree is a leaf; 0"},
      {"a negative leaf", [] { F::BinaryHierarchicalSoftmax(3, F::Tree(0, -1)); }, "ValueError",
       "BinaryHierarchicalSoftmax: a leaf is negative; -1"},
      {"a leaf twice", [] { F::BinaryHierarchicalSoftmax(3, F::Tree(1, 1)); }, "ValueError",
       "BinaryHierarchicalSoftmax: a leaf stands in the tree twice; 1"},
      {"a leaf of a huge number",
       [] { F::BinaryHierarchicalSoftmax(3, F::Tree(1, std::int64_t{1} << 60)); }, "ValueError",
       "BinaryHierarchicalSoftmax: a leaf is 67108864 or more; 1152921504606846976"},
      {"a negative width", [&] { F::BinaryHierarchicalSoftmax(-3, tree); }, "ValueError",
       "BinaryHierarchicalSoftmax: a size is negative; (-3,)"},
      {"tree with x of integers",
       [&] {
         F::BinaryHierarchicalSoftmax(3, tree)(i32({2, 3}), i32({2}));
       },
       "InvalidType", "Expect: in_types[0].dtype == float32\nActual: int32 != float32"},
      {"tree with a vector", [&] { F::BinaryHierarchicalSoftmax(3, tree)(f32({3}), i32({2})); },
       "InvalidType", "Expect: in_types[0].ndim == 2\nActual: 1 != 2"},
      {"tree with floating labels",
       [&] {
         F::BinaryHierarchicalSoftmax(3, tree)(f32({2, 3}), f32({2}));
       },
       "InvalidType", "Expect: in_types[1].dtype.kind == i\nActual: f != i"},
      {"tree with a matrix of labels",
       [&] {
         F::BinaryHierarchicalSoftmax(3, tree)(f32({2, 3}), i32({2, 1}));
       },
       "InvalidType", "Expect: in_types[1].ndim == 1\nActual: 2 != 1"},
      {"tree with another batch",
       [&] {
         F::BinaryHierarchicalSoftmax(3, tree)(f32({2, 3}), i32({3}));
       },
       "InvalidType", "Expect: in_types[0].shape[0] == in_types[1].shape[0]\nActual: 2 != 3"},
      {"tree with another width",
       [&] {
         F::BinaryHierarchicalSoftmax(3, tree)(f32({2, 4}), i32({2}));
       },
       "InvalidType", "Expect: in_types[0].shape[1] == W.shape[1]\nActual: 4 != 3"},
      {"tree without labels",
       [&] {
         F::BinaryHierarchicalSoftmax(3, tree).call(Inputs{f32({2, 3})});
       },
       "InvalidType", "Expect: in_types.size == 2\nActual: 1 != 2"},
      {"a word alone",
       [] {
         F::create_huffman_tree({{0, 5}});
       },
       "ValueError", "create_huffman_tree: there are fewer than two words; 1"},
      {"words beyond all counts",
       [] {
         F::create_huffman_tree({{0, 3}, {1, INT64_C(9223372036854775807)}});
       },
       "ValueError", "create_huffman_tree: the counts exceed 64 bits; 3 and 9223372036854775807"},
      {"a negative sample size",
       [] {
         F::NegativeSampling(3, {1, 2}, -1);
       },
       "ValueError", "NegativeSampling: sample_size is negative; -1"},
      {"no words", [] { F::NegativeSampling(3, {}, 1); }, "ValueError",
       "WalkerAlias: there are no probabilities"},
      {"a negative count",
       [] {
         F::NegativeSampling(3, {1, -2}, 1);
       },
       "ValueError", "WalkerAlias: this is no probability; nan"},
      {"counts of nothing",
       [] {
         F::NegativeSampling(3, {0, 0}, 1);
       },
       "ValueError", "WalkerAlias: all probabilities are 0"},
      {"samples with x of another dtype",
       [] {
         F::NegativeSampling(3, {1, 2}, 1)(f64({2, 3}), i32({2}));
       },
       "InvalidType", "Expect: in_types[0].dtype == float32\nActual: float64 != float32"},
      {"samples with a vector",
       [] {
         F::NegativeSampling(3, {1, 2}, 1)(f32({3}), i32({2}));
       },
       "InvalidType", "Expect: in_types[0].ndim == 2\nActual: 1 != 2"},
      {"samples with floating labels",
       [] {
         F::NegativeSampling(3, {1, 2}, 1)(f32({2, 3}), f32({2}));
       },
       "InvalidType", "Expect: in_types[1].dtype.kind == i\nActual: f != i"},
      {"samples with another batch",
       [] {
         F::NegativeSampling(3, {1, 2}, 1)(f32({2, 3}), i32({3}));
       },
       "InvalidType", "Expect: in_types[0].shape[0] == in_types[1].shape[0]\nActual: 2 != 3"},
      {"samples with another width",
       [] {
         F::NegativeSampling(3, {1, 2}, 1)(f32({2, 4}), i32({2}));
       },
       "InvalidType", "Expect: in_types[0].shape[1] == W.shape[1]\nActual: 4 != 3"},
      {"given samples of another shape",
       [] {
         F::NegativeSampling f(3, {1, 2}, 1);
         f.samples = cupyxx::zeros({2, 3}, cupyxx::int32);
         f(f32({2, 3}), i32({2}));
       },
       "ShapeError", "NegativeSampling: samples have the wrong shape; (2, 3) instead of (2, 2)"},
      {"given samples that are floating",
       [] {
         F::NegativeSampling f(3, {1, 2}, 1);
         f.samples = cupyxx::zeros({2, 2});
         f(f32({2, 3}), i32({2}));
       },
       "TypeError", "take: indices must be integers, not float64"},
  });
}

}  // namespace
}  // namespace chainerxx::testing
