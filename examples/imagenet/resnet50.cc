// SPDX-License-Identifier: MIT
#include "examples/imagenet/resnet50.h"

namespace imagenet {

namespace F = chainerxx::functions;
using chainerxx::Variable;

ResNet50::Bottleneck::Bottleneck(std::int64_t in, std::int64_t width, std::int64_t stride,
                                 bool projection)
    : first_(layer(1, in, width, 1, 1)),
      second_(layer(2, width, width, 3, stride)),
      third_(layer(3, width, 4 * width, 1, 1)) {
  if (projection) projection_.push_back(layer(4, in, 4 * width, 1, stride));
}

ResNet50::Bottleneck::Layer ResNet50::Bottleneck::layer(int number, std::int64_t in,
                                                        std::int64_t out, std::int64_t ksize,
                                                        std::int64_t stride) {
  const std::string digit = std::to_string(number);
  Convolution2D& convolution = add(
      "conv" + digit,
      Convolution2D(in, out, ksize,
                    {.stride = stride, .pad = ksize / 2, .wscale = kReluScale, .nobias = true}));
  return {convolution, add("bn" + digit, BatchNormalization(out))};
}

Variable ResNet50::Bottleneck::operator()(const Variable& x) const {
  const Variable h = third_.convolution(second_.relu(first_.relu(x)));
  return third_.norm.add_relu(h, projection_.empty() ? x : projection_[0](x));
}

ResNet50::Stage ResNet50::stage(const std::string& name, int depth, std::int64_t in,
                                std::int64_t width, std::int64_t stride) {
  Stage blocks;
  for (int i = 0; i < depth; ++i) {
    const bool first = i == 0;
    blocks.push_back(&add<Bottleneck>(name + static_cast<char>('a' + i), first ? in : 4 * width,
                                      width, first ? stride : 1, first));
  }
  return blocks;
}

ResNet50::ResNet50(std::int64_t classes)
    : conv1_(add("conv1", Convolution2D(3, 64, 7, {.stride = 2, .pad = 3, .wscale = kReluScale}))),
      bn1_(add("bn1", BatchNormalization(64))),
      stages_{stage("res2", 3, 64, 64, 1), stage("res3", 4, 256, 128, 2),
              stage("res4", 6, 512, 256, 2), stage("res5", 3, 1024, 512, 2)},
      fc_(add("fc", Linear(2048, classes))) {}

Variable ResNet50::predict(const Variable& x) const {
  Variable h = halved(bn1_.relu(conv1_(x)));
  for (const Stage& blocks : stages_) {
    for (const Bottleneck* block : blocks) h = (*block)(h);
  }
  return fc_(F::average_pooling_2d(h, 7));
}

}  // namespace imagenet
