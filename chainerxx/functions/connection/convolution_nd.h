// SPDX-License-Identifier: MIT
// Convolutions of signals of any number of axes: sequences, images, volumes.
//
//   F::Convolution3D conv(1, 16, 3, {.stride = {1, 2, 2}, .pad = 1});
//   Variable y = conv(x);                              // (n, 1, d, h, w) -> (n, 16, od, oh, ow)
//
// All are made of two-dimensional ones: one axis is an image of a single row, and axes before the
// last two become channels, window by window.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/initializers.h"
#include "chainerxx/input_size.h"
#include "chainerxx/utils/size_2d.h"
#include "chainerxx/utils/size_nd.h"
#include "chainerxx/variable.h"
#include "cupyxx/dtype.h"
#include "cupyxx/export.h"

namespace chainerxx {
namespace functions {

/// Options of convolution_nd, deconvolution_nd and their forms of one and three axes.
struct ConvolutionNDFunctionOptions {
  [[no_unique_address]] internal::ByName by_name = {};
  SizeND stride = 1;
  SizeND pad = 0;  ///< zeros on both sides of each axis
  bool use_cudnn = true;
  std::optional<bool> allow_tf32 = {};  ///< by default is_tf32_allowed()
  SizeND dilate = 1;                    ///< distance between the elements of a window
  std::int64_t groups = 1;
  SizeND outsize = {};  ///< of a deconvolution; by default the smallest that fits
};

/// Options of the layers.
struct ConvolutionNDOptions {
  [[no_unique_address]] internal::ByName by_name = {};
  SizeND stride = 1;
  SizeND pad = 0;
  bool nobias = false;
  bool use_cudnn = true;
  std::optional<bool> allow_tf32 = {};
  initializers::Initial initialW = {};      ///< an array is taken as it is
  initializers::Initial initial_bias = {};  ///< (out,); an array is taken as it is
  cupyxx::dtype dtype = cupyxx::float32;
  SizeND dilate = 1;
  std::int64_t groups = 1;
  SizeND outsize = {};
};

/// The correlation of x (n, c, ...) with the filters W (out, c / groups, ...) over all axes behind
/// the second, plus b (out,) unless it is None. Throws ShapeError for arrays that do not fit and
/// windows that are larger than the padded x, ValueError for sizes that are not positive, sizes of
/// another number of axes and groups that do not divide the channels.
CUPYXX_API Variable convolution_nd(const Variable& x, const Variable& W, const Variable& b = {},
                                   const ConvolutionNDFunctionOptions& options = {});
/// convolution_nd of sequences (n, c, length).
CUPYXX_API Variable convolution_1d(const Variable& x, const Variable& W, const Variable& b = {},
                                   const ConvolutionNDFunctionOptions& options = {});
/// convolution_nd of volumes (n, c, d, h, w).
CUPYXX_API Variable convolution_3d(const Variable& x, const Variable& W, const Variable& b = {},
                                   const ConvolutionNDFunctionOptions& options = {});
// In Chainer's order, with one stride for all axes.
template <internal::SizeNDLike S>
Variable convolution_nd(const Variable& x, const Variable& W, const Variable& b, S stride,
                        const SizeND& pad = 0) {
  return convolution_nd(x, W, b, ConvolutionNDFunctionOptions{.stride = stride, .pad = pad});
}
template <internal::SizeNDLike S>
Variable convolution_1d(const Variable& x, const Variable& W, const Variable& b, S stride,
                        const SizeND& pad = 0) {
  return convolution_1d(x, W, b, ConvolutionNDFunctionOptions{.stride = stride, .pad = pad});
}
template <internal::SizeNDLike S>
Variable convolution_3d(const Variable& x, const Variable& W, const Variable& b, S stride,
                        const SizeND& pad = 0) {
  return convolution_3d(x, W, b, ConvolutionNDFunctionOptions{.stride = stride, .pad = pad});
}
/// What a convolution spreads over its input: x (n, c, ...) with W (c, out / groups, ...) gives
/// (n, out, ...), where an extent is stride (size - 1) + k - 2 pad, or as `outsize` says.
CUPYXX_API Variable deconvolution_nd(const Variable& x, const Variable& W, const Variable& b = {},
                                     const ConvolutionNDFunctionOptions& options = {});
/// deconvolution_nd of sequences (n, c, length).
CUPYXX_API Variable deconvolution_1d(const Variable& x, const Variable& W, const Variable& b = {},
                                     const ConvolutionNDFunctionOptions& options = {});
/// deconvolution_nd of volumes (n, c, d, h, w).
CUPYXX_API Variable deconvolution_3d(const Variable& x, const Variable& W, const Variable& b = {},
                                     const ConvolutionNDFunctionOptions& options = {});

}  // namespace functions

namespace internal {
/// Options of a layer that stand behind a stride and a padding. Throws ValueError where they say
/// one of these once more.
CUPYXX_API functions::ConvolutionNDOptions behind(const char* layer, const SizeND& stride,
                                                  const SizeND& pad,
                                                  functions::ConvolutionNDOptions options);
}  // namespace internal

namespace functions {

/// Base of the layers: W, (out, in / groups, ...) of a convolution and (in, out / groups, ...) of a
/// deconvolution, starts as normal numbers of deviation sqrt(1 / (in * elements of a window)), b as
/// zeros. Layer::kName is what messages call it.
template <class Layer, bool kTransposed>
class CUPYXX_API FilterLayerND : public FunctionOf<Layer> {
 public:
  /// For signals of `ndim` axes. Throws ValueError for sizes that are not positive, or of another
  /// number of axes, and channels that `groups` does not divide.
  FilterLayerND(int ndim, const InputSize& in_channels, std::int64_t out_channels,
                const SizeND& ksize, const ConvolutionNDOptions& options = {});
  /// The same as with `none` for in_channels.
  FilterLayerND(int ndim, std::int64_t out_channels, const SizeND& ksize,
                const ConvolutionNDOptions& options = {})
      : FilterLayerND(ndim, cupyxx::none, out_channels, ksize, options) {}
  /// In Chainer's order, and with what follows the padding by name.
  template <internal::SizeNDLike S = SizeND>
  FilterLayerND(int ndim, const InputSize& in_channels, std::int64_t out_channels,
                const SizeND& ksize, S stride, const SizeND& pad = 0, bool nobias = false,
                const initializers::Initial& initialW = {},
                const initializers::Initial& initial_bias = {})
      : FilterLayerND(ndim, in_channels, out_channels, ksize,
                      ConvolutionNDOptions{.stride = stride,
                                           .pad = pad,
                                           .nobias = nobias,
                                           .initialW = initialW,
                                           .initial_bias = initial_bias}) {}
  template <internal::SizeNDLike S = SizeND,
            std::same_as<ConvolutionNDOptions> O = ConvolutionNDOptions>
  FilterLayerND(int ndim, const InputSize& in_channels, std::int64_t out_channels,
                const SizeND& ksize, S stride, const SizeND& pad, O options)
      : FilterLayerND(ndim, in_channels, out_channels, ksize,
                      internal::behind(Layer::kName, stride, pad, options)) {}

