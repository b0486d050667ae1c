// SPDX-License-Identifier: MIT
// Functions with parameters.
#include <map>
#include <memory>
#include <optional>

#include "chainerxx/chainerxx.h"
#include "conformance/network/functions.h"
#include "cupyxx/creation.h"

namespace conformance {
namespace {

namespace F = chainerxx::functions;
using C = const NetworkCase&;

/// Gives a function its parameters, applies it to the inputs and notes the gradients.
template <class Link>
NetworkResult apply(C c, Link function, const std::vector<Variable>& inputs) {
  auto link = std::make_shared<Link>(std::move(function));
  c.fill(*link);
  NetworkResult result;
  result.outputs = link->call(inputs);
  for (const chainerxx::Field& field : link->fields()) {
    if (field.gradient != nullptr && !field.gradient->is_none()) {
      result.others.emplace_back(std::string("gparam_") + field.name, *field.gradient);
    }
  }
  result.owner = link;
  return result;
}

std::int64_t extent(C c, const char* key, int axis) { return c.get(key).shape()[axis]; }

/// Nested lists of two, and numbers.
F::Tree tree_of(const Json& j) {
  if (j.is_number()) return F::Tree(j.get<std::int64_t>());
  return F::Tree(tree_of(j.at(0)), tree_of(j.at(1)));
}

/// A convolution with the options of a case; its channels stand in the given axes of W.
template <class Link>
Link convolution(C c, int out_axis, int in_axis) {
  const cupyxx::Shape shape = c.get("param_W").shape();
  const auto size = [&](const char* key, int otherwise) {
    const auto [h, w] = c.pair_attr(key, otherwise);
    return chainerxx::Size2D(h, w);
  };
  const auto groups = c.attr<std::int64_t>("groups", 1);
  const bool is_forward = out_axis == 0;
  return Link(shape[in_axis] * (is_forward ? groups : 1),
              shape[out_axis] * (is_forward ? 1 : groups), chainerxx::Size2D(shape[2], shape[3]),
              {.stride = size("stride", 1),
               .pad = size("pad", 0),
               .nobias = !c.has("param_b"),
               .dtype = c.get("param_W").dtype(),
               .dilate = size("dilate", 1),
               .groups = groups});
}

/// A set with the parameters of a case.
template <class Set>
NetworkResult apply_set(C c, std::shared_ptr<Set> set) {
  c.fill(*set);
  NetworkResult result;
  result.outputs = {(*set)(c.in("x"))};
  for (const chainerxx::NamedField& field : set->fields()) {
    if (field.gradient == nullptr) continue;
    result.others.emplace_back("gparam_" + field_name(field.name), *field.gradient);
  }
  result.owner = set;
  return result;
}

/// One batch, or a sequence of batches x0, x1, ... of which the running statistics are compared
/// after each.
NetworkResult batch_normalization(C c) {
  const ndarray gamma = c.get("param_gamma");
  const auto mode = c.attr<std::string>("mode", "train");
  auto link = std::make_shared<F::BatchNormalization>(
      gamma.shape(),
      F::BatchNormalizationLayerOptions{
          .decay = c.attr("decay", 0.9), .eps = c.attr("eps", 1e-5), .dtype = gamma.dtype()});
  c.fill(*link);
  if (c.attr("zero_init", false)) link->avg_var.fill(0);
  NetworkResult result;
  result.owner = link;
  const auto note = [&](const std::string& suffix) {
    result.others.emplace_back("extra_avg_mean" + suffix, link->avg_mean.copy());
    result.others.emplace_back("extra_avg_var" + suffix, link->avg_var.copy());
  };
  const F::BatchNormalization::Mode train{.test = false, .finetune = mode == "finetune"};
  if (mode == "train" || mode == "test") {
    if (c.has("in_avg_mean")) link->avg_mean = c.get("in_avg_mean");
    if (c.has("in_avg_var")) link->avg_var = c.get("in_avg_var");
    result.outputs = {(*link)(c.in("x"), {.test = mode == "test"})};
    note("");
    result.others.emplace_back("gparam_gamma", link->ggamma);
    result.others.emplace_back("gparam_beta", link->gbeta);
    return result;
  }
  int number = 0;
  for (const Variable& x : c.numbered("x")) {
    result.outputs = {(*link)(x, train)};
    note("_" + std::to_string(++number));
  }
  // Then the first batch again, by the statistics that were found.
  if (mode == "sequence") result.outputs = {(*link)(c.in("x0"), {.test = true})};
  return result;
}

std::shared_ptr<F::Inception> inception(C c) {
  const auto n = c.attrs()["sizes"].get<std::vector<std::int64_t>>();
  return std::make_shared<F::Inception>(n.at(0), n.at(1), n.at(2), n.at(3), n.at(4), n.at(5),
                                        n.at(6));
}

std::shared_ptr<F::InceptionBN> inception_bn(C c) {
  const Json& n = c.attrs()["sizes"];
  const auto size = [&](std::size_t i) { return n.at(i).get<std::int64_t>(); };
  std::optional<std::int64_t> proj_pool;
  if (n.size() > 7 && !n[7].is_null()) proj_pool = size(7);
  return std::make_shared<F::InceptionBN>(size(0), size(1), size(2), size(3), size(4), size(5),
                                          n.at(6).get<std::string>(), proj_pool,
                                          c.attr<std::int64_t>("stride", 1));
}

const std::map<std::string, NetworkCall>& table() {
  static const std::map<std::string, NetworkCall> calls = {
      {"linear",
       [](C c) { return apply(c, F::Linear(1, 1, {.nobias = !c.has("param_b")}), c.variables()); }},
      {"bilinear",
       [](C c) {
         return apply(c, F::Bilinear(1, 1, 1, {.nobias = !c.has("param_b")}), c.variables());
       }},
      {"convolution_2d",
       [](C c) { return apply(c, convolution<F::Convolution2D>(c, 0, 1), c.variables()); }},
      {"deconvolution_2d",
       [](C c) { return apply(c, convolution<F::Deconvolution2D>(c, 1, 0), c.variables()); }},
      {"batch_normalization", batch_normalization},
      {"inception", [](C c) { return apply_set(c, inception(c)); }},
      {"inception_bn", [](C c) { return apply_set(c, inception_bn(c)); }},
      {"embed_id", [](C c) { return apply(c, F::EmbedID(1, 1), c.variables()); }},
      {"prelu", [](C c) { return apply(c, F::PReLU(), c.variables()); }},
      {"parameter", [](C c) { return apply(c, F::Parameter(c.get("param_W")), {}); }},
      {"hierarchical_softmax",
       [](C c) {
         const ndarray W = c.get("param_W");
         return apply(
             c, F::BinaryHierarchicalSoftmax(W.shape()[1], tree_of(c.attrs()["tree"]), W.dtype()),
             c.variables());
       }},
      {"negative_sampling",
       [](C c) {
         const ndarray samples = c.in("samples").data();
         const std::vector<std::int64_t> counts(static_cast<std::size_t>(extent(c, "param_W", 0)),
                                                1);
         F::NegativeSampling link(1, counts, static_cast<int>(samples.shape()[1]) - 1);
         link.samples = samples;
         return apply(c, std::move(link), {c.in("x"), c.in("t")});
       }},
  };
  return calls;
}

}  // namespace

NetworkCall find_link(const std::string& name) {
  const auto found = table().find(name);
  return found == table().end() ? nullptr : found->second;
}

}  // namespace conformance
