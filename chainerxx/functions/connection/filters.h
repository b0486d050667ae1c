// SPDX-License-Identifier: MIT
// How convolutions and deconvolutions read their options.
#pragma once

#include <string>

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

inline internal::Convolution how(const ConvolutionOptions& options, const cupyxx::Shape& W) {
  return {{{W[2], W[3]}, options.stride, options.pad, options.dilate},
          options.groups,
          options.use_cudnn,
          options.allow_tf32};
}

/// Throws ValueError unless `groups` is positive and divides the channels.
inline void check_groups(const char* operation, std::int64_t groups, std::int64_t channels) {
  if (groups >= 1 && channels % groups == 0) return;
  throw cupyxx::ValueError(cupyxx::message(operation, ": the groups do not divide the channels; ",
                                           groups, " and ", channels));
}

}  // namespace chainerxx::functions
