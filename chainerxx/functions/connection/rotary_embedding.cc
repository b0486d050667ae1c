// SPDX-License-Identifier: MIT
#include "chainerxx/functions/connection/rotary_embedding.h"

#include <cmath>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/scalar.h"
#include "typecheck/expect.h"

namespace chainerxx::functions {
namespace {

/// (length, depth / 2).
ndarray angles(std::int64_t length, std::int64_t depth, const RotaryOptions& options) {
  const ndarray positions =
      cupyxx::arange(length).astype(cupyxx::float64) + static_cast<double>(options.offset);
  const double step = -2 * std::log(options.base) / static_cast<double>(depth);
  const ndarray speeds = cupyxx::exp(cupyxx::arange(depth / 2).astype(cupyxx::float64) * step);
  return cupyxx::expand_dims(positions, 1) * speeds;
}

ndarray turned(const ndarray& x, const RotaryOptions& options, bool back) {
  const cupyxx::Shape shape = x.shape();
  const std::int64_t depth = shape.back(), half = depth / 2;
  // Sums of 16-bit types are those of float32.
  const bool is_wide = x.dtype() == cupyxx::float64;
  const cupyxx::dtype type = is_wide ? cupyxx::float64 : cupyxx::float32;
  const ndarray turns = angles(shape[shape.ndim() - 2], depth, options);
  const ndarray c = cupyxx::cos(turns).astype(type);
  const ndarray s = (back ? -cupyxx::sin(turns) : cupyxx::sin(turns)).astype(type);
  const ndarray wide = x.astype(type);
  const ndarray a = wide(cupyxx::ellipsis, cupyxx::slice(0, half));
  const ndarray b = wide(cupyxx::ellipsis, cupyxx::slice(half, depth));
  const ndarray y = cupyxx::empty_like(x);
  y(cupyxx::ellipsis, cupyxx::slice(0, half)).set(a * c - b * s);
  y(cupyxx::ellipsis, cupyxx::slice(half, depth)).set(b * c + a * s);
  return y;
}

}  // namespace

RotaryEmbedding::RotaryEmbedding(const RotaryOptions& options) : options_(options) {
  if (options.base > 0 && std::isfinite(options.base)) return;
  throw cupyxx::ValueError(cupyxx::message("rotary_embedding: the base is not positive; ",
                                           cupyxx::Scalar(options.base)));
}

void RotaryEmbedding::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 1, in[0].dtype().kind() == 'f', in[0].ndim() >= 2,
                    in[0].shape()[-1] % 2 == 0);
}

std::vector<ndarray> RotaryEmbedding::forward(ArraySpan x) {
  retain_inputs({});
  return {turned(x[0], options_, turns_back_)};
}

std::vector<ndarray> RotaryEmbedding::backward(ArraySpan, ArraySpan gy) {
  return {turned(gy[0], options_, !turns_back_)};
}

std::vector<Variable> RotaryEmbedding::backward_variables(VariableSpan, VariableSpan gy) {
  RotaryEmbedding back(*this);
  back.turns_back_ = !turns_back_;
  return {back(gy[0])};
}

Variable rotary_embedding(const Variable& x, const RotaryOptions& options) {
  return RotaryEmbedding(options)(x);
}

}  // namespace chainerxx::functions
