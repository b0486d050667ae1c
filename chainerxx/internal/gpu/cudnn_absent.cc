// SPDX-License-Identifier: MIT
// A build without CUDA.
#include "chainerxx/internal/gpu/cudnn_available.h"

namespace chainerxx::internal::gpu {

bool cudnn_available() { return false; }

}  // namespace chainerxx::internal::gpu
