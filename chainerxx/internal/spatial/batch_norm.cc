// SPDX-License-Identifier: MIT
#include "chainerxx/internal/spatial/batch_norm.h"

#include <algorithm>

#include "chainerxx/internal/array_ops.h"
#include "chainerxx/internal/cpu/spatial.h"
#include "cupyxx/creation.h"
#include "cupyxx/internal/body.h"
#include "cupyxx/internal/gpu/runtime.h"

namespace chainerxx::internal {
namespace {

using cupyxx::internal::jit::LaunchShape;
using kernels::BatchNormArgs;

/// An array that a kernel updates: itself, or a contiguous stand-in that is written back.
class Updated {
 public:
  explicit Updated(const ndarray& array) : array_(array) {
    if (array.is_none()) return;
    stand_in_ = contiguous(array);
    cupyxx::internal::touch(array.body());
  }
  const ndarray& get() const { return stand_in_; }
  void* data() const { return stand_in_.is_none() ? nullptr : stand_in_.data(); }
  void finish() const {
    if (stand_in_.body() != array_.body()) array_.set(stand_in_);
  }

 private:
  ndarray array_, stand_in_;
};

BatchNormArgs arguments(const ndarray& x, const ndarray& gamma) {
  BatchNormArgs args{};
  args.x = x.data();
  args.gamma = gamma.data();
  args.outer = x.shape()[0];
  args.channels = gamma.size();
  args.inner = args.channels == 0 ? 0 : x.size() / std::max<long>(1, args.outer * args.channels);
  return args;
}

/// The three ways to spread the work over threads; the kernels follow each other in this order.
enum Layout { kWarps, kBlocks, kRows };

Layout layout_of(const BatchNormArgs& args) {
  constexpr long kMostAcross = 65535 * 32;
  return args.inner == 1 && args.channels <= kMostAcross ? kRows
         : args.inner <= 1024                            ? kWarps
                                                         : kBlocks;
}

KernelName variant(KernelName first, Layout layout) {
  return static_cast<KernelName>(static_cast<int>(first) + static_cast<int>(layout));
}

unsigned at_most(long blocks, long most) {
  return static_cast<unsigned>(std::clamp<long>(blocks, 1, most));
}

/// Sums in parts, then the pass over the elements.
void run_on_gpu(KernelName sums, KernelName pass, BatchNormArgs args, const ndarray& x,
                std::initializer_list<const ndarray*> arrays) {
  const Layout layout = layout_of(args);
  const long processors = cupyxx::internal::gpu::device_info(x.device().index).multiprocessors;
  const long across = layout == kRows ? (args.channels + 31) / 32 : args.channels;
  const long groups = layout == kBlocks ? 1 : 8;  // rows or planes that a block takes at a time
  const long most = std::clamp<long>(8 * processors / across, 1, 16);
  const bool needs_sums = args.fixed == 0 || args.gy != nullptr;
  args.splits = needs_sums ? at_most((args.outer + groups - 1) / groups, most) : 0;
  ndarray partials;
  if (needs_sums) {
    partials = empty_beside(x, {args.channels, args.splits, 2}, cupyxx::float64);
    args.partials = static_cast<double*>(partials.data());
    LaunchShape grid{.grid_x = static_cast<unsigned>(args.splits),
                     .grid_y = at_most(across, 65535),
                     .block_x = 256};
    if (layout == kRows) grid.block_x = 32, grid.block_y = 8;
    launch(variant(sums, layout), x.dtype(), grid, &args, arrays);
  }
  LaunchShape grid{.block_x = 256};
  if (layout == kRows) {
    grid = {.grid_x = at_most((args.outer + 31) / 32, std::max(1L, 16 * processors / across)),
            .grid_y = at_most(across, 65535),
            .block_x = 32,
            .block_y = 8};
  } else {
    grid.grid_x = at_most((args.outer * args.channels + groups - 1) / groups, 1 << 16);
  }
  launch(variant(pass, layout), x.dtype(), grid, &args, arrays);
}

Normalised forward(const BatchNorm& how, bool fixed, const ndarray& input, const ndarray& scale,
                   const ndarray& offset, const ndarray& mean, const ndarray& var) {
  const ndarray x = contiguous(input), gamma = contiguous(scale), beta = contiguous(offset);
  const Normalised out = {cupyxx::empty_like(x),
                          empty_beside(x, {gamma.size(), 2}, cupyxx::float64)};
  if (x.size() == 0) {
    out.moments.fill(0);
    return out;
  }
  const bool updates = !fixed && !mean.is_none();
  const Updated running_mean(updates ? mean : ndarray()), running_var(updates ? var : ndarray());
  const ndarray fixed_mean = fixed ? contiguous(mean) : mean,
                fixed_var = fixed ? contiguous(var) : var;
  BatchNormArgs args = arguments(x, gamma);
  args.out = out.y.data();
  args.beta = beta.data();
  args.moments = static_cast<double*>(out.moments.data());
  args.running_mean = fixed ? fixed_mean.data() : running_mean.data();
  args.running_var = fixed ? fixed_var.data() : running_var.data();
  args.eps = how.eps;
  args.decay = how.decay;
  args.fixed = fixed;
  if (x.device().is_cpu()) {
    cpu::batch_norm(false, x.dtype(), args);
  } else {
    run_on_gpu(KernelName::batch_norm_sums_warps, KernelName::batch_norm_warps, args, x,
               {&x, &gamma, &beta, &out.y, &out.moments, fixed ? &fixed_mean : &running_mean.get(),
                fixed ? &fixed_var : &running_var.get()});
  }
  if (updates) {
    running_mean.finish();
    running_var.finish();
  }
  return out;
}

}  // namespace

Normalised batch_norm(const BatchNorm& how, const ndarray& x, const ndarray& gamma,
                      const ndarray& beta, const ndarray& running_mean,
                      const ndarray& running_var) {
  return forward(how, false, x, gamma, beta, running_mean, running_var);
}

Normalised fixed_batch_norm(const BatchNorm& how, const ndarray& x, const ndarray& gamma,
                            const ndarray& beta, const ndarray& mean, const ndarray& var) {
  return forward(how, true, x, gamma, beta, mean, var);
}

ndarray batch_norm_grad(bool fixed, const ndarray& input, const ndarray& scale,
                        const ndarray& moments, const ndarray& grad, const ndarray& grad_gamma,
                        const ndarray& grad_beta) {
  const ndarray x = contiguous(input), gamma = contiguous(scale), gy = contiguous(grad);
  ndarray gx = cupyxx::empty_like(x);
  const Updated ggamma(grad_gamma), gbeta(grad_beta);
  if (x.size() == 0) return gx;
  BatchNormArgs args = arguments(x, gamma);
  args.gy = gy.data();
  args.out = gx.data();
  args.moments = static_cast<double*>(moments.data());
  args.ggamma = ggamma.data();
  args.gbeta = gbeta.data();
  args.fixed = fixed;
  if (x.device().is_cpu()) {
    cpu::batch_norm(true, x.dtype(), args);
  } else {
    run_on_gpu(KernelName::batch_norm_grad_sums_warps, KernelName::batch_norm_grad_warps, args, x,
               {&x, &gamma, &gy, &gx, &moments, &ggamma.get(), &gbeta.get()});
  }
  ggamma.finish();
  gbeta.finish();
  return gx;
}

}  // namespace chainerxx::internal
