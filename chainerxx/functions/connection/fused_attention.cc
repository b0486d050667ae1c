// SPDX-License-Identifier: MIT
#include "chainerxx/functions/connection/fused_attention.h"

#include "chainerxx/functions/array/array.h"
#include "chainerxx/functions/array/broadcasting.h"
#include "chainerxx/functions/math/sum.h"
#include "chainerxx/internal/graph.h"
#include "chainerxx/internal/sum_to.h"
#include "cupyxx/creation.h"
#include "cupyxx/manipulation.h"
#include "typecheck/expect.h"

namespace chainerxx::functions {
namespace {

using cupyxx::Shape;
using internal::AttentionForm;
using internal::AttentionOperands;

constexpr const char* kName = "scaled_dot_product_attention";

/// Axes before the last two, broadcast to `lead` and made two: (batch, heads, rows, depth).
ndarray as_heads(const ndarray& x, const Shape& lead) {
  const Shape own = x.shape();
  Shape shape = lead;
  for (int axis = own.ndim() - 2; axis < own.ndim(); ++axis) shape.push_back(own[axis]);
  const ndarray wide = own == shape ? x : cupyxx::broadcast_to(x, shape);
  if (lead.ndim() == 1) return cupyxx::expand_dims(wide, 1);
  if (lead.ndim() == 2) return wide;
  shape = wide.shape();
  const int last = lead.ndim() - 1;
  std::int64_t batch = 1;
  for (int axis = 0; axis < last; ++axis) batch *= lead[axis];
  return wide.reshape({batch, shape[last], shape[last + 1], shape[last + 2]});
}

/// The mask by its strides, over all weights.
AttentionForm spread(const AttentionForm& form, const Shape& lead, std::int64_t queries,
                     std::int64_t keys) {
  if (form.mask.is_none()) return form;
  AttentionForm out = form;
  Shape shape = lead;
  shape.push_back(queries);
  shape.push_back(keys);
  out.mask = as_heads(cupyxx::broadcast_to(form.mask, shape), lead);
  return out;
}

/// Operands in the axes of the kernels.
struct Operands {
  Shape lead;  // the axes before the last two, of the result
  AttentionOperands arrays;

  explicit Operands(ArraySpan in)
      : lead(leading_axes(kName, {in[0].shape(), in[1].shape(), in[2].shape()})),
        arrays{as_heads(in[0], lead), as_heads(in[1], lead), as_heads(in[2], lead)} {}

