// SPDX-License-Identifier: MIT
#include "chainerxx/functions/array/parts.h"

#include "chainerxx/functions/array/array.h"
#include "chainerxx/functions/array/axes.h"
#include "chainerxx/functions/array/copying.h"
#include "chainerxx/internal/same_shape.h"
#include "chainerxx/internal/sum_to.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/math.h"
#include "typecheck/expect.h"

namespace chainerxx::internal {

void check_unpacked(std::size_t wanted, std::size_t given) {
  if (given == wanted) return;
  throw cupyxx::ValueError(
      cupyxx::message("unpack: ", wanted, " variables are wanted, there are ", given));
}

}  // namespace chainerxx::internal

namespace chainerxx::functions {
namespace {

/// Zeros, to which the elements are added at their places.
ndarray put(const cupyxx::Shape& shape, const std::vector<cupyxx::Index>& index, const ndarray& a) {
  const ndarray result = cupyxx::zeros(shape, a.dtype());
  bool is_basic = true;
  for (const cupyxx::Index& entry : index) is_basic = is_basic && !entry.is_array();
  if (is_basic) {
    result.setitem(index, a);
  } else {
    cupyxx::find_ufunc("add").at(result, index, a);
  }
  return result;
}

/// The arrays of an index, which must be the same in backward.
std::vector<internal::SavedArray> saved_arrays(const std::vector<cupyxx::Index>& index) {
  std::vector<internal::SavedArray> saved;
  for (const cupyxx::Index& entry : index) {
    if (entry.is_array()) saved.emplace_back(entry.array());
  }
  return saved;
}

void check_saved(const Function& f, const std::vector<internal::SavedArray>& saved) {
  for (const internal::SavedArray& array : saved) (void)array.get(f);
}

/// The gradient of GetItem.
class PutItem final : public FunctionOf<PutItem> {
 public:
  PutItem(const cupyxx::Shape& shape, std::vector<cupyxx::Index> index)
      : shape_(shape), index_(std::move(index)) {}
  std::vector<ndarray> forward(ArraySpan x) override {
    retain_inputs({});
    if (records()) saved_index_ = saved_arrays(index_);
    return {put(shape_, index_, x[0])};
  }
  std::vector<ndarray> backward(ArraySpan, ArraySpan gy) override {
    check_saved(*this, saved_index_);
    return {gy[0].getitem(index_)};
  }
  std::vector<Variable> backward_variables(VariableSpan, VariableSpan gy) override {
    check_saved(*this, saved_index_);
    return {get_item(gy[0], index_)};
  }

 private:
  cupyxx::Shape shape_;
  std::vector<cupyxx::Index> index_;
  std::vector<internal::SavedArray> saved_index_;
};

}  // namespace

void SplitAxis::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 1);
  const typecheck::Variable axis(axis_, "axis");
  if (axis_ >= 0) {
    typecheck::expect(in[0].ndim() > axis);
  } else {
    typecheck::expect(-in[0].ndim() <= axis);
  }
  if (sections_.count() > 0) {
    typecheck::expect(in[0].shape()[axis_] % typecheck::Variable(sections_.count(), "sections") ==
                      0);
  } else if (!sections_.indices().empty()) {
    typecheck::expect(in[0].shape()[axis_] >=
                      typecheck::Variable(sections_.indices().back(), "max_index"));
  }
}

std::vector<ndarray> SplitAxis::forward(ArraySpan x) {
  retain_inputs({});
  std::vector<ndarray> parts = cupyxx::split(x[0], sections_, axis_);
  part_shapes_.clear();
  for (const ndarray& part : parts) part_shapes_.push_back(part.shape());
  // Indices that do not rise make parts that overlap, whose gradients are not one array in parts.
  const int axis = axis_ < 0 ? axis_ + x[0].ndim() : axis_;
  std::int64_t total = 0;
  for (const cupyxx::Shape& shape : part_shapes_) total += shape[axis];
  if (total != x[0].shape()[axis]) {
    throw cupyxx::ValueError(cupyxx::message("split_axis: the indices do not rise; parts of ",
                                             total, " elements in all along an axis of ",
                                             x[0].shape()[axis]));
  }
  return parts;
}

