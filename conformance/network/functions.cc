// SPDX-License-Identifier: MIT
// Functions without parameters.
#include "conformance/network/functions.h"

#include <map>

#include "chainerxx/chainerxx.h"

namespace conformance {
namespace {

namespace F = chainerxx::functions;
using C = const NetworkCase&;

NetworkResult one(const Variable& y) { return {.outputs = {y}}; }
NetworkResult many(std::vector<Variable> ys) { return {.outputs = std::move(ys)}; }

/// Input i in the order of the file.
Variable x(C c, std::size_t i = 0) { return c.inputs().at(i).second; }

cupyxx::Axes axes_attr(C c) {
  if (!c.attrs().contains("axis")) return {};
  const Json& axis = c.attrs()["axis"];
  if (axis.is_null()) return {};
  if (axis.is_number()) return axis.get<int>();
  return axis.get<std::vector<std::int64_t>>();
}

cupyxx::Shape shape_attr(C c, const char* key) {
  const Json& value = c.attrs().at(key);
  if (value.is_number()) return {value.get<std::int64_t>()};
  return value.get<std::vector<std::int64_t>>();
}

cupyxx::Sections sections_attr(C c) {
  const Json& value = c.attrs().at("indices_or_sections");
  if (value.is_number()) return value.get<int>();
  return value.get<std::vector<std::int64_t>>();
}

chainerxx::Size2D size_attr(C c, const char* key) {
  const auto [h, w] = c.pair_attr(key, 1);
  return {h, w};
}

/// The size of the window when there is none.
chainerxx::Size2D stride_attr(C c) {
  const bool is_given = c.attrs().contains("stride") && !c.attrs()["stride"].is_null();
  return is_given ? size_attr(c, "stride") : chainerxx::Size2D();
}

chainerxx::Size2D pad_attr(C c) {
  const auto [h, w] = c.pair_attr("pad", 0);
  return {h, w};
}

double constant(C c) { return c.attrs().at("c").get<double>(); }

const std::map<std::string, NetworkCall>& table() {
  static const std::map<std::string, NetworkCall> calls = {
      // Arithmetic.
      {"arith_neg", [](C c) { return one(-x(c)); }},
      {"arith_abs", [](C c) { return one(F::absolute(x(c))); }},
      {"arith_add", [](C c) { return one(x(c) + x(c, 1)); }},
      {"arith_sub", [](C c) { return one(x(c) - x(c, 1)); }},
      {"arith_mul", [](C c) { return one(x(c) * x(c, 1)); }},
      {"arith_div", [](C c) { return one(x(c) / x(c, 1)); }},
      {"arith_pow", [](C c) { return one(F::pow(x(c), x(c, 1))); }},
      {"arith_add_c", [](C c) { return one(x(c) + constant(c)); }},
      {"arith_radd_c", [](C c) { return one(constant(c) + x(c)); }},
      {"arith_sub_c", [](C c) { return one(x(c) - constant(c)); }},
      {"arith_rsub_c", [](C c) { return one(constant(c) - x(c)); }},
      {"arith_mul_c", [](C c) { return one(x(c) * constant(c)); }},
      {"arith_rmul_c", [](C c) { return one(constant(c) * x(c)); }},
      {"arith_div_c", [](C c) { return one(x(c) / constant(c)); }},
      {"arith_rdiv_c", [](C c) { return one(constant(c) / x(c)); }},
      {"arith_pow_c", [](C c) { return one(F::pow(x(c), constant(c))); }},
      {"arith_rpow_c", [](C c) { return one(F::pow(constant(c), x(c))); }},
      {"arith_chain", [](C c) { return one(F::pow(x(c), 2) - 2 * x(c) + 1); }},
      // Mathematics.
      {"exp", [](C c) { return one(F::exp(x(c))); }},
      {"log", [](C c) { return one(F::log(x(c))); }},
      {"sin", [](C c) { return one(F::sin(x(c))); }},
      {"cos", [](C c) { return one(F::cos(x(c))); }},
      {"sqrt", [](C c) { return one(F::sqrt(x(c))); }},
      {"square", [](C c) { return one(F::square(x(c))); }},
      {"maximum", [](C c) { return one(F::maximum(x(c), x(c, 1))); }},
      {"minimum", [](C c) { return one(F::minimum(x(c), x(c, 1))); }},
      {"clip", [](C c) { return one(F::clip(x(c), c.attr("x_min", -1.0), c.attr("x_max", 1.0))); }},
      {"sum", [](C c) { return one(F::sum(x(c), axes_attr(c))); }},
      {"max", [](C c) { return one(F::max(x(c), axes_attr(c), c.attr("keepdims", false))); }},
      {"min", [](C c) { return one(F::min(x(c), axes_attr(c), c.attr("keepdims", false))); }},
      {"mean", [](C c) { return one(F::mean(x(c), axes_attr(c), c.attr("keepdims", false))); }},
      {"average", [](C c) { return one(F::mean(x(c), axes_attr(c), c.attr("keepdims", false))); }},
      {"logsumexp", [](C c) { return one(F::logsumexp(x(c), axes_attr(c))); }},
      {"matmul",
       [](C c) {
         return one(F::matmul(x(c), x(c, 1), c.attr("transa", false), c.attr("transb", false)));
       }},
      {"batch_matmul",
       [](C c) {
         return one(
             F::batch_matmul(x(c), x(c, 1), c.attr("transa", false), c.attr("transb", false)));
       }},
      // Activation.
      {"relu", [](C c) { return one(F::relu(x(c))); }},
      {"sigmoid", [](C c) { return one(F::sigmoid(x(c))); }},
      {"tanh", [](C c) { return one(F::tanh(x(c))); }},
      {"softmax", [](C c) { return one(F::softmax(x(c), c.attr("axis", 1))); }},
      {"log_softmax", [](C c) { return one(F::log_softmax(x(c), c.attr("axis", 1))); }},
      {"clipped_relu", [](C c) { return one(F::clipped_relu(x(c), c.attr("z", 20.0))); }},
      {"leaky_relu", [](C c) { return one(F::leaky_relu(x(c), c.attr("slope", 0.2))); }},
      {"elu", [](C c) { return one(F::elu(x(c), c.attr("alpha", 1.0))); }},
      {"selu", [](C c) { return one(F::selu(x(c))); }},
      {"softplus", [](C c) { return one(F::softplus(x(c), c.attr("beta", 1.0))); }},
      {"hard_sigmoid", [](C c) { return one(F::hard_sigmoid(x(c))); }},
      {"gelu", [](C c) { return one(F::gelu(x(c))); }},
      {"swish", [](C c) { return one(F::swish(x(c), c.attr("beta", 1.0))); }},
      {"maxout",
       [](C c) { return one(F::maxout(x(c), c.attr("pool_size", 2), c.attr("axis", 1))); }},
      {"lstm",
       [](C c) {
         const auto [cell, h] = F::lstm(x(c), x(c, 1));
         return many({cell, h});
       }},
      // Arrays.
      {"identity", [](C c) { return many(F::identity(c.variables())); }},
      {"concat", [](C c) { return one(F::concat(c.variables(), c.attr("axis", 1))); }},
      {"stack", [](C c) { return one(F::stack(c.variables(), c.attr("axis", 0))); }},
      {"split_axis",
       [](C c) { return many(F::split_axis(x(c), sections_attr(c), c.attr("axis", 0))); }},
      {"reshape", [](C c) { return one(F::reshape(x(c), shape_attr(c, "shape"))); }},
      {"flatten", [](C c) { return one(F::flatten(x(c))); }},
      {"broadcast", [](C c) { return many(F::broadcast(c.variables())); }},
      {"broadcast_to", [](C c) { return one(F::broadcast_to(x(c), shape_attr(c, "shape"))); }},
      {"tile", [](C c) { return one(F::tile(x(c), shape_attr(c, "reps"))); }},
      {"expand_dims", [](C c) { return one(F::expand_dims(x(c), c.attr("axis", 0))); }},
      {"squeeze", [](C c) { return one(F::squeeze(x(c), axes_attr(c))); }},
      {"swapaxes",
       [](C c) { return one(F::swapaxes(x(c), c.attr("axis1", 0), c.attr("axis2", 1))); }},
      {"transpose",
       [](C c) {
         if (!c.attrs().contains("axes")) return one(F::transpose(x(c)));
         return one(F::transpose(x(c), shape_attr(c, "axes")));
       }},
      {"copy", [](C c) { return one(F::copy(x(c), x(c).device())); }},
      {"select_item", [](C c) { return one(F::select_item(x(c), x(c, 1))); }},
      {"where", [](C c) { return one(F::where(x(c), x(c, 1), x(c, 2))); }},
      // Images.
      {"max_pooling_2d",
       [](C c) {
         return one(F::max_pooling_2d(x(c), size_attr(c, "ksize"),
                                      {.stride = stride_attr(c),
                                       .pad = pad_attr(c),
                                       .cover_all = c.attr("cover_all", true)}));
       }},
      {"average_pooling_2d",
       [](C c) {
         return one(F::average_pooling_2d(x(c), size_attr(c, "ksize"),
                                          {.stride = stride_attr(c), .pad = pad_attr(c)}));
       }},
      {"unpooling_2d",
       [](C c) {
         return one(F::unpooling_2d(x(c), size_attr(c, "ksize"),
                                    {.stride = stride_attr(c),
                                     .pad = pad_attr(c),
                                     .cover_all = c.attr("cover_all", true)}));
       }},
      {"spatial_pyramid_pooling_2d",
       [](C c) { return one(F::spatial_pyramid_pooling_2d(x(c), c.attr("pyramid_height", 1))); }},
      {"local_response_normalization",
       [](C c) {
         return one(F::local_response_normalization(x(c), {.n = c.attr<std::int64_t>("n", 5),
                                                           .k = c.attr("k", 2.0),
                                                           .alpha = c.attr("alpha", 1e-4),
                                                           .beta = c.attr("beta", 0.75)}));
       }},
      // Noise, which the case gives.
      {"dropout",
       [](C c) { return one(F::Dropout(c.attr("ratio", 0.5), c.in("mask").data())(c.in("x"))); }},
      {"gaussian",
       [](C c) { return one(F::Gaussian(c.in("eps").data())(c.in("mean"), c.in("ln_var"))); }},
      // Losses.
      {"accuracy", [](C c) { return one(F::accuracy(x(c), x(c, 1))); }},
      {"mean_squared_error", [](C c) { return one(F::mean_squared_error(x(c), x(c, 1))); }},
      {"softmax_cross_entropy",
       [](C c) {
         return one(F::softmax_cross_entropy(x(c), x(c, 1), true, c.attr("normalize", true)));
       }},
      {"sigmoid_cross_entropy",
       [](C c) {
         return one(F::sigmoid_cross_entropy(x(c), x(c, 1), true, c.attr("normalize", false)));
       }},
      {"connectionist_temporal_classification",
       [](C c) {
         return one(F::connectionist_temporal_classification(c.numbered("x"), c.in("t"),
                                                             c.attr("blank_symbol", 0)));
       }},
      {"cross_covariance", [](C c) { return one(F::cross_covariance(x(c), x(c, 1))); }},
      {"huber_loss", [](C c) { return one(F::huber_loss(x(c), x(c, 1), c.attr("delta", 1.0))); }},
      {"hinge",
       [](C c) {
         const bool squares = c.attr<std::string>("norm", "L1") == "L2";
         return one(F::hinge(x(c), x(c, 1), squares ? F::HingeNorm::L2 : F::HingeNorm::L1));
       }},
      {"contrastive",
       [](C c) { return one(F::contrastive(x(c), x(c, 1), x(c, 2), c.attr("margin", 1.0))); }},
      {"triplet",
       [](C c) { return one(F::triplet(x(c), x(c, 1), x(c, 2), c.attr("margin", 0.2))); }},
      {"gaussian_kl_divergence", [](C c) { return one(F::gaussian_kl_divergence(x(c), x(c, 1))); }},
      {"bernoulli_nll", [](C c) { return one(F::bernoulli_nll(x(c), x(c, 1))); }},
      {"gaussian_nll", [](C c) { return one(F::gaussian_nll(x(c), x(c, 1), x(c, 2))); }},
  };
  return calls;
}

}  // namespace

NetworkCall find_function(const std::string& name) {
  const auto found = table().find(name);
  return found == table().end() ? nullptr : found->second;
}

}  // namespace conformance
