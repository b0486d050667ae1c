// SPDX-License-Identifier: MIT
// The kernels over images on the host: the same arguments, the same results.
#pragma once

#include "chainerxx/internal/kernels/batch_norm.h"
#include "chainerxx/internal/kernels/layer_norm.h"
#include "chainerxx/internal/kernels/planes.h"
#include "chainerxx/internal/kernels/pooling.h"
#include "chainerxx/internal/kernels/response_norm.h"
#include "chainerxx/internal/kernels/windows.h"
#include "cupyxx/dtype.h"

namespace chainerxx::internal::cpu {

void im2col(cupyxx::dtype type, const kernels::WindowsArgs& args);
void col2im(cupyxx::dtype type, const kernels::WindowsArgs& args);
/// Adds a number per channel to its planes.
void add_to_planes(cupyxx::dtype type, const kernels::PlanesArgs& args);
/// Adds the sums of the planes of each channel to a vector.
void plane_sums(cupyxx::dtype type, const kernels::PlanesArgs& args);
void max_pooling(cupyxx::dtype type, const kernels::PoolingArgs& args);
void max_pooling_grad(cupyxx::dtype type, const kernels::PoolingArgs& args);
void sum_pooling(cupyxx::dtype type, const kernels::PoolingArgs& args);
void sum_pooling_grad(cupyxx::dtype type, const kernels::PoolingArgs& args);
/// Both steps of the kernels of batch_norm.h, response_norm.h and layer_norm.h, or of their
/// gradients.
void batch_norm(bool gradient, cupyxx::dtype type, const kernels::BatchNormArgs& args);
void response_norm(bool gradient, cupyxx::dtype type, const kernels::ResponseNormArgs& args);
void layer_norm(bool gradient, cupyxx::dtype type, const kernels::LayerNormArgs& args);

}  // namespace chainerxx::internal::cpu
