// SPDX-License-Identifier: MIT
#include "chainerxx/functions/normalization/decorrelated_batch_normalization.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/functions/array/array.h"
#include "chainerxx/functions/array/axes.h"
#include "chainerxx/functions/array/broadcasting.h"
#include "chainerxx/functions/array/cast.h"
#include "chainerxx/functions/math/arithmetic.h"
#include "chainerxx/functions/math/matmul.h"
#include "chainerxx/functions/math/reductions.h"
#include "chainerxx/internal/narrow_types.h"
#include "chainerxx/internal/same_shape.h"
#include "chainerxx/scope.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/linalg.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/scalar.h"
#include "typecheck/expect.h"

namespace chainerxx::functions {
namespace {

using cupyxx::Shape;

ndarray transposed(const ndarray& a) { return a.swapaxes(-2, -1); }

/// Symmetric matrices by their eigenvalues (g, c), which are no less than `least` but for rounding,
/// and vectors (g, c, c).
struct Parts {
  Parts() = default;
  Parts(const ndarray& a, double least) {
    const auto parts = cupyxx::linalg::eigh(a);
    values = cupyxx::maximum(parts.eigenvalues, least);
    vectors = parts.eigenvectors;
  }
  ndarray in_parts(const ndarray& a) const {
    return cupyxx::matmul(cupyxx::matmul(transposed(vectors), a), vectors);
  }
  ndarray whole(const ndarray& a) const {
    return cupyxx::matmul(cupyxx::matmul(vectors, a), transposed(vectors));
  }
  ndarray by_rows(const ndarray& a) const { return cupyxx::expand_dims(a, 2); }
  ndarray by_columns(const ndarray& a) const { return cupyxx::expand_dims(a, 1); }

  ndarray values, vectors;
};

/// X with R X + X R = M, for symmetric R of eigenvalues from `least` on.
class Sylvester final : public FunctionOf<Sylvester> {
 public:
  explicit Sylvester(double least) : least_(least) {}
  std::string label() const override { return "sylvester"; }
  void check_type_forward(const typecheck::TypeInfos& in) const override {
    typecheck::expect(in.size() == 2, in[0].dtype() == in[1].dtype());
  }
  std::vector<ndarray> forward(ArraySpan in) override { return {solved(in[0], in[1])}; }
  std::vector<ndarray> backward(ArraySpan in, ArraySpan gy) override {
    const ndarray x = solved(in[0], in[1]), gm = solved(in[0], gy[0]);
    return {-(cupyxx::matmul(gm, transposed(x)) + cupyxx::matmul(transposed(x), gm)), gm};
  }
  std::vector<Variable> backward_variables(VariableSpan in, VariableSpan gy) override {
    const PrecisionScope full(Precision::float32);
    const Variable x = Sylvester(least_)(in[0], in[1]), gm = Sylvester(least_)(in[0], gy[0]);
    return {-(batch_matmul(gm, x, false, true) + batch_matmul(x, gm, true, false)), gm};
  }

 private:
  ndarray solved(const ndarray& r, const ndarray& m) const {
    const Parts parts(r, least_);
    return parts.whole(parts.in_parts(m) /
                       (parts.by_rows(parts.values) + parts.by_columns(parts.values)));
  }

  double least_;
};

/// A^(-1/2) of symmetric matrices with eigenvalues from `least` on.
class InverseRoot final : public FunctionOf<InverseRoot> {
 public:
  explicit InverseRoot(double least) : least_(least) {}
  std::string label() const override { return "DecorrelatedBatchNormalization"; }
  void check_type_forward(const typecheck::TypeInfos& in) const override {
    typecheck::expect(in.size() == 1);
  }
  std::vector<ndarray> forward(ArraySpan in) override {
    const Parts parts(in[0], least_);
    const ndarray y = cupyxx::matmul(parts.vectors / parts.by_columns(cupyxx::sqrt(parts.values)),
                                     transposed(parts.vectors));
    if (records()) {
      parts_ = parts;
      y_ = internal::SavedArray(y);
    }
    return {y};
  }
  // The differences of 1 / sqrt(v) over those of v, without the differences.
  std::vector<ndarray> backward(ArraySpan, ArraySpan gy) override {
    const ndarray root = cupyxx::sqrt(parts_.values);
    const ndarray rows = parts_.by_rows(root), columns = parts_.by_columns(root);
    return {parts_.whole(parts_.in_parts(gy[0]) / (rows * columns * (rows + columns))) * -1};
  }
  std::vector<Variable> backward_variables(VariableSpan in, VariableSpan gy) override {
    const PrecisionScope full(Precision::float32);
    const Variable p = output_variable(0, y_.get(*this)), root = batch_matmul(in[0], p);
    return {-Sylvester(std::sqrt(least_))(root, batch_matmul(batch_matmul(p, gy[0]), p))};
  }

