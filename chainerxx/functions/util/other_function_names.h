// SPDX-License-Identifier: MIT
// What PyTorch calls functions that have Chainer's names here: each says at compile time which.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "chainerxx/axes_arg.h"
#include "chainerxx/other_names.h"
#include "chainerxx/variable.h"

namespace chainerxx {

namespace internal {
/// What a function that is refused is given. Both convert, so that a function of the user by the
/// same name, which `using namespace` puts beside it, is the better one.
struct VariableOrArray {
  template <class X>
  requires(std::same_as<X, Variable> || std::derived_from<X, ndarray>)
      VariableOrArray(const X& /*x*/) {}  // NOLINT(google-explicit-constructor)
};
struct AnyArgument {
  AnyArgument() = default;
  template <class T>
  AnyArgument(const T&) {}                             // NOLINT(google-explicit-constructor)
  AnyArgument(std::initializer_list<std::int64_t>) {}  // NOLINT(google-explicit-constructor)
};
/// What PyTorch calls options of functions that have Chainer's options here.
struct DimOptions {
  AxesArg dim = {};
  bool keepdim = false;
};
struct ChanceOptions {
  double p = 0.5;
  bool training = true;
};
}  // namespace internal

namespace functions {

// Not by PyTorch's name: whatever stands behind the variable, the words come.
#define CHAINERXX_OTHER_NAME(name)                                                    \
  template <class X = void>                                                           \
  Variable name(const internal::VariableOrArray&, const internal::AnyArgument& = {},  \
                const internal::AnyArgument& = {}, const internal::AnyArgument& = {}, \
                const internal::AnyArgument& = {})
CHAINERXX_OTHER_NAME(cross_entropy) {
  static_assert(internal::kNever<X>,
                "write softmax_cross_entropy(x, t); its options are {.class_weight = w, "
                ".ignore_label = -1, .reduce = \"sum\", .label_smoothing = 0.1}");
  return {};
}
CHAINERXX_OTHER_NAME(nll_loss) {
  static_assert(
      internal::kNever<X>,
      "write -mean(select_item(y, t)) for log probabilities y, or softmax_cross_entropy(x, t)");
  return {};
}
CHAINERXX_OTHER_NAME(mse_loss) {
  static_assert(internal::kNever<X>, "write mean_squared_error(x, t)");
  return {};
}
CHAINERXX_OTHER_NAME(l1_loss) {
  static_assert(internal::kNever<X>, "write mean_absolute_error(x, t)");
  return {};
}
CHAINERXX_OTHER_NAME(smooth_l1_loss) {
  static_assert(internal::kNever<X>, "write huber_loss(x, t, 1, \"mean\")");
  return {};
}
CHAINERXX_OTHER_NAME(binary_cross_entropy_with_logits) {
  static_assert(internal::kNever<X>,
                "write sigmoid_cross_entropy(x, t, {.normalize = true}) with labels 0 and 1, or "
                "bernoulli_nll(t, x, \"mean\")");
  return {};
}
CHAINERXX_OTHER_NAME(binary_cross_entropy) {
  static_assert(
      internal::kNever<X>,
      "write sigmoid_cross_entropy(x, t, {.normalize = true}) of what stands before the sigmoid");
  return {};
}
CHAINERXX_OTHER_NAME(pairwise_distance) {
  static_assert(internal::kNever<X>, "write sqrt(sum(square(x - y), 1))");
  return {};
}
CHAINERXX_OTHER_NAME(silu) {
  static_assert(internal::kNever<X>, "write swish(x)");
  return {};
}
CHAINERXX_OTHER_NAME(logsigmoid) {
  static_assert(internal::kNever<X>, "write -softplus(-x)");
  return {};
}
CHAINERXX_OTHER_NAME(hardtanh) {
  static_assert(internal::kNever<X>, "write clip(x, -1, 1)");
  return {};
}
CHAINERXX_OTHER_NAME(one_hot) {
  static_assert(internal::kNever<X>,
                "write cupyxx::eye(classes, {.dtype = cupyxx::float32})(labels)");
  return {};
}
CHAINERXX_OTHER_NAME(embedding) {
  static_assert(internal::kNever<X>, "write embed_id(ids, W)");
  return {};
}
CHAINERXX_OTHER_NAME(layer_norm) {
  static_assert(
      internal::kNever<X>,
      "write layer_normalization(x, gamma, beta), or the layer L::LayerNormalization(size)");
  return {};
}
CHAINERXX_OTHER_NAME(batch_norm) {
  static_assert(
      internal::kNever<X>,
      "write batch_normalization(x, gamma, beta), or the layer L::BatchNormalization(size)");
  return {};
}
CHAINERXX_OTHER_NAME(conv2d) {
  static_assert(internal::kNever<X>, "write convolution_2d(x, W, b, {.stride = 1, .pad = 0})");
  return {};
}
CHAINERXX_OTHER_NAME(conv_transpose2d) {
  static_assert(internal::kNever<X>, "write deconvolution_2d(x, W, b, {.stride = 1, .pad = 0})");
  return {};
}
CHAINERXX_OTHER_NAME(max_pool2d) {
  static_assert(internal::kNever<X>,
                "write max_pooling_2d(x, 2, {.stride = 2, .pad = 0, .cover_all = false})");
  return {};
}
CHAINERXX_OTHER_NAME(avg_pool2d) {
  static_assert(internal::kNever<X>, "write average_pooling_2d(x, 2, {.stride = 2, .pad = 0})");
  return {};
}
CHAINERXX_OTHER_NAME(adaptive_avg_pool2d) {
  static_assert(internal::kNever<X>,
                "write global_average_pooling(x), or average_pooling_2d(x, ksize)");
  return {};
}
CHAINERXX_OTHER_NAME(interpolate) {
  static_assert(internal::kNever<X>,
                "write resize_images(x, {height, width}), or unpooling_2d(x, 2)");
  return {};
}
#undef CHAINERXX_OTHER_NAME

/// Not with PyTorch's names of options.
template <std::same_as<internal::DimOptions> O = internal::DimOptions>
Variable softmax(const Variable& /*x*/, O /*options*/) {
  static_assert(internal::kNever<O>, "write softmax(x, {.axis = 1})");
  return {};
}
template <std::same_as<internal::DimOptions> O = internal::DimOptions>
Variable log_softmax(const Variable& /*x*/, O /*options*/) {
  static_assert(internal::kNever<O>, "write log_softmax(x, {.axis = 1})");
  return {};
}
template <std::same_as<internal::DimOptions> O = internal::DimOptions>
Variable sum(const Variable& /*x*/, O /*options*/) {
  static_assert(internal::kNever<O>, "write sum(x, {.axis = 1, .keepdims = true})");
  return {};
}
template <std::same_as<internal::DimOptions> O = internal::DimOptions>
Variable mean(const Variable& /*x*/, O /*options*/) {
  static_assert(internal::kNever<O>, "write mean(x, {.axis = 1, .keepdims = true})");
  return {};
}
template <std::same_as<internal::DimOptions> O = internal::DimOptions>
Variable max(const Variable& /*x*/, O /*options*/) {
  static_assert(internal::kNever<O>, "write max(x, {.axis = 1, .keepdims = true})");
  return {};
}
template <std::same_as<internal::DimOptions> O = internal::DimOptions>
Variable min(const Variable& /*x*/, O /*options*/) {
  static_assert(internal::kNever<O>, "write min(x, {.axis = 1, .keepdims = true})");
  return {};
}
template <std::same_as<internal::DimOptions> O = internal::DimOptions>
Variable logsumexp(const Variable& /*x*/, O /*options*/) {
  static_assert(internal::kNever<O>, "write logsumexp(x, {.axis = 1})");
  return {};
}
template <std::same_as<internal::DimOptions> O = internal::DimOptions>
Variable normalize(const Variable& /*x*/, O /*options*/) {
  static_assert(internal::kNever<O>, "write normalize(x, {.axis = 1})");
  return {};
}
template <std::same_as<internal::DimOptions> O = internal::DimOptions>
Variable concat(const std::vector<Variable>& /*xs*/, O /*options*/) {
  static_assert(internal::kNever<O>, "write concat({x, y}, {.axis = 1})");
  return {};
}
template <std::same_as<internal::DimOptions> O = internal::DimOptions>
Variable stack(const std::vector<Variable>& /*xs*/, O /*options*/) {
  static_assert(internal::kNever<O>, "write stack({x, y}, {.axis = 1})");
  return {};
}
template <std::same_as<internal::ChanceOptions> O = internal::ChanceOptions>
Variable dropout(const Variable& /*x*/, O /*options*/) {
  static_assert(internal::kNever<O>, "write dropout(x, {.ratio = 0.5, .train = true})");
  return {};
}

}  // namespace functions
}  // namespace chainerxx
