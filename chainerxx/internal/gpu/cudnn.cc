// SPDX-License-Identifier: MIT
#include "chainerxx/internal/gpu/cudnn.h"

#include "chainerxx/internal/gpu/cudnn_available.h"
#include "cupyxx/error.h"
#include "cupyxx/extension/environment.h"

namespace chainerxx::internal::gpu {

cupyxx::extension::DynamicLibrary& cudnn_library() {
  static auto& library = *new cupyxx::extension::DynamicLibrary(
      "cuDNN", {"libcudnn.so.9", "libcudnn.so.8", "libcudnn.so"});
  return library;
}

const Cudnn& cudnn() {
  static const Cudnn& functions = *new Cudnn;
  return functions;
}

void check_cudnn(cudnnStatus_t status, const char* function) {
  if (status == CUDNN_STATUS_SUCCESS) return;
  throw cupyxx::CudaError(
      cupyxx::message("cuDNN: ", function, " failed; ", cudnn().GetErrorString(status)));
}

bool cudnn_available() {
  static const bool available = [] {
    return cupyxx::extension::environment_switch("CHAINER_CUDNN", true) && cudnn_library().loaded();
  }();
  return available;
}

}  // namespace chainerxx::internal::gpu
