// SPDX-License-Identifier: MIT
#include <cstdint>
#include <utility>

#include "chainerxx/functions/activation/prelu.h"
#include "chainerxx/functions/array/array.h"
#include "chainerxx/functions/caffe/layers.h"
#include "chainerxx/functions/connection/convolution_2d.h"
#include "chainerxx/functions/connection/deconvolution_2d.h"
#include "chainerxx/functions/connection/linear.h"
#include "chainerxx/functions/connection/scale.h"
#include "chainerxx/functions/normalization/batch_normalization.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/math.h"

namespace chainerxx::internal {
namespace {

namespace F = functions;
using caffe_files::Layer;
using Variables = std::vector<Variable>;

/// Two numbers: one for both axes, a list, or a pair of fields.
template <class List>
Size2D pair_of(const List& list, bool has_both, std::uint32_t h, std::uint32_t w,
               std::uint32_t otherwise) {
  if (has_both) return {static_cast<std::int64_t>(h), static_cast<std::int64_t>(w)};
  if (list.empty()) return static_cast<std::int64_t>(otherwise);
  return {static_cast<std::int64_t>(list[0]), static_cast<std::int64_t>(list[list.size() - 1])};
}

struct Window {
  Size2D ksize, stride, pad, dilate;
};

Window window_of(const caffe_files::ConvolutionParam& p) {
  return {
      pair_of(p.kernel_size(), p.has_kernel_h() || p.has_kernel_w(), p.kernel_h(), p.kernel_w(), 0),
      pair_of(p.stride(), p.has_stride_h() || p.has_stride_w(), p.stride_h(), p.stride_w(), 1),
      pair_of(p.pad(), p.has_pad_h() || p.has_pad_w(), p.pad_h(), p.pad_w(), 0),
      pair_of(p.dilation(), false, 0, 0, 1)};
}

/// A bias of any rank as a vector.
ndarray flat(const ndarray& a) { return a.reshape({-1}); }

}  // namespace

std::int64_t CaffeBuilder::channels(const Layer& layer, const Variable& input) const {
  if (input.ndim() >= 2) return input.shape()[1];
  refuse(layer,
         cupyxx::message("has an input of shape ", input.shape(), ", which has no channels"));
}

template <class F>
F& CaffeBuilder::add(const Layer& layer, F function) {
  std::string name;
  FunctionSet& set = set_of(layer, name);
  try {
    return set.add(name, std::move(function));
  } catch (const cupyxx::Error& error) {
    refuse(layer, cupyxx::message("cannot be named so beside the others; ", error.what()));
  }
}

CaffeLayer CaffeBuilder::convolution(const Layer& layer, const Variables& inputs,
                                     bool& is_pending) {
  const auto& param = layer.convolution_param();
  const Window window = window_of(param);
  const bool is_forward = layer.type() == "Convolution";
  const std::int64_t out = param.num_output(), groups = param.group();
  if (window.ksize.h < 1 || window.ksize.w < 1 || out < 1 || groups < 1) {
    refuse(layer, cupyxx::message("has no window or no results; ", window.ksize, ", ", out,
                                  " results in ", groups, " groups"));
  }
  ndarray W, b;
  std::int64_t in = 0;
  if (layer.blobs_size() > 0) {
    W = blob(layer, 0);
    if (W.ndim() != 4) refuse(layer, cupyxx::message("has weights of shape ", W.shape()));
    in = is_forward ? W.shape()[1] * groups : W.shape()[0];
    if (param.bias_term()) {
      if (layer.blobs_size() < 2) refuse(layer, "has no bias");
      b = flat(blob(layer, 1));
    }
  } else if (inputs.empty()) {
    is_pending = true;
    return {};
  } else {
    in = channels(layer, inputs[0]);
    const cupyxx::Shape shape = {is_forward ? out : in, (is_forward ? in : out) / groups,
                                 window.ksize.h, window.ksize.w};
    W = fill(param.has_weight_filler() ? &param.weight_filler() : nullptr, shape,
             static_cast<double>(in / groups) * static_cast<double>(window.ksize.h) *
                 static_cast<double>(window.ksize.w));
    if (param.bias_term()) b = fill(&param.bias_filler(), {out}, static_cast<double>(in));
  }
  const F::Convolution2DOptions options = {.stride = window.stride,
                                           .pad = window.pad,
                                           .nobias = !param.bias_term(),
                                           .initialW = W,
                                           .initial_bias = b,
                                           .dilate = window.dilate,
                                           .groups = groups};
  try {
    if (is_forward) {
      auto& f = add(layer, F::Convolution2D(in, out, window.ksize, options));
      return [&f](const Variables& x, bool) { return Variables{f(x[0])}; };
    }
    auto& f = add(layer, F::Deconvolution2D(in, out, window.ksize, options));
    return [&f](const Variables& x, bool) { return Variables{f(x[0])}; };
  } catch (const cupyxx::ShapeError& error) {
    refuse(layer, cupyxx::message("does not fit its weights; ", error.what()));
  }
}

CaffeLayer CaffeBuilder::inner_product(const Layer& layer, const Variables& inputs,
                                       bool& is_pending) {
  const auto& param = layer.inner_product_param();
  const std::int64_t out = param.num_output();
  if (param.axis() != 1) {
    refuse(layer,
           cupyxx::message("joins axes from ", param.axis(), ", where only 1 is known here"));
  }
  if (out < 1) refuse(layer, "has no results");
  ndarray W, b;
  if (layer.blobs_size() > 0) {
    W = blob(layer, 0);
    const std::int64_t rows = param.transpose() ? W.size() / out : out;
    if (W.size() % out != 0 || W.size() == 0) {
      refuse(layer, cupyxx::message("has weights of shape ", W.shape(), " for ", out, " results"));
    }
    W = W.reshape({rows, W.size() / rows});
    if (param.transpose()) W = W.T().copy(cupyxx::Order::C);
    if (param.bias_term()) {
      if (layer.blobs_size() < 2) refuse(layer, "has no bias");
      b = flat(blob(layer, 1));
    }
  } else if (inputs.empty()) {
    is_pending = true;
    return {};
  } else {
    if (inputs[0].ndim() == 0 || inputs[0].size() == 0) {
      refuse(layer, cupyxx::message("has an input of shape ", inputs[0].shape()));
    }
    const std::int64_t in = inputs[0].size() / inputs[0].shape()[0];
    W = fill(param.has_weight_filler() ? &param.weight_filler() : nullptr, {out, in},
             static_cast<double>(in));
    if (param.bias_term()) b = fill(&param.bias_filler(), {out}, static_cast<double>(in));
  }
  try {
    auto& f =
        add(layer, F::Linear(W.shape()[1], out,
                             {.nobias = !param.bias_term(), .initialW = W, .initial_bias = b}));
    return [&f](const Variables& x, bool) { return Variables{f(x[0])}; };
  } catch (const cupyxx::ShapeError& error) {
    refuse(layer, cupyxx::message("does not fit its weights; ", error.what()));
  }
}

CaffeLayer CaffeBuilder::batch_norm(const Layer& layer, const Variables& inputs, bool& is_pending) {
  const auto& param = layer.batch_norm_param();
  ndarray mean, variance;
  if (layer.blobs_size() > 0) {
    if (layer.blobs_size() != 3) {
      refuse(layer, cupyxx::message("has ", layer.blobs_size(), " arrays instead of 3"));
    }
    const auto factors = blob(layer, 2).to_vector<double>();
    if (factors.size() != 1) refuse(layer, "has no factor of its sums");
    const double share = factors[0] == 0 ? 0 : 1 / factors[0];
    mean = flat(blob(layer, 0)) * share;
    variance = flat(blob(layer, 1)) * share;
    if (mean.shape() != variance.shape()) {
      refuse(layer, cupyxx::message("has means and variances of shapes ", mean.shape(), " and ",
                                    variance.shape()));
    }
  } else if (inputs.empty()) {
    is_pending = true;
    return {};
  } else {
    mean = cupyxx::zeros({channels(layer, inputs[0])}, cupyxx::float32);
    variance = cupyxx::ones_like(mean);
  }
  F::BatchNormalization made(mean.size(), {.eps = param.eps()});
  made.avg_mean = mean;
  made.avg_var = variance;
  auto& f = add(layer, std::move(made));
  const bool is_given = param.has_use_global_stats(), is_global = param.use_global_stats();
  return [&f, is_given, is_global](const Variables& x, bool train) {
    return Variables{f(x[0], {.test = is_given ? is_global : !train})};
  };
}

CaffeLayer CaffeBuilder::scale(const Layer& layer, const Variables& inputs, bool& is_pending) {
  const auto& param = layer.scale_param();
  const int axis = param.axis();
  if (axis < 0) refuse(layer, "counts its axis from the end, which is not known here");
  if (layer.bottom_size() == 2) {
    if (param.bias_term()) refuse(layer, "adds a bias to two inputs, which is not known here");
    return [axis](const Variables& x, bool) { return Variables{F::scale(x[0], x[1], axis)}; };
  }
  ndarray W, b;
  if (layer.blobs_size() > 0) {
    W = blob(layer, 0);
    if (param.bias_term()) {
      if (layer.blobs_size() < 2) refuse(layer, "has no bias");
      b = blob(layer, 1);
    }
  } else if (inputs.empty()) {
    is_pending = true;
    return {};
  } else {
    cupyxx::Shape shape;
    const int ndim = inputs[0].ndim();
    if (axis > ndim || param.num_axes() > ndim - axis) {
      refuse(layer, cupyxx::message("scales axes that its input of shape ", inputs[0].shape(),
                                    " does not have"));
    }
    const int last = param.num_axes() < 0 ? ndim : axis + param.num_axes();
    for (int i = axis; i < last; ++i) shape.push_back(inputs[0].shape()[i]);
    W = cupyxx::ones(shape, cupyxx::float32);
    if (param.bias_term()) b = cupyxx::zeros_like(W);
  }
  if (!b.is_none() && b.shape() != W.shape()) {
    refuse(layer,
           cupyxx::message("has weights and a bias of shapes ", W.shape(), " and ", b.shape()));
  }
  auto& f = add(
      layer, F::Scale(W.shape(), axis, {.nobias = b.is_none(), .initialW = W, .initial_bias = b}));
  return [&f](const Variables& x, bool) { return Variables{f(x[0])}; };
}

CaffeLayer CaffeBuilder::prelu(const Layer& layer, const Variables& inputs, bool& is_pending) {
  const bool is_shared = layer.prelu_param().channel_shared();
  ndarray W;
  if (layer.blobs_size() > 0) {
    W = flat(blob(layer, 0));
    if (is_shared && W.size() != 1) refuse(layer, cupyxx::message("shares ", W.size(), " slopes"));
    if (is_shared) W = W.reshape({});
  } else if (inputs.empty()) {
    is_pending = true;
    return {};
  } else {
    const cupyxx::Shape shape =
        is_shared ? cupyxx::Shape{} : cupyxx::Shape{channels(layer, inputs[0])};
    W = cupyxx::full(shape, 0.25, cupyxx::float32);
  }
  F::PReLU made(W.shape());
  made.W = W;
  auto& f = add(layer, std::move(made));
  return [&f](const Variables& x, bool) { return Variables{f(x[0])}; };
}

}  // namespace chainerxx::internal
