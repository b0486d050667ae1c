// SPDX-License-Identifier: MIT
#include "chainerxx/functions/array/array.h"

#include <algorithm>
#include <utility>

#include "chainerxx/functions/array/parts.h"
#include "chainerxx/internal/image_layout.h"
#include "chainerxx/internal/pixel_copies.h"
#include "cupyxx/manipulation.h"
#include "typecheck/expect.h"

namespace chainerxx::functions {

void Reshape::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 1);
}

std::vector<ndarray> Reshape::forward(ArraySpan x) {
  retain_inputs({});
  return {x[0].reshape(shape_)};
}

std::vector<ndarray> Reshape::backward(ArraySpan, ArraySpan gy) {
  return {gy[0].reshape(input_shape(0))};
}

std::vector<Variable> Reshape::backward_variables(VariableSpan x, VariableSpan gy) {
  return {reshape(gy[0], x[0].shape())};
}

void Concat::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() > 0);
  const typecheck::Variable at(axis_, "axis");
  if (axis_ >= 0) {
    typecheck::expect(in[0].ndim() > at);
  } else {
    typecheck::expect(-in[0].ndim() <= at);
  }
  const auto types = in.types();
  const int ndim = types[0].shape().ndim();
  const int axis = axis_ < 0 ? axis_ + ndim : axis_;
  for (std::size_t i = 1; i < types.size(); ++i) {
    const auto x = in[static_cast<std::int64_t>(i)];
    typecheck::expect(in[0].dtype() == x.dtype(), in[0].ndim() == x.ndim());
    for (int d = 0; d < ndim; ++d) {
      if (d != axis) typecheck::expect(in[0].shape()[d] == x.shape()[d]);
    }
  }
}

std::vector<ndarray> Concat::forward(ArraySpan xs) {
  retain_inputs({});
  if (std::none_of(xs.begin(), xs.end(), internal::is_channels_last)) {
    return {cupyxx::concatenate(xs, axis_)};
  }
  // Images that lie channels last stay so.
  const int axis = cupyxx::normalize_axis("concat", axis_, 4);
  if (axis != 1) {
    constexpr int kPlaces[] = {0, 3, 1, 2};  // of the axes in the pixels' order
    std::vector<ndarray> pixels;
    for (const ndarray& x : xs) pixels.push_back(internal::as_pixels(x));
    return {cupyxx::concatenate(pixels, kPlaces[axis]).transpose({0, 3, 1, 2})};
  }
  cupyxx::Shape shape = xs[0].shape();
  for (std::size_t i = 1; i < xs.size(); ++i) shape[1] += xs[i].shape()[1];
  const ndarray joined = internal::empty_images(xs[0], shape, xs[0].dtype(), true);
  std::int64_t begin = 0;
  for (const ndarray& x : xs) {
    const std::int64_t end = begin + x.shape()[1];
    internal::copy_channels(joined(cupyxx::slice(), cupyxx::slice(begin, end)),
                            internal::in_layout(x, true));
    begin = end;
  }
  return {joined};
}

std::vector<std::int64_t> Concat::ends(std::size_t inputs, int ndim) const {
  const int axis = cupyxx::normalize_axis("concat", axis_, ndim);
  std::vector<std::int64_t> ends;
  std::int64_t end = 0;
  for (std::size_t i = 0; i + 1 < inputs; ++i) ends.push_back(end += input_shape(i)[axis]);
  return ends;
}

std::vector<ndarray> Concat::backward(ArraySpan xs, ArraySpan gy) {
  if (xs.size() == 1) return {gy[0]};
  const std::vector<std::int64_t> cuts = ends(xs.size(), gy[0].ndim());
  const bool by_channels = axis_ == 1 || axis_ == -3;
  if (!by_channels || !internal::is_channels_last(gy[0])) return cupyxx::split(gy[0], cuts, axis_);
  // Nearly everything reads them without gaps.
  std::vector<ndarray> parts;
  std::int64_t begin = 0;
  for (std::size_t i = 0; i < xs.size(); ++i) {
    const std::int64_t end = i < cuts.size() ? cuts[i] : gy[0].shape()[1];
    parts.push_back(internal::cut_channels(gy[0], begin, end));
    begin = end;
  }
  return parts;
}

std::vector<Variable> Concat::backward_variables(VariableSpan xs, VariableSpan gy) {
  if (xs.size() == 1) return {gy[0]};
  return split_axis(gy[0], ends(xs.size(), gy[0].ndim()), axis_);
}

std::vector<ndarray> Identity::forward(ArraySpan xs) {
  retain_inputs({});
  return {xs.begin(), xs.end()};
}

std::vector<ndarray> Identity::backward(ArraySpan, ArraySpan gy) { return {gy.begin(), gy.end()}; }

std::vector<Variable> Identity::backward_variables(VariableSpan, VariableSpan gy) {
  return {gy.begin(), gy.end()};
}

Variable reshape(const Variable& x, const cupyxx::Shape& shape) { return Reshape(shape)(x); }
Variable concat(const std::vector<Variable>& xs, int axis) { return Concat(axis)(xs); }
Variable concat(const std::vector<Variable>& xs, const ConcatOptions& options) {
  return concat(xs, options.axis);
}
Variable identity(const Variable& x) { return std::move(Identity()(x)[0]); }
std::vector<Variable> identity(const std::vector<Variable>& xs) { return Identity()(xs); }

}  // namespace chainerxx::functions