std::vector<ndarray> SplitAxis::backward(ArraySpan, ArraySpan gy) {
  std::vector<ndarray> parts(gy.begin(), gy.end());
  cupyxx::dtype type;
  for (const ndarray& part : parts) {
    if (!part.is_none()) type = part.dtype();
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].is_none()) parts[i] = cupyxx::zeros(part_shapes_[i], type);
  }
  return {cupyxx::concatenate(parts, axis_)};
}

std::vector<Variable> SplitAxis::backward_variables(VariableSpan x, VariableSpan gy) {
  std::vector<Variable> parts(gy.begin(), gy.end());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].is_none()) parts[i] = cupyxx::zeros(part_shapes_[i], x[0].dtype());
  }
  return {concat(parts, axis_)};
}

void Stack::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() > 0);
  const typecheck::Variable axis(axis_, "axis");
  if (axis_ >= 0) {
    typecheck::expect(axis <= in[0].ndim());
  } else {
    typecheck::expect(-in[0].ndim() - 1 <= axis);
  }
  for (std::size_t i = 1; i < in.types().size(); ++i) {
    const auto x = in[static_cast<std::int64_t>(i)];
    typecheck::expect(in[0].dtype() == x.dtype(), in[0].shape() == x.shape());
  }
}

std::vector<ndarray> Stack::forward(ArraySpan xs) {
  retain_inputs({});
  return {cupyxx::stack(xs, axis_)};
}

std::vector<ndarray> Stack::backward(ArraySpan xs, ArraySpan gy) {
  const int axis = axis_ < 0 ? axis_ + gy[0].ndim() : axis_;
  std::vector<ndarray> grads;
  std::vector<cupyxx::internal::IndexItem> index(static_cast<std::size_t>(axis), cupyxx::slice());
  index.emplace_back(0);
  for (std::size_t i = 0; i < xs.size(); ++i) {
    index.back() = static_cast<std::int64_t>(i);
    grads.push_back(gy[0].getitem(index));
  }
  return grads;
}

std::vector<Variable> Stack::backward_variables(VariableSpan xs, VariableSpan gy) {
  const int axis = axis_ < 0 ? axis_ + gy[0].ndim() : axis_;
  std::vector<Variable> grads;
  std::vector<cupyxx::Index> index(static_cast<std::size_t>(axis), cupyxx::slice());
  index.emplace_back(0);
  for (std::size_t i = 0; i < xs.size(); ++i) {
    index.back() = cupyxx::Index(static_cast<std::int64_t>(i));
    grads.push_back(get_item(gy[0], index));
  }
  return grads;
}

void GetItem::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 1);
}

std::vector<ndarray> GetItem::forward(ArraySpan x) {
  retain_inputs({});
  if (records()) saved_index_ = saved_arrays(index_);
  return {x[0].getitem(index_)};
}

std::vector<ndarray> GetItem::backward(ArraySpan, ArraySpan gy) {
  check_saved(*this, saved_index_);
  return {put(input_shape(0), index_, gy[0])};
}

std::vector<Variable> GetItem::backward_variables(VariableSpan x, VariableSpan gy) {
  check_saved(*this, saved_index_);
  return {PutItem(x[0].shape(), index_)(gy[0])};
}

void SelectItem::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 2);
  const auto x = in[0], t = in[1];
  typecheck::expect(t.dtype().kind() == 'i', x.ndim() == 2, t.ndim() == 1,
                    x.shape()[0] == t.shape()[0]);
}

std::vector<ndarray> SelectItem::forward(ArraySpan in) {
  const std::int64_t columns = in[0].shape()[1], rows = in[0].shape()[0];
  const ndarray t = in[1].astype(cupyxx::int64, false);
  const ndarray places = cupyxx::arange(rows) * columns;
  // A column outside of its row becomes a place outside of the array, which take() reports.
  const ndarray is_inside = cupyxx::logical_and(t >= 0, t < columns);
  retain_inputs({1});
  return {cupyxx::take(in[0].ravel(), cupyxx::where(is_inside, places + t, rows * columns))};
}

