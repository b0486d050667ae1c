// SPDX-License-Identifier: MIT
#include "cupyxx/extension/bundle.h"

#include "cupyxx/internal/jit/bundle.h"

namespace cupyxx::extension {

bool add_kernel_bundle(std::span<const unsigned char> data) {
  internal::jit::add_bundle(*new internal::jit::Bundle(data));
  return true;
}

}  // namespace cupyxx::extension
