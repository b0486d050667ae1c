// SPDX-License-Identifier: MIT
#include "chainerxx/functions/connection/convolution_gradients.h"

#include "chainerxx/functions/connection/deconvolution_2d.h"
#include "chainerxx/functions/connection/filters.h"
#include "chainerxx/functions/math/sum.h"
#include "cupyxx/creation.h"

namespace chainerxx::functions {
namespace {

ConvolutionOptions with_size(ConvolutionOptions options, const Size2D& size) {
  options.outsize = size;
  return options;
}

Size2D image_of(const cupyxx::Shape& shape) { return {shape[2], shape[3]}; }

/// Of (image, gy).
class ConvolutionWeights final : public FunctionOf<ConvolutionWeights> {
 public:
  ConvolutionWeights(const ConvolutionOptions& options, const cupyxx::Shape& shape)
      : options_(options), shape_(shape) {}
  std::vector<ndarray> forward(ArraySpan in) override {
    modes_ = modes_of(options_, shape_, in[0]);
    const ndarray gW = cupyxx::zeros(shape_, in[0].dtype());
    internal::convolve_weights(how(options_, shape_, modes_), in[0], in[1], gW);
    return {gW};
  }
  std::vector<ndarray> backward(ArraySpan in, ArraySpan g) override {
    const internal::Convolution conv = how(options_, shape_, modes_);
    std::vector<ndarray> grads(2);
    if (needs_gradient(0)) {
      grads[0] = internal::convolve_data(conv, g[0], in[1], image_of(in[0].shape()));
    }
    if (needs_gradient(1)) {
      grads[1] = internal::convolve(conv, in[0], g[0], {}, image_of(in[1].shape()));
    }
    return grads;
  }
  std::vector<Variable> backward_variables(VariableSpan in, VariableSpan g) override {
    const ConvolutionOptions options = with_modes(options_, modes_);
    return {deconvolution_2d(in[1], g[0], with_size(options, image_of(in[0].shape()))),
            convolution_2d(in[0], g[0], options)};
  }
  PrecisionRule precision_rule() const override { return PrecisionRule::narrow; }

 private:
  ConvolutionOptions options_;
  cupyxx::Shape shape_;
  internal::ConvolutionModes modes_;
};

}  // namespace

Variable convolution_weights(const ConvolutionOptions& options, const cupyxx::Shape& W,
                             const Variable& image, const Variable& gy) {
  return ConvolutionWeights(options, W)(image, gy);
}

std::vector<Variable> convolution_gradients(const ConvolutionOptions& options, const Variable& x,
                                            const Variable& W, const Variable& gy) {
  return {deconvolution_2d(gy, W, with_size(options, image_of(x.shape()))),
          convolution_weights(options, W.shape(), x, gy), sum(gy, {0, 2, 3})};
}

std::vector<Variable> deconvolution_gradients(const ConvolutionOptions& options, const Variable& x,
                                              const Variable& W, const Variable& gy) {
  return {convolution_2d(gy, W, with_size(options, {})),
          convolution_weights(options, W.shape(), gy, x), sum(gy, {0, 2, 3})};
}

}  // namespace chainerxx::functions
