// SPDX-License-Identifier: MIT
// A build without CUDA.
#include "chainerxx/internal/gpu/convolution.h"

namespace chainerxx::internal::gpu {

Forward convolution_forward(const ConvolutionShape&, const ndarray&, const ndarray&, const ndarray&,
                            const ndarray&, bool) {
  return Forward::nothing;
}

bool convolution_data(const ConvolutionShape&, const ndarray&, const ndarray&, const ndarray&) {
  return false;
}

bool convolution_weights(const ConvolutionShape&, const ndarray&, const ndarray&, const ndarray&,
                         bool) {
  return false;
}

}  // namespace chainerxx::internal::gpu
