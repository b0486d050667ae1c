// SPDX-License-Identifier: MIT
// The kernels over images on the host: the same arguments, the same results.
#pragma once

#include "chainerxx/internal/kernel_table.h"
#include "chainerxx/internal/kernels/planes.h"
#include "chainerxx/internal/kernels/pooling.h"
#include "chainerxx/internal/kernels/windows.h"
#include "cupyxx/dtype.h"

namespace chainerxx::internal::cpu {

/// im2col and col2im.
void windows(KernelName name, cupyxx::dtype type, const kernels::WindowsArgs& args);
/// Adds a number per channel to its planes.
void add_to_planes(cupyxx::dtype type, const kernels::PlanesArgs& args);
/// Adds the sums of the planes of each channel to a vector.
void plane_sums(cupyxx::dtype type, const kernels::PlanesArgs& args);
/// The kernels of pooling.h.
void pooling(KernelName name, cupyxx::dtype type, const kernels::PoolingArgs& args);

}  // namespace chainerxx::internal::cpu
