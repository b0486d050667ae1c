// SPDX-License-Identifier: MIT
// What convolutions and deconvolutions share: options, parameters and the code around their
// gradients. A form (ConvolutionForm, DeconvolutionForm), defined in the sources, has the
// differences.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/initializers.h"
#include "chainerxx/input_size.h"
#include "chainerxx/scope.h"
#include "chainerxx/start_of_bias.h"
#include "chainerxx/utils/size_2d.h"
#include "chainerxx/variable.h"
#include "cupyxx/dtype.h"
#include "cupyxx/export.h"

namespace chainerxx {

namespace internal {

/// What the modes of the thread said when forward ran, which backward follows, and what the call
/// is.
struct ConvolutionModes {
  bool allow_tf32 = false;
  bool channels_last = false;
  bool relu = false;  // behind a convolution
};

/// The names that a layer's numbers have in PyTorch, and that of the window in Chainer.
struct ConvolutionByOtherNames {
  [[no_unique_address]] ByName by_name = {};
  Size2D kernel_size = {};
  Size2D ksize = {};
  Size2D stride = 1;
  Size2D pad = 0;
  Size2D padding = 0;
  Size2D dilate = 1;
  Size2D dilation = 1;
  std::int64_t groups = 1;
  bool nobias = false;
  bool bias = true;
};
template <class O>
concept ByOtherNames = std::same_as<O, ConvolutionByOtherNames>;

}  // namespace internal

namespace functions {

/// Options of Convolution2D and Deconvolution2D.
struct Convolution2DOptions {
  [[no_unique_address]] internal::ByName by_name = {};
  Size2D stride = 1;
  Size2D pad = 0;        ///< zeros on both sides of each axis
  double wscale = 1;     ///< scales the initial weights
  StartOfBias bias = 0;  ///< initial value of the bias
  bool nobias = false;
  bool use_cudnn = true;  ///< else our own kernels on devices, as with CHAINER_CUDNN=0
  /// whether float32 on devices may be reduced to TF32, faster, 10 bits; by default what
  /// is_tf32_allowed() says when the layer is called
  std::optional<bool> allow_tf32 = {};
  initializers::Initial initialW = {};      ///< an array is taken as it is
  initializers::Initial initial_bias = {};  ///< (out,); an array is taken as it is
  cupyxx::dtype dtype = cupyxx::float32;
  Size2D dilate = 1;        ///< distance between the elements of a window
  std::int64_t groups = 1;  ///< divides the channels into that many independent convolutions
  Size2D outsize = {};      ///< of a deconvolution; by default the smallest that fits
};

/// Options of convolution_2d and deconvolution_2d.
struct ConvolutionOptions {
  [[no_unique_address]] internal::ByName by_name = {};
  Size2D stride = 1;
  Size2D pad = 0;
  bool use_cudnn = true;
  std::optional<bool> allow_tf32 = {};  ///< by default is_tf32_allowed()
  Size2D dilate = 1;
  std::int64_t groups = 1;
  Size2D outsize = {};  ///< deconvolution_2d only
};

}  // namespace functions

namespace internal {
/// Options of a layer that stand behind a stride and a padding. Throws ValueError where they say
/// one of these once more.
CUPYXX_API functions::Convolution2DOptions behind(const char* layer, const Size2D& stride,
                                                  const Size2D& pad,
                                                  functions::Convolution2DOptions options);
}  // namespace internal

namespace functions {

struct CUPYXX_API ConvolutionForm;
struct CUPYXX_API DeconvolutionForm;

/// Base of the layers, with the constructors of both. Layer::kName is what messages call it.
template <class Layer, class Form>
class CUPYXX_API FilterLayer : public FunctionOf<Layer> {
 public:
  /// Throws ValueError for sizes that are not positive or channels that `groups` does not divide.
  FilterLayer(const InputSize& in_channels, std::int64_t out_channels, const Size2D& ksize,
              const Convolution2DOptions& options = {});
  /// The same as with `none` for in_channels.
  FilterLayer(std::int64_t out_channels, const Size2D& ksize,
              const Convolution2DOptions& options = {})
      : FilterLayer(cupyxx::none, out_channels, ksize, options) {}
  /// With positional arguments, in the manual's order.
  template <internal::SizeLike S = Size2D>
  FilterLayer(const InputSize& in_channels, std::int64_t out_channels, const Size2D& ksize,
              S stride, const Size2D& pad = 0, double wscale = 1, StartOfBias bias = 0,
              bool nobias = false, bool use_cudnn = true,
              const initializers::Initial& initialW = {},
              const initializers::Initial& initial_bias = {}, cupyxx::dtype dtype = cupyxx::float32)
      : FilterLayer(in_channels, out_channels, ksize,
                    Convolution2DOptions{.stride = stride,
                                         .pad = pad,
                                         .wscale = wscale,
                                         .bias = bias,
                                         .nobias = nobias,
                                         .use_cudnn = use_cudnn,
                                         .initialW = initialW,
                                         .initial_bias = initial_bias,
                                         .dtype = dtype}) {}
  /// With the stride and the padding by position, and the options behind them by name:
  /// `Convolution2D(3, 64, 7, 2, 3, {.nobias = true})`.
  template <internal::SizeLike S = Size2D,
            std::same_as<Convolution2DOptions> O = Convolution2DOptions>
  FilterLayer(const InputSize& in_channels, std::int64_t out_channels, const Size2D& ksize,
              S stride, O options)
      : FilterLayer(in_channels, out_channels, ksize, stride, 0, options) {}
  template <internal::SizeLike S = Size2D,
            std::same_as<Convolution2DOptions> O = Convolution2DOptions>
  FilterLayer(const InputSize& in_channels, std::int64_t out_channels, const Size2D& ksize,
              S stride, const Size2D& pad, O options)
      : FilterLayer(in_channels, out_channels, ksize,
                    internal::behind(Layer::kName, stride, pad, options)) {}
  /// In the order of Chainer 2 and later: a bool behind the padding is `nobias`, not a scale.
  template <internal::SizeLike S = Size2D, std::same_as<bool> B>
  FilterLayer(const InputSize& in_channels, std::int64_t out_channels, const Size2D& ksize,
              S stride, const Size2D& pad, B nobias, const initializers::Initial& initialW = {},
              const initializers::Initial& initial_bias = {})
      : FilterLayer(in_channels, out_channels, ksize,
                    Convolution2DOptions{.stride = stride,
                                         .pad = pad,
                                         .nobias = nobias,
                                         .initialW = initialW,
                                         .initial_bias = initial_bias}) {}

