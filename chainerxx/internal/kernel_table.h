// SPDX-License-Identifier: MIT
// The device kernels of chainerxx: each is a template in a file under internal/kernels, compiled
// per element type when it is first used.
#pragma once

#include <array>
#include <initializer_list>
#include <string>

#include "cupyxx/dtype.h"
#include "cupyxx/internal/jit/kernel.h"
#include "cupyxx/ndarray.h"

namespace chainerxx::internal {

enum class KernelName {
  dropout,
  softmax_rows,
  softmax_planes,
  softmax_grad_rows,
  softmax_grad_planes,
  cross_entropy_block_rows,
  cross_entropy_block_planes,
  cross_entropy_factor,
  cross_entropy_rows,
  cross_entropy_planes,
  cross_entropy_sum,
  softmax_row_warps,
  softmax_row_blocks,
  softmax_grad_row_warps,
  softmax_grad_row_blocks,
  cross_entropy_row_warps,
  cross_entropy_row_blocks,
  accuracy,
  column_sums,
  embed_grad,
  lstm,
  lstm_grad,
  lstm_step,
  lstm_step_grad,
  sigmoid_cross_entropy,
  sigmoid_cross_entropy_grad,
  ctc,
  sgd,
  momentum_sgd,
  adam,
  ada_grad,
  ada_delta,
  nesterov_ag,
  rms_prop,
  rms_prop_graves,
  smorms3,
  zero_grad,
  scale_grad,
  weight_decay,
  squares,
  clip,
  im2col,
  col2im,
  add_to_planes,
  plane_sums,
  max_pooling,
  max_pooling_2,
  max_pooling_3,
  max_pooling_grad,
  max_pooling_grad_2,
  sum_pooling,
  sum_pooling_grad,
  batch_norm_sums_warps,
  batch_norm_sums_blocks,
  batch_norm_sums_rows,
  batch_norm_sums_packed_rows,
  batch_norm_warps,
  batch_norm_blocks,
  batch_norm_rows,
  batch_norm_packed_rows,
  batch_norm_grad_sums_warps,
  batch_norm_grad_sums_blocks,
  batch_norm_grad_sums_rows,
  batch_norm_grad_sums_packed_rows,
  batch_norm_grad_warps,
  batch_norm_grad_blocks,
  batch_norm_grad_rows,
  batch_norm_grad_packed_rows,
  batch_norm_moments,
  batch_norm_totals,
  response_norm,
  response_norm_terms,
  response_norm_grad,
  layer_norm_warps,
  layer_norm_blocks,
  layer_norm_grad_warps,
  layer_norm_grad_blocks,
  layer_norm_columns,
  layer_norm_row_warps,
  layer_norm_row_blocks,
  layer_norm_grad_row_warps,
  layer_norm_grad_row_blocks,
  layer_norm_parts,
  count,
};

/// The element types of the kernels.
inline constexpr std::array<cupyxx::dtype, 3> kKernelTypes = {cupyxx::float16, cupyxx::float32,
                                                              cupyxx::float64};

/// The complete program of a kernel.
cupyxx::internal::jit::Program kernel_program(KernelName name, cupyxx::dtype type);

/// The place of a dtype among kKernelTypes. Throws DtypeError.
int kernel_type_index(cupyxx::dtype type);

/// Has the kernels of this library that were compiled when it was built found by jit::load().
void add_kernel_bundle();

/// Enqueues a kernel on the current stream of the arrays' device. `args` points to the struct that
/// the kernel's file declares; `arrays` are those it touches, so that their memory stays alive.
void launch(KernelName name, cupyxx::dtype type, const cupyxx::internal::jit::LaunchShape& shape,
            const void* args, std::initializer_list<const cupyxx::ndarray*> arrays);

/// A grid of `threads` threads in blocks of 256, at most `most_blocks` of them.
cupyxx::internal::jit::LaunchShape grid_for(std::int64_t threads, unsigned most_blocks = 4096);

}  // namespace chainerxx::internal
