// SPDX-License-Identifier: MIT
#include "examples/imagenet/googlenet.h"

namespace imagenet {

namespace F = chainerxx::functions;
using chainerxx::Variable;

GoogLeNet::Classifier::Classifier(std::int64_t channels, std::int64_t classes)
    : conv(add("conv", Convolution2D(channels, 128, 1))),
      fc1(add("fc1", Linear(4 * 4 * 128, 1024))),
      fc2(add("fc2", Linear(1024, classes))) {}

Variable GoogLeNet::Classifier::operator()(const Variable& x) const {
  const Variable h = conv.relu(F::average_pooling_2d(x, 5, {.stride = 3}));
  return fc2(F::relu(fc1(h)));
}

GoogLeNet::GoogLeNet(std::int64_t classes)
    : conv1_(add("conv1", Convolution2D(3, 64, 7, {.stride = 2, .pad = 3}))),
      conv2_reduce_(add("conv2_reduce", Convolution2D(64, 64, 1))),
      conv2_(add("conv2", Convolution2D(64, 192, 3, {.pad = 1}))),
      inc3a_(add<Inception>("inc3a", 192, 64, 96, 128, 16, 32, 32)),
      inc3b_(add<Inception>("inc3b", 256, 128, 128, 192, 32, 96, 64)),
      inc4a_(add<Inception>("inc4a", 480, 192, 96, 208, 16, 48, 64)),
      inc4b_(add<Inception>("inc4b", 512, 160, 112, 224, 24, 64, 64)),
      inc4c_(add<Inception>("inc4c", 512, 128, 128, 256, 24, 64, 64)),
      inc4d_(add<Inception>("inc4d", 512, 112, 144, 288, 32, 64, 64)),
      inc4e_(add<Inception>("inc4e", 528, 256, 160, 320, 32, 128, 128)),
      inc5a_(add<Inception>("inc5a", 832, 256, 160, 320, 32, 128, 128)),
      inc5b_(add<Inception>("inc5b", 832, 384, 192, 384, 48, 128, 128)),
      loss1_(add<Classifier>("loss1", 512, classes)),
      loss2_(add<Classifier>("loss2", 528, classes)),
      loss3_fc_(add("loss3_fc", Linear(1024, classes))) {}

Variable GoogLeNet::first_part(const Variable& x) const {
  Variable h = F::local_response_normalization(halved(conv1_.relu(x)));
  h = conv2_.relu(conv2_reduce_.relu(h));
  h = halved(F::local_response_normalization(h));
  return inc4a_(halved(inc3b_(inc3a_(h))));
}

Variable GoogLeNet::second_part(const Variable& h) const { return inc4d_(inc4c_(inc4b_(h))); }

Variable GoogLeNet::last_part(const Variable& h) const {
  const Variable last = inc5b_(inc5a_(halved(inc4e_(h))));
  return loss3_fc_(F::dropout(F::average_pooling_2d(last, 7, {.stride = 1}), 0.4));
}

}  // namespace imagenet
