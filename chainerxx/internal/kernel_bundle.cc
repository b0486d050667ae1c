// SPDX-License-Identifier: MIT
#include "chainerxx/internal/kernel_bundle_data.h"
#include "chainerxx/internal/kernel_table.h"
#include "cupyxx/internal/jit/bundle.h"

namespace chainerxx::internal {

void add_kernel_bundle() {
  static const cupyxx::internal::jit::Bundle bundle(kernel_bundle_data());
  cupyxx::internal::jit::add_bundle(bundle);
}

}  // namespace chainerxx::internal
