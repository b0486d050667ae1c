// SPDX-License-Identifier: MIT
#include "chainerxx/internal/spatial/batch_norm.h"

#include <algorithm>

#include "chainerxx/internal/array_ops.h"
#include "chainerxx/internal/cpu/spatial.h"
#include "chainerxx/internal/image_layout.h"
#include "chainerxx/internal/kernel_library.h"
#include "chainerxx/internal/spatial/channel_rows.h"
#include "chainerxx/internal/spatial/relu.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/extension/cuda_call.h"
#include "cupyxx/extension/storage.h"

namespace chainerxx::internal {
namespace {

using kernels::BatchNormArgs;

/// An array that a kernel updates: itself, or a contiguous stand-in that is written back.
class Updated {
 public:
  explicit Updated(const ndarray& array) : array_(array) {
    if (array.is_none()) return;
    if (!array.flags().writeable) {
      throw cupyxx::ValueError(cupyxx::message(
          "batch_normalization: the running statistics are read-only; ", array.shape(), " ",
          array.dtype().name(), ": write .copy() of them, or {.test = true} to leave them alone"));
    }
    stand_in_ = contiguous(array);
    cupyxx::extension::note_write(array);
  }
  const ndarray& get() const { return stand_in_; }
  void* data() const { return stand_in_.is_none() ? nullptr : stand_in_.elements(); }
  void finish() const {
    if (stand_in_.body() != array_.body()) array_.set(stand_in_);
  }

