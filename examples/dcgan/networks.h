// SPDX-License-Identifier: MIT
// One network makes images of 28 x 28 pixels, the other one tells them from real ones.
#pragma once

#include <cstdint>

#include "chainerxx/chainerxx.h"

namespace dcgan {

namespace F = chainerxx::functions;
using chainerxx::Variable;

/// Numbers that an image is made from.
inline constexpr std::int64_t kCode = 64;

/// From a code (n, 64) over images of 7 x 7 and 14 x 14 pixels to (n, 1, 28, 28), from -1 to 1.
struct Generator : chainerxx::FunctionSet {
  explicit Generator(std::int64_t c)
      : channels(c),
        l0(add("l0", F::Linear(kCode, 2 * c * 7 * 7))),
        bn0(add("bn0", F::BatchNormalization(2 * c))),
        dc1(add("dc1", F::Deconvolution2D(2 * c, c, 4, {.stride = 2, .pad = 1}))),
        bn1(add("bn1", F::BatchNormalization(c))),
        dc2(add("dc2", F::Deconvolution2D(c, 1, 4, {.stride = 2, .pad = 1}))) {}

  Variable operator()(const Variable& z) const {
    const Variable h = bn0.relu(F::reshape(l0(z), {-1, 2 * channels, 7, 7}));
    return F::tanh(dc2(bn1.relu(dc1(h))));
  }

  std::int64_t channels;
  F::Linear& l0;
  F::BatchNormalization& bn0;
  F::Deconvolution2D& dc1;
  F::BatchNormalization& bn1;
  F::Deconvolution2D& dc2;
};

/// One number for each image: above 0 where it looks real.
struct Discriminator : chainerxx::FunctionSet {
  explicit Discriminator(std::int64_t c)
      : c1(add("c1", F::Convolution2D(1, c, 4, {.stride = 2, .pad = 1}))),
        c2(add("c2", F::Convolution2D(c, 2 * c, 4, {.stride = 2, .pad = 1}))),
        bn2(add("bn2", F::BatchNormalization(2 * c))),
        l3(add("l3", F::Linear(2 * c * 7 * 7, 1))) {}

  Variable operator()(const Variable& x) const {
    return l3(F::leaky_relu(bn2(c2(F::leaky_relu(c1(x))))));
  }

  F::Convolution2D &c1, &c2;
  F::BatchNormalization& bn2;
  F::Linear& l3;
};

}  // namespace dcgan
