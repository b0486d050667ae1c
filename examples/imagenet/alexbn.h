// SPDX-License-Identifier: MIT
// AlexNet with batch normalisation in place of response normalisation.
#pragma once

#include "examples/imagenet/alex.h"

namespace imagenet {

class AlexBN final : public Alex {
 public:
  explicit AlexBN(std::int64_t classes = 1000)
      : Alex(classes),
        bn1_(add("bn1", BatchNormalization(96))),
        bn2_(add("bn2", BatchNormalization(256))) {}

 private:
  Variable normalized1(const Variable& h) const override { return bn1_(h); }
  Variable normalized2(const Variable& h) const override { return bn2_(h); }

  BatchNormalization &bn1_, &bn2_;
};

}  // namespace imagenet
