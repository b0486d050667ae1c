// SPDX-License-Identifier: MIT
// The choice among engines by measurement, instead of by cuDNN's estimates. It is kept on disk, so
// that later runs with the same device and library have the same bits.
#pragma once

#include "chainerxx/internal/gpu/convolution_plan.h"

namespace chainerxx::internal::gpu {

/// Whether the environment says CHAINERXX_TUNE=1, or CUPYXX_TUNE=1 for all that can be measured;
/// asked once.
bool tunes();
/// So many of cuDNN's proposals are measured.
inline constexpr std::size_t kTunedGraphs = 8;

/// Leaves the engine of a plan that was fastest, now or in an earlier run, under the handle's mutex
/// and on its stream; measuring overwrites the result's array. Within a capture, where nothing can
/// be measured, a plan without an earlier choice stays as it is.
void tune(cudnnHandle_t handle, Plan& plan, const ConvolutionShape& s, cupyxx::dtype dtype,
          Pass pass, const GraphArrays& arrays, int device);

}  // namespace chainerxx::internal::gpu
