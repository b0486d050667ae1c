// SPDX-License-Identifier: MIT
#include "chainerxx/internal/spatial/normalization.h"

#include <algorithm>

#include "chainerxx/internal/array_ops.h"
#include "chainerxx/internal/cpu/spatial.h"
#include "chainerxx/internal/image_layout.h"
#include "chainerxx/internal/row_launch.h"
#include "cupyxx/creation.h"
#include "cupyxx/extension/cuda_call.h"
#include "cupyxx/extension/storage.h"
#include "cupyxx/math.h"

namespace chainerxx::internal {
namespace {

using kernels::LayerNormArgs;
using kernels::ResponseNormArgs;

const Kernel<ResponseNormArgs> kResponseNorm{kLibrary, "response_norm", "response_norm.h",
                                             "response_norm<T>"};
const Kernel<ResponseNormArgs> kResponseNormTerms{kLibrary, "response_norm_terms",
                                                  "response_norm.h", "response_norm_terms<T>"};
const Kernel<ResponseNormArgs> kResponseNormGrad{kLibrary, "response_norm_grad", "response_norm.h",
                                                 "response_norm_grad<T>"};
// For images that lie channels last and the window of 5 channels.
constexpr long kPixelHalf = 2;
const Kernel<ResponseNormArgs> kPixelResponseNorm{kLibrary, "pixel_response_norm",
                                                  "response_norm.h", "pixel_response_norm<T, 2>"};
const Kernel<ResponseNormArgs> kPixelResponseNormGrad{
    kLibrary, "pixel_response_norm_grad", "response_norm.h", "pixel_response_norm_grad<T, 2>"};

/// For rows that stay in registers, and for all others.
const RowKernels<LayerNormArgs> kHeldLayerNorm = {
    {kLibrary, "layer_norm_row_warps", "layer_norm_row.h", "layer_norm_row<T, true>", 256},
    {kLibrary, "layer_norm_row_blocks", "layer_norm_row.h", "layer_norm_row<T, false>", 1024}};
/// Gradients: of rows of one pack a thread, and of longer ones that a block holds; kAdds or not.
const Kernel<LayerNormArgs> kPackLayerNormGrad[2] = {
    {kLibrary, "layer_norm_grad_row", "layer_norm_row.h", "layer_norm_grad_row<T, false>", 512},
    {kLibrary, "add_layer_norm_grad_row", "layer_norm_row.h", "layer_norm_grad_row<T, true>", 512}};
const Kernel<LayerNormArgs> kLongLayerNormGrad[2] = {
    {kLibrary, "layer_norm_grad_long_row", "layer_norm_row.h", "layer_norm_grad_long_row<T, false>",
     512},
    {kLibrary, "add_layer_norm_grad_long_row", "layer_norm_row.h",
     "layer_norm_grad_long_row<T, true>", 512}};
const RowKernels<LayerNormArgs> kAddLayerNorm = {
    {kLibrary, "add_layer_norm_row_warps", "layer_norm_row.h", "add_layer_norm_row<T, true>", 256},
    {kLibrary, "add_layer_norm_row_blocks", "layer_norm_row.h", "add_layer_norm_row<T, false>",
     512}};
const RowKernels<LayerNormArgs> kLayerNorm = {
    {kLibrary, "layer_norm_warps", "layer_norm.h", "layer_norm<T, 32>"},
    {kLibrary, "layer_norm_blocks", "layer_norm.h", "layer_norm<T, 256>"}};
const RowKernels<LayerNormArgs> kLayerNormGrad = {
    {kLibrary, "layer_norm_grad_warps", "layer_norm.h", "layer_norm_grad<T, 32>"},
    {kLibrary, "layer_norm_grad_blocks", "layer_norm.h", "layer_norm_grad<T, 256>"}};
const Kernel<LayerNormArgs> kLayerNormColumns{kLibrary, "layer_norm_columns", "layer_norm.h",
                                              "layer_norm_columns<T>"};
const Kernel<LayerNormArgs> kLayerNormParts{kLibrary, "layer_norm_parts", "layer_norm_row.h",
                                            "layer_norm_parts<T>", 1024};

cupyxx::dtype compute_type(cupyxx::dtype type) {
  return type.itemsize() == 2 ? cupyxx::float32 : type;
}

/// A parameter as kernels read it.
ndarray computed(const ndarray& a) { return contiguous(a.astype(compute_type(a.dtype()), false)); }

/// Rows of channels if the images lie so.
ResponseNormArgs response_arguments(const ResponseNorm& how, const ndarray& x, bool channels_last) {
  const cupyxx::Shape s = x.shape();
  ResponseNormArgs args{};
  args.x = x.elements();
  args.outer = channels_last ? x.size() / std::max<long>(1, s[1]) : s[0];
  args.channels = s[1];
  args.inner = channels_last ? 1 : x.size() / std::max<long>(1, s[0] * s[1]);
  args.half = how.half;
  args.k = how.k;
  args.alpha = how.alpha;
  args.beta = how.beta;
  return args;
}

/// Whether the kernels for packs of a pixel's channels take it.
bool takes_pixel_packs(const ResponseNormArgs& args, const ndarray& x, bool channels_last) {
  const long width = std::max<long>(16 / x.itemsize(), 2 * kPixelHalf);
  return channels_last && args.half == kPixelHalf && args.channels % width == 0;
}

LayerNormArgs layer_arguments(const ndarray& x, const ndarray& gamma, const ndarray& moments) {
  LayerNormArgs args{};
  args.x = x.elements();
  args.gamma = gamma.elements();
  args.moments = static_cast<double*>(moments.elements());
  args.rows = x.shape()[0];
  args.columns = gamma.size();
  return args;
}

/// A warp a row for short rows, else a block.
RowLaunch any_rows(const LayerNormArgs& args) {
  const bool warps = args.columns <= 1024;
  return {warps, grid_for(args.rows * (warps ? 32 : 256), 1 << 16)};
}

/// For the kernels that keep rows in registers: all rows begin with a pack.
std::optional<RowLaunch> held_rows(const LayerNormArgs& args, cupyxx::dtype type,
                                   unsigned most_threads) {
  if (args.columns * type.itemsize() % 16 != 0) return std::nullopt;
  const void* const begin = nullptr;
  return row_launch(
      args.rows, args.columns, type, most_threads,
      {begin, args.x, args.out, args.gamma, args.gy, args.beta, args.other, args.sum});
}

/// Whether a block's threads hold a row.
bool fits_registers(const LayerNormArgs& args, cupyxx::dtype type, unsigned most_threads) {
  const long held_bytes = 16 * (type.itemsize() == 2 ? 4 : 8);
  return args.columns * type.itemsize() <= most_threads * held_bytes;
}

}  // namespace

ResponseNormalised response_norm(const ResponseNorm& how, const ndarray& input) {
  const bool channels_last = is_channels_last(input);
  if (channels_last && input.device().is_cpu()) {
    ResponseNormalised out = response_norm(how, in_layout(input, false));
    out.y = in_layout(out.y, true);
    return out;
  }
  const ndarray x = channels_last ? packed_in_layout(input, true) : contiguous(input);
  const auto beside_x = [&](cupyxx::dtype type) {
    return channels_last ? empty_images(x, x.shape(), type, true)
                         : empty_beside(x, x.shape(), type);
  };
  ResponseNormalised out = {beside_x(x.dtype()), {}};
  if (x.size() == 0) return out;
  ResponseNormArgs args = response_arguments(how, x, channels_last);
  args.out = out.y.elements();
  if (takes_pixel_packs(args, x, channels_last)) {
    kPixelResponseNorm.launch(x.dtype(), grid_for(x.size() / 4, 1 << 16), args, {&x, &out.y});
    return out;
  }
  out.scale = beside_x(compute_type(x.dtype()));
  args.scale = out.scale.elements();
  if (x.device().is_cpu()) {
    cpu::response_norm(false, x.dtype(), args);
  } else {
    kResponseNorm.launch(x.dtype(), grid_for(x.size(), 1 << 16), args, {&x, &out.y, &out.scale});
  }
  return out;
}

ndarray response_norm_grad(const ResponseNorm& how, const ndarray& input, const ndarray& scale,
                           const ndarray& grad) {
  const bool channels_last = is_channels_last(input);
  if (channels_last && input.device().is_cpu()) {
    const ndarray plain = in_layout(input, false);
    return in_layout(response_norm_grad(how, plain, scale, in_layout(grad, false)), true);
  }
  const ndarray x = channels_last ? packed_in_layout(input, true) : contiguous(input);
  const ndarray gy = channels_last ? packed_in_layout(grad, true) : contiguous(grad);
  const ndarray gx = channels_last ? empty_images(x, x.shape(), x.dtype(), true)
                                   : empty_beside(x, x.shape(), x.dtype());
  if (x.size() == 0) return gx;
  ResponseNormArgs args = response_arguments(how, x, channels_last);
  args.gy = gy.elements();
  args.out = gx.elements();
  if (takes_pixel_packs(args, x, channels_last)) {
    kPixelResponseNormGrad.launch(x.dtype(), grid_for(x.size() / 4, 1 << 16), args, {&x, &gy, &gx});
    return gx;
  }
  args.scale = scale.elements();
  if (x.device().is_cpu()) {
    cpu::response_norm(true, x.dtype(), args);
    return gx;
  }
  const ndarray terms = empty_beside(scale, {scale.size()}, scale.dtype());
  args.terms = terms.elements();
  const Grid grid = grid_for(x.size(), 1 << 16);
  kResponseNormTerms.launch(x.dtype(), grid, args, {&x, &gy, &scale, &terms});
  kResponseNormGrad.launch(x.dtype(), grid, args, {&x, &gy, &scale, &terms, &gx});
  return gx;
}

LayerNormalised layer_norm(double eps, const ndarray& input, const ndarray& scale,
                           const ndarray& offset) {
  const ndarray x = contiguous(input), gamma = computed(scale), beta = computed(offset);
  const LayerNormalised out = {cupyxx::empty_like(x),
                               empty_beside(x, {x.shape()[0], 2}, cupyxx::float64)};
  if (x.size() == 0) return out;
  LayerNormArgs args = layer_arguments(x, gamma, out.moments);
  args.out = out.y.elements();
  args.beta = beta.elements();
  args.eps = eps;
  if (x.device().is_cpu()) {
    cpu::layer_norm(false, x.dtype(), args);
  } else {
    const auto held = held_rows(args, x.dtype(), kHeldLayerNorm.threads());
    const RowLaunch how = held ? *held : any_rows(args);
    (held ? kHeldLayerNorm : kLayerNorm)
        .choose(how)
        .launch(x.dtype(), how.grid, args, {&x, &gamma, &beta, &out.y, &out.moments});
  }
  return out;
}

namespace {

/// What the kernels for gradients of held rows are launched with; nothing where rows do not fit
/// into registers.
struct GradLaunch {
  const Kernel<LayerNormArgs>* kernel;
  Grid grid;
};
std::optional<GradLaunch> grad_launch(const LayerNormArgs& args, const ndarray& x) {
  constexpr unsigned kWarps = 24, kMostThreads = 512;  // of a multiprocessor; of a block
  const cupyxx::dtype type = x.dtype();
  const auto held = held_rows(args, type, kMostThreads);
  if (!held || args.rows > 1L << 30 || !fits_registers(args, type, kMostThreads)) return {};
  const long processors = cupyxx::extension::multiprocessors(x.device().index);
  const long column_bytes = 2 * args.columns * compute_type(type).itemsize();
  const bool adds = args.other != nullptr;
  const long packs = args.columns * type.itemsize() / 16;
  GradLaunch how{&kPackLayerNormGrad[adds], {}};
  if (packs <= kMostThreads) {
    how.grid.block_x = static_cast<unsigned>((packs + 31) / 32 * 32);
    how.grid.block_y = std::max(1u, kWarps * 8 / how.grid.block_x);
  } else {
    how.kernel = &kLongLayerNormGrad[adds];
    how.grid.block_x = held->grid.block_x;
  }
  const unsigned threads = how.grid.block_x * how.grid.block_y;
  const long fitting = packs <= kMostThreads ? std::max(1u, kWarps * 32 / threads)
                                             : std::max(1u, kMostThreads / threads);
  const long blocks = (args.rows + how.grid.block_y - 1) / how.grid.block_y;
  how.grid.grid_x = static_cast<unsigned>(std::min(blocks, fitting * processors));
  how.grid.shared_bytes = static_cast<unsigned>(how.grid.block_y * column_bytes);
  return how;
}

/// All gradients in one pass over the rows and one over the sums of its blocks.
void layer_norm_grad_of_held_rows(const GradLaunch& how, LayerNormArgs args, const ndarray& x,
                                  std::initializer_list<const ndarray*> arrays,
                                  const ndarray& ggamma, const ndarray& gbeta) {
  const long per_block = 2 * args.columns;
  args.part_count = how.grid.grid_x;
  const ndarray parts = empty_beside(x, {args.part_count, per_block}, compute_type(x.dtype()));
  args.parts = parts.elements();
  how.kernel->launch(x.dtype(), how.grid, args, arrays);
  kLayerNormParts.launch(x.dtype(), grid_of_parts(per_block), args, {&parts, &ggamma, &gbeta});
}

/// The gradient by x, `gsum` added to it unless that is None; those of gamma and beta are written
/// to arrays of the type that is computed in, or added to them.
ndarray layer_norm_gradients(const ndarray& input, const ndarray& scale, const ndarray& moments,
                             const ndarray& grad, const ndarray& gsum, const ndarray& ggamma,
                             const ndarray& gbeta, bool adds) {
  const ndarray x = contiguous(input), gamma = computed(scale), gy = contiguous(grad);
  const ndarray gx = cupyxx::empty_like(x);
  LayerNormArgs args = layer_arguments(x, gamma, moments);
  args.gy = gy.elements();
  args.out = gx.elements();
  args.ggamma = ggamma.elements();
  args.gbeta = gbeta.elements();
  args.adds = adds;
  const ndarray other = gsum.is_none() ? gy : contiguous(gsum);
  if (x.size() > 0 && !x.device().is_cpu()) {
    LayerNormArgs held = args;
    held.other = gsum.is_none() ? nullptr : other.elements();
    if (const auto how = grad_launch(held, x)) {
      if (adds) {
        cupyxx::extension::note_write(ggamma);
        cupyxx::extension::note_write(gbeta);
      }
      layer_norm_grad_of_held_rows(*how, held, x, {&x, &gamma, &gy, &moments, &other, &gx}, ggamma,
                                   gbeta);
      return gx;
    }
  }
  if (adds) {
    const ndarray gamma_sums = cupyxx::empty_like(gamma), beta_sums = cupyxx::empty_like(gamma);
    const ndarray result =
        layer_norm_gradients(x, gamma, moments, gy, gsum, gamma_sums, beta_sums, false);
    cupyxx::add(ggamma, gamma_sums, {.out = ggamma});
    cupyxx::add(gbeta, beta_sums, {.out = gbeta});
    return result;
  }
  if (x.size() == 0) {
    ggamma.fill(0);
    gbeta.fill(0);
    return gx;
  }
  if (x.device().is_cpu()) {
    cpu::layer_norm(true, x.dtype(), args);
  } else {
    const RowLaunch how = any_rows(args);
    kLayerNormGrad.choose(how).launch(x.dtype(), how.grid, args, {&x, &gamma, &gy, &moments, &gx});
    const auto blocks = static_cast<unsigned>((args.columns + 31) / 32);
    kLayerNormColumns.launch(x.dtype(), {.grid_x = blocks, .block_x = 32, .block_y = 8}, args,
                             {&x, &gy, &moments, &ggamma, &gbeta});
  }
  if (!gsum.is_none()) gx += gsum;
  return gx;
}

}  // namespace

AddLayerNormalised add_layer_norm(double eps, const ndarray& x, const ndarray& y,
                                  const ndarray& scale, const ndarray& offset) {
  const unsigned most_threads = kAddLayerNorm.threads();
  const ndarray a = contiguous(x), b = contiguous(y);
  if (a.size() > 0 && !a.device().is_cpu()) {
    const ndarray gamma = computed(scale), beta = computed(offset);
    const AddLayerNormalised out = {
        cupyxx::empty_like(a),
        {cupyxx::empty_like(a), empty_beside(a, {a.shape()[0], 2}, cupyxx::float64)}};
    LayerNormArgs args = layer_arguments(a, gamma, out.normalised.moments);
    args.other = b.elements();
    args.sum = out.sum.elements();
    args.out = out.normalised.y.elements();
    args.beta = beta.elements();
    args.eps = eps;
    const auto how = held_rows(args, a.dtype(), most_threads);
    if (how && fits_registers(args, a.dtype(), most_threads)) {
      kAddLayerNorm.choose(*how).launch(
          a.dtype(), how->grid, args,
          {&a, &b, &gamma, &beta, &out.sum, &out.normalised.y, &out.normalised.moments});
      return out;
    }
  }
  const ndarray sum = a + b;
  return {sum, layer_norm(eps, sum, scale, offset)};
}

LayerNormGradients layer_norm_grad(const ndarray& x, const ndarray& gamma, const ndarray& moments,
                                   const ndarray& gy, const ndarray& gsum) {
  const cupyxx::dtype type = compute_type(gamma.dtype());
  const ndarray ggamma = empty_beside(x, gamma.shape(), type);
  const ndarray gbeta = empty_beside(x, gamma.shape(), type);
  const ndarray gx = layer_norm_gradients(x, gamma, moments, gy, gsum, ggamma, gbeta, false);
  return {gx, ggamma.astype(gamma.dtype(), false), gbeta.astype(gamma.dtype(), false)};
}

ndarray add_layer_norm_grad(const ndarray& x, const ndarray& gamma, const ndarray& moments,
                            const ndarray& gy, const ndarray& gsum, const ndarray& ggamma,
                            const ndarray& gbeta) {
  const cupyxx::dtype type = compute_type(gamma.dtype());
  const auto takes = [&](const ndarray& sum) {
    return sum.dtype() == type && sum.flags().c_contiguous;
  };
  if (takes(ggamma) && takes(gbeta)) {
    return layer_norm_gradients(x, gamma, moments, gy, gsum, ggamma, gbeta, true);
  }
  const LayerNormGradients grads = layer_norm_grad(x, gamma, moments, gy, gsum);
  cupyxx::add(ggamma, grads.ggamma, {.out = ggamma});
  cupyxx::add(gbeta, grads.gbeta, {.out = gbeta});
  return grads.gx;
}

}  // namespace chainerxx::internal
