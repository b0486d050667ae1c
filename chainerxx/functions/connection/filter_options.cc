// SPDX-License-Identifier: MIT
// Options by name behind a stride and a padding by position.
#include <string>

#include "chainerxx/functions/connection/convolution_nd.h"
#include "chainerxx/functions/connection/filter_functions.h"
#include "cupyxx/error.h"

namespace chainerxx::functions {
namespace {

/// "(2, 1)"; of one number for all axes "(2,)".
std::string text(const SizeND& size) {
  for (int ndim = 1; !size.is_none(); ++ndim) {
    if (const auto sizes = size.of(ndim)) return sizes->str();
  }
  return "None";
}

}  // namespace

Convolution2DOptions internal_filters::behind(const char* layer, const Size2D& stride,
                                              const Size2D& pad, Convolution2DOptions options) {
  const Convolution2DOptions unsaid;
  if (options.stride != unsaid.stride) {
    throw cupyxx::ValueError(cupyxx::message(layer, ": the stride is given twice; ", stride.str(),
                                             " and ", options.stride.str()));
  }
  if (options.pad != unsaid.pad) {
    throw cupyxx::ValueError(cupyxx::message(layer, ": the padding is given twice; ", pad.str(),
                                             " and ", options.pad.str()));
  }
  options.stride = stride;
  options.pad = pad;
  return options;
}

ConvolutionNDOptions internal_filters::behind(const char* layer, const SizeND& stride,
                                              const SizeND& pad, ConvolutionNDOptions options) {
  const ConvolutionNDOptions unsaid;
  if (options.stride.of(1) != unsaid.stride.of(1)) {
    throw cupyxx::ValueError(cupyxx::message(layer, ": the stride is given twice; ", text(stride),
                                             " and ", text(options.stride)));
  }
  if (options.pad.of(1) != unsaid.pad.of(1)) {
    throw cupyxx::ValueError(cupyxx::message(layer, ": the padding is given twice; ", text(pad),
                                             " and ", text(options.pad)));
  }
  options.stride = stride;
  options.pad = pad;
  return options;
}

}  // namespace chainerxx::functions
