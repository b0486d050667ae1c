// SPDX-License-Identifier: MIT
#include "chainerxx/internal/kernel_table.h"

namespace chainerxx::internal {

void add_kernel_bundle() {}

}  // namespace chainerxx::internal
