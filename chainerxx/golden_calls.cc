// SPDX-License-Identifier: MIT
#include "chainerxx/golden_calls.h"

#include <algorithm>
#include <optional>
#include <string>

namespace chainerxx::golden {
namespace {

namespace F = chainerxx::functions;

Variables max_pooling(Arguments& a) {
  return {F::max_pooling_2d(a.in["x"], a.size("ksize", {}),
                            {.stride = a.size("stride", {}),
                             .pad = a.size("pad", 0),
                             .cover_all = a.attrs.value("cover_all", true)})};
}

Variables average_pooling(Arguments& a) {
  return {F::average_pooling_2d(a.in["x"], a.size("ksize", {}),
                                {.stride = a.size("stride", {}), .pad = a.size("pad", 0)})};
}

Variables convolution(Arguments& a) {
  const F::ConvolutionOptions how = {.stride = a.size("stride", 1),
                                     .pad = a.size("pad", 0),
                                     .dilate = a.size("dilate", 1),
                                     .groups = a.attrs.value("groups", std::int64_t{1})};
  return {F::convolution_2d(a.in["x"], a.param["W"], a.bias(), how)};
}

Variables response_normalization(Arguments& a) {
  return {F::local_response_normalization(a.in["x"], {.n = a.attrs.value("n", std::int64_t{5}),
                                                      .k = a.number("k", 2),
                                                      .alpha = a.number("alpha", 1e-4),
                                                      .beta = a.number("beta", 0.75)})};
}

/// One call of the function in training or testing, or a layer over three batches in a row.
Variables batch_normalization(Arguments& a) {
  const Variable &gamma = a.param["gamma"], &beta = a.param["beta"];
  const double eps = a.number("eps", 1e-5), decay = a.number("decay", 0.9);
  const std::string mode = a.attrs["mode"];
  if (mode == "train") {
    a.extra["avg_mean"] = a.in["avg_mean"].data().copy();
    a.extra["avg_var"] = a.in["avg_var"].data().copy();
    return {F::batch_normalization(a.in["x"], gamma, beta,
                                   {.eps = eps,
                                    .running_mean = a.extra["avg_mean"],
                                    .running_var = a.extra["avg_var"],
                                    .decay = decay})};
  }
  if (mode == "test") {
    return {F::fixed_batch_normalization(a.in["x"], gamma, beta, a.in["avg_mean"], a.in["avg_var"],
                                         eps)};
  }
  const bool finetune = mode == "finetune";
  F::BatchNormalization layer(gamma.shape(), {.decay = decay, .eps = eps, .dtype = gamma.dtype()});
  layer.gamma = gamma.data();
  layer.beta = beta.data();
  if (a.attrs.value("zero_init", false)) layer.avg_var.fill(0);
  Variable y;
  for (int i = 0; i < 3; ++i) {
    y = layer(a.in["x" + std::to_string(i)], {.test = false, .finetune = finetune});
    a.extra["avg_mean_" + std::to_string(i + 1)] = layer.avg_mean.copy();
    a.extra["avg_var_" + std::to_string(i + 1)] = layer.avg_var.copy();
  }
  if (!finetune) {  // the first batch again, by the running statistics
    y = F::fixed_batch_normalization(a.in["x0"], gamma, beta, layer.avg_mean, layer.avg_var, eps);
  }
  return {y};
}

void set_parameters(FunctionSet& set, const Arguments& a) {
  for (const NamedField& field : set.fields()) {
    const auto found = a.param.find(field_key(field.name));
    if (found != a.param.end()) field.array->set(found->second.data());
  }
}

Variables inception(Arguments& a) {
  const auto s = a.attrs["sizes"].get<std::vector<std::int64_t>>();
  const auto module = std::make_shared<F::Inception>(s[0], s[1], s[2], s[3], s[4], s[5], s[6]);
  set_parameters(*module, a);
  a.set = module;
  return {(*module)(a.in["x"])};
}

Variables inception_bn(Arguments& a) {
  const Json& s = a.attrs["sizes"];
  std::optional<std::int64_t> projection;
  if (!s[7].is_null()) projection = s[7].get<std::int64_t>();
  const auto module = std::make_shared<F::InceptionBN>(
      s[0].get<std::int64_t>(), s[1].get<std::int64_t>(), s[2].get<std::int64_t>(),
      s[3].get<std::int64_t>(), s[4].get<std::int64_t>(), s[5].get<std::int64_t>(),
      s[6].get<std::string>(), projection, a.attrs.value("stride", std::int64_t{1}));
  set_parameters(*module, a);
  a.set = module;
  return {(*module)(a.in["x"])};
}

Variables pyramid_pooling(Arguments& a) {
  return {F::spatial_pyramid_pooling_2d(a.in["x"], a.attrs["pyramid_height"])};
}

}  // namespace

Size2D Arguments::size(const char* name, const Size2D& otherwise) const {
  if (!attrs.contains(name) || attrs[name].is_null()) return otherwise;
  const Json& value = attrs[name];
  if (value.is_number()) return value.get<std::int64_t>();
  return {value[0].get<std::int64_t>(), value[1].get<std::int64_t>()};
}

Call find_call(const std::string& function) {
  static const std::map<std::string, Call> table = {
      {"average_pooling_2d", average_pooling},
      {"batch_normalization", batch_normalization},
      {"convolution_2d", convolution},
      {"inception", inception},
      {"inception_bn", inception_bn},
      {"local_response_normalization", response_normalization},
      {"max_pooling_2d", max_pooling},
      {"spatial_pyramid_pooling_2d", pyramid_pooling},
  };
  const auto found = table.find(function);
  return found != table.end() ? found->second : nullptr;
}

std::string field_key(const std::string& path) {
  std::string key = path;
  std::replace(key.begin(), key.end(), '/', '_');
  return key;
}

}  // namespace chainerxx::golden
