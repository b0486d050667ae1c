// SPDX-License-Identifier: MIT
// Two-dimensional convolutions.
//
//   F::Convolution2D conv(3, 64, 7, {.stride = 2, .pad = 3});
//   Variable y = conv(x);                              // (n, 3, h, w) -> (n, 64, oh, ow)
#pragma once

#include <cstdint>

#include "chainerxx/functions/connection/filter_functions.h"
#include "chainerxx/input_size.h"
#include "chainerxx/utils/size_2d.h"
#include "chainerxx/variable.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// The correlation of images (n, in, h, w) with `out` filters of `ksize`: (n, out, oh, ow) where
/// oh = (h + 2 pad - k) / stride + 1, rounded down. W, (out, in / groups, kh, kw), starts as normal
/// numbers of deviation wscale * sqrt(1 / (in * kh * kw)) on the current device, gradients as
/// zeros. float32 is not reduced to TF32 unless that is allowed; sums of float16 are those of
/// float32. Results are the same bits every time.
class CUPYXX_API Convolution2D final : public FilterLayer<Convolution2D, ConvolutionForm> {
 public:
  static constexpr const char* kName = "Convolution2D";
  /// Its constructors are those of FilterLayer.
  using FilterLayer<Convolution2D, ConvolutionForm>::FilterLayer;
  /// Not by other names.
  template <internal::ByOtherNames O = internal::ConvolutionByOtherNames>
  Convolution2D(const InputSize&, const Size2D&, const O&) : Convolution2D(1, 1, 1) {
    static_assert(internal::kNever<O>,
                  "the window stands before the options: write 3, {.stride = 2, .pad = 1, .nobias "
                  "= true, .dilate = 1, .groups = 1}");
  }
  template <internal::ByOtherNames O = internal::ConvolutionByOtherNames>
  Convolution2D(const InputSize&, std::int64_t, const Size2D&, const O&) : Convolution2D(1, 1, 1) {
    static_assert(internal::kNever<O>,
                  "the options have Chainer's names: write {.stride = 2, .pad = 1, .nobias = true, "
                  ".dilate = 1, .groups = 1}");
  }

  /// relu(conv(x)): one function, which goes over memory less often.
  Variable relu(const Variable& x) const { return call_with_relu(x); }
};

/// Convolution2D with its distance between the elements of a window by position, as Chainer has it
/// since 1.10; with `.dilate` Convolution2D is the same.
class CUPYXX_API DilatedConvolution2D final
    : public FilterLayer<DilatedConvolution2D, ConvolutionForm> {
 public:
  static constexpr const char* kName = "DilatedConvolution2D";
  /// Throws as Convolution2D.
  DilatedConvolution2D(const InputSize& in_channels, std::int64_t out_channels, const Size2D& ksize,
                       const Convolution2DOptions& options);
  /// In Chainer's order.
  explicit DilatedConvolution2D(const InputSize& in_channels, std::int64_t out_channels,
                                const Size2D& ksize, const Size2D& stride = 1,
                                const Size2D& pad = 0, const Size2D& dilate = 1,
                                bool nobias = false, const initializers::Initial& initialW = {},
                                const initializers::Initial& initial_bias = {})
      : DilatedConvolution2D(in_channels, out_channels, ksize,
                             Convolution2DOptions{.stride = stride,
                                                  .pad = pad,
                                                  .nobias = nobias,
                                                  .initialW = initialW,
                                                  .initial_bias = initial_bias,
                                                  .dilate = dilate}) {}
};

/// The same with weights (out, in / groups, kh, kw) and bias as variables.
class CUPYXX_API Convolution2DFunction final
    : public FilterFunction<Convolution2DFunction, ConvolutionForm> {
 public:
  explicit Convolution2DFunction(const ConvolutionOptions& options = {})
      : FilterFunction(options) {}
};

extern template class FilterLayer<Convolution2D, ConvolutionForm>;
extern template class FilterLayer<DilatedConvolution2D, ConvolutionForm>;
extern template class FilterFunction<Convolution2DFunction, ConvolutionForm>;

/// The correlation of x (n, c, h, w) with the filters W (out, c / groups, kh, kw), plus b (out,).
CUPYXX_API Variable convolution_2d(const Variable& x, const Variable& W,
                                   const ConvolutionOptions& options = {});
CUPYXX_API Variable convolution_2d(const Variable& x, const Variable& W, const Variable& b,
                                   const ConvolutionOptions& options = {});

/// With positional arguments, in the manual's order.
template <internal::SizeLike S = Size2D>
Variable convolution_2d(const Variable& x, const Variable& W, const Variable& b, S stride,
                        const Size2D& pad = 0, bool use_cudnn = true) {
  return convolution_2d(x, W, b,
                        ConvolutionOptions{.stride = stride, .pad = pad, .use_cudnn = use_cudnn});
}

}  // namespace chainerxx::functions
