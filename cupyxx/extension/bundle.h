// SPDX-License-Identifier: MIT
// Kernels of a library that were compiled when it was built.
#pragma once

#include <span>

#include "cupyxx/export.h"

namespace cupyxx::extension {

/// Has the data of a cx_kernel_bundle looked into before anything is compiled; it lives for ever.
/// For a static object of its own file, which is linked `alwayslink`.
CUPYXX_API bool add_kernel_bundle(std::span<const unsigned char> data);

}  // namespace cupyxx::extension
