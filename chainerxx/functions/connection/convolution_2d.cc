// SPDX-License-Identifier: MIT
#include "chainerxx/functions/connection/convolution_2d.h"

#include "chainerxx/functions/connection/convolution_gradients.h"
#include "chainerxx/functions/connection/filter_frame.h"

namespace chainerxx::functions {

struct ConvolutionForm {
  using Modes = internal::ConvolutionModes;
  static constexpr const char* kFunction = "convolution_2d";

  static cupyxx::Shape filters(std::int64_t in, std::int64_t out, std::int64_t groups,
                               const Size2D& ksize) {
    return {out, in / groups, ksize.h, ksize.w};
  }
  static std::int64_t channels(const cupyxx::Shape& W, std::int64_t groups) {
    return W[1] * groups;
  }
  static std::int64_t results(const cupyxx::Shape& W, std::int64_t) { return W[0]; }
  template <class Type>
  static void expect_channels(const Type& x, const Type& w, std::int64_t groups) {
    if (groups == 1) {
      typecheck::expect(x.shape()[1] == w.shape()[1]);
    } else {
      typecheck::expect(x.shape()[1] == w.shape()[1] * groups);
    }
  }
  template <class Type>
  static void expect_bias(const Type& b, const Type& w, std::int64_t) {
    typecheck::expect(b.shape()[0] == w.shape()[0]);
  }

  static ndarray apply(const ConvolutionOptions& options, const Modes& modes, const ndarray& x,
                       const ndarray& W, const ndarray& b) {
    const internal::Convolution conv = how(options, W.shape(), modes);
    check(kFunction, conv.windows);
    check_groups(kFunction, conv.groups, W.shape()[0]);
    const cupyxx::Shape s = x.shape();
    return internal::convolve(conv, x, W, b,
                              output_size(kFunction, conv.windows, {s[2], s[3]}, false, s.str()));
  }
  static ndarray image_gradient(const ConvolutionOptions& options, const Modes& modes,
                                const ndarray& x, const ndarray& W, const ndarray& gy) {
    const cupyxx::Shape s = x.shape();
    return internal::convolve_data(how(options, W.shape(), modes), W, gy, {s[2], s[3]});
  }
  static void add_weight_gradient(const ConvolutionOptions& options, const Modes& modes,
                                  const ndarray& x, const ndarray& gy, const ndarray& gW) {
    internal::convolve_weights(how(options, gW.shape(), modes), x, gy, gW);
  }
  static std::vector<Variable> gradients(const ConvolutionOptions& options, const Variable& x,
                                         const Variable& W, const Variable& gy) {
    return convolution_gradients(options, x, W, gy);
  }
};

template class FilterLayer<Convolution2D, ConvolutionForm>;
template class FilterLayer<DilatedConvolution2D, ConvolutionForm>;
template class FilterFunction<Convolution2DFunction, ConvolutionForm>;

DilatedConvolution2D::DilatedConvolution2D(const InputSize& in_channels, std::int64_t out_channels,
                                           const Size2D& ksize, const Convolution2DOptions& options)
    : FilterLayer(in_channels, out_channels, ksize, options) {}

Variable convolution_2d(const Variable& x, const Variable& W, const ConvolutionOptions& options) {
  return convolution_2d(x, W, {}, options);
}

Variable convolution_2d(const Variable& x, const Variable& W, const Variable& b,
                        const ConvolutionOptions& options) {
  return apply_filters<Convolution2DFunction>(x, W, b, options);
}

}  // namespace chainerxx::functions
