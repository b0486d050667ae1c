// SPDX-License-Identifier: MIT
// Transposed convolutions, which enlarge images.
#pragma once

#include <cstdint>

#include "chainerxx/functions/connection/filter_functions.h"
#include "chainerxx/input_size.h"
#include "chainerxx/utils/size_2d.h"
#include "chainerxx/variable.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// The gradient of a convolution by its image, as a function of its own: (n, in, h, w) becomes
/// (n, out, oh, ow) where oh = stride (h - 1) + k - 2 pad, or as `outsize` says. W, (in,
/// out / groups, kh, kw), starts as normal numbers of deviation wscale * sqrt(1 / (in * kh * kw)).
class CUPYXX_API Deconvolution2D final : public FilterLayer<Deconvolution2D, DeconvolutionForm> {
 public:
  static constexpr const char* kName = "Deconvolution2D";
  /// Its constructors are those of FilterLayer.
  using FilterLayer<Deconvolution2D, DeconvolutionForm>::FilterLayer;
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

/// With positional arguments, in the manual's order.
template <internal::SizeLike S = Size2D>
Variable deconvolution_2d(const Variable& x, const Variable& W, const Variable& b, S stride,
                          const Size2D& pad = 0, bool use_cudnn = true) {
  return deconvolution_2d(x, W, b,
                          ConvolutionOptions{.stride = stride, .pad = pad, .use_cudnn = use_cudnn});
}

}  // namespace chainerxx::functions
