// SPDX-License-Identifier: MIT
#include "examples/imagenet/nin.h"

#include <utility>

namespace imagenet {

namespace F = chainerxx::functions;
using chainerxx::Variable;

NIN::Block NIN::block(const std::string& name, Convolution2D first, std::int64_t width,
                      std::int64_t out) {
  return {add(name, std::move(first)),
          add(name + "a", Convolution2D(width, width, 1, {.wscale = kReluScale})),
          add(name + "b", Convolution2D(width, out, 1, {.wscale = kReluScale}))};
}

Variable NIN::Block::operator()(const Variable& x) const { return b.relu(a.relu(conv.relu(x))); }

NIN::NIN(std::int64_t classes)
    : classes_(classes),
      conv1_(block("conv1", Convolution2D(3, 96, 11, {.stride = 4, .wscale = kReluScale}), 96, 96)),
      conv2_(block("conv2", Convolution2D(96, 256, 5, {.pad = 2, .wscale = kReluScale}), 256, 256)),
      conv3_(
          block("conv3", Convolution2D(256, 384, 3, {.pad = 1, .wscale = kReluScale}), 384, 384)),
      conv4_(block("conv4", Convolution2D(384, 1024, 3, {.pad = 1, .wscale = kReluScale}), 1024,
                   classes)) {}

Variable NIN::predict(const Variable& x) const {
  const Variable h = halved(conv3_(halved(conv2_(halved(conv1_(x))))));
  const Variable maps = conv4_(F::dropout(h, 0.5));
  return F::reshape(F::average_pooling_2d(maps, 6), {x.shape()[0], classes_});
}

}  // namespace imagenet
