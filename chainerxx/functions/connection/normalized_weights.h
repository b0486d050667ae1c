// SPDX-License-Identifier: MIT
// Layers whose weights are normalised before each call: what Chainer's hooks of links do. A layer
// is given to one of them, which is called in its place; gradients go through the normalisation to
// the layer's own W.
//
//   F::SpectralNormalization<F::Linear>& l1 =
//       add("l1", F::SpectralNormalization(F::Linear(128, 1)));
//
// They take Linear, Convolution2D, DilatedConvolution2D and Deconvolution2D.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/function_set.h"
#include "chainerxx/functions/connection/convolution_2d.h"
#include "chainerxx/functions/connection/deconvolution_2d.h"
#include "chainerxx/functions/connection/linear.h"
#include "chainerxx/functions/connection/parameter.h"
#include "chainerxx/variable.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// Options of SpectralNormalization.
struct SpectralNormalizationOptions {
  int n_power_iteration = 1;  ///< steps of the power iteration before each call
  double eps = 1e-12;         ///< added to the lengths of its vectors
  bool use_gamma = false;     ///< multiplies by a parameter that starts as the singular value
  std::optional<double> factor = {};  ///< multiplies, too: the largest singular value that is left
};

}  // namespace chainerxx::functions

namespace chainerxx::internal {

/// A layer's bias, or None.
inline Variable bias_or_none(const ParameterArray& b) {
  return b.is_none() ? Variable() : Variable(b);
}
/// The layer's function with other weights.
inline Variable call_with(const functions::Linear& layer, const Variable& x, const Variable& W) {
  return layer.b.is_none() ? functions::linear(x, W) : functions::linear(x, W, layer.b);
}
inline Variable call_with(const functions::Convolution2D& layer, const Variable& x,
                          const Variable& W) {
  return functions::convolution_2d(x, W, bias_or_none(layer.b), layer.options());
}
inline Variable call_with(const functions::DilatedConvolution2D& layer, const Variable& x,
                          const Variable& W) {
  return functions::convolution_2d(x, W, bias_or_none(layer.b), layer.options());
}
inline Variable call_with(const functions::Deconvolution2D& layer, const Variable& x,
                          const Variable& W) {
  return functions::deconvolution_2d(x, W, bias_or_none(layer.b), layer.options());
}
template <class Layer>
Variable call_with(const Layer&, const Variable& x, const Variable&) {
  static_assert(kNever<Layer>,
                "weights of Linear, Convolution2D, DilatedConvolution2D and Deconvolution2D are "
                "normalised");
  return x;
}
/// The axis of W that the results are on.
template <class Layer>
inline constexpr int kOutputAxis = 0;
template <>
inline constexpr int kOutputAxis<functions::Deconvolution2D> = 1;

/// Gives a layer that waits for its size that of x.
CUPYXX_API void size_layer(Function& layer, const Variable& x);
/// W without the mean of each filter, over its deviation + eps.
CUPYXX_API Variable standardized_filters(const Variable& W, double eps);

/// An approximation of the first left singular vector, which is saved and moved with a set.
class CUPYXX_API SingularVector final : public FunctionOf<SingularVector> {
 public:
  SingularVector(int axis, const functions::SpectralNormalizationOptions& options);
  ndarray u;  // (out,)

  /// Draws u where it is not there yet, and W is; gives it W's dtype, which a file does not know.
  void start(const ndarray& W);
  /// The largest singular value of W. In deep_copy, whose layers get their arrays later, 0.
  ndarray gamma_of(const Function& layer, const ndarray& W) const;
  /// W over its largest singular value, times the factor and gamma, which may be None. In training
  /// u goes on.
  Variable normalized(const Variable& W, const Variable& gamma);

  std::vector<ndarray> forward(ArraySpan x) override { return {x[0]}; }
  std::vector<ndarray> backward(ArraySpan, ArraySpan gy) override { return {gy[0]}; }
  std::vector<Field> fields() override { return {{"u", &u}}; }

 private:
  ndarray matrix(const ndarray& W) const;

  int axis_;
  functions::SpectralNormalizationOptions options_;
  ndarray left_, right_;  // of the last call, for one that runs again for its gradients
};

}  // namespace chainerxx::internal

namespace chainerxx::functions {

/// A layer with W over its largest singular value, which a power iteration finds from call to call
/// (Miyato et al., 2018). Within F::forget it may be called once in a step: a call
/// that runs again takes the vectors of the last one. Children are "layer", "singular" with the
/// vector u, and "gamma".
template <class Layer>
class SpectralNormalization final : public FunctionSet {
 public:
  /// Throws ValueError for no iterations, and for gamma of a layer that waits for its size.
  explicit SpectralNormalization(Layer its_layer, const SpectralNormalizationOptions& options = {})
      : layer(add("layer", std::move(its_layer))),
        singular_(
            add("singular", internal::SingularVector(internal::kOutputAxis<Layer>, options))) {
    singular_.start(layer.W);
    if (options.use_gamma) gamma_ = &add("gamma", Parameter(singular_.gamma_of(layer, layer.W)));
  }

  Layer& layer;
  /// The vector of the power iteration, (out,).
  const ndarray& u() const { return singular_.u; }
  /// The parameter gamma, null without.
  Parameter* gamma() const { return gamma_; }

  Variable operator()(const Variable& x) {
    if (!layer.is_initialized()) internal::size_layer(layer, x);
    singular_.start(layer.W);
    const Variable gamma = gamma_ == nullptr ? Variable() : (*gamma_)();
    return internal::call_with(layer, x, singular_.normalized(layer.W, gamma));
  }

 private:
  internal::SingularVector& singular_;
  Parameter* gamma_ = nullptr;
};

/// A layer with each filter of W, all axes but the first, at mean 0 and deviation 1: over the
/// deviation + eps (Qiao et al., 2019). The child is "layer".
template <class Layer>
class WeightStandardization final : public FunctionSet {
 public:
  explicit WeightStandardization(Layer its_layer, double eps = 1e-6)
      : layer(add("layer", std::move(its_layer))), eps_(eps) {}

  Layer& layer;

  Variable operator()(const Variable& x) {
    if (!layer.is_initialized()) internal::size_layer(layer, x);
    return internal::call_with(layer, x, internal::standardized_filters(layer.W, eps_));
  }

 private:
  double eps_;
};

}  // namespace chainerxx::functions
