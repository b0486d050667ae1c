// SPDX-License-Identifier: MIT
// pointwise_row() of these operations is for everybody, so they are, too.
#include "cupyxx/ops/prelude.h"
#pragma GCC visibility push(default)
#include "chainerxx/internal/ops/activation.h"
#pragma GCC visibility pop

#include <algorithm>
#include <utility>

#include "chainerxx/functions/activation/pointwise.h"
#include "chainerxx/functions/array/array.h"
#include "chainerxx/functions/array/broadcasting.h"
#include "chainerxx/functions/array/parts.h"
#include "chainerxx/internal/gradient_row.h"
#include "chainerxx/internal/masked.h"
#include "chainerxx/internal/same_shape.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/extension/op.h"
#include "cupyxx/scalar.h"
#include "typecheck/expect.h"

namespace chainerxx {
namespace internal {
namespace {

using cupyxx::extension::Ufunc;

constexpr double kDensityAtZero = 0.39894228040143267794;  // 1 / sqrt(2 pi)

/// exp(-x^2 / 2) / sqrt(2 pi).
template <class A>
A density(const A& x) {
  return math::exp(x * x * -0.5) * kDensityAtZero;
}

/// Phi(x), out of the gradient of gelu: Phi(x) + x phi(x).
ndarray distribution(const ndarray& x) {
  return Ufunc<ops::GradientOf<ops::Gelu>, 2>()(x, cupyxx::ones_like(x)) - x * density(x);
}

constexpr UnaryRow kNormalDistribution{
    "normal distribution", [](const auto& x) { return distribution(x); },
    [](const auto& x, const auto&, const auto& gy) { return density(x) * gy; }, Keep::inputs};

/// What the rules of the operations are written with.
struct RuleFunctions {
  static Variable exp(const Variable& x) { return functions::exp(x); }
  static Variable sigmoid(const Variable& x) { return functions::sigmoid(x); }
  static Variable where(const ndarray& condition, const Variable& x, const Variable& y) {
    return functions::where(condition, x, y);
  }
  static Variable masked(const ndarray& condition, const Variable& x) {
    return internal::masked(condition, x);
  }
  static ndarray both(const ndarray& a, const ndarray& b) { return cupyxx::logical_and(a, b); }
  static Variable normal_density(const Variable& x) { return density(x); }
  static Variable normal_distribution(const Variable& x) {
    return apply_row(kNormalDistribution, x);
  }
};

template <class Op, int... kNumber>
constexpr PointwiseRow make_row(std::integer_sequence<int, kNumber...>) {
  constexpr int kNumbers = sizeof...(kNumber);
  return {Op::reads_result,
          [](const ndarray& x, [[maybe_unused]] const double* numbers) -> ndarray {
            return Ufunc<Op, 1 + kNumbers>()(x, numbers[kNumber]...);
          },
          [](const ndarray& read, const ndarray& gy,
             [[maybe_unused]] const double* numbers) -> ndarray {
            return Ufunc<ops::GradientOf<Op>, 2 + kNumbers>()(read, gy, numbers[kNumber]...);
          },
          [](const Variable& read, const Variable& gy, [[maybe_unused]] const double* numbers)
              -> Variable { return Op::rule(RuleFunctions(), read, gy, numbers[kNumber]...); }};
}

}  // namespace

template <class Op>
const PointwiseRow& pointwise_row() {
  static constexpr PointwiseRow row =
      make_row<Op>(std::make_integer_sequence<int, Op::parameters>());
  return row;
}

namespace {

/// Makes the compiler emit the rows of all activation functions.
template <class... Op>
struct Rows {
  using Getter = const PointwiseRow& (*)();
  static constexpr Getter getters[] = {&pointwise_row<Op>...};
};
[[gnu::used]] constexpr const auto* kRows = ops::ForEachActivation<Rows>::getters;

}  // namespace

void check_pointwise(const typecheck::TypeInfos& in) {
  typecheck::expect(in.size() == 1, in[0].dtype().kind() == 'f');
}

}  // namespace internal

namespace functions {

ClippedReLU::ClippedReLU(double z) : Pointwise(z) {
  if (z > 0) return;
  throw cupyxx::ValueError(cupyxx::message("clipped_relu: z is not positive; ", cupyxx::Scalar(z)));
}

Softplus::Softplus(double beta) : Pointwise(beta) {
  if (beta != 0) return;
  throw cupyxx::ValueError("softplus: beta is 0");
}

Variable relu(const Variable& x, bool) { return ReLU()(x); }
Variable sigmoid(const Variable& x, bool) { return Sigmoid()(x); }
Variable tanh(const Variable& x, bool) { return Tanh()(x); }
Variable clipped_relu(const Variable& x, double z) { return ClippedReLU(z)(x); }
Variable leaky_relu(const Variable& x, double slope) { return LeakyReLU(slope)(x); }
Variable elu(const Variable& x, double alpha) { return ELU(alpha)(x); }
Variable selu(const Variable& x, double alpha, double scale) { return ELU(alpha, scale)(x); }
Variable softplus(const Variable& x, double beta) { return Softplus(beta)(x); }
Variable hard_sigmoid(const Variable& x) { return HardSigmoid()(x); }
Variable gelu(const Variable& x, bool approximate) {
  return approximate ? GELUTanh()(x) : GELU()(x);
}
Variable swish(const Variable& x, double beta) { return Swish(beta)(x); }
Variable swish(const Variable& x, const Variable& beta) {
  internal::refuse_none("swish", {&x, &beta});
  const cupyxx::Shape shape = x.shape(), own = beta.shape();
  cupyxx::Shape along = shape;
  bool fits = own.ndim() < std::max(shape.ndim(), 1);
  for (int axis = 0; fits && axis < shape.ndim(); ++axis) {
    const bool is_own = axis >= 1 && axis <= own.ndim();
    along[axis] = is_own ? own[axis - 1] : 1;
    fits = !is_own || own[axis - 1] == shape[axis];
  }
  if (!fits) {
    throw cupyxx::ShapeError(cupyxx::message(
        "swish: beta has not the shape of axes of x behind the first; ", own, " and ", shape));
  }
  return x * sigmoid(broadcast_to(reshape(beta, along), shape) * x);
}
Variable softsign(const Variable& x) { return Softsign()(x); }
Variable mish(const Variable& x) { return Mish()(x); }

}  // namespace functions
}  // namespace chainerxx
