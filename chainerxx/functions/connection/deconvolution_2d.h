// SPDX-License-Identifier: MIT
// Transposed convolutions, which enlarge images.
#pragma once

#include "chainerxx/functions/connection/convolution_2d.h"

namespace chainerxx::functions {

/// The gradient of a convolution by its image, as a function of its own: (n, in, h, w) becomes
/// (n, out, oh, ow) where oh = stride (h - 1) + k - 2 pad, or as `outsize` says. W, (in,
/// out / groups, kh, kw), starts as normal numbers of deviation wscale * sqrt(1 / (in * kh * kw)).
class CUPYXX_API Deconvolution2D final : public FunctionOf<Deconvolution2D> {
 public:
  /// Throws ValueError for sizes that are not positive or channels that `groups` does not divide.
  Deconvolution2D(std::int64_t in_channels, std::int64_t out_channels, const Size2D& ksize,
                  const Convolution2DOptions& options = {});

  ndarray W;  // (in, out / groups, kh, kw)
  ndarray gW;
  ndarray b;  // (out,), null without bias
  ndarray gb;

  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(std::span<const ndarray> x) override;
  std::vector<ndarray> backward(std::span<const ndarray> x, std::span<const ndarray> gy) override;
  std::vector<Variable> backward_variables(std::span<const Variable> x,
                                           std::span<const Variable> gy) override;
  std::vector<Field> fields() override;

 private:
  ConvolutionOptions how_;
  internal::SavedArray saved_W_;
};

/// The same with weights (in, out / groups, kh, kw) and bias as variables.
class CUPYXX_API Deconvolution2DFunction final : public FunctionOf<Deconvolution2DFunction> {
 public:
  explicit Deconvolution2DFunction(const ConvolutionOptions& options = {}) : how_(options) {}
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(std::span<const ndarray> inputs) override;
  std::vector<ndarray> backward(std::span<const ndarray> inputs,
                                std::span<const ndarray> gy) override;
  std::vector<Variable> backward_variables(std::span<const Variable> inputs,
                                           std::span<const Variable> gy) override;

 private:
  ConvolutionOptions how_;
};

/// The transposed convolution of x (n, in, h, w) with W (in, out / groups, kh, kw), plus b (out,).
CUPYXX_API Variable deconvolution_2d(const Variable& x, const Variable& W,
                                     const ConvolutionOptions& options = {});
CUPYXX_API Variable deconvolution_2d(const Variable& x, const Variable& W, const Variable& b,
                                     const ConvolutionOptions& options = {});

}  // namespace chainerxx::functions
