// SPDX-License-Identifier: MIT
// Functions with parameters.
#include <map>
#include <memory>

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
  const std::int64_t groups = c.attr<std::int64_t>("groups", 1);
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