std::vector<ndarray> SelectItem::backward(ArraySpan in, ArraySpan gy) {
  const ndarray chosen =
      cupyxx::equal(cupyxx::arange(input_shape(0)[1]), cupyxx::expand_dims(in[1], 1));
  const ndarray g = cupyxx::expand_dims(gy[0], 1);
  return {cupyxx::where(chosen, g, cupyxx::zeros_like(g)), {}};
}

std::vector<Variable> SelectItem::backward_variables(VariableSpan in, VariableSpan gy) {
  const ndarray chosen =
      cupyxx::equal(cupyxx::arange(in[0].shape()[1]), cupyxx::expand_dims(in[1].data(), 1));
  return {where(chosen, expand_dims(gy[0], 1), cupyxx::zeros({}, gy[0].dtype())), {}};
}

void Where::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 3);
  const auto condition = in[0], x = in[1], y = in[2];
  typecheck::expect(condition.dtype() == cupyxx::bool_, x.dtype() == y.dtype());
}

std::vector<ndarray> Where::forward(ArraySpan in) {
  retain_inputs({0});
  return {cupyxx::where(in[0], in[1], in[2])};
}

std::vector<ndarray> Where::backward(ArraySpan in, ArraySpan gy) {
  const ndarray zero = cupyxx::zeros({}, gy[0].dtype());
  std::vector<ndarray> grads(3);
  if (needs_gradient(1)) {
    grads[1] = internal::sum_to(cupyxx::where(in[0], gy[0], zero), input_shape(1));
  }
  if (needs_gradient(2)) {
    grads[2] = internal::sum_to(cupyxx::where(in[0], zero, gy[0]), input_shape(2));
  }
  return grads;
}

std::vector<Variable> Where::backward_variables(VariableSpan in, VariableSpan gy) {
  const Variable condition = in[0].data();
  const Variable zero = cupyxx::zeros({}, gy[0].dtype());
  std::vector<Variable> grads(3);
  if (needs_gradient(1)) grads[1] = sum_to(where(condition, gy[0], zero), in[1].shape());
  if (needs_gradient(2)) grads[2] = sum_to(where(condition, zero, gy[0]), in[2].shape());
  return grads;
}

std::vector<Variable> split_axis(const Variable& x, const cupyxx::Sections& indices_or_sections,
                                 int axis) {
  return SplitAxis(indices_or_sections, axis)(x);
}
Variable stack(const std::vector<Variable>& xs, int axis) { return Stack(axis)(xs); }
Variable stack(const std::vector<Variable>& xs, const StackOptions& options) {
  return stack(xs, options.axis);
}
Variable get_item(const Variable& x, const IndexArg& index) { return GetItem(index.list())(x); }

Variable scatter_add(const Variable& x, const IndexArg& index, const Variable& values) {
  internal::refuse_none("scatter_add", {&x, &values});
  const cupyxx::Shape shape = x.data().getitem(index.list()).shape();
  const Variable all = values.shape() == shape ? values : broadcast_to(values, shape);
  return x + PutItem(x.shape(), index.list())(all);
}
Variable select_item(const Variable& x, const Variable& t) { return SelectItem()(x, t); }

namespace {

Variable number_beside(const Variable& x, const cupyxx::Scalar& number) {
  internal::refuse_none("where", {&x});
  if (x.dtype().kind() != 'f') {
    throw cupyxx::DtypeError(cupyxx::message(
        "where: a number stands beside a floating variable only; ", x.dtype().name()));
  }
  return cupyxx::full({}, number, x.dtype());
}

}  // namespace

Variable where(const Variable& condition, const Variable& x, const Variable& y) {
  return Where()(condition, x, y);
}
Variable where(const ndarray& condition, const Variable& x, const Variable& y) {
  const Variable constant = condition;
  return where(constant, x, y);
}
Variable where(const Variable& condition, const Variable& x, const cupyxx::Scalar& y) {
  return where(condition, x, number_beside(x, y));
}
Variable where(const Variable& condition, const cupyxx::Scalar& x, const Variable& y) {
  return where(condition, number_beside(y, x), y);
}
Variable where(const ndarray& condition, const Variable& x, const cupyxx::Scalar& y) {
  return where(condition, x, number_beside(x, y));
}
Variable where(const ndarray& condition, const cupyxx::Scalar& x, const Variable& y) {
  return where(condition, number_beside(y, x), y);
}

}  // namespace chainerxx::functions
