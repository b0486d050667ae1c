// SPDX-License-Identifier: MIT
// Fourier transforms of variables. Complex numbers are two variables: their real and their
// imaginary parts.
//
//   auto [real, imag] = F::fft(x, zeros);
//   auto [x_again, nothing] = F::ifft(real, imag);
#pragma once

#include <array>
#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/variable.h"
#include "chainerxx/variable_array.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// The transform of (real, imag) along the last axis. It is linear, and so are its gradients: they
/// are transforms in the other direction.
class CUPYXX_API FourierTransform final : public FunctionOf<FourierTransform, 2> {
 public:
  /// Which way it goes; the inverse is divided by the length.
  explicit FourierTransform(bool inverse = false) : inverse_(inverse), divides_(inverse) {}
  std::string label() const override { return inverse_ ? "ifft" : "fft"; }
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan in) override;
  std::vector<ndarray> backward(ArraySpan in, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan in, VariableSpan gy) override;

 private:
  FourierTransform adjoint() const;

  bool inverse_, divides_;
};

/// X[k] = sum of x[j] exp(-2 pi i j k / n) along the last axis, n its length: real and imaginary
/// parts in the shape of x's. Numbers of 16 bits are transformed in float32.
CUPYXX_API VariableArray<2> fft(const Variable& real, const Variable& imag);
/// The inverse of fft: x[j] = sum of X[k] exp(2 pi i j k / n) / n.
CUPYXX_API VariableArray<2> ifft(const Variable& real, const Variable& imag);
/// Of what the other one gave: `ifft(fft(real, imag))`.
inline VariableArray<2> fft(const std::array<Variable, 2>& x) { return fft(x[0], x[1]); }
inline VariableArray<2> ifft(const std::array<Variable, 2>& x) { return ifft(x[0], x[1]); }

}  // namespace chainerxx::functions
