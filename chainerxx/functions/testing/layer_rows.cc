// SPDX-License-Identifier: MIT
#include <concepts>
#include <memory>
#include <utility>

#include "chainerxx/function_set.h"
#include "chainerxx/functions/functions.h"
#include "chainerxx/functions/testing/function_rows.h"
#include "cupyxx/creation.h"
#include "cupyxx/random.h"

namespace chainerxx::testing {

using V = Variables;
namespace F = functions;

namespace {

/// A function that owns its parameters; `wrap` says how it is called.
template <class Function, class Call>
Layer layer(Function function, Call call) {
  const auto shared = std::make_shared<Function>(std::move(function));
  std::vector<NamedField> fields;
  for (const Field& field : shared->fields()) {
    fields.push_back({field.name, field.array, field.gradient});
  }
  return {shared->parameters(), shared->gradients(),
          [shared, call](const Variables& x) { return call(*shared, x); }, fields};
}
template <class Function>
Layer layer(Function function) {
  return layer(std::move(function), [](Function& f, const Variables& x) { return f.call(x); });
}

/// A set, all of whose arrays become of a dtype.
template <class Set, class Call>
Layer layer_of(std::shared_ptr<Set> set, cupyxx::dtype type, Call call) {
  for (const NamedField& field : set->fields()) {
    *field.array = field.array->astype(type);
    if (field.gradient != nullptr) *field.gradient = field.gradient->astype(type);
  }
  return {set->parameters(), set->gradients(),
          [set, call](const Variables& x) {
            if constexpr (std::same_as<decltype(call(*set, x)), Variables>) {
              return call(*set, x);
            } else {
              return Variables{call(*set, x)};
            }
          },
          set->fields()};
}

std::vector<LayerRow> functions_with_parameters() {
  return {
      {"linear",
       "Linear",
       {{3, 2, 2}},
       [](cupyxx::dtype type) { return layer(F::Linear(4, 2, {.dtype = type})); }},
      {"linear_without_bias",
       "Linear",
       {{3, 4}},
       [](cupyxx::dtype type) { return layer(F::Linear(4, 2, {.nobias = true, .dtype = type})); }},
      {"bilinear",
       "Bilinear",
       {{3, 2}, {3, 4}},
       [](cupyxx::dtype type) { return layer(F::Bilinear(2, 4, 3, {.dtype = type})); }},
      {"bilinear_without_bias",
       "Bilinear",
       {{3, 2}, {3, 2, 2}},
       [](cupyxx::dtype type) {
         return layer(F::Bilinear(2, 4, 3, {.nobias = true, .dtype = type}));
       }},
      {"convolution_2d",
       "Convolution2D",
       {{2, 2, 4, 5}},
       [](cupyxx::dtype type) {
         return layer(F::Convolution2D(2, 3, 3, {.stride = {1, 2}, .pad = 1, .dtype = type}));
       }},
      {"convolution_2d_groups",
       "Convolution2D",
       {{2, 4, 4, 3}},
       [](cupyxx::dtype type) {
         return layer(F::Convolution2D(
             4, 2, 2, {.nobias = true, .dtype = type, .dilate = {2, 1}, .groups = 2}));
       }},
      {"dilated_convolution_2d",
       "DilatedConvolution2D",
       {{2, 2, 5, 4}},
       [](cupyxx::dtype type) {
         return layer(
             F::DilatedConvolution2D(2, 3, 2, {.pad = 1, .dtype = type, .dilate = {2, 1}}));
       }},
      {"deconvolution_2d",
       "Deconvolution2D",
       {{2, 2, 2, 3}},
       [](cupyxx::dtype type) {
         return layer(F::Deconvolution2D(2, 3, 3, {.stride = 2, .pad = 1, .dtype = type}));
       }},
      {"deconvolution_2d_groups",
       "Deconvolution2D",
       {{1, 4, 2, 2}},
       [](cupyxx::dtype type) {
         return layer(F::Deconvolution2D(
             4, 2, 2, {.use_cudnn = false, .dtype = type, .dilate = 2, .groups = 2}));
       }},
      {"convolution_nd",
       "ConvolutionND",
       {{2, 2, 4, 3}},
       [](cupyxx::dtype type) {
         return layer(F::ConvolutionND(2, 2, 3, {2, 1}, {.stride = {2, 1}, .dtype = type}),
                      [](auto& f, const Variables& x) { return Variables{f(x[0])}; });
       }},
      {"convolution_1d",
       "Convolution1D",
       {{2, 4, 7}},
       [](cupyxx::dtype type) {
         return layer(F::Convolution1D(4, 2, 3, {.pad = 1, .dtype = type, .groups = 2}));
       }},
      {"convolution_3d",
       "Convolution3D",
       {{1, 2, 3, 3, 2}},
       [](cupyxx::dtype type) {
         return layer(F::Convolution3D(2, 2, 2, {.pad = {1, 0, 0}, .nobias = true, .dtype = type}),
                      [](auto& f, const Variables& x) { return Variables{f(x[0])}; });
       }},
      {"deconvolution_nd",
       "DeconvolutionND",
       {{1, 2, 2, 3}},
       [](cupyxx::dtype type) {
         return layer(F::DeconvolutionND(2, 2, 2, {2, 1}, {.dtype = type}));
       }},
      {"deconvolution_1d",
       "Deconvolution1D",
       {{2, 4, 3}},
       [](cupyxx::dtype type) {
         return layer(F::Deconvolution1D(4, 2, 3, {.stride = 2, .dtype = type, .groups = 2}),
                      [](auto& f, const Variables& x) { return Variables{f(x[0])}; });
       }},
      {"deconvolution_3d",
       "Deconvolution3D",
       {{1, 2, 2, 2, 2}},
       [](cupyxx::dtype type) {
         return layer(F::Deconvolution3D(2, 2, 2, {.pad = {0, 1, 0}, .dtype = type}));
       }},
      {"embed_id",
       "EmbedID",
       {},
       [](cupyxx::dtype type) {
         return layer(F::EmbedID(3, 2, {.dtype = type}),
                      [](F::EmbedID& f, const Variables&) { return Variables{f(four_labels())}; });
       }},
      {"embed_id_ignored",
       "EmbedID",
       {},
       [](cupyxx::dtype type) {
         return layer(F::EmbedID(3, 2, {.ignore_label = 2, .dtype = type}),
                      [](F::EmbedID& f, const Variables&) { return Variables{f(four_labels())}; });
       }},
      {"embed_id_projects",
       "EmbedID",
       {{4, 2}},
       [](cupyxx::dtype type) {
         return layer(F::EmbedID(3, 2, {.dtype = type}), [](F::EmbedID& f, const Variables& x) {
           return Variables{f.project(x[0] * f(four_labels()))};
         });
       }},
      {"group_normalization",
       "GroupNormalization",
       {{2, 4, 3}},
       [](cupyxx::dtype type) { return layer(F::GroupNormalization(2, 4, {.dtype = type})); }},
      {"layer_norm",
       "LayerNorm",
       {{2, 3, 4}},
       [](cupyxx::dtype type) { return layer(F::LayerNorm(4, {.dtype = type})); }},
      {"parameter",
       "Parameter",
       {},
       [](cupyxx::dtype type) {
         return layer(F::Parameter(cupyxx::zeros({2, 3}, type)),
                      [](F::Parameter& f, const Variables&) { return Variables{f() * f()}; });
       }},
      {"prelu",
       "PReLU",
       {{2, 3, 2}},
       [](cupyxx::dtype type) { return layer(F::PReLU({3}, 0.25, type)); }},
      {"scale",
       "Scale",
       {{2, 3, 2}},
       [](cupyxx::dtype type) { return layer(F::Scale({3}, 1, {.dtype = type})); }},
      {"scale_with_bias",
       "Scale",
       {{2, 3, 2}},
       [](cupyxx::dtype type) {
         return layer(F::Scale({2, 3}, 0, {.nobias = false, .dtype = type}));
       }},
      {"batch_normalization",
       "BatchNormalization",
       {{4, 3, 2}},
       [](cupyxx::dtype type) {
         return layer(F::BatchNormalization(3, {.dtype = type}),
                      [](F::BatchNormalization& f, const Variables& x) {
                        return Variables{f(x[0], {.test = false})};
                      });
       }},
      {"batch_normalization_test",
       "BatchNormalization",
       {{4, 3, 2}},
       [](cupyxx::dtype type) {
         return layer(F::BatchNormalization(3, {.eps = 1e-2, .dtype = type}),
                      [](F::BatchNormalization& f, const Variables& x) {
                        return Variables{f(x[0], {.test = true})};
                      });
       }},
      {"batch_normalization_relu",
       "BatchNormalization",
       {{4, 3, 2}},
       [](cupyxx::dtype type) {
         return layer(F::BatchNormalization(3, {.dtype = type}),
                      [](F::BatchNormalization& f, const Variables& x) {
                        return Variables{f.relu(x[0], {.test = false})};
                      });
       }},
      {"batch_normalization_add_relu",
       "BatchNormalization",
       {{4, 3, 2}, {4, 3, 2}},
       [](cupyxx::dtype type) {
         return layer(F::BatchNormalization(3, {.dtype = type}),
                      [](F::BatchNormalization& f, const Variables& x) {
                        return Variables{f.add_relu(x[0], x[1], {.test = false})};
                      });
       }},
      {"batch_renormalization",
       "BatchRenormalization",
       {{4, 3, 2}},
       [](cupyxx::dtype type) {
         return layer(F::BatchRenormalization(3, 1, 0, {.eps = 1e-2, .dtype = type}),
                      [](F::BatchRenormalization& f, const Variables& x) {
                        return Variables{f(x[0], false)};
                      });
       }},
      {"batch_renormalization_at_its_limits",
       "BatchRenormalization",
       {{4, 3, 2}},
       [](cupyxx::dtype type) {
         return layer(
             F::BatchRenormalization(3, 1.5, 0.25, {.decay = 1, .eps = 1e-2, .dtype = type}),
             [](F::BatchRenormalization& f, const Variables& x) {
               f.avg_mean.fill(5);
               f.avg_var.fill(1e-3);
               return Variables{f(x[0], false)};
             });
       }},
      {"batch_renormalization_test",
       "BatchRenormalization",
       {{4, 3, 2}},
       [](cupyxx::dtype type) {
         return layer(F::BatchRenormalization(3, 2, 1, {.eps = 1e-2, .dtype = type}),
                      [](F::BatchRenormalization& f, const Variables& x) {
                        return Variables{f(x[0], true)};
                      });
       }},
      {"hierarchical_softmax",
       "BinaryHierarchicalSoftmax",
       {{4, 3}},
       [](cupyxx::dtype type) {
         return layer(F::BinaryHierarchicalSoftmax(3, F::Tree(F::Tree(0, 1), F::Tree(2, 3)), type),
                      [](F::BinaryHierarchicalSoftmax& f, const Variables& x) {
                        return Variables{f(x[0], Variable(four_labels()))};
                      });
       }},
      {"negative_sampling",
       "NegativeSampling",
       {{4, 3}},
       [](cupyxx::dtype type) {
         F::NegativeSampling f(3, {1, 2, 3}, 2, 0.75, type);
         f.samples = cupyxx::array({{0, 1, 2}, {0, 0, 1}, {0, 2, 2}, {0, 1, 0}});
         return layer(std::move(f), [](F::NegativeSampling& g, const Variables& x) {
           return Variables{g(x[0], Variable(four_labels()))};
         });
       }},
  };
}

/// A network over sequences: what it gives for all of them, and the states.
template <class Network>
LayerRow n_step(const char* name, const char* covers, std::int64_t layers) {
  return {name, covers, {{2, 2}, {3, 2}, {1, 2}}, [layers](cupyxx::dtype type) {
            return layer_of(std::make_shared<Network>(layers, 2, 2), type,
                            [](Network& f, const Variables& x) {
                              if constexpr (std::derived_from<Network, F::NStepLSTM>) {
                                const auto [hy, cy, ys] = f(nullptr, nullptr, x);
                                return Variables{F::concat(ys, 0), hy, cy};
                              } else {
                                const auto [hy, ys] = f(nullptr, x);
                                return Variables{F::concat(ys, 0), hy};
                              }
                            });
          }};
}

/// A cell that keeps its state, two steps of it.
template <class Cell>
LayerRow stateful(const char* name, const char* covers) {
  return {name, covers, {{2, 2}, {2, 2}}, [](cupyxx::dtype type) {
            return layer_of(std::make_shared<Cell>(2, 3), type, [](Cell& f, const Variables& x) {
              f.reset_state();
              f(x[0]);
              return f(x[1]);
            });
          }};
}

/// A node of a tree with two children: cells, hidden states and an input.
template <class Tree>
LayerRow tree(const char* name, const char* covers) {
  return {name, covers, {{2, 2}, {2, 2}, {2, 2}, {2, 2}, {2, 3}}, [](cupyxx::dtype type) {
            return layer_of(std::make_shared<Tree>(3, 2), type, [](Tree& f, const Variables& x) {
              const auto [c, h] = f({x[0], x[1]}, {x[2], x[3]}, x[4]);
              return Variables{c, h};
            });
          }};
}

std::vector<LayerRow> recurrent() {
  return {
      n_step<F::NStepLSTM>("n_step_lstm", "NStepLSTM", 2),
      n_step<F::NStepBiLSTM>("n_step_bi_lstm", "NStepBiLSTM", 1),
      n_step<F::NStepGRU>("n_step_gru", "NStepGRU", 1),
      n_step<F::NStepBiGRU>("n_step_bi_gru", "NStepBiGRU", 1),
      n_step<F::NStepRNNTanh>("n_step_rnn_tanh", "NStepRNNTanh", 2),
      n_step<F::NStepRNNReLU>("n_step_rnn_relu", "NStepRNNReLU", 1),
      n_step<F::NStepBiRNNTanh>("n_step_bi_rnn_tanh", "NStepBiRNNTanh", 2),
      n_step<F::NStepBiRNNReLU>("n_step_bi_rnn_relu", "NStepBiRNNReLU", 1),
      stateful<F::StatefulLSTM>("stateful_lstm", "StatefulLSTM"),
      stateful<F::StatefulGRU>("stateful_gru", "StatefulGRU"),
      stateful<F::StatefulPeepholeLSTM>("stateful_peephole_lstm", "StatefulPeepholeLSTM"),
      stateful<F::StatefulMGU>("stateful_mgu", "StatefulMGU"),
      {"stateful_zoneout_lstm",
       "StatefulZoneoutLSTM",
       {{2, 2}, {2, 2}},
       [](cupyxx::dtype type) {
         return layer_of(std::make_shared<F::StatefulZoneoutLSTM>(2, 3, 0.3, 0.4), type,
                         [](F::StatefulZoneoutLSTM& f, const Variables& x) {
                           cupyxx::random::seed(3);
                           f.reset_state();
                           f(x[0], true);
                           return f(x[1], true);
                         });
       }},
      {"stateless_mgu",
       "StatelessMGU",
       {{2, 3}, {2, 2}},
       [](cupyxx::dtype type) {
         return layer_of(std::make_shared<F::StatelessMGU>(2, 3), type,
                         [](F::StatelessMGU& f, const Variables& x) { return f(x[0], x[1]); });
       }},
      tree<F::ChildSumTreeLSTM>("child_sum_tree_lstm", "ChildSumTreeLSTM"),
      tree<F::NaryTreeLSTM>("nary_tree_lstm", "NaryTreeLSTM"),
  };
}

/// A set that is called with one variable.
template <class Set, class... Args>
LayerRow of_one(const char* name, cupyxx::Shape shape, const Args&... args) {
  return {name, name, {std::move(shape)}, [args...](cupyxx::dtype type) {
            return layer_of(std::make_shared<Set>(args...), type,
                            [](Set& f, const Variables& x) { return f(x[0]); });
          }};
}

std::vector<LayerRow> owners() {
  using Sizes = std::vector<std::int64_t>;
  const Size2D pair = {2, 2};
  return {
      of_one<F::Bias>("Bias", {2, 3, 2}, 1, cupyxx::Shape{3}),
      of_one<F::DepthwiseConvolution2D>("DepthwiseConvolution2D", {1, 2, 3, 4}, 2, 2, pair),
      of_one<F::LocalConvolution2D>("LocalConvolution2D", {1, 2, 3, 4}, 2, 3, Size2D(3, 4), pair),
      of_one<F::MLPConvolution2D>("MLPConvolution2D", {1, 2, 3, 4}, 2, Sizes{3, 2}, pair),
      {"DeformableConvolution2D",
       "DeformableConvolution2D",
       {{1, 2, 3, 3}},
       [pair](cupyxx::dtype type) {
         return layer_of(
             std::make_shared<F::DeformableConvolution2D>(2, 2, pair, 1, 1), type,
             [](F::DeformableConvolution2D& f, const Variables& x) { return f(x[0] * 0.05); });
       }},
      {"SimplifiedDropconnect",
       "SimplifiedDropconnect",
       {{2, 3}},
       [](cupyxx::dtype type) {
         return layer_of(std::make_shared<F::SimplifiedDropconnect>(3, 2, 0.25), type,
                         [](F::SimplifiedDropconnect& f, const Variables& x) {
                           cupyxx::random::seed(3);
                           return f(x[0], true);
                         });
       }},
      {"BlackOut",
       "BlackOut",
       {{4, 2}},
       [](cupyxx::dtype type) {
         const auto set = std::make_shared<F::BlackOut>(2, Sizes{3, 2, 1}, 2);
         set->samples = cupyxx::array({{0, 1}, {2, 2}, {1, 0}, {2, 1}});
         return layer_of(set, type, [](F::BlackOut& f, const Variables& x) {
           return f(x[0], Variable(four_labels()));
         });
       }},
  };
}

std::vector<LayerRow> sets() {
  return {
      {"gru",
       "GRU",
       {{2, 3}, {2, 2}},
       [](cupyxx::dtype type) {
         return layer_of(std::make_shared<F::GRU>(2, 3), type,
                         [](F::GRU& f, const Variables& x) { return f(x[0], x[1]); });
       }},
      {"stateless_lstm",
       "StatelessLSTM",
       {{2, 3}, {2, 3}, {2, 2}},
       [](cupyxx::dtype type) {
         return layer_of(std::make_shared<F::StatelessLSTM>(2, 3), type,
                         [](F::StatelessLSTM& f, const Variables& x) {
                           const auto [c, h] = f(x[0], x[1], x[2]);
                           return Variables{c, h};
                         });
       }},
      {"crf1d_layer",
       "CRF1d",
       {{2, 3}, {1, 3}},
       [](cupyxx::dtype type) {
         return layer_of(std::make_shared<F::CRF1d>(3), type, [](F::CRF1d& f, const Variables& x) {
           return f(x, {cupyxx::array({0, 2}), cupyxx::array({1})});
         });
       }},
      {"highway",
       "Highway",
       {{3, 2}},
       [](cupyxx::dtype type) {
         return layer_of(std::make_shared<F::Highway>(2), type,
                         [](F::Highway& f, const Variables& x) { return f(x[0]); });
       }},
      {"maxout_layer",
       "Maxout",
       {{3, 2}},
       [](cupyxx::dtype type) {
         return layer_of(std::make_shared<F::Maxout>(2, 3, 2), type,
                         [](F::Maxout& f, const Variables& x) { return f(x[0]); });
       }},
      {"feed_forward",
       "FeedForward",
       {{2, 3, 4}},
       [](cupyxx::dtype type) {
         return layer_of(std::make_shared<F::FeedForward>(4, 5), type,
                         [](F::FeedForward& f, const Variables& x) { return f(x[0]); });
       }},
      {"multi_head_attention",
       "MultiHeadAttention",
       {{2, 3, 4}},
       [](cupyxx::dtype type) {
         return layer_of(std::make_shared<F::MultiHeadAttention>(
                             4, 2, F::MultiHeadAttentionOptions{.is_causal = true}),
                         type,
                         [](F::MultiHeadAttention& f, const Variables& x) { return f(x[0]); });
       }},
      {"multi_head_attention_rotary",
       "MultiHeadAttention",
       {{2, 3, 4}},
       [](cupyxx::dtype type) {
         return layer_of(
             std::make_shared<F::MultiHeadAttention>(
                 4, 2, F::MultiHeadAttentionOptions{.rotary_base = 100, .nobias = true}),
             type, [](F::MultiHeadAttention& f, const Variables& x) { return f(x[0]); });
       }},
      {"lstm_sequence",
       "LSTMSequence",
       {{3, 2, 2}, {2, 3}, {2, 3}},
       [](cupyxx::dtype type) { return layer(F::LSTMSequence(2, 3, {.dtype = type})); }},
      {"inception",
       "Inception",
       {{1, 2, 4, 3}},
       [](cupyxx::dtype type) {
         return layer_of(std::make_shared<F::Inception>(2, 1, 1, 2, 1, 1, 1), type,
                         [](F::Inception& f, const Variables& x) { return f(x[0]); });
       }},
      {"inception_bn",
       "InceptionBN",
       {{2, 2, 4, 4}},
       [](cupyxx::dtype type) {
         return layer_of(
             std::make_shared<F::InceptionBN>(2, 1, 1, 2, 1, 1, "avg", 1), type,
             [](F::InceptionBN& f, const Variables& x) { return f(x[0], {.test = false}); });
       }},
      {"inception_bn_strided",
       "InceptionBN",
       {{2, 2, 4, 4}},
       [](cupyxx::dtype type) {
         return layer_of(
             std::make_shared<F::InceptionBN>(2, 0, 1, 2, 1, 1, "max", std::nullopt, 2), type,
             [](F::InceptionBN& f, const Variables& x) { return f(x[0], {.test = false}); });
       }},
  };
}

}  // namespace

const std::vector<LayerRow>& layer_rows() {
  static const std::vector<LayerRow> rows = [] {
    std::vector<LayerRow> all = functions_with_parameters();
    for (const auto family : {sets, owners, recurrent}) {
      for (LayerRow& row : family()) all.push_back(std::move(row));
    }
    return all;
  }();
  return rows;
}

}  // namespace chainerxx::testing
