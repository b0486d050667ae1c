// SPDX-License-Identifier: MIT
#include "cupyxx/extension/error_word.h"

#include "cupyxx/export.h"
#include "cupyxx/internal/gpu/runtime.h"

namespace cupyxx::extension {

CUPYXX_API ErrorWord* error_word(int device) {
  namespace gpu = internal::gpu;
  return reinterpret_cast<ErrorWord*>(gpu::error_word(device, gpu::current_stream(device)));
}

CUPYXX_API unsigned operation_number(const char* name) {
  return internal::gpu::operation_number(name);
}

}  // namespace cupyxx::extension
