// SPDX-License-Identifier: MIT
#include "chainerxx/functions/connection/attention.h"
#include "chainerxx/functions/connection/bilinear.h"
#include "chainerxx/functions/connection/convolution_2d.h"
#include "chainerxx/functions/connection/convolution_nd.h"
#include "chainerxx/functions/connection/deconvolution_2d.h"
#include "chainerxx/functions/connection/embed_id.h"
#include "chainerxx/functions/connection/filter_compositions.h"
#include "chainerxx/functions/connection/linear.h"
#include "chainerxx/functions/connection/local_convolution_2d.h"
#include "chainerxx/functions/connection/n_step_functions.h"
#include "chainerxx/functions/connection/rotary_embedding.h"
#include "chainerxx/functions/connection/scale.h"
#include "chainerxx/functions/noise/dropout.h"
#include "chainerxx/functions/noise/gaussian.h"
#include "chainerxx/functions/noise/gumbel_softmax.h"
#include "chainerxx/functions/noise/zoneout.h"
#include "chainerxx/functions/testing/function_rows.h"
#include "cupyxx/creation.h"
#include "cupyxx/math.h"
#include "cupyxx/random.h"

namespace chainerxx::testing {

using cupyxx::Shape;
using V = Variables;
namespace F = functions;

namespace {

/// A convolution of x by W, with a bias when there are three inputs.
std::function<Variables(const Variables&)> convolved(const F::ConvolutionOptions& options) {
  return one([options](const V& x) {
    return x.size() == 3 ? F::convolution_2d(x[0], x[1], x[2], options)
                         : F::convolution_2d(x[0], x[1], options);
  });
}
std::function<Variables(const Variables&)> deconvolved(const F::ConvolutionOptions& options) {
  return one([options](const V& x) {
    return x.size() == 3 ? F::deconvolution_2d(x[0], x[1], x[2], options)
                         : F::deconvolution_2d(x[0], x[1], options);
  });
}

/// A function of convolution_nd.h with options.
std::function<Variables(const Variables&)> filtered(
    Variable function(const Variable&, const Variable&, const Variable&,
                      const F::ConvolutionNDFunctionOptions&),
    const F::ConvolutionNDFunctionOptions& options) {
  return one(
      [=](const V& x) { return function(x[0], x[1], x.size() == 3 ? x[2] : Variable(), options); });
}

std::vector<FunctionRow> convolutions_nd() {
  return {
      {"convolution_1d",
       "convolution_1d",
       {{2, 4, 7}, {2, 2, 3}, {2}},
       filtered(F::convolution_1d, {.stride = 2, .pad = 1, .groups = 2})},
      {"convolution_3d",
       "convolution_3d",
       {{1, 2, 4, 3, 3}, {2, 2, 2, 2, 2}, {2}},
       filtered(F::convolution_3d, {.stride = {2, 1, 1}, .pad = {1, 0, 1}})},
      {"convolution_3d_groups",
       "convolution_3d",
       {{1, 2, 3, 2, 3}, {2, 1, 2, 1, 2}},
       filtered(F::convolution_3d, {.dilate = {2, 1, 2}, .groups = 2})},
      {"convolution_nd",
       "convolution_nd",
       {{1, 2, 4, 4}, {2, 2, 2, 3}, {2}},
       filtered(F::convolution_nd, {.pad = {0, 1}})},
      {"convolution_4d",
       "convolution_nd",
       {{1, 1, 2, 3, 2, 2}, {2, 1, 2, 2, 1, 2}},
       filtered(F::convolution_nd, {.pad = {1, 0, 0, 0}})},
      {"deconvolution_1d",
       "deconvolution_1d",
       {{2, 4, 4}, {4, 1, 3}, {2}},
       filtered(F::deconvolution_1d, {.stride = 2, .pad = 1, .groups = 2})},
      {"deconvolution_3d",
       "deconvolution_3d",
       {{1, 2, 2, 2, 2}, {2, 2, 3, 2, 2}, {2}},
       filtered(F::deconvolution_3d, {.stride = {2, 1, 1}, .pad = {1, 0, 1}})},
      {"deconvolution_3d_of_given_size",
       "deconvolution_3d",
       {{1, 2, 2, 2, 1}, {2, 1, 2, 2, 2}},
       filtered(F::deconvolution_3d,
                {.stride = {2, 1, 1}, .dilate = {1, 2, 1}, .groups = 2, .outsize = {5, 4, 2}})},
      {"deconvolution_nd",
       "deconvolution_nd",
       {{1, 2, 3, 3}, {2, 2, 2, 3}, {2}},
       filtered(F::deconvolution_nd, {.pad = {0, 1}})},
  };
}

std::vector<FunctionRow> convolutions() {
  return {
      {"convolution_2d",
       "Convolution2DFunction convolution_2d",
       {{2, 2, 4, 5}, {3, 2, 3, 3}, {3}},
       convolved({.pad = 1})},
      {"convolution_2d_strided",
       "convolution_2d",
       {{1, 2, 6, 5}, {2, 2, 3, 2}},
       convolved({.stride = {2, 1}, .pad = {0, 1}})},
      {"convolution_2d_own_kernels",
       "convolution_2d",
       {{1, 2, 4, 4}, {2, 2, 2, 2}, {2}},
       convolved({.use_cudnn = false})},
      {"convolution_2d_dilated",
       "convolution_2d",
       {{1, 2, 6, 6}, {2, 2, 2, 3}},
       convolved({.pad = 1, .dilate = {3, 2}})},
      {"convolution_2d_groups",
       "convolution_2d",
       {{2, 4, 3, 3}, {2, 2, 2, 2}, {2}},
       convolved({.groups = 2})},
      {"depthwise_convolution_2d",
       "depthwise_convolution_2d",
       {{2, 2, 3, 4}, {2, 2, 2, 2}, {4}},
       one([](const V& x) {
         return F::depthwise_convolution_2d(x[0], x[1], x[2], {1, 2}, {1, 0});
       })},
      {"dilated_convolution_2d",
       "dilated_convolution_2d",
       {{1, 2, 5, 4}, {2, 2, 2, 2}, {2}},
       one([](const V& x) {
         return F::dilated_convolution_2d(x[0], x[1], x[2], 1, {0, 1}, {2, 3});
       })},
      {"local_convolution_2d",
       "local_convolution_2d",
       {{2, 2, 3, 4}, {2, 2, 2, 2, 2, 2}, {2, 2, 2}},
       one([](const V& x) {
         return F::local_convolution_2d(x[0], x[1], x[2], {1, 2});
       })},
      {"deformable_convolution_2d_sampler",
       "deformable_convolution_2d_sampler",
       {{1, 2, 3, 3}, {1, 8, 4, 2}, {2, 2, 2, 2}},
       one([](const V& x) {
         return F::deformable_convolution_2d_sampler(x[0], x[1], x[2], {}, 1, {1, 0});
       })},
      {"deformable_convolution_2d_sampler_strided",
       "deformable_convolution_2d_sampler",
       {{2, 1, 3, 4}, {2, 8, 1, 2}, {3, 1, 2, 2}, {3}},
       one([](const V& x) {
         return F::deformable_convolution_2d_sampler(x[0], x[1] * 0.3 + 0.45, x[2], x[3] * 1, 2);
       })},
      {"deconvolution_2d",
       "Deconvolution2DFunction deconvolution_2d",
       {{2, 2, 3, 2}, {2, 3, 3, 3}, {3}},
       deconvolved({.pad = 1})},
      {"deconvolution_2d_strided",
       "deconvolution_2d",
       {{1, 2, 2, 3}, {2, 2, 3, 2}},
       deconvolved({.stride = {2, 3}, .outsize = {6, 8}})},
      {"deconvolution_2d_dilated",
       "deconvolution_2d",
       {{1, 2, 2, 2}, {2, 1, 2, 2}},
       deconvolved({.use_cudnn = false, .dilate = 2})},
      {"deconvolution_2d_groups",
       "deconvolution_2d",
       {{1, 4, 2, 2}, {4, 1, 2, 2}, {2}},
       deconvolved({.groups = 2})},
  };
}

std::vector<FunctionRow> products() {
  return {
      {"linear", "LinearFunction linear", {{3, 4}, {2, 4}, {2}}, one([](const V& x) {
         return F::linear(x[0], x[1], x[2]);
       })},
      {"linear_without_bias", "linear", {{3, 2, 2}, {2, 4}}, one([](const V& x) {
         return F::linear(x[0], x[1]);
       })},
      {"bilinear", "bilinear", {{3, 2}, {3, 4}, {2, 4, 3}}, one([](const V& x) {
         return F::bilinear(x[0], x[1], x[2]);
       })},
      {"bilinear_linear_part",
       "bilinear",
       {{2, 2}, {2, 2, 2}, {2, 4, 2}, {2, 2}, {4, 2}, {2}},
       one([](const V& x) { return F::bilinear(x[0], x[1], x[2], x[3], x[4], x[5]); })},
      {"embed_id", "EmbedIDFunction embed_id", {{3, 2}}, one([](const V& x) {
         return F::embed_id(four_labels(), x[0]);
       })},
      {"embed_id_ignored", "embed_id", {{3, 2}}, one([](const V& x) {
         return F::embed_id(four_labels(), x[0], 2);
       })},
      {"scale", "scale", {{2, 3, 2}, {3}}, one([](const V& x) { return F::scale(x[0], x[1]); })},
      {"scale_first", "scale", {{2, 3}, {2}}, one([](const V& x) {
         return F::scale(x[0], x[1], 0);
       })},
      {"attention",
       "scaled_dot_product_attention",
       {{2, 3, 4}, {2, 5, 4}, {2, 5, 2}},
       one([](const V& x) { return F::scaled_dot_product_attention(x[0], x[1], x[2]); })},
      {"attention_causal",
       "scaled_dot_product_attention",
       {{2, 3, 4}, {2, 3, 4}, {2, 3, 2}},
       one([](const V& x) {
         return F::scaled_dot_product_attention(x[0], x[1], x[2],
                                                {.scale = 0.7, .is_causal = true});
       })},
      {"attention_masked",
       "scaled_dot_product_attention",
       {{2, 2, 4}, {2, 3, 4}, {2, 3, 2}},
       one([](const V& x) {
         // The second query sees nothing.
         const ndarray mask = cupyxx::array({{1, 0, 1}, {0, 0, 0}}).astype(cupyxx::bool_);
         return F::scaled_dot_product_attention(x[0], x[1], x[2], {.mask = mask});
       })},
      {"attention_dropout",
       "scaled_dot_product_attention",
       {{2, 3, 4}, {2, 5, 4}, {2, 5, 2}},
       one([](const V& x) {
         cupyxx::random::seed(4);
         return F::scaled_dot_product_attention(x[0], x[1], x[2], {.dropout_ratio = 0.3});
       })},
      {"rotary_embedding", "RotaryEmbedding rotary_embedding", {{2, 3, 4}}, one([](const V& x) {
         return F::rotary_embedding(x[0], {.base = 50, .offset = 2});
       })},
      {"self_attention", "self_attention", {{2, 4, 12}}, one([](const V& x) {
         return F::self_attention(x[0], 2, {.is_causal = true});
       })},
  };
}

std::vector<FunctionRow> noises() {
  return {
      {"dropout", "Dropout dropout", {{3, 5}}, one([](const V& x) {
         cupyxx::random::seed(3);
         return F::dropout(x[0], 0.4, true);
       })},
      {"dropout_by_mask", "Dropout", {{2, 3}}, one([](const V& x) {
         const ndarray mask = cupyxx::array({{0, 2, 2}, {2, 0, 2}})
                                  .astype(x[0].is_none() ? cupyxx::float32 : x[0].dtype());
         return F::Dropout(0.5, mask)(x[0]);
       })},
      {"dropout_off", "dropout", {{2, 3}}, one([](const V& x) {
         return F::dropout(x[0], 0.5, false) * 2;
       })},
      {"embedding_dropout", "embedding_dropout", {{5, 2}}, one([](const V& x) {
         cupyxx::random::seed(3);
         return F::embedding_dropout(x[0], 0.4);
       })},
      {"gaussian",
       "gaussian",
       {{2, 3}, {2, 3}},
       one([](const V& x) {
         cupyxx::random::seed(3);
         return F::gaussian(x[0], x[1]);
       }),
       -1,
       1,
       kOwnNoise},
      {"zoneout",
       "zoneout",
       {{3, 4}, {3, 4}},
       one([](const V& x) {
         cupyxx::random::seed(3);
         return F::zoneout(x[0], x[1], 0.4, true);
       }),
       -1,
       1,
       kAnyDtype},
      {"simplified_dropconnect",
       "simplified_dropconnect",
       {{2, 3}, {4, 3}, {4}},
       one([](const V& x) {
         cupyxx::random::seed(3);
         return F::simplified_dropconnect(x[0], x[1], x[2], 0.25, true);
       }),
       -1,
       1,
       kOptionalBias},
      {"simplified_dropconnect_test",
       "simplified_dropconnect",
       {{2, 3}, {4, 3}},
       one([](const V& x) { return F::simplified_dropconnect(x[0], x[1], nullptr, 0.25, false); })},
      {"gumbel_softmax", "gumbel_softmax", {{3, 4}}, one([](const V& x) {
         cupyxx::random::seed(3);
         return F::gumbel_softmax(x[0], 2);
       })},
      {"gaussian_of_given_noise", "Gaussian", {{2, 2}, {2, 2}}, one([](const V& x) {
         const ndarray eps = cupyxx::array({{0.5, -1.0}, {2.0, 0.25}})
                                 .astype(x[0].is_none() ? cupyxx::float32 : x[0].dtype());
         return F::Gaussian(eps)(x[0], x[1]);
       })},
  };
}

/// Two steps of two sequences with one layer; both directions share its weights.
FunctionRow n_step(const char* name, int gates, bool has_cells, int directions,
                   const std::function<V(const V& states, const F::WeightLists& ws,
                                         const F::WeightLists& bs, const V& xs)>& call) {
  std::vector<Shape> shapes(has_cells ? 2 : 1, Shape{directions, 2, 2});
  const std::size_t states = shapes.size(), weights = static_cast<std::size_t>(2 * gates);
  for (int k = 0; k < 2 * gates; ++k) shapes.push_back(k < gates ? Shape{2, 3} : Shape{2, 2});
  shapes.insert(shapes.end(), static_cast<std::size_t>(2 * gates), Shape{2});
  shapes.insert(shapes.end(), {Shape{2, 3}, Shape{1, 3}});
  const auto part = [](const V& x, std::size_t begin, std::size_t count) {
    const auto from = x.begin() + static_cast<std::ptrdiff_t>(begin);
    return V(from, from + static_cast<std::ptrdiff_t>(count));
  };
  return {name,
          name,
          shapes,
          [=](const V& x) {
            const F::WeightLists ws(static_cast<std::size_t>(directions), part(x, states, weights));
            const F::WeightLists bs(static_cast<std::size_t>(directions),
                                    part(x, states + weights, weights));
            return call(part(x, 0, states), ws, bs, part(x, states + 2 * weights, 2));
          },
          -1,
          1,
          kOptionalStates};
}

std::vector<FunctionRow> recurrent() {
  using Lists = F::WeightLists;
  const auto flat = [](const auto& out) {
    V all = out.ys;
    all.push_back(out.hy);
    if constexpr (requires { out.cy; }) all.push_back(out.cy);
    return all;
  };
  return {
      n_step("n_step_lstm", 4, true, 1,
             [flat](const V& s, const Lists& ws, const Lists& bs, const V& xs) {
               return flat(F::n_step_lstm(1, 0, s[0], s[1], ws, bs, xs));
             }),
      n_step("n_step_bilstm", 4, true, 2,
             [flat](const V& s, const Lists& ws, const Lists& bs, const V& xs) {
               return flat(F::n_step_bilstm(1, 0, s[0], s[1], ws, bs, xs));
             }),
      n_step("n_step_gru", 3, false, 1,
             [flat](const V& s, const Lists& ws, const Lists& bs, const V& xs) {
               return flat(F::n_step_gru(1, 0, s[0], ws, bs, xs));
             }),
      n_step("n_step_bigru", 3, false, 2,
             [flat](const V& s, const Lists& ws, const Lists& bs, const V& xs) {
               return flat(F::n_step_bigru(1, 0, s[0], ws, bs, xs));
             }),
      n_step("n_step_rnn", 1, false, 1,
             [flat](const V& s, const Lists& ws, const Lists& bs, const V& xs) {
               return flat(F::n_step_rnn(1, 0, s[0], ws, bs, xs));
             }),
      n_step("n_step_birnn", 1, false, 2,
             [flat](const V& s, const Lists& ws, const Lists& bs, const V& xs) {
               return flat(F::n_step_birnn(1, 0, s[0], ws, bs, xs, "relu"));
             }),
  };
}

}  // namespace

std::vector<FunctionRow> connection_rows() {
  std::vector<FunctionRow> all;
  for (const auto family : {convolutions, convolutions_nd, products, noises, recurrent}) {
    for (FunctionRow& row : family()) all.push_back(std::move(row));
  }
  for (FunctionRow& row : all) {
    const bool is_convolution = row.covers.find("onvolution_") != std::string::npos;
    // Whose bias is the fourth input.
    const bool is_bent = row.covers.starts_with("deformable");
    if (is_convolution && !is_bent) row.traits |= kOptionalBias;
  }
  return all;
}

}  // namespace chainerxx::testing
