// SPDX-License-Identifier: MIT
// How convolutions and deconvolutions read their options.
#pragma once

#include "chainerxx/functions/connection/filter_functions.h"
#include "chainerxx/internal/spatial/convolution.h"
#include "cupyxx/error.h"

namespace chainerxx::functions {

inline ConvolutionOptions how(const Convolution2DOptions& options) {
  return {.stride = options.stride,
          .pad = options.pad,
          .use_cudnn = options.use_cudnn,
          .allow_tf32 = options.allow_tf32,
          .dilate = options.dilate,
          .groups = options.groups,
          .outsize = options.outsize};
}

/// Options for filters of this shape, with the modes that forward found.
inline internal::Convolution how(const ConvolutionOptions& options, const cupyxx::Shape& W,
                                 const internal::ConvolutionModes& modes) {
  return {{{W[2], W[3]}, options.stride, options.pad, options.dilate},
          options.groups,
          options.use_cudnn,
          modes.allow_tf32,
          modes.channels_last,
          modes.relu};
}

/// The modes for a call with x.
inline internal::ConvolutionModes modes_of(const ConvolutionOptions& options,
                                           const cupyxx::Shape& W, const ndarray& x) {
  internal::ConvolutionModes modes{options.allow_tf32.value_or(is_tf32_allowed())};
  const Layout layout = current_layout();
  modes.channels_last =
      layout == Layout::channels_last ||
      (layout == Layout::automatic && internal::prefers_channels_last(how(options, W, modes), x));
  return modes;
}

/// Options that say what forward did.
inline ConvolutionOptions with_modes(ConvolutionOptions options,
                                     const internal::ConvolutionModes& modes) {
  options.allow_tf32 = modes.allow_tf32;
  return options;
}

/// Throws ValueError unless `groups` is positive and divides the channels.
inline void check_groups(const char* operation, std::int64_t groups, std::int64_t channels) {
  if (groups >= 1 && channels % groups == 0) return;
  throw cupyxx::ValueError(cupyxx::message(operation, ": the groups do not divide the channels; ",
                                           groups, " and ", channels));
}

}  // namespace chainerxx::functions
