// SPDX-License-Identifier: MIT
#include "chainerxx/functions/math/fourier.h"

#include "cupyxx/creation.h"
#include "cupyxx/fft.h"
#include "typecheck/expect.h"

namespace chainerxx::functions {
namespace {

std::vector<ndarray> transformed(const ndarray& real, const ndarray& imag, bool inverse,
                                 bool divides) {
  const cupyxx::dtype type = real.dtype();
  const bool wide = type == cupyxx::float64;
  const ndarray z = cupyxx::empty(real.shape(), wide ? cupyxx::complex128 : cupyxx::complex64);
  if (z.size() == 0) return {real.copy(), imag.copy()};
  z.real() = real;
  z.imag() = imag;
  // What cupyxx calls backward divides the inverse, forward the other one.
  const cupyxx::fft::Norm norm =
      inverse == divides ? cupyxx::fft::Norm::backward : cupyxx::fft::Norm::forward;
  const cupyxx::fft::Options options{.norm = norm, .dtype = z.dtype()};
  const ndarray y = inverse ? cupyxx::fft::ifft(z, options) : cupyxx::fft::fft(z, options);
  return {y.real().astype(type), y.imag().astype(type)};
}

}  // namespace

void FourierTransform::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 2);
  typecheck::expect(in[0].dtype().kind() == 'f', in[1].dtype() == in[0].dtype(), in[0].ndim() >= 1,
                    in[1].shape() == in[0].shape());
}

std::vector<ndarray> FourierTransform::forward(ArraySpan in) {
  retain_inputs({});
  return transformed(in[0], in[1], inverse_, divides_);
}

/// The transform that takes a gradient back: the same sums with conjugate numbers.
FourierTransform FourierTransform::adjoint() const {
  FourierTransform other(*this);
  other.inverse_ = !inverse_;
  return other;
}

std::vector<ndarray> FourierTransform::backward(ArraySpan, ArraySpan gy) {
  const ndarray& given = gy[0].is_none() ? gy[1] : gy[0];
  const ndarray real = gy[0].is_none() ? cupyxx::zeros_like(given) : gy[0];
  const ndarray imag = gy[1].is_none() ? cupyxx::zeros_like(given) : gy[1];
  return transformed(real, imag, !inverse_, divides_);
}

std::vector<Variable> FourierTransform::backward_variables(VariableSpan, VariableSpan gy) {
  const Variable& given = gy[0].is_none() ? gy[1] : gy[0];
  const auto or_zeros = [&](const Variable& g) {
    return g.is_none() ? Variable(cupyxx::zeros_like(given.data())) : g;
  };
  const auto [real, imag] = adjoint()(or_zeros(gy[0]), or_zeros(gy[1]));
  return {real, imag};
}

VariableArray<2> fft(const Variable& real, const Variable& imag) {
  return FourierTransform()(real, imag);
}

VariableArray<2> ifft(const Variable& real, const Variable& imag) {
  return FourierTransform(true)(real, imag);
}

}  // namespace chainerxx::functions
