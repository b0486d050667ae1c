// SPDX-License-Identifier: MIT
// Transposed convolutions, which enlarge images.
#pragma once

#include <concepts>
#include <cstdint>

#include "chainerxx/functions/connection/filter_functions.h"
#include "chainerxx/input_size.h"
#include "chainerxx/start_of_bias.h"
#include "chainerxx/utils/size_2d.h"
#include "chainerxx/variable.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// The gradient of a convolution by its image, as a function of its own: (n, in, h, w) becomes
/// (n, out, oh, ow) where oh = stride (h - 1) + k - 2 pad, or as `outsize` says. W, (in,
/// out / groups, kh, kw), starts as normal numbers of deviation wscale * sqrt(1 / (in * kh * kw)).
class CUPYXX_API Deconvolution2D final : public FilterLayer<Deconvolution2D, DeconvolutionForm> {
 public:
  /// Throws ValueError for sizes that are not positive or channels that `groups` does not divide.
  Deconvolution2D(const InputSize& in_channels, std::int64_t out_channels, const Size2D& ksize,
                  const Convolution2DOptions& options = {});
  /// The same as with `none` for in_channels.
  Deconvolution2D(std::int64_t out_channels, const Size2D& ksize,
                  const Convolution2DOptions& options = {})
      : Deconvolution2D(cupyxx::none, out_channels, ksize, options) {}
  /// In the manual's order.
  template <internal::SizeLike S = Size2D>
  Deconvolution2D(const InputSize& in_channels, std::int64_t out_channels, const Size2D& ksize,
                  S stride, const Size2D& pad = 0, double wscale = 1, StartOfBias bias = 0,
                  bool nobias = false, bool use_cudnn = true,
                  const initializers::Initial& initialW = {},
                  const initializers::Initial& initial_bias = {},
                  cupyxx::dtype dtype = cupyxx::float32)
      : Deconvolution2D(in_channels, out_channels, ksize,
                        Convolution2DOptions{.stride = stride,
                                             .pad = pad,
                                             .wscale = wscale,
                                             .bias = bias,
                                             .nobias = nobias,
                                             .use_cudnn = use_cudnn,
                                             .initialW = initialW,
                                             .initial_bias = initial_bias,
                                             .dtype = dtype}) {}
  /// The stride and the padding by position, what follows them by name: `Deconvolution2D(3, 64, 7,
  /// 2, 3,
  /// {.nobias = true})`.
  template <internal::SizeLike S = Size2D,
            std::same_as<Convolution2DOptions> O = Convolution2DOptions>
  Deconvolution2D(const InputSize& in_channels, std::int64_t out_channels, const Size2D& ksize,
                  S stride, O options)
      : Deconvolution2D(in_channels, out_channels, ksize, stride, 0, options) {}
  template <internal::SizeLike S = Size2D,
            std::same_as<Convolution2DOptions> O = Convolution2DOptions>
  Deconvolution2D(const InputSize& in_channels, std::int64_t out_channels, const Size2D& ksize,
                  S stride, const Size2D& pad, O options)
      : Deconvolution2D(in_channels, out_channels, ksize,
                        internal_filters::behind("Deconvolution2D", stride, pad, options)) {}
  /// Not by other names.
  template <internal::ByOtherNames O = internal::ConvolutionByOtherNames>
  Deconvolution2D(const InputSize&, const Size2D&, const O&) : Deconvolution2D(1, 1, 1) {
    static_assert(internal::kNever<O>,
                  "the window stands before the options: write 3, {.stride = 2, .pad = 1, .nobias "
                  "= true, .dilate = 1, .groups = 1}");
  }
  template <internal::ByOtherNames O = internal::ConvolutionByOtherNames>
  Deconvolution2D(const InputSize&, std::int64_t, const Size2D&, const O&)
      : Deconvolution2D(1, 1, 1) {
    static_assert(internal::kNever<O>,
                  "the options have Chainer's names: write {.stride = 2, .pad = 1, .nobias = true, "
                  ".dilate = 1, .groups = 1}");
  }
  /// In Chainer's order since 2: a bool behind the padding is `nobias`, no scale.
  template <internal::SizeLike S = Size2D, std::same_as<bool> B>
  Deconvolution2D(const InputSize& in_channels, std::int64_t out_channels, const Size2D& ksize,
                  S stride, const Size2D& pad, B nobias, const initializers::Initial& initialW = {},
                  const initializers::Initial& initial_bias = {})
      : Deconvolution2D(in_channels, out_channels, ksize,
                        Convolution2DOptions{.stride = stride,
                                             .pad = pad,
                                             .nobias = nobias,
                                             .initialW = initialW,
                                             .initial_bias = initial_bias}) {}
};

/// The same with weights (in, out / groups, kh, kw) and bias as variables.
class CUPYXX_API Deconvolution2DFunction final
    : public FilterFunction<Deconvolution2DFunction, DeconvolutionForm> {
 public:
  explicit Deconvolution2DFunction(const ConvolutionOptions& options = {})
      : FilterFunction(options) {}
};

extern template class FilterLayer<Deconvolution2D, DeconvolutionForm>;
extern template class FilterFunction<Deconvolution2DFunction, DeconvolutionForm>;

/// The transposed convolution of x (n, in, h, w) with W (in, out / groups, kh, kw), plus b (out,).
CUPYXX_API Variable deconvolution_2d(const Variable& x, const Variable& W,
                                     const ConvolutionOptions& options = {});
CUPYXX_API Variable deconvolution_2d(const Variable& x, const Variable& W, const Variable& b,
                                     const ConvolutionOptions& options = {});

/// In the manual's order.
template <internal::SizeLike S = Size2D>
Variable deconvolution_2d(const Variable& x, const Variable& W, const Variable& b, S stride,
                          const Size2D& pad = 0, bool use_cudnn = true) {
  return deconvolution_2d(x, W, b,
                          ConvolutionOptions{.stride = stride, .pad = pad, .use_cudnn = use_cudnn});
}

}  // namespace chainerxx::functions
