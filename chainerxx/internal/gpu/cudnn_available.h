// SPDX-License-Identifier: MIT
#pragma once

namespace chainerxx::internal::gpu {

/// Whether cuDNN can be opened; asked once. CHAINER_CUDNN=0 in the environment says no.
bool cudnn_available();

}  // namespace chainerxx::internal::gpu
