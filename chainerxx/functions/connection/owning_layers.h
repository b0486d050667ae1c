// SPDX-License-Identifier: MIT
// Functions of several inputs as layers that own all but the first of these.
#pragma once

#include <concepts>
#include <cstdint>
#include <vector>

#include "chainerxx/function_set.h"
#include "chainerxx/functions/activation/activation_arg.h"
#include "chainerxx/functions/connection/convolution_2d.h"
#include "chainerxx/functions/connection/parameter.h"
#include "chainerxx/initializers.h"
#include "chainerxx/scope.h"
#include "chainerxx/utils/size_2d.h"
#include "chainerxx/variable.h"
#include "cupyxx/export.h"
#include "cupyxx/shape.h"

namespace chainerxx::functions {

/// bias() with y as its parameter.
class CUPYXX_API Bias final : public FunctionSet {
 public:
  /// An array of `shape`, zeros unless `initial` says otherwise, at the axes of x from `axis` on.
  explicit Bias(int axis, const cupyxx::Shape& shape, const initializers::Initial& initial = 0);

  Parameter& b;

  Variable operator()(const Variable& x) const;

 private:
  int axis_;
};

/// Options of the layers below. Weights start as normal numbers of deviation sqrt(1 / inputs of an
/// output), the bias as 0.
struct OwningLayerOptions {
  bool nobias = false;
  initializers::Initial initialW = {};
  initializers::Initial initial_bias = {};
};

/// The same of convolutions by name: `DepthwiseConvolution2D(3, 2, 3, {.pad = 1})`.
struct OwningConvolutionOptions {
  [[no_unique_address]] internal::ByName by_name = {};
  Size2D stride = 1;
  Size2D pad = 0;
  bool nobias = false;
  initializers::Initial initialW = {};
  initializers::Initial initial_bias = {};

  OwningLayerOptions rest() const { return {nobias, initialW, initial_bias}; }
};

/// Base of layers with weights and perhaps a bias.
class CUPYXX_API WeightsAndBias : public FunctionSet {
 public:
  Parameter& W;
  Parameter* b = nullptr;  ///< null without bias

 protected:
  WeightsAndBias(const cupyxx::Shape& weights, std::int64_t inputs, const cupyxx::Shape& bias,
                 const OwningLayerOptions& options);
  /// The bias beside x, or None.
  Variable bias_beside(const Variable& x) const;
};

/// simplified_dropconnect with W (out, in) and b (out,).
class CUPYXX_API SimplifiedDropconnect final : public WeightsAndBias {
 public:
  /// Throws ValueError for a ratio outside of [0, 1).
  SimplifiedDropconnect(std::int64_t in_size, std::int64_t out_size, double ratio = 0.5,
                        const OwningLayerOptions& options = {});

  Variable operator()(const Variable& x, bool train = is_training()) const;

 private:
  double ratio_;
};

/// depthwise_convolution_2d with W (channel_multiplier, in, kh, kw) and b (in channel_multiplier,).
class CUPYXX_API DepthwiseConvolution2D final : public WeightsAndBias {
 public:
  DepthwiseConvolution2D(std::int64_t in_channels, std::int64_t channel_multiplier,
                         const Size2D& ksize, const Size2D& stride = 1, const Size2D& pad = 0,
                         const OwningLayerOptions& options = {});
  template <std::same_as<OwningConvolutionOptions> O = OwningConvolutionOptions>
  DepthwiseConvolution2D(std::int64_t in_channels, std::int64_t channel_multiplier,
                         const Size2D& ksize, O options)
      : DepthwiseConvolution2D(in_channels, channel_multiplier, ksize, options.stride, options.pad,
                               options.rest()) {}

  Variable operator()(const Variable& x) const;

 private:
  Size2D stride_, pad_;
};

/// local_convolution_2d with W (out, oh, ow, in, kh, kw) and b (out, oh, ow) for images of one
/// size.
class CUPYXX_API LocalConvolution2D final : public WeightsAndBias {
 public:
  /// For images of `in_size`. Throws ValueError for windows that do not fit into them.
  LocalConvolution2D(std::int64_t in_channels, std::int64_t out_channels, const Size2D& in_size,
                     const Size2D& ksize, const Size2D& stride = 1,
                     const OwningLayerOptions& options = {});

  Variable operator()(const Variable& x) const;

 private:
  Size2D stride_;
};

/// deformable_convolution_2d_sampler whose offsets a convolution makes of the same images.
class CUPYXX_API DeformableConvolution2D final : public WeightsAndBias {
 public:
  DeformableConvolution2D(std::int64_t in_channels, std::int64_t out_channels, const Size2D& ksize,
                          const Size2D& stride = 1, const Size2D& pad = 0,
                          const OwningLayerOptions& options = {});
  template <std::same_as<OwningConvolutionOptions> O = OwningConvolutionOptions>
  DeformableConvolution2D(std::int64_t in_channels, std::int64_t out_channels, const Size2D& ksize,
                          O options)
      : DeformableConvolution2D(in_channels, out_channels, ksize, options.stride, options.pad,
                                options.rest()) {}

  Convolution2D& offset_conv;  ///< (2 kh kw, in, kh, kw); starts as zeros, so that nothing is bent

  Variable operator()(const Variable& x) const;

 private:
  Size2D stride_, pad_;
};

/// Convolutions in a row, the first with windows of `ksize`, the others of one pixel, with an
/// activation between them: "Network In Network" (Lin et al., 2013).
class CUPYXX_API MLPConvolution2D final : public FunctionSet {
 public:
  /// A convolution for each of `out_channels`, conv0, conv1, ...; the activation is relu unless it
  /// is given. Throws ValueError for none.
  MLPConvolution2D(std::int64_t in_channels, const std::vector<std::int64_t>& out_channels,
                   const Size2D& ksize, const Size2D& stride = 1, const Size2D& pad = 0,
                   const ActivationArg& activation = {});

  std::int64_t size() const { return static_cast<std::int64_t>(layers_.size()); }
  Variable operator()(const Variable& x) const;

 private:
  ActivationArg activation_;
  std::vector<Convolution2D*> layers_;
};

}  // namespace chainerxx::functions
