// SPDX-License-Identifier: MIT
#include "examples/imagenet/googlenetbn.h"

namespace imagenet {
namespace {

namespace F = chainerxx::functions;
using chainerxx::Variable;

Variable halved_with_pad(const Variable& x) {
  return F::max_pooling_2d(x, 3, {.stride = 2, .pad = 1});
}

}  // namespace

GoogLeNetBN::Classifier GoogLeNetBN::classifier(const std::string& letter, std::int64_t channels,
                                                std::int64_t classes) {
  return {add("conv" + letter, Convolution2D(channels, 128, 1, {.nobias = true})),
          add("norm" + letter, BatchNormalization(128)),
          add("fc" + letter, Linear(4 * 4 * 128, 1024, {.nobias = true})),
          add("norm" + letter + "2", BatchNormalization(1024)),
          add("out" + letter, Linear(1024, classes))};
}

Variable GoogLeNetBN::Classifier::operator()(const Variable& x) const {
  const Variable h = norm.relu(conv(F::average_pooling_2d(x, 5, {.stride = 3})));
  return out(norm2.relu(fc(h)));
}

GoogLeNetBN::GoogLeNetBN(std::int64_t classes)
    : conv1_(add("conv1", Convolution2D(3, 64, 7, {.stride = 2, .pad = 3, .nobias = true}))),
      norm1_(add("norm1", BatchNormalization(64))),
      conv2_(add("conv2", Convolution2D(64, 192, 3, {.pad = 1, .nobias = true}))),
      norm2_(add("norm2", BatchNormalization(192))),
      inc3a_(add<InceptionBN>("inc3a", 192, 64, 64, 64, 64, 96, "avg", 32)),
      inc3b_(add<InceptionBN>("inc3b", 256, 64, 64, 96, 64, 96, "avg", 64)),
      inc3c_(add<InceptionBN>("inc3c", 320, 0, 128, 160, 64, 96, "max", std::nullopt, 2)),
      inc4a_(add<InceptionBN>("inc4a", 576, 224, 64, 96, 96, 128, "avg", 128)),
      inc4b_(add<InceptionBN>("inc4b", 576, 192, 96, 128, 96, 128, "avg", 128)),
      inc4c_(add<InceptionBN>("inc4c", 576, 128, 128, 160, 128, 160, "avg", 128)),
      inc4d_(add<InceptionBN>("inc4d", 576, 64, 128, 192, 160, 192, "avg", 128)),
      inc4e_(add<InceptionBN>("inc4e", 576, 0, 128, 192, 192, 256, "max", std::nullopt, 2)),
      inc5a_(add<InceptionBN>("inc5a", 1024, 352, 192, 320, 160, 224, "avg", 128)),
      inc5b_(add<InceptionBN>("inc5b", 1024, 352, 192, 320, 192, 224, "max", 128)),
      out_(add("out", Linear(1024, classes))),
      a_(classifier("a", 576, classes)),
      b_(classifier("b", 576, classes)) {}

Variable GoogLeNetBN::first_part(const Variable& x) const {
  const Variable h = halved_with_pad(norm1_.relu(conv1_(x)));
  return inc4a_(inc3c_(inc3b_(inc3a_(halved_with_pad(norm2_.relu(conv2_(h)))))));
}

Variable GoogLeNetBN::second_part(const Variable& h) const { return inc4d_(inc4c_(inc4b_(h))); }

Variable GoogLeNetBN::last_part(const Variable& h) const {
  return out_(F::average_pooling_2d(inc5b_(inc5a_(inc4e_(h))), 7));
}

}  // namespace imagenet
