// SPDX-License-Identifier: MIT
#include "chainerxx/functions/connection/deconvolution_2d.h"

#include "chainerxx/functions/connection/convolution_gradients.h"
#include "chainerxx/functions/connection/filter_frame.h"
#include "chainerxx/utils/conv.h"

namespace chainerxx::functions {

struct DeconvolutionForm {
  using Modes = internal::ConvolutionModes;
  static constexpr const char* kFunction = "deconvolution_2d";

  static cupyxx::Shape filters(std::int64_t in, std::int64_t out, std::int64_t groups,
                               const Size2D& ksize) {
    return {in, out / groups, ksize.h, ksize.w};
  }
  static std::int64_t channels(const cupyxx::Shape& W, std::int64_t) { return W[0]; }
  static std::int64_t results(const cupyxx::Shape& W, std::int64_t groups) { return W[1] * groups; }
  template <class Type>
  static void expect_channels(const Type& x, const Type& w, std::int64_t) {
    typecheck::expect(x.shape()[1] == w.shape()[0]);
  }
  template <class Type>
  static void expect_bias(const Type& b, const Type& w, std::int64_t groups) {
    if (groups == 1) {
      typecheck::expect(b.shape()[0] == w.shape()[1]);
    } else {
      typecheck::expect(b.shape()[0] == w.shape()[1] * groups);
    }
  }

  /// The size of the result, on which the windows must have as many places as x has elements.
  static Size2D size_of(const ConvolutionOptions& options, const internal::Windows& g,
                        const cupyxx::Shape& x) {
    if (options.outsize.is_none()) {
      const Size2D size = {
          utils::get_deconv_outsize(x[2], g.ksize.h, g.stride.h, g.pad.h, false, g.dilate.h),
          utils::get_deconv_outsize(x[3], g.ksize.w, g.stride.w, g.pad.w, false, g.dilate.w)};
      if (size.h > 0 && size.w > 0) return size;
      throw cupyxx::ShapeError(cupyxx::message(kFunction, ": nothing is left of the output; input ",
                                               x, ", window ", g.ksize, ", pad ", g.pad));
    }
    if (options.outsize.h < 1 || options.outsize.w < 1) {
      throw cupyxx::ValueError(
          cupyxx::message(kFunction, ": outsize must be positive; ", options.outsize));
    }
    const Size2D places = output_size(kFunction, g, options.outsize, false, options.outsize.str());
    if (places == Size2D(x[2], x[3])) return options.outsize;
    throw cupyxx::ShapeError(cupyxx::message(kFunction, ": the input does not fit outsize; input ",
                                             x, ", outsize ", options.outsize, " has ", places,
                                             " windows"));
  }

  static ndarray apply(const ConvolutionOptions& options, const Modes& modes, const ndarray& x,
                       const ndarray& W, const ndarray& b) {
    const internal::Convolution conv = how(options, W.shape(), modes);
    check(kFunction, conv.windows);
    check_groups(kFunction, conv.groups, W.shape()[0]);
    const ndarray y =
        internal::convolve_data(conv, W, x, size_of(options, conv.windows, x.shape()));
    if (!b.is_none()) internal::add_channel_bias(y, b);
    return y;
  }
  static ndarray image_gradient(const ConvolutionOptions& options, const Modes& modes,
                                const ndarray& x, const ndarray& W, const ndarray& gy) {
    const cupyxx::Shape s = x.shape();
    return internal::convolve(how(options, W.shape(), modes), gy, W, {}, {s[2], s[3]});
  }
  static void add_weight_gradient(const ConvolutionOptions& options, const Modes& modes,
                                  const ndarray& x, const ndarray& gy, const ndarray& gW) {
    internal::convolve_weights(how(options, gW.shape(), modes), gy, x, gW);
  }
  static std::vector<Variable> gradients(const ConvolutionOptions& options, const Variable& x,
                                         const Variable& W, const Variable& gy) {
    return deconvolution_gradients(options, x, W, gy);
  }
};

template class FilterLayer<Deconvolution2D, DeconvolutionForm>;
template class FilterFunction<Deconvolution2DFunction, DeconvolutionForm>;

Variable deconvolution_2d(const Variable& x, const Variable& W, const ConvolutionOptions& options) {
  return deconvolution_2d(x, W, {}, options);
}

Variable deconvolution_2d(const Variable& x, const Variable& W, const Variable& b,
                          const ConvolutionOptions& options) {
  return apply_filters<Deconvolution2DFunction>(x, W, b, options);
}

}  // namespace chainerxx::functions
