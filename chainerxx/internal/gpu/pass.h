// SPDX-License-Identifier: MIT
#pragma once

namespace chainerxx::internal::gpu {

/// What is computed of a convolution. Their numbers stand in files of measured choices.
enum class Pass { forward, forward_bias, data, weights, forward_bias_relu };

/// Whether it takes a bias, which engines of the backend alone do.
constexpr bool adds_bias(Pass pass) {
  return pass == Pass::forward_bias || pass == Pass::forward_bias_relu;
}

}  // namespace chainerxx::internal::gpu
