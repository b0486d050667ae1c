// SPDX-License-Identifier: MIT
// Options by name behind a stride and a padding by position.
#include <string>

#include "chainerxx/functions/connection/convolution_nd.h"
#include "chainerxx/functions/connection/filter_functions.h"
#include "cupyxx/error.h"

namespace chainerxx::internal {
namespace {

/// "(2, 1)"; of one number for all axes "(2,)".
std::string text(const SizeND& size) {
  for (int ndim = 1; !size.is_none(); ++ndim) {
    if (const auto sizes = size.of(ndim)) return sizes->str();
  }
  return "None";
}

/// Throws when `again`, of the options, says once more what stands before them.
void check_said_once(bool is_said, const char* layer, const char* what, const std::string& first,
                     const std::string& again) {
  if (!is_said) return;
  throw cupyxx::ValueError(
      cupyxx::message(layer, ": the ", what, " is given twice; ", first, " and ", again));
}

}  // namespace

functions::Convolution2DOptions behind(const char* layer, const Size2D& stride, const Size2D& pad,
                                       functions::Convolution2DOptions options) {
  const functions::Convolution2DOptions unsaid;
  check_said_once(options.stride != unsaid.stride, layer, "stride", stride.str(),
                  options.stride.str());
  check_said_once(options.pad != unsaid.pad, layer, "padding", pad.str(), options.pad.str());
  options.stride = stride;
  options.pad = pad;
  return options;
}

functions::ConvolutionNDOptions behind(const char* layer, const SizeND& stride, const SizeND& pad,
                                       functions::ConvolutionNDOptions options) {
  const functions::ConvolutionNDOptions unsaid;
  check_said_once(options.stride.of(1) != unsaid.stride.of(1), layer, "stride", text(stride),
                  text(options.stride));
  check_said_once(options.pad.of(1) != unsaid.pad.of(1), layer, "padding", text(pad),
                  text(options.pad));
  options.stride = stride;
  options.pad = pad;
  return options;
}

}  // namespace chainerxx::internal