  AttentionForm form(const AttentionForm& given) const {
    return spread(given, lead, arrays.query.shape()[2], arrays.key.shape()[2]);
  }
  /// (batch, heads, rows, depth) with the axes before them as they were given.
  ndarray as_given(const ndarray& x) const {
    Shape shape = lead;
    shape.push_back(x.shape()[2]);
    shape.push_back(x.shape()[3]);
    return x.reshape(shape);
  }
};

/// Three views (n, heads, length, depth) of (n, length, 3 heads depth).
AttentionOperands parts(const ndarray& qkv, std::int64_t heads) {
  const Shape shape = qkv.shape();
  const ndarray x =
      qkv.reshape({shape[0], shape[1], 3, heads, shape[2] / 3 / heads}).transpose({2, 0, 3, 1, 4});
  return {x(0), x(1), x(2)};
}

/// (n, heads, length, depth) as (n, length, heads depth): a view of what the kernels write.
ndarray join(const ndarray& y) {
  const Shape shape = y.shape();
  return y.transpose({0, 2, 1, 3}).reshape({shape[0], shape[2], shape[1] * shape[3]});
}
ndarray split(const ndarray& y, std::int64_t heads) {
  const Shape shape = y.shape();
  return y.reshape({shape[0], shape[1], heads, shape[2] / heads}).transpose({0, 2, 1, 3});
}

}  // namespace

Shape leading_axes(const char* name, std::initializer_list<Shape> shapes) {
  Shape lead;
  for (const Shape& shape : shapes) {
    const Shape own(shape.begin(), static_cast<std::size_t>(shape.ndim() - 2));
    lead = cupyxx::broadcast_shapes(name, lead, own);
  }
  return lead;
}

std::vector<ndarray> AttentionWeights::forward(ArraySpan in) {
  retain_inputs({});
  const Shape shape = in[0].shape();
  const Shape lead(shape.begin(), static_cast<std::size_t>(shape.ndim() - 2));
  form_ = spread(form_, lead, shape[shape.ndim() - 2], shape.back());
  const ndarray y = internal::attention_weights(in[0], form_);
  if (records()) y_ = internal::SavedArray(y);
  return {y};
}

std::vector<ndarray> AttentionWeights::backward(ArraySpan, ArraySpan gy) {
  return {internal::attention_weights_grad(y_.get(*this), gy[0], form_)};
}

std::vector<Variable> AttentionWeights::backward_variables(VariableSpan, VariableSpan gy) {
  const Variable y = output_variable(0, y_.get(*this));
  const Variable sums = sum(y * gy[0], y.ndim() - 1, true);
  return {y * (gy[0] - broadcast_to(sums, y.shape())) * form_.scale};
}

void FusedAttention::check_type_forward(const typecheck::TypeInfos& in) const {
  const auto query = in[0], key = in[1], value = in[2];
  typecheck::expect(key.dtype() == query.dtype(), value.dtype() == query.dtype(),
                    query.shape()[-1] == key.shape()[-1], key.shape()[-2] == value.shape()[-2]);
}

std::vector<ndarray> FusedAttention::forward(ArraySpan in) {
  const Operands operands(in);
  const internal::AttentionResult out =
      internal::attention(operands.arrays, operands.form(form_), records());
  const ndarray y = operands.as_given(out.y);
  if (records()) {
    y_ = internal::SavedArray(y);
    sums_ = out.sums;
  }
  return {y};
}

std::vector<ndarray> FusedAttention::backward(ArraySpan in, ArraySpan gy) {
  const Operands operands(in);
  const AttentionOperands& x = operands.arrays;
  const AttentionOperands grads{internal::empty_heads(x.query, x.query.shape()),
                                internal::empty_heads(x.key, x.key.shape()),
                                internal::empty_heads(x.value, x.value.shape())};
  internal::attention_grad(x, {as_heads(y_.get(*this), operands.lead), sums_},
                           as_heads(gy[0], operands.lead), operands.form(form_), grads);
  return {internal::sum_to(operands.as_given(grads.query), in[0].shape()),
          internal::sum_to(operands.as_given(grads.key), in[1].shape()),
          internal::sum_to(operands.as_given(grads.value), in[2].shape())};
}

std::vector<Variable> FusedAttention::backward_variables(VariableSpan in, VariableSpan gy) {
  return internal::differentiate_composed(in, gy, [this](const std::vector<Variable>& v) {
    return std::vector<Variable>{attention_by_products(v[0], v[1], v[2], form_)};
  });
}

std::vector<ndarray> FusedSelfAttention::forward(ArraySpan in) {
  const Shape shape = in[0].shape();
  const AttentionForm form = spread(form_, {shape[0], heads_}, shape[1], shape[1]);
  const internal::AttentionResult out = internal::attention(parts(in[0], heads_), form, records());
  const ndarray y = join(out.y);
  if (records()) {
    y_ = internal::SavedArray(y);
    sums_ = out.sums;
  }
  return {y};
}

std::vector<ndarray> FusedSelfAttention::backward(ArraySpan in, ArraySpan gy) {
  const Shape shape = in[0].shape();
  const ndarray grad = cupyxx::empty(shape, in[0].dtype());
  const AttentionForm form = spread(form_, {shape[0], heads_}, shape[1], shape[1]);
  internal::attention_grad(parts(in[0], heads_), {split(y_.get(*this), heads_), sums_},
                           split(gy[0], heads_), form, parts(grad, heads_));
  return {grad};
}

std::vector<Variable> FusedSelfAttention::backward_variables(VariableSpan in, VariableSpan gy) {
  return internal::differentiate_composed(in, gy, [this](const std::vector<Variable>& v) {
    return std::vector<Variable>{self_attention_by_products(v[0], heads_, form_)};
  });
}

}  // namespace chainerxx::functions
