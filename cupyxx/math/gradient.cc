// SPDX-License-Identifier: MIT
// Derivatives by differences. Formulas: second order central differences, also for uneven
// distances.
#include <string>

#include "cupyxx/core/arrays.h"
#include "cupyxx/core/rows.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"
#include "cupyxx/statistics.h"

namespace cupyxx {

namespace {

using internal::part;

// Distances along one axis: one for all neighbours, or one for each.
struct Distances {
  double step = 1;
  ndarray each = {};  // null: `step`
  dtype type = {};    // that of coordinates; a single distance is a weak number

  bool is_even() const { return each.is_none(); }
  double at(std::int64_t i) const {
    return is_even() ? step : each(i).astype(float64).item<double>();
  }
  Scalar number(double value) const { return type ? Scalar(value, type) : Scalar(value); }
};

Distances distances(const ndarray& given, std::int64_t extent) {
  if (given.ndim() == 0) return {.step = given.astype(float64).item<double>()};
  if (given.ndim() != 1) {
    throw ValueError(message("gradient: distances must be scalars or 1-D; ", given.shape()));
  }
  if (given.size() != extent) {
    throw ValueError(
        message("gradient: coordinates must be as many as the elements of their axis; ",
                given.size(), " and ", extent));
  }
  const ndarray steps = diff(given.dtype().is_floating() ? given : given.astype(float64));
  const auto values = steps.to_vector<double>();
  for (const double value : values) {
    if (value != values[0]) return {.step = 0, .each = steps, .type = steps.dtype()};
  }
  return {.step = values.empty() ? 1 : values[0], .type = steps.dtype()};
}

// The weights of the samples at an end: its own, the next, the one after it, `near` and `far`
// apart.
struct EndWeights {
  double end, next, inner;
};
EndWeights end_weights(double near, double far) {
  if (near == far) return {-1.5 / near, 2.0 / near, -0.5 / near};
  return {-(2.0 * near + far) / (near * (near + far)), (near + far) / (near * far),
          -near / (far * (near + far))};
}

ndarray interior(const ndarray& f, int axis, const Distances& d) {
  const ndarray next = part(f, axis, 2, none), previous = part(f, axis, none, -2);
  if (d.is_even()) return divide(subtract(next, previous), d.number(2 * d.step));
  Shape shape;
  for (int i = 0; i < f.ndim(); ++i) shape.push_back(i == axis ? d.each.size() - 1 : 1);
  const ndarray h1 = part(d.each, 0, none, -1).reshape(shape);
  const ndarray h2 = part(d.each, 0, 1, none).reshape(shape);
  const ndarray total = add(h1, h2);
  const ndarray a = divide(negative(h2), multiply(h1, total));
  const ndarray b = divide(subtract(h2, h1), multiply(h1, h2));
  const ndarray c = divide(h1, multiply(h2, total));
  return add(add(multiply(a, previous), multiply(b, part(f, axis, 1, -1))), multiply(c, next));
}

ndarray derivative(const ndarray& f, int axis, const Distances& d, int edge_order) {
  const std::int64_t n = f.shape()[axis];
  const ndarray out = empty_like(f);
  const auto write = [&](SliceBound begin, SliceBound end, const ndarray& values) {
    internal::assign("gradient", part(out, axis, begin, end), values);
  };
  const auto sample = [&](std::int64_t i) { return part(f, axis, i, i + 1); };
  if (n > 2) write(1, n - 1, interior(f, axis, d));
  if (edge_order == 1) {
    write(0, 1, divide(subtract(sample(1), sample(0)), d.number(d.at(0))));
    write(n - 1, n, divide(subtract(sample(n - 1), sample(n - 2)), d.number(d.at(n - 2))));
    return out;
  }
  // Added in the order of the samples.
  const auto weighted = [&](std::int64_t i, double w0, double w1, double w2) {
    return add(add(multiply(d.number(w0), sample(i)), multiply(d.number(w1), sample(i + 1))),
               multiply(d.number(w2), sample(i + 2)));
  };
  const EndWeights first = end_weights(d.at(0), d.at(1));
  const EndWeights last = end_weights(d.at(n - 2), d.at(n - 3));
  write(0, 1, weighted(0, first.end, first.next, first.inner));
  write(n - 1, n, weighted(n - 3, -last.inner, -last.next, -last.end));
  return out;
}

}  // namespace

Arrays gradient(const ndarray& f, std::span<const ndarray> spacing,
                const GradientOptions& options) {
  internal::check_computable("gradient", f);
  for (const ndarray& step : spacing) internal::check_not_none("gradient", step);
  if (f.dtype().is_bool()) throw DtypeError("gradient: bool has no differences");
  const ndarray x = f.dtype().is_inexact() ? f : f.astype(float64);
  std::vector<int> axes;
  if (options.axis.is_all()) {
    for (int i = 0; i < x.ndim(); ++i) axes.push_back(i);
  } else {
    options.axis.mask("gradient", x.ndim());  // throws for an axis given twice
    for (const auto axis : options.axis.list()) {
      axes.push_back(normalize_axis("gradient", axis, x.ndim()));
    }
  }
  if (spacing.size() > 1 && spacing.size() != axes.size()) {
    throw TypeError(message("gradient: needs one distance, or one per axis; ", spacing.size(),
                            " for ", axes.size()));
  }
  if (spacing.size() == 1 && spacing[0].ndim() != 0 && axes.size() != 1) {
    throw TypeError(message("gradient: needs one distance, or one per axis; 1 for ", axes.size()));
  }
  if (options.edge_order < 1 || options.edge_order > 2) {
    throw ValueError(message("gradient: edge_order must be 1 or 2; ", options.edge_order));
  }
  const DeviceScope scope(f.device());
  std::vector<ndarray> result;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::int64_t n = x.shape()[axes[i]];
    Distances d;
    if (!spacing.empty()) d = distances(spacing[spacing.size() == 1 ? 0 : i], n);
    if (n < options.edge_order + 1) {
      throw ValueError(message("gradient: needs more elements along the axis than edge_order, ",
                               options.edge_order, "; ", n));
    }
    result.push_back(derivative(x, axes[i], d, options.edge_order));
  }
  return result;
}

Arrays gradient(const ndarray& f, double spacing, const GradientOptions& options) {
  const DeviceScope scope(Device::cpu());
  const ndarray step = array(spacing);
  return gradient(f, std::span(&step, 1), options);
}

Arrays internal::gradient_by(const ndarray& f, std::initializer_list<double> dx) {
  check_not_none("gradient", f);
  const DeviceScope scope(f.device());
  std::vector<ndarray> distances;
  for (const double distance : dx) distances.push_back(array(distance));
  return gradient(f, std::span<const ndarray>(distances));
}

Arrays gradient(const ArrayLike& f) { return gradient(f.array()); }

Arrays gradient(const ArrayLike& f, double spacing) { return gradient(f.array(), spacing); }

Arrays gradient(const ndarray& f, const internal::ListedRow& coordinates) {
  return gradient(f, internal::array_of_row(coordinates).reshape(Shape(-1)).to(f.device()));
}

}  // namespace cupyxx
