// SPDX-License-Identifier: MIT
#include "chainerxx/internal/spatial/normalization.h"

#include <algorithm>

#include "chainerxx/internal/array_ops.h"
#include "chainerxx/internal/cpu/spatial.h"
#include "cupyxx/creation.h"

namespace chainerxx::internal {
namespace {

using cupyxx::internal::jit::LaunchShape;

cupyxx::dtype compute_type(cupyxx::dtype type) {
  return type == cupyxx::float16 ? cupyxx::float32 : type;
}

kernels::ResponseNormArgs response_arguments(const ResponseNorm& how, const ndarray& x) {
  const cupyxx::Shape s = x.shape();
  kernels::ResponseNormArgs args{};
  args.x = x.data();
  args.outer = s[0];
  args.channels = s[1];
  args.inner = x.size() / std::max<long>(1, s[0] * s[1]);
  args.half = how.half;
  args.k = how.k;
  args.alpha = how.alpha;
  args.beta = how.beta;
  return args;
}

kernels::LayerNormArgs layer_arguments(const ndarray& x, const ndarray& gamma,
                                       const ndarray& moments) {
  kernels::LayerNormArgs args{};
  args.x = x.data();
  args.gamma = gamma.data();
  args.moments = static_cast<double*>(moments.data());
  args.rows = x.shape()[0];
  args.columns = gamma.size();
  return args;
}

/// A warp a row for short rows, else a block.
LaunchShape row_grid(const kernels::LayerNormArgs& args) {
  return args.columns <= 1024 ? grid_for(args.rows * 32, 1 << 16)
                              : grid_for(args.rows * 256, 1 << 16);
}

KernelName for_row(const kernels::LayerNormArgs& args, KernelName warps, KernelName blocks) {
  return args.columns <= 1024 ? warps : blocks;
}

}  // namespace

ResponseNormalised response_norm(const ResponseNorm& how, const ndarray& input) {
  const ndarray x = contiguous(input);
  const ResponseNormalised out = {cupyxx::empty_like(x),
                                  empty_beside(x, x.shape(), compute_type(x.dtype()))};
  if (x.size() == 0) return out;
  kernels::ResponseNormArgs args = response_arguments(how, x);
  args.out = out.y.data();
  args.scale = out.scale.data();
  if (x.device().is_cpu()) {
    cpu::response_norm(false, x.dtype(), args);
  } else {
    launch(KernelName::response_norm, x.dtype(), grid_for(x.size(), 1 << 16), &args,
           {&x, &out.y, &out.scale});
  }
  return out;
}

ndarray response_norm_grad(const ResponseNorm& how, const ndarray& input, const ndarray& scale,
                           const ndarray& grad) {
  const ndarray x = contiguous(input), gy = contiguous(grad);
  ndarray gx = cupyxx::empty_like(x);
  if (x.size() == 0) return gx;
  kernels::ResponseNormArgs args = response_arguments(how, x);
  args.gy = gy.data();
  args.out = gx.data();
  args.scale = scale.data();
  if (x.device().is_cpu()) {
    cpu::response_norm(true, x.dtype(), args);
    return gx;
  }
  const ndarray terms = cupyxx::empty_like(scale);
  args.terms = terms.data();
  const LaunchShape grid = grid_for(x.size(), 1 << 16);
  launch(KernelName::response_norm_terms, x.dtype(), grid, &args, {&x, &gy, &scale, &terms});
  launch(KernelName::response_norm_grad, x.dtype(), grid, &args, {&x, &gy, &scale, &terms, &gx});
  return gx;
}

LayerNormalised layer_norm(double eps, const ndarray& input, const ndarray& scale,
                           const ndarray& offset) {
  const ndarray x = contiguous(input), gamma = contiguous(scale), beta = contiguous(offset);
  const LayerNormalised out = {cupyxx::empty_like(x),
                               empty_beside(x, {x.shape()[0], 2}, cupyxx::float64)};
  if (x.size() == 0) return out;
  kernels::LayerNormArgs args = layer_arguments(x, gamma, out.moments);
  args.out = out.y.data();
  args.beta = beta.data();
  args.eps = eps;
  if (x.device().is_cpu()) {
    cpu::layer_norm(false, x.dtype(), args);
  } else {
    launch(for_row(args, KernelName::layer_norm_warps, KernelName::layer_norm_blocks), x.dtype(),
           row_grid(args), &args, {&x, &gamma, &beta, &out.y, &out.moments});
  }
  return out;
}

LayerNormGradients layer_norm_grad(const ndarray& input, const ndarray& scale,
                                   const ndarray& moments, const ndarray& grad) {
  const ndarray x = contiguous(input), gamma = contiguous(scale), gy = contiguous(grad);
  const LayerNormGradients out = {cupyxx::empty_like(x), cupyxx::zeros_like(gamma),
                                  cupyxx::zeros_like(gamma)};
  if (x.size() == 0) return out;
  kernels::LayerNormArgs args = layer_arguments(x, gamma, moments);
  args.gy = gy.data();
  args.out = out.gx.data();
  args.ggamma = out.ggamma.data();
  args.gbeta = out.gbeta.data();
  if (x.device().is_cpu()) {
    cpu::layer_norm(true, x.dtype(), args);
    return out;
  }
  launch(for_row(args, KernelName::layer_norm_grad_warps, KernelName::layer_norm_grad_blocks),
         x.dtype(), row_grid(args), &args, {&x, &gamma, &gy, &moments, &out.gx});
  const auto blocks = static_cast<unsigned>((args.columns + 31) / 32);
  launch(KernelName::layer_norm_columns, x.dtype(), {.grid_x = blocks, .block_x = 32, .block_y = 8},
         &args, {&x, &gy, &moments, &out.ggamma, &out.gbeta});
  return out;
}

}  // namespace chainerxx::internal
