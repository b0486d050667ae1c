// SPDX-License-Identifier: MIT
#include "chainerxx/functions/connection/attention.h"

#include <algorithm>
#include <cmath>

#include "chainerxx/functions/activation/activation.h"
#include "chainerxx/functions/array/array.h"
#include "chainerxx/functions/array/copying.h"
#include "chainerxx/functions/array/parts.h"
#include "chainerxx/functions/connection/fused_attention.h"
#include "chainerxx/functions/math/matmul.h"
#include "chainerxx/functions/noise/dropout.h"
#include "chainerxx/internal/narrow_types.h"
#include "chainerxx/internal/same_shape.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/extension/random_place.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/precision.h"

namespace chainerxx::functions {
namespace {

using cupyxx::Shape;
using internal::AttentionForm;

void check_mask(const char* name, const ndarray& mask, const Shape& weights) {
  if (mask.is_none()) return;
  const Shape shape = mask.shape();
  const int lead = weights.ndim() - shape.ndim();
  bool fits = lead >= 0;
  for (int axis = 0; fits && axis < shape.ndim(); ++axis) {
    fits = shape[axis] == 1 || shape[axis] == weights[lead + axis];
  }
  if (!fits) {
    throw cupyxx::ShapeError(cupyxx::message(name, ": the mask does not broadcast to the weights; ",
                                             shape, " and ", weights));
  }
  if (mask.dtype() != cupyxx::bool_) {
    throw cupyxx::DtypeError(
        cupyxx::message(name, ": the mask is not bool; ", mask.dtype().name()));
  }
}

/// What the options say of a call, with a place in the random stream where it needs one.
/// `weights` is the shape of the weights.
AttentionForm form_of(const char* name, const AttentionOptions& options, std::int64_t depth,
                      const Shape& weights, cupyxx::Device device) {
  check_mask(name, options.mask, weights);
  const double ratio = options.dropout_ratio;
  if (!(ratio >= 0 && ratio < 1)) {
    throw cupyxx::ValueError(
        cupyxx::message(name, ": the ratio is outside of [0, 1); ", cupyxx::Scalar(ratio)));
  }
  // Of vectors without elements all products are 0, whatever they are multiplied by.
  const auto length = static_cast<double>(std::max<std::int64_t>(depth, 1));
  AttentionForm form{.mask = options.mask,
                     .scale = options.scale.value_or(1 / std::sqrt(length)),
                     .is_causal = options.is_causal};
  if (ratio == 0 || !is_training()) return form;
  form.ratio = ratio;
  std::int64_t rows = 1;
  for (int axis = 0; axis + 1 < weights.ndim(); ++axis) rows *= weights[axis];
  const std::int64_t blocks = internal::attention_blocks(rows, weights.back());
  form.state = cupyxx::extension::reserve_random(device, static_cast<std::uint64_t>(blocks));
  return form;
}

/// Whether kernels compute attention without its matrix of weights, in the thread's precision.
bool is_fused(cupyxx::Device device, cupyxx::dtype given, std::int64_t depth, std::int64_t width,
              double scale) {
  const cupyxx::dtype dtype = internal::narrowed(given);
  const bool reads_all_bits = dtype == cupyxx::float32 && current_precision() != Precision::tf32 &&
                              cupyxx::compute_precision() != Precision::tf32;
  return !reads_all_bits && internal::has_fused_attention(device, dtype, depth, width, scale);
}

/// The lowest finite number.
double lowest(cupyxx::dtype type) {
  if (type == cupyxx::float16) return -65504;
  return type == cupyxx::bfloat16_ ? -3.3895313892515355e38 : -3.4028234663852886e38;
}

ndarray causal_mask(const Shape& weights) {
  const ndarray rows = cupyxx::arange(weights[weights.ndim() - 2]);
  return cupyxx::greater_equal(cupyxx::expand_dims(rows, 1), cupyxx::arange(weights.back()));
}

Variable dropped(const Variable& weights, const AttentionForm& form) {
  if (form.ratio == 0) return weights;
  return Dropout(form.ratio,
                 internal::attention_factors(weights.data(), form.ratio, form.state))(weights);
}

}  // namespace

Variable attention_by_products(const Variable& query, const Variable& key, const Variable& value,
                               const AttentionForm& form) {
  const Variable products = batch_matmul(query, key, false, true);
  if (products.device().is_cuda()) {
    return batch_matmul(dropped(AttentionWeights(form)(products), form), value);
  }
  const Variable scores = products * form.scale;
  const int keys = scores.ndim() - 1;
  ndarray mask = form.mask;
  if (form.is_causal) {
    const ndarray causal = causal_mask(scores.shape());
    mask = mask.is_none() ? causal : cupyxx::logical_and(mask, causal);
  }
  Variable weights;
  if (mask.is_none()) {
    weights = softmax(scores, keys);
  } else {
    // Hidden scores are the lowest finite number: a query that sees nothing then has weights, which
    // become 0, and not NaN.
    const ndarray hidden = cupyxx::full({}, lowest(scores.dtype()), scores.dtype());
    weights = softmax(where(mask, scores, hidden), keys);
    weights = where(mask, weights, cupyxx::zeros({}, weights.dtype()));
  }
  return batch_matmul(dropped(weights, form), value);
}

Variable self_attention_by_products(const Variable& qkv, std::int64_t heads,
                                    const AttentionForm& form) {
  const Shape shape = qkv.shape();
  const std::int64_t n = shape[0], length = shape[1], width = shape[2] / 3;
  const Variable parts =
      transpose(reshape(qkv, {n, length, 3, heads, width / heads}), {2, 0, 3, 1, 4});
  const Variable y =
      attention_by_products(get_item(parts, {0}), get_item(parts, {1}), get_item(parts, {2}), form);
  return reshape(transpose(y, {0, 2, 1, 3}), {n, length, width});
}

Variable scaled_dot_product_attention(const Variable& query, const Variable& key,
                                      const Variable& value, const AttentionOptions& options) {
  constexpr const char* kName = "scaled_dot_product_attention";
  internal::refuse_none(kName, {&query, &key, &value});
  if (query.ndim() < 3 || key.ndim() < 3 || value.ndim() < 3) {
    throw cupyxx::ShapeError(cupyxx::message(kName, ": the inputs have fewer than 3 axes; ",
                                             query.shape(), ", ", key.shape(), " and ",
                                             value.shape()));
  }
  const cupyxx::DeviceScope device(query.device());
  Shape weights = leading_axes(kName, {query.shape(), key.shape(), value.shape()});
  weights.push_back(query.shape()[query.ndim() - 2]);
  weights.push_back(key.shape()[key.ndim() - 2]);
  const std::int64_t depth = query.shape().back();
  const AttentionForm form = form_of(kName, options, depth, weights, query.device());
  if (is_fused(query.device(), query.dtype(), depth, value.shape().back(), form.scale)) {
    return FusedAttention(form)(query, key, value);
  }
  return attention_by_products(query, key, value, form);
}

Variable self_attention(const Variable& qkv, std::int64_t heads, const AttentionOptions& options) {
  constexpr const char* kName = "self_attention";
  internal::refuse_none(kName, {&qkv});
  if (qkv.ndim() != 3 || heads < 1 || qkv.shape()[2] % 3 != 0 || qkv.shape()[2] / 3 % heads != 0) {
    throw cupyxx::ShapeError(cupyxx::message(kName, ": qkv is not (n, length, 3 heads depth); ",
                                             qkv.shape(), " and ", heads, " heads"));
  }
  const cupyxx::DeviceScope device(qkv.device());
  const Shape shape = qkv.shape();
  const std::int64_t depth = shape[2] / 3 / heads;
  const AttentionForm form =
      form_of(kName, options, depth, {shape[0], heads, shape[1], shape[1]}, qkv.device());
  if (is_fused(qkv.device(), qkv.dtype(), depth, depth, form.scale)) {
    return FusedSelfAttention(heads, form)(qkv);
  }
  return self_attention_by_products(qkv, heads, form);
}

}  // namespace chainerxx::functions
