// SPDX-License-Identifier: MIT
#include "examples/imagenet/overfeat.h"

namespace imagenet {

namespace F = chainerxx::functions;
using chainerxx::Variable;

OverFeat::OverFeat(std::int64_t classes)
    : conv1_(add("conv1", Convolution2D(3, 96, 11, {.stride = 4, .wscale = kReluScale}))),
      conv2_(add("conv2", Convolution2D(96, 256, 5, {.wscale = kReluScale}))),
      conv3_(add("conv3", Convolution2D(256, 512, 3, {.pad = 1, .wscale = kReluScale}))),
      conv4_(add("conv4", Convolution2D(512, 1024, 3, {.pad = 1, .wscale = kReluScale}))),
      conv5_(add("conv5", Convolution2D(1024, 1024, 3, {.pad = 1, .wscale = kReluScale}))),
      fc6_(add("fc6", Linear(1024 * 6 * 6, 3072, {.wscale = kReluScale}))),
      fc7_(add("fc7", Linear(3072, 4096, {.wscale = kReluScale}))),
      fc8_(add("fc8", Linear(4096, classes))) {}

Variable OverFeat::predict(const Variable& x) const {
  Variable h = F::max_pooling_2d(conv1_.relu(x), 2);
  h = F::max_pooling_2d(conv2_.relu(h), 2);
  h = conv4_.relu(conv3_.relu(h));
  h = F::max_pooling_2d(conv5_.relu(h), 2);
  return fc8_(hidden(fc7_, hidden(fc6_, h)));
}

}  // namespace imagenet