  ParameterArray W{&gW};
  ndarray gW;
  ParameterArray b{&gb};
  ndarray gb;  // (out,), null without bias

  /// The result for x (n, in, ...). Throws as convolution_nd and deconvolution_nd.
  Variable operator()(const Variable& x) const;

  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan x) override;
  std::vector<ndarray> backward(ArraySpan x, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan x, VariableSpan gy) override;
  PrecisionRule precision_rule() const override { return PrecisionRule::narrow; }
  std::vector<Field> fields() override;

  const ConvolutionNDFunctionOptions& options() const { return how_; }

 private:
  void initialize(std::int64_t in_channels, std::int64_t out_channels, const cupyxx::Shape& window,
                  const ConvolutionNDOptions& options);
  Variable apply(const Variable& x, const Variable& w, const Variable& bias) const;
  std::vector<Variable> train(VariableSpan x, VariableSpan gy);

  int ndim_;
  ConvolutionNDFunctionOptions how_;
  internal::SavedArray saved_W_;
};

/// Base of the layers for signals of Layer::kNdim axes.
template <class Layer, bool kTransposed>
class CUPYXX_API FilterLayerOfAxes : public FilterLayerND<Layer, kTransposed> {
 public:
  FilterLayerOfAxes(const InputSize& in_channels, std::int64_t out_channels, const SizeND& ksize,
                    const ConvolutionNDOptions& options = {})
      : FilterLayerND<Layer, kTransposed>(Layer::kNdim, in_channels, out_channels, ksize, options) {
  }
  /// The same as with `none` for in_channels.
  FilterLayerOfAxes(std::int64_t out_channels, const SizeND& ksize,
                    const ConvolutionNDOptions& options = {})
      : FilterLayerOfAxes(cupyxx::none, out_channels, ksize, options) {}
  /// In Chainer's order, and with what follows the padding by name.
  template <internal::SizeNDLike S = SizeND>
  FilterLayerOfAxes(const InputSize& in_channels, std::int64_t out_channels, const SizeND& ksize,
                    S stride, const SizeND& pad = 0, bool nobias = false,
                    const initializers::Initial& initialW = {},
                    const initializers::Initial& initial_bias = {})
      : FilterLayerOfAxes(in_channels, out_channels, ksize,
                          ConvolutionNDOptions{.stride = stride,
                                               .pad = pad,
                                               .nobias = nobias,
                                               .initialW = initialW,
                                               .initial_bias = initial_bias}) {}
  template <internal::SizeNDLike S = SizeND,
            std::same_as<ConvolutionNDOptions> O = ConvolutionNDOptions>
  FilterLayerOfAxes(const InputSize& in_channels, std::int64_t out_channels, const SizeND& ksize,
                    S stride, const SizeND& pad, O options)
      : FilterLayerOfAxes(in_channels, out_channels, ksize,
                          internal::behind(Layer::kName, stride, pad, options)) {}
};

/// convolution_nd with its parameters.
class CUPYXX_API ConvolutionND final : public FilterLayerND<ConvolutionND, false> {
 public:
  static constexpr const char* kName = "ConvolutionND";
  /// Its constructors are those of FilterLayerND.
  using FilterLayerND<ConvolutionND, false>::FilterLayerND;
};
/// convolution_1d with its parameters.
class CUPYXX_API Convolution1D final : public FilterLayerOfAxes<Convolution1D, false> {
 public:
  static constexpr const char* kName = "Convolution1D";
  static constexpr int kNdim = 1;
  /// Its constructors are those of FilterLayerOfAxes.
  using FilterLayerOfAxes<Convolution1D, false>::FilterLayerOfAxes;
};
/// convolution_3d with its parameters.
class CUPYXX_API Convolution3D final : public FilterLayerOfAxes<Convolution3D, false> {
 public:
  static constexpr const char* kName = "Convolution3D";
  static constexpr int kNdim = 3;
  /// Its constructors are those of FilterLayerOfAxes.
  using FilterLayerOfAxes<Convolution3D, false>::FilterLayerOfAxes;
};
/// deconvolution_nd with its parameters.
class CUPYXX_API DeconvolutionND final : public FilterLayerND<DeconvolutionND, true> {
 public:
  static constexpr const char* kName = "DeconvolutionND";
  /// Its constructors are those of FilterLayerND.
  using FilterLayerND<DeconvolutionND, true>::FilterLayerND;
};
/// deconvolution_1d with its parameters.
class CUPYXX_API Deconvolution1D final : public FilterLayerOfAxes<Deconvolution1D, true> {
 public:
  static constexpr const char* kName = "Deconvolution1D";
  static constexpr int kNdim = 1;
  /// Its constructors are those of FilterLayerOfAxes.
  using FilterLayerOfAxes<Deconvolution1D, true>::FilterLayerOfAxes;
};
/// deconvolution_3d with its parameters.
class CUPYXX_API Deconvolution3D final : public FilterLayerOfAxes<Deconvolution3D, true> {
 public:
  static constexpr const char* kName = "Deconvolution3D";
  static constexpr int kNdim = 3;
  /// Its constructors are those of FilterLayerOfAxes.
  using FilterLayerOfAxes<Deconvolution3D, true>::FilterLayerOfAxes;
};

extern template class FilterLayerND<ConvolutionND, false>;
extern template class FilterLayerND<Convolution1D, false>;
extern template class FilterLayerND<Convolution3D, false>;
extern template class FilterLayerND<DeconvolutionND, true>;
extern template class FilterLayerND<Deconvolution1D, true>;
extern template class FilterLayerND<Deconvolution3D, true>;

}  // namespace functions
}  // namespace chainerxx
