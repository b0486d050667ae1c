// SPDX-License-Identifier: MIT
#pragma once

namespace chainerxx::internal::gpu {

/// What is computed of a convolution.
enum class Pass { forward, forward_bias, data, weights };

}  // namespace chainerxx::internal::gpu
