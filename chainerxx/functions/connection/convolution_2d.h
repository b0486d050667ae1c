// SPDX-License-Identifier: MIT
// Two-dimensional convolutions.
//
//   F::Convolution2D conv(3, 64, 7, {.stride = 2, .pad = 3});
//   Variable y = conv(x);                              // (n, 3, h, w) -> (n, 64, oh, ow)
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/scope.h"
#include "chainerxx/utils/size_2d.h"
#include "chainerxx/variable.h"
#include "cupyxx/dtype.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// Options of Convolution2D and Deconvolution2D.
struct Convolution2DOptions {
  Size2D stride = 1;
  Size2D pad = 0;     ///< zeros on both sides of each axis
  double wscale = 1;  ///< scales the initial weights
  double bias = 0;    ///< initial value of the bias
  bool nobias = false;
  bool use_cudnn = true;  ///< else our own kernels on devices, as with CHAINER_CUDNN=0
  /// float32 on devices may be reduced to TF32: faster, 10 bits
  bool allow_tf32 = is_tf32_allowed();
  ndarray initialW = {};      ///< taken as it is
  ndarray initial_bias = {};  ///< (out,); taken as it is
  cupyxx::dtype dtype = cupyxx::float32;
  Size2D dilate = 1;        ///< distance between the elements of a window
  std::int64_t groups = 1;  ///< divides the channels into that many independent convolutions
  Size2D outsize = {};      ///< of a deconvolution; by default the smallest that fits
};

/// Options of convolution_2d and deconvolution_2d.
struct ConvolutionOptions {
  Size2D stride = 1;
  Size2D pad = 0;
  bool use_cudnn = true;
  bool allow_tf32 = is_tf32_allowed();
  Size2D dilate = 1;
  std::int64_t groups = 1;
  Size2D outsize = {};  ///< deconvolution_2d only
};

/// The correlation of images (n, in, h, w) with `out` filters of `ksize`: (n, out, oh, ow) where
/// oh = (h + 2 pad - k) / stride + 1, rounded down. W starts as normal numbers of deviation
/// wscale * sqrt(1 / (in * kh * kw)) on the current device, gradients as zeros. float32 is not
/// reduced to TF32 unless that is allowed; sums of float16 are those of float32. Results are the
/// same bits every time.
class CUPYXX_API Convolution2D final : public FunctionOf<Convolution2D> {
 public:
  /// Throws ValueError for sizes that are not positive or channels that `groups` does not divide.
  Convolution2D(std::int64_t in_channels, std::int64_t out_channels, const Size2D& ksize,
                const Convolution2DOptions& options = {});

  ndarray W;  // (out, in / groups, kh, kw)
  ndarray gW;
  ndarray b;  // (out,), null without bias
  ndarray gb;

  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(std::span<const ndarray> x) override;
  std::vector<ndarray> backward(std::span<const ndarray> x, std::span<const ndarray> gy) override;
  std::vector<Variable> backward_variables(std::span<const Variable> x,
                                           std::span<const Variable> gy) override;
  std::vector<Field> fields() override;

  const ConvolutionOptions& options() const { return how_; }

 private:
  ConvolutionOptions how_;
  internal::SavedArray saved_W_;
};

/// The same with weights (out, in / groups, kh, kw) and bias as variables.
class CUPYXX_API Convolution2DFunction final : public FunctionOf<Convolution2DFunction> {
 public:
  explicit Convolution2DFunction(const ConvolutionOptions& options = {}) : how_(options) {}
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(std::span<const ndarray> inputs) override;
  std::vector<ndarray> backward(std::span<const ndarray> inputs,
                                std::span<const ndarray> gy) override;
  std::vector<Variable> backward_variables(std::span<const Variable> inputs,
                                           std::span<const Variable> gy) override;

 private:
  ConvolutionOptions how_;
};

/// The correlation of x (n, c, h, w) with the filters W (out, c / groups, kh, kw), plus b (out,).
CUPYXX_API Variable convolution_2d(const Variable& x, const Variable& W,
                                   const ConvolutionOptions& options = {});
CUPYXX_API Variable convolution_2d(const Variable& x, const Variable& W, const Variable& b,
                                   const ConvolutionOptions& options = {});

}  // namespace chainerxx::functions
