// SPDX-License-Identifier: MIT
#include "chainerxx/functions/connection/owning_layers.h"

#include <algorithm>
#include <cmath>

#include "chainerxx/functions/activation/activation.h"
#include "chainerxx/functions/array/cast.h"
#include "chainerxx/functions/connection/filter_compositions.h"
#include "chainerxx/functions/connection/local_convolution_2d.h"
#include "chainerxx/functions/math/compositions.h"
#include "chainerxx/functions/noise/zoneout.h"
#include "chainerxx/internal/checked_extent.h"
#include "chainerxx/internal/initialize.h"
#include "chainerxx/internal/narrow_types.h"
#include "chainerxx/internal/same_shape.h"
#include "cupyxx/error.h"
#include "cupyxx/scalar.h"

namespace chainerxx::functions {
namespace {

using cupyxx::Shape;

Shape checked(const char* name, const Shape& shape) {
  internal::check_sizes(name, shape);
  return shape;
}

/// Numbers that are added up for one number of a result.
std::int64_t window(const char* name, std::int64_t channels, const Size2D& ksize) {
  return internal::times(name, internal::times(name, channels, ksize.h), ksize.w);
}

std::int64_t channels_of_offsets(const Size2D& ksize) {
  return window("DeformableConvolution2D", 2, ksize);
}

std::int64_t places(std::int64_t size, std::int64_t ksize, std::int64_t stride) {
  if (ksize >= 1 && stride >= 1 && size >= ksize) return (size - ksize) / stride + 1;
  throw cupyxx::ValueError(cupyxx::message("LocalConvolution2D: windows of ", ksize,
                                           " with stride ", stride, " do not fit into ", size));
}

double checked_ratio(double ratio) {
  if (ratio >= 0 && ratio < 1) return ratio;
  throw cupyxx::ValueError(cupyxx::message("SimplifiedDropconnect: the ratio is not in [0, 1); ",
                                           cupyxx::Scalar(ratio)));
}

bool is_volatile(const char* name, const Variable& x) {
  internal::refuse_none(name, {&x});
  return x.volatile_();
}

}  // namespace

Bias::Bias(int axis, const Shape& shape, const initializers::Initial& initial)
    : b(add("b", Parameter(initial, checked("Bias", shape)))), axis_(axis) {
  if (axis < 0) throw cupyxx::ValueError(cupyxx::message("Bias: the axis is negative; ", axis));
}

Variable Bias::operator()(const Variable& x) const {
  const Variable own = b(is_volatile("Bias", x));
  const bool narrows = internal::is_wide_parameter(x.dtype(), own.dtype());
  return bias(x, narrows ? cast(own, x.dtype()) : own, axis_);
}

WeightsAndBias::WeightsAndBias(const Shape& weights, std::int64_t inputs, const Shape& bias,
                               const OwningLayerOptions& options)
    : W(add("W", Parameter(options.initialW.is_none()
                               ? initializers::Initial(initializers::Normal(std::sqrt(
                                     1 / static_cast<double>(std::max<std::int64_t>(inputs, 1)))))
                               : options.initialW,
                           weights))) {
  if (options.nobias) return;
  b = &add("b", Parameter(options.initial_bias.is_none() ? initializers::Initial(0)
                                                         : options.initial_bias,
                          bias));
}

Variable WeightsAndBias::bias_beside(const Variable& x) const {
  return b == nullptr ? Variable() : (*b)(x.volatile_());
}

SimplifiedDropconnect::SimplifiedDropconnect(std::int64_t in_size, std::int64_t out_size,
                                             double ratio, const OwningLayerOptions& options)
    : WeightsAndBias(checked("SimplifiedDropconnect", {out_size, in_size}), in_size, {out_size},
                     options),
      ratio_(checked_ratio(ratio)) {}

Variable SimplifiedDropconnect::operator()(const Variable& x, bool train) const {
  const Variable weights = W(is_volatile("SimplifiedDropconnect", x));
  return simplified_dropconnect(x, weights, bias_beside(x), ratio_, train);
}

DepthwiseConvolution2D::DepthwiseConvolution2D(std::int64_t in_channels,
                                               std::int64_t channel_multiplier, const Size2D& ksize,
                                               const Size2D& stride, const Size2D& pad,
                                               const OwningLayerOptions& options)
    : WeightsAndBias(
          checked("DepthwiseConvolution2D", {channel_multiplier, in_channels, ksize.h, ksize.w}),
          window("DepthwiseConvolution2D", 1, ksize),
          {internal::times("DepthwiseConvolution2D", in_channels, channel_multiplier)}, options),
      stride_(stride),
      pad_(pad) {}

Variable DepthwiseConvolution2D::operator()(const Variable& x) const {
  const Variable weights = W(is_volatile("DepthwiseConvolution2D", x));
  return depthwise_convolution_2d(x, weights, bias_beside(x), stride_, pad_);
}

LocalConvolution2D::LocalConvolution2D(std::int64_t in_channels, std::int64_t out_channels,
                                       const Size2D& in_size, const Size2D& ksize,
                                       const Size2D& stride, const OwningLayerOptions& options)
    : WeightsAndBias(checked("LocalConvolution2D",
                             {out_channels, places(in_size.h, ksize.h, stride.h),
                              places(in_size.w, ksize.w, stride.w), in_channels, ksize.h, ksize.w}),
                     window("LocalConvolution2D", in_channels, ksize),
                     {out_channels, places(in_size.h, ksize.h, stride.h),
                      places(in_size.w, ksize.w, stride.w)},
                     options),
      stride_(stride) {}

Variable LocalConvolution2D::operator()(const Variable& x) const {
  const Variable weights = W(is_volatile("LocalConvolution2D", x));
  return local_convolution_2d(x, weights, bias_beside(x), stride_);
}

DeformableConvolution2D::DeformableConvolution2D(std::int64_t in_channels,
                                                 std::int64_t out_channels, const Size2D& ksize,
                                                 const Size2D& stride, const Size2D& pad,
                                                 const OwningLayerOptions& options)
    : WeightsAndBias(
          checked("DeformableConvolution2D", {out_channels, in_channels, ksize.h, ksize.w}),
          window("DeformableConvolution2D", in_channels, ksize), {out_channels}, options),
      offset_conv(add("offset_conv", Convolution2D(in_channels, channels_of_offsets(ksize), ksize,
                                                   {.stride = stride, .pad = pad, .initialW = 0}))),
      stride_(stride),
      pad_(pad) {}

Variable DeformableConvolution2D::operator()(const Variable& x) const {
  const Variable weights = W(is_volatile("DeformableConvolution2D", x));
  const Variable offset = offset_conv(x);
  return deformable_convolution_2d_sampler(cast(x, offset.dtype()), offset, weights, bias_beside(x),
                                           stride_, pad_);
}

MLPConvolution2D::MLPConvolution2D(std::int64_t in_channels,
                                   const std::vector<std::int64_t>& out_channels,
                                   const Size2D& ksize, const Size2D& stride, const Size2D& pad,
                                   const ActivationArg& activation)
    : activation_(activation) {
  if (out_channels.empty()) {
    throw cupyxx::ValueError("MLPConvolution2D: there are no output channels");
  }
  std::int64_t in = in_channels;
  for (const std::int64_t out : out_channels) {
    const std::string name = cupyxx::message("conv", layers_.size());
    layers_.push_back(
        &(layers_.empty() ? add(name, Convolution2D(in, out, ksize, {.stride = stride, .pad = pad}))
                          : add(name, Convolution2D(in, out, 1))));
    in = out;
  }
}

Variable MLPConvolution2D::operator()(const Variable& x) const {
  Variable y = x;
  for (const Convolution2D* const layer : layers_) {
    if (layer != layers_.front()) y = activation_.is_none() ? relu(y) : activation_(y);
    y = (*layer)(y);
  }
  return y;
}

}  // namespace chainerxx::functions
