// SPDX-License-Identifier: MIT
#include "examples/imagenet/alex.h"

namespace imagenet {

namespace F = chainerxx::functions;
using chainerxx::Variable;

Alex::Alex(std::int64_t classes)
    : conv1_(add("conv1", Convolution2D(3, 96, 11, {.stride = 4}))),
      conv2_(add("conv2", Convolution2D(96, 256, 5, {.pad = 2}))),
      conv3_(add("conv3", Convolution2D(256, 384, 3, {.pad = 1}))),
      conv4_(add("conv4", Convolution2D(384, 384, 3, {.pad = 1}))),
      conv5_(add("conv5", Convolution2D(384, 256, 3, {.pad = 1}))),
      fc6_(add("fc6", Linear(256 * 6 * 6, 4096))),
      fc7_(add("fc7", Linear(4096, 4096))),
      fc8_(add("fc8", Linear(4096, classes))) {}

Variable Alex::normalized1(const Variable& h) const { return F::local_response_normalization(h); }
Variable Alex::normalized2(const Variable& h) const { return F::local_response_normalization(h); }

Variable Alex::predict(const Variable& x) const {
  Variable h = halved(F::relu(normalized1(conv1_(x))));
  h = halved(F::relu(normalized2(conv2_(h))));
  h = conv4_.relu(conv3_.relu(h));
  h = halved(conv5_.relu(h));
  return fc8_(hidden(fc7_, hidden(fc6_, h)));
}

}  // namespace imagenet
