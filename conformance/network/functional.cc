// SPDX-License-Identifier: MIT
// Functions with parameters in the form that takes the parameters as variables.
#include <map>
#include <string>

#include "chainerxx/chainerxx.h"
#include "conformance/network/functions.h"

namespace conformance {
namespace {

namespace F = chainerxx::functions;
using C = const NetworkCase&;

/// The parameters of a case as variables; their gradients are compared as the others are.
class Parameters {
 public:
  explicit Parameters(C c) : case_(c) {}

  /// A null variable where the case has no parameter of that name.
  Variable operator()(const char* name) {
    const std::string key = std::string("param_") + name;
    if (!case_.has(key)) return {};
    const Variable p(case_.get(key));
    list_.emplace_back(name, p);
    return p;
  }
  NetworkResult result(const Variable& y) { return {.outputs = {y}, .parameters = list_}; }

 private:
  C case_;
  std::vector<std::pair<std::string, Variable>> list_;
};

F::ConvolutionOptions convolution_options(C c) {
  const auto size = [&](const char* key, int otherwise) {
    const auto [h, w] = c.pair_attr(key, otherwise);
    return chainerxx::Size2D(h, w);
  };
  return {.stride = size("stride", 1),
          .pad = size("pad", 0),
          .dilate = size("dilate", 1),
          .groups = c.attr<std::int64_t>("groups", 1)};
}

NetworkResult linear(C c) {
  Parameters p(c);
  const Variable W = p("W"), b = p("b");
  return p.result(b.is_none() ? F::linear(c.in("x"), W) : F::linear(c.in("x"), W, b));
}

NetworkResult convolution_2d(C c) {
  Parameters p(c);
  const Variable W = p("W"), b = p("b");
  return p.result(F::convolution_2d(c.in("x"), W, b, convolution_options(c)));
}

NetworkResult deconvolution_2d(C c) {
  Parameters p(c);
  const Variable W = p("W"), b = p("b");
  return p.result(F::deconvolution_2d(c.in("x"), W, b, convolution_options(c)));
}

/// One batch; sequences of batches need the layer.
NetworkResult batch_normalization(C c) {
  Parameters p(c);
  const Variable gamma = p("gamma"), beta = p("beta");
  const double eps = c.attr("eps", 1e-5);
  if (c.attr<std::string>("mode", "train") == "test") {
    return p.result(F::fixed_batch_normalization(c.in("x"), gamma, beta, c.in("avg_mean"),
                                                 c.in("avg_var"), eps));
  }
  F::BatchNormalizationOptions how = {.eps = eps, .decay = c.attr("decay", 0.9)};
  if (c.has("in_avg_mean") && c.has("in_avg_var")) {
    how.running_mean = c.get("in_avg_mean");
    how.running_var = c.get("in_avg_var");
  }
  NetworkResult result = p.result(F::batch_normalization(c.in("x"), gamma, beta, how));
  if (!how.running_mean.is_none()) {
    result.others = {{"extra_avg_mean", how.running_mean}, {"extra_avg_var", how.running_var}};
  }
  return result;
}

NetworkResult embed_id(C c) {
  Parameters p(c);
  return p.result(F::embed_id(c.in("x"), p("W")));
}

NetworkResult prelu(C c) {
  Parameters p(c);
  return p.result(F::prelu(c.in("x"), p("W")));
}

}  // namespace

NetworkCall find_functional(const std::string& name) {
  static const std::map<std::string, NetworkCall> calls = {
      {"linear", linear},
      {"convolution_2d", convolution_2d},
      {"deconvolution_2d", deconvolution_2d},
      {"batch_normalization", batch_normalization},
      {"embed_id", embed_id},
      {"prelu", prelu},
  };
  const auto found = calls.find(name);
  return found == calls.end() ? nullptr : found->second;
}

}  // namespace conformance