 private:
  ndarray array_, stand_in_;
};

/// Whether x consists of images whose pixels are the rows of a matrix with a column per channel.
bool has_pixel_rows(const ndarray& x, const ndarray& gamma) {
  return gamma.ndim() == 1 && is_channels_last(x);
}

/// What the kernels read: in the layout of x, on a multiple of 16 bytes.
ndarray like_x(const ndarray& a, bool pixel_rows) {
  return pixel_rows ? packed_in_layout(a, true) : packed(a);
}
ndarray empty_like_x(const ndarray& x, bool pixel_rows) {
  if (pixel_rows) return empty_images(x, x.shape(), x.dtype(), true);
  return empty_beside(x, x.shape(), x.dtype());
}

BatchNormArgs arguments(const ndarray& x, const ndarray& gamma, bool pixel_rows) {
  BatchNormArgs args{};
  args.x = x.elements();
  args.gamma = gamma.elements();
  args.channels = gamma.size();
  args.wide = gamma.dtype() != x.dtype();
  if (pixel_rows) {
    args.outer = x.size() / std::max<long>(1, args.channels);
    args.inner = 1;
  } else {
    args.outer = x.shape()[0];
    args.inner = args.channels == 0 ? 0 : x.size() / std::max<long>(1, args.outer * args.channels);
  }
  return args;
}

/// The ways to spread the work over threads.
enum Spread { kWarps, kBlocks, kRows, kPackedRows, kSpreads };

bool takes_rows(const BatchNormArgs& args) {
  return args.inner == 1 && args.channels <= ChannelRows::kMostChannels;
}

unsigned at_most(long blocks, long most) {
  return static_cast<unsigned>(std::clamp<long>(blocks, 1, most));
}

/// The kernels of one direction.
struct Kernels {
  Kernel<BatchNormArgs> sums[kSpreads], finish, pass[kSpreads];
};
const Kernels kForward = {
    {{kLibrary, "batch_norm_sums_warps", "batch_norm.h", "batch_norm_sums_planes<T, false, true>",
      256},
     {kLibrary, "batch_norm_sums_blocks", "batch_norm.h", "batch_norm_sums_planes<T, false, false>",
      256},
     {kLibrary, "batch_norm_sums_rows", "batch_norm.h", "batch_norm_sums_rows<T, false, 1>", 256},
     {kLibrary, "batch_norm_sums_packed_rows", "batch_norm.h",
      "batch_norm_sums_rows<T, false, kPackWidth<T>>", 256}},
    {kLibrary, "batch_norm_moments", "batch_norm.h", "batch_norm_moments<T>"},
    {{kLibrary, "batch_norm_warps", "batch_norm.h", "batch_norm_planes<T, false, true>", 256},
     {kLibrary, "batch_norm_blocks", "batch_norm.h", "batch_norm_planes<T, false, false>", 256},
     {kLibrary, "batch_norm_rows", "batch_norm.h", "batch_norm_rows<T, false, 1>", 256},
     {kLibrary, "batch_norm_packed_rows", "batch_norm.h",
      "batch_norm_rows<T, false, kPackWidth<T>>", 256}}};
const Kernels kBackward = {
    {{kLibrary, "batch_norm_grad_sums_warps", "batch_norm.h",
      "batch_norm_sums_planes<T, true, true>", 256},
     {kLibrary, "batch_norm_grad_sums_blocks", "batch_norm.h",
      "batch_norm_sums_planes<T, true, false>", 256},
     {kLibrary, "batch_norm_grad_sums_rows", "batch_norm.h", "batch_norm_sums_rows<T, true, 1>",
      256},
     {kLibrary, "batch_norm_grad_sums_packed_rows", "batch_norm.h",
      "batch_norm_sums_rows<T, true, kPackWidth<T>>", 256}},
    {kLibrary, "batch_norm_totals", "batch_norm.h", "batch_norm_totals<T>"},
    {{kLibrary, "batch_norm_grad_warps", "batch_norm.h", "batch_norm_planes<T, true, true>", 256},
     {kLibrary, "batch_norm_grad_blocks", "batch_norm.h", "batch_norm_planes<T, true, false>", 256},
     {kLibrary, "batch_norm_grad_rows", "batch_norm.h", "batch_norm_rows<T, true, 1>", 256},
     {kLibrary, "batch_norm_grad_packed_rows", "batch_norm.h",
      "batch_norm_rows<T, true, kPackWidth<T>>", 256}}};

/// The kernels and grids of a call.
struct Way {
  Spread spread;
  long splits;
  Grid sums, pass;
};

Way way_of(const BatchNormArgs& args, const ndarray& x) {
  const long processors = cupyxx::extension::multiprocessors(x.device().index);
  if (takes_rows(args)) {
    const ChannelRows rows(args.outer, args.channels, x.itemsize(), processors);
    return {rows.packed() ? kPackedRows : kRows, rows.splits(), rows.grid_of_sums(),
            rows.grid_of_pass()};
  }
  const Spread spread = args.inner <= 1024 ? kWarps : kBlocks;
  const long planes = spread == kBlocks ? 1 : 8;  // that a block takes at a time
  const long most = std::clamp<long>(8 * processors / args.channels, 1, 1024);
  const long splits = at_most((args.outer + planes - 1) / planes, most);
  return {spread,
          splits,
          {.grid_x = static_cast<unsigned>(splits),
           .grid_y = at_most(args.channels, 65535),
           .block_x = 256},
          {.grid_x = at_most((args.outer * args.channels + planes - 1) / planes, 1 << 16),
           .block_x = 256}};
}

/// Sums in parts, what follows from them per channel, then the pass over the elements.
void run_on_gpu(const Kernels& kernels, BatchNormArgs args, const ndarray& x,
                std::initializer_list<const ndarray*> arrays) {
  const Way way = way_of(args, x);
  const bool needs_sums = args.fixed == 0 || args.gy != nullptr;
  args.splits = needs_sums ? way.splits : 0;
  // A line of a channel takes up to four doubles.
  const ndarray work = empty_beside(x, {args.channels, args.splits + 2, 2}, cupyxx::float64);
  args.lines = work.elements();
  args.partials = static_cast<double*>(work.elements()) + 4 * args.channels;
  if (needs_sums) kernels.sums[way.spread].launch(x.dtype(), way.sums, args, arrays);
  kernels.finish.launch(x.dtype(), grid_for(args.channels * 32), args, arrays);
  if (args.masked != nullptr) {
    args.gy = args.masked;
    args.y = nullptr;
    args.relu = 0;
  }
  kernels.pass[way.spread].launch(x.dtype(), way.pass, args, arrays);
}

/// What follows the normalisation, on the host.
void follow(const BatchNorm& how, const ndarray& added, ndarray& y) {
  if (!added.is_none()) y += added;
  if (how.relu) apply_relu(y);
}

Normalised forward(const BatchNorm& how, bool fixed, const ndarray& input, const ndarray& scale,
                   const ndarray& offset, const ndarray& mean, const ndarray& var,
                   const ndarray& shortcut) {
  const bool pixel_rows = has_pixel_rows(input, scale);
  const ndarray x = like_x(input, pixel_rows);
  const ndarray gamma = contiguous(scale), beta = contiguous(offset);
  const ndarray added = shortcut.is_none() ? shortcut : like_x(shortcut, pixel_rows);
  Normalised out = {empty_like_x(x, pixel_rows),
                    empty_beside(x, {gamma.size(), 2}, cupyxx::float64)};
  if (x.size() == 0) {
    out.moments.fill(0);
    return out;
  }
  const bool updates = !fixed && !mean.is_none();
  const Updated running_mean(updates ? mean : ndarray()), running_var(updates ? var : ndarray());
  const ndarray fixed_mean = fixed ? contiguous(mean) : mean,
                fixed_var = fixed ? contiguous(var) : var;
  BatchNormArgs args = arguments(x, gamma, pixel_rows);
  args.out = out.y.elements();
  args.beta = beta.elements();
  args.moments = static_cast<double*>(out.moments.elements());
  args.running_mean = fixed ? fixed_mean.elements() : running_mean.data();
  args.running_var = fixed ? fixed_var.elements() : running_var.data();
  args.eps = how.eps;
  args.decay = how.decay;
  args.fixed = fixed;
  args.relu = how.relu;
  args.added = added.is_none() ? nullptr : added.elements();
  if (x.device().is_cpu()) {
    cpu::batch_norm(false, x.dtype(), args);
    follow(how, added, out.y);
  } else {
    run_on_gpu(
        kForward, args, x,
        {&x, &gamma, &beta, &added, &out.y, &out.moments, fixed ? &fixed_mean : &running_mean.get(),
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
                      const ndarray& beta, const ndarray& running_mean, const ndarray& running_var,
                      const ndarray& added) {
  return forward(how, false, x, gamma, beta, running_mean, running_var, added);
}

Normalised fixed_batch_norm(const BatchNorm& how, const ndarray& x, const ndarray& gamma,
                            const ndarray& beta, const ndarray& mean, const ndarray& var,
                            const ndarray& added) {
  return forward(how, true, x, gamma, beta, mean, var, added);
}

BatchNormGradients batch_norm_grad(bool fixed, const ndarray& input, const ndarray& scale,
                                   const ndarray& moments, const ndarray& grad,
                                   const ndarray& grad_gamma, const ndarray& grad_beta,
                                   const BatchNormRelu& relu) {
  const bool pixel_rows = has_pixel_rows(input, scale);
  const ndarray x = like_x(input, pixel_rows), gamma = contiguous(scale);
  ndarray gy = like_x(grad, pixel_rows);
  BatchNormGradients out{empty_like_x(x, pixel_rows), {}};
  const Updated ggamma(grad_gamma), gbeta(grad_beta);
  if (!relu.y.is_none()) {
    const bool together = x.device().is_cuda() && x.size() != 0;
    out.added = empty_like_x(x, pixel_rows);
    if (!together) {
      relu_gradient(relu.y, gy, out.added);
      gy = out.added;
    }
  }
  if (x.size() == 0) return out;
  BatchNormArgs args = arguments(x, gamma, pixel_rows);
  args.gy = gy.elements();
  args.out = out.x.elements();
  args.moments = static_cast<double*>(moments.elements());
  args.ggamma = ggamma.data();
  args.gbeta = gbeta.data();
  args.fixed = fixed;
  if (x.device().is_cpu()) {
    cpu::batch_norm(true, x.dtype(), args);
  } else {
    const ndarray y = relu.y.is_none() ? relu.y : like_x(relu.y, pixel_rows);
    const ndarray beta = relu.beta.is_none() ? relu.beta : contiguous(relu.beta);
    args.relu = !y.is_none() || !beta.is_none();
    if (!beta.is_none()) args.beta = beta.elements();
    if (!y.is_none()) {
      args.y = y.elements();
      args.masked = out.added.elements();
    }
    run_on_gpu(
        kBackward, args, x,
        {&x, &gamma, &beta, &gy, &y, &out.added, &out.x, &moments, &ggamma.get(), &gbeta.get()});
  }
  ggamma.finish();
  gbeta.finish();
  return out;
}

}  // namespace chainerxx::internal
