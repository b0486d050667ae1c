// SPDX-License-Identifier: MIT
// Arrays of layers: `layer.W`.
#pragma once

#include <utility>

#include "chainerxx/parameter_methods.h"
#include "chainerxx/parameter_part.h"
#include "cupyxx/export.h"
#include "cupyxx/ndarray.h"

namespace chainerxx {

/// A parameter of a layer: an array that knows the gradient beside it. Among arrays it is one of
/// them, and what is computed of it an array. Where a variable is expected it is the parameter
/// itself, and so is arithmetic of it (ParameterTerm); its gradient goes where the layer's does:
///
///   loss += 0.0005 * (model.l1.W * model.l1.W).sum();        // adds to model.l1.gW in backward()
///   Variable scores = F::linear(h, model.embed.W);
///
/// A copy of the handle, `auto W = layer.W`, knows no gradient, and as a variable is a ValueError:
/// `ndarray W = layer.W` is a constant, as other arrays are.
class CUPYXX_API ParameterArray : public internal::ParameterMethods<ParameterArray> {
 public:
  ParameterArray() = default;
  /// None, of a layer whose gradient is there.
  explicit ParameterArray(ndarray* gradient) noexcept : gradient_(gradient) {}
  ParameterArray(const ParameterArray& other) noexcept : ParameterMethods(ndarray(other)) {}
  ParameterArray(ParameterArray&& other) noexcept
      : ParameterMethods(ndarray(std::move(static_cast<ndarray&>(other)))) {}
  /// The handle is another one; the gradient beside it stays.
  ParameterArray& operator=(const ParameterArray& other) & noexcept {  // NOLINT: ndarray's bears it
    ndarray::operator=(other);
    return *this;
  }
  ParameterArray& operator=(ParameterArray&& other) & noexcept {
    ndarray::operator=(std::move(other));
    return *this;
  }
  using ndarray::operator=;
  ~ParameterArray() = default;

  /// The gradient beside it; null for a copy of the handle.
  const ndarray* gradient() const { return gradient_; }
  /// The same as Chainer says it, `layer.W.grad()`: None for a copy of the handle.
  ndarray grad() const { return gradient_ == nullptr ? ndarray() : *gradient_; }
  /// Fills the gradient with 0, which the others of the layer keep.
  void cleargrad() const {
    if (gradient_ != nullptr && !gradient_->is_none()) gradient_->fill(0);
  }
  void zerograd() const { cleargrad(); }
  /// It is an array itself: `layer.W.data()` as Chainer writes it, where an ndarray's data() is an
  /// address.
  const ndarray& array() const { return *this; }
  const ndarray& data() const { return *this; }
  /// Says where the gradient is, as a layer's Field does.
  void set_gradient(ndarray* gradient) noexcept { gradient_ = gradient; }

 private:
  ndarray* gradient_ = nullptr;
};

}  // namespace chainerxx
