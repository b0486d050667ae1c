// SPDX-License-Identifier: MIT
#pragma once

#include "cupyxx/internal/jit/kernel.h"

namespace cupyxx::internal::jit {

/// As launch(), for a kernel that calls await_kernel_before() (kernels/cluster.h) before it reads
/// or writes memory: its blocks may take their places while the kernel before it still runs.
void launch_early(const Kernel* kernel, const LaunchShape& shape, void* stream,
                  const void* argument);

}  // namespace cupyxx::internal::jit