 private:
  double least_;
  Parts parts_;
  internal::SavedArray y_;
};

/// x (n, c, ...) as (groups, c / groups, elements), and back.
struct Layout {
  Layout(const char* name, const Shape& x, int groups) : shape(x) {
    if (x.ndim() < 2) {
      throw cupyxx::ShapeError(cupyxx::message(name, ": x is not (n, c, ...); ", x));
    }
    if (groups < 1 || x[1] % groups != 0) {
      throw cupyxx::ShapeError(
          cupyxx::message(name, ": ", groups, " groups do not divide the channels of x, ", x));
    }
    order = {1, 0};
    for (int i = 2; i < x.ndim(); ++i) order.push_back(i);
    const std::int64_t channels = x[1] / groups;
    if (x.element_count() == 0) {
      throw cupyxx::ValueError(cupyxx::message(name, ": there are no elements; ", x));
    }
    elements = x.element_count() / x[1];
    grouped = {groups, channels, elements};
    means = {groups, channels, std::int64_t{1}};
    matrices = {groups, channels, channels};
  }
  Variable by_groups(const Variable& x) const { return reshape(transpose(x, order), grouped); }
  Variable as_given(const Variable& y) const {
    Shape turned = shape;
    std::swap(turned[0], turned[1]);
    return transpose(reshape(y, turned), order);
  }

  Shape shape, order, grouped, means, matrices;
  std::int64_t elements = 0;
};

void check_statistics(const char* name, const char* what, const Shape& found, const Shape& wanted) {
  if (found == wanted) return;
  throw cupyxx::ShapeError(cupyxx::message(name, ": ", what, " is not ", wanted, "; ", found));
}

void move_towards(const ndarray& running, const ndarray& now, double decay) {
  running *= decay;
  running += (now * (1 - decay)).astype(running.dtype());
}

}  // namespace

Variable decorrelated_batch_normalization(const Variable& given,
                                          const DecorrelatedBatchNormalizationOptions& options) {
  const char* const name = "decorrelated_batch_normalization";
  internal::refuse_none(name, {&given});
  const Layout layout(name, given.shape(), options.groups);
  if (!(options.eps > 0)) {
    throw cupyxx::ValueError(
        cupyxx::message(name, ": eps is not positive; ", cupyxx::Scalar(options.eps)));
  }
  const Shape means = {layout.means[0], layout.means[1]};
  if (!options.running_mean.is_none()) {
    check_statistics(name, "running_mean", options.running_mean.shape(), means);
  }
  if (!options.running_projection.is_none()) {
    check_statistics(name, "running_projection", options.running_projection.shape(),
                     layout.matrices);
  }
  const PrecisionScope full(Precision::float32);
  const Variable x = layout.by_groups(internal::in_float32(given));
  const cupyxx::DeviceScope device(x.device());
  const Variable mean = functions::mean(x, AxesArg(2), true);
  const Variable centred = x - broadcast_to(mean, layout.grouped);
  const ndarray unit = cupyxx::eye(layout.means[1], x.dtype()) * options.eps;
  const Variable covariance =
      batch_matmul(centred, centred, false, true) * (1 / static_cast<double>(layout.elements)) +
      cupyxx::broadcast_to(unit, layout.matrices);
  const Variable projection = InverseRoot(options.eps)(covariance);
  const bool updates = !is_recomputing();  // the first call within F::forget has done it
  if (updates && !options.running_mean.is_none()) {
    move_towards(options.running_mean, mean.data().reshape(means), options.decay);
  }
  if (updates && !options.running_projection.is_none()) {
    const auto m = static_cast<double>(layout.elements);
    move_towards(options.running_projection, projection.data() * (m / std::max(m - 1, 1.0)),
                 options.decay);
  }
  return cast(layout.as_given(batch_matmul(projection, centred)), given.dtype());
}

Variable fixed_decorrelated_batch_normalization(const Variable& given, const Variable& mean,
                                                const Variable& projection, int groups) {
  const char* const name = "fixed_decorrelated_batch_normalization";
  internal::refuse_none(name, {&given, &mean, &projection});
  const Layout layout(name, given.shape(), groups);
  check_statistics(name, "mean", mean.shape(), {layout.means[0], layout.means[1]});
  check_statistics(name, "projection", projection.shape(), layout.matrices);
  const PrecisionScope full(Precision::float32);
  const Variable x = layout.by_groups(internal::in_float32(given));
  const Variable centre =
      broadcast_to(reshape(internal::in_float32(mean), layout.means), layout.grouped);
  return cast(layout.as_given(batch_matmul(internal::in_float32(projection), x - centre)),
              given.dtype());
}

}  // namespace chainerxx::functions
