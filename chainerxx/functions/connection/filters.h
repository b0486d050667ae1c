// SPDX-License-Identifier: MIT
// What convolutions and deconvolutions share: how filters start and how options are read.
#pragma once

#include <cmath>
#include <string>

#include "chainerxx/functions/connection/convolution_2d.h"
#include "chainerxx/internal/initialize.h"
#include "chainerxx/internal/spatial/convolution.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"

namespace chainerxx::functions {

inline ConvolutionOptions how(const Convolution2DOptions& options) {
  return {options.stride, options.pad,    options.use_cudnn, options.allow_tf32,
          options.dilate, options.groups, options.outsize};
}

inline internal::Convolution how(const ConvolutionOptions& options, const cupyxx::Shape& W) {
  return {{{W[2], W[3]}, options.stride, options.pad, options.dilate},
          options.groups,
          options.use_cudnn,
          options.allow_tf32};
}

/// Throws ValueError unless `groups` is positive and divides the channels.
inline void check_groups(const char* operation, std::int64_t groups, std::int64_t channels) {
  if (groups >= 1 && channels % groups == 0) return;
  throw cupyxx::ValueError(std::string(operation) + ": the groups do not divide the channels; " +
                           std::to_string(groups) + " and " + std::to_string(channels));
}

/// Makes the parameters of a layer; `layout` is the shape of W, `in` the channels of its input.
template <class Layer>
void start_filters(Layer& layer, const char* name, std::int64_t in, std::int64_t out,
                   const cupyxx::Shape& layout, const Convolution2DOptions& options) {
  if (in < 0 || out < 0) {
    throw cupyxx::ValueError(std::string(name) + ": a number of channels is negative; " +
                             std::to_string(in) + " and " + std::to_string(out));
  }
  internal::check_floating(name, options.dtype);
  if (internal::skips_initialization()) return;
  const double inputs = static_cast<double>(in * layout[2] * layout[3]);
  const double deviation = options.wscale * std::sqrt(1 / std::max(inputs, 1.0));
  layer.W = options.initialW.is_none()
                ? internal::normal(layout, deviation, options.dtype)
                : internal::checked_initial(name, "initialW", options.initialW, layout);
  layer.gW = cupyxx::zeros_like(layer.W);
  if (options.nobias) return;
  layer.b = options.initial_bias.is_none()
                ? cupyxx::full({out}, options.bias, layer.W.dtype())
                : internal::checked_bias(name, "initial_bias", options.initial_bias, {out},
                                         layer.W.dtype());
  layer.gb = cupyxx::zeros_like(layer.b);
}

}  // namespace chainerxx::functions