  ParameterArray W{&gW};  // as the layer says
  ndarray gW;
  ParameterArray b{&gb};  // (out,), null without bias
  ndarray gb;

  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan x) override;
  std::vector<ndarray> backward(ArraySpan x, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan x, VariableSpan gy) override;
  PrecisionRule precision_rule() const override { return PrecisionRule::narrow; }
  std::vector<Field> fields() override;

  const ConvolutionOptions& options() const { return how_; }

 protected:
  /// The layer and a ReLU behind it.
  Variable call_with_relu(const Variable& x) const;

 private:
  void initialize(std::int64_t in_channels, std::int64_t out_channels, const Size2D& ksize,
                  const Convolution2DOptions& options);

  ConvolutionOptions how_;
  bool relu_ = false;  // of an application
  internal::ConvolutionModes modes_;
  internal::SavedArray saved_W_, saved_result_;  // the latter with a ReLU
};

/// Base of the functions of (x, W) or (x, W, b).
template <class Function, class Form>
class CUPYXX_API FilterFunction : public FunctionOf<Function> {
 public:
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan inputs) override;
  std::vector<ndarray> backward(ArraySpan inputs, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan inputs, VariableSpan gy) override;
  PrecisionRule precision_rule() const override { return PrecisionRule::narrow; }

 protected:
  explicit FilterFunction(const ConvolutionOptions& options) : how_(options) {}

 private:
  ConvolutionOptions how_;
  internal::ConvolutionModes modes_;
};

}  // namespace functions
}  // namespace chainerxx
