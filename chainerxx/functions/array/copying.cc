// SPDX-License-Identifier: MIT
#include "chainerxx/functions/array/copying.h"

#include <string_view>

#include "chainerxx/functions/array/array.h"
#include "chainerxx/functions/array/parts.h"
#include "chainerxx/internal/sum_to.h"
#include "cupyxx/error.h"
#include "cupyxx/manipulation.h"
#include "typecheck/expect.h"

namespace chainerxx {

void internal::check_pad_mode(std::string_view mode) {
  if (mode == "constant") return;
  throw cupyxx::ValueError(cupyxx::message(R"(pad: the mode is not "constant"; ")", mode, "\""));
}

namespace functions {

void Copy::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 1);
}

std::vector<ndarray> Copy::forward(ArraySpan x) {
  retain_inputs({});
  source_ = x[0].device();
  return {x[0].device() == destination_ ? x[0].copy() : x[0].to(destination_)};
}

std::vector<ndarray> Copy::backward(ArraySpan, ArraySpan gy) { return {gy[0].to(source_)}; }

std::vector<Variable> Copy::backward_variables(VariableSpan, VariableSpan gy) {
  return {gy[0].device() == source_ ? gy[0] : copy(gy[0], source_)};
}

void Broadcast::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() > 0);
  const auto types = in.types();
  std::vector<cupyxx::Shape> shapes;
  for (const auto& type : types) shapes.push_back(type.shape());
  // Extents from the last axis on, each compared with the first that is not 1.
  for (int back = 1; back <= cupyxx::kMaxNdim; ++back) {
    std::int64_t first = -1;
    for (std::size_t i = 0; i < types.size(); ++i) {
      const int axis = shapes[i].ndim() - back;
      if (axis < 0 || shapes[i][axis] == 1) continue;
      if (first < 0) {
        first = static_cast<std::int64_t>(i);
      } else {
        typecheck::expect(in[first].shape()[-back] ==
                          in[static_cast<std::int64_t>(i)].shape()[-back]);
      }
    }
  }
}

std::vector<ndarray> Broadcast::forward(ArraySpan xs) {
  retain_inputs({});
  return cupyxx::broadcast_arrays(xs);
}

std::vector<ndarray> Broadcast::backward(ArraySpan xs, ArraySpan gy) {
  std::vector<ndarray> grads;
  for (std::size_t i = 0; i < xs.size(); ++i) {
    grads.push_back(gy[i].is_none() ? gy[i] : internal::sum_to(gy[i], input_shape(i)));
  }
  return grads;
}

std::vector<Variable> Broadcast::backward_variables(VariableSpan xs, VariableSpan gy) {
  std::vector<Variable> grads;
  for (std::size_t i = 0; i < xs.size(); ++i) {
    grads.push_back(gy[i].is_none() ? gy[i] : sum_to(gy[i], xs[i].shape()));
  }
  return grads;
}

void Tile::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 1);
}

std::vector<ndarray> Tile::forward(ArraySpan x) {
  retain_inputs({});
  return {cupyxx::tile(x[0], reps_)};
}

cupyxx::Shape Tile::pairs(const cupyxx::Shape& result) const {
  const cupyxx::Shape own = input_shape(0);
  const int ndim = result.ndim();
  cupyxx::Shape pairs;
  for (int i = 0; i < ndim; ++i) {
    const int axis = i - (ndim - own.ndim());
    const std::int64_t extent = axis < 0 ? 1 : own[axis];
    pairs.push_back(extent == 0 ? 0 : result[i] / extent);
    pairs.push_back(extent);
  }
  return pairs;
}

std::vector<ndarray> Tile::backward(ArraySpan, ArraySpan gy) {
  const cupyxx::Shape split = pairs(gy[0].shape());
  std::vector<std::int64_t> copies;
  for (int i = 0; i < split.ndim(); i += 2) copies.push_back(i);
  return {gy[0].reshape(split).sum(copies).reshape(input_shape(0))};
}

std::vector<Variable> Tile::backward_variables(VariableSpan x, VariableSpan gy) {
  const cupyxx::Shape split = pairs(gy[0].shape());
  cupyxx::Shape once = split;
  for (int i = 0; i < split.ndim(); i += 2) once[i] = 1;
  return {reshape(sum_to(reshape(gy[0], split), once), x[0].shape())};
}

void Pad::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 1);
}

std::vector<ndarray> Pad::forward(ArraySpan x) {
  retain_inputs({});
  return {cupyxx::pad(x[0], width_, {.constant_values = value_})};
}

std::vector<cupyxx::Index> Pad::inside() const {
  const auto& pairs = width_.pairs();
  const cupyxx::Shape own = input_shape(0);
  std::vector<cupyxx::Index> inside;
  for (int i = 0; i < own.ndim(); ++i) {
    const std::int64_t before = pairs[pairs.size() == 1 ? 0 : static_cast<std::size_t>(i)][0];
    inside.emplace_back(cupyxx::slice(before, before + own[i]));
  }
  return inside;
}

std::vector<ndarray> Pad::backward(ArraySpan, ArraySpan gy) { return {gy[0].getitem(inside())}; }

std::vector<Variable> Pad::backward_variables(VariableSpan, VariableSpan gy) {
  return {get_item(gy[0], inside())};
}

Variable copy(const Variable& x, cupyxx::Device dst) { return Copy(dst)(x); }
Variable copy(const Variable& x, int dst) {
  return copy(x, dst < 0 ? cupyxx::Device::cpu() : cupyxx::Device::cuda(dst));
}
std::vector<Variable> broadcast(const std::vector<Variable>& xs) { return Broadcast()(xs); }
Variable tile(const Variable& x, const cupyxx::Shape& reps) {
  for (const std::int64_t n : reps) {
    if (n < 0)
      throw cupyxx::ValueError(cupyxx::message("tile: a number of copies is negative; ", reps));
  }
  return Tile(reps)(x);
}
Variable pad(const Variable& x, const cupyxx::PadWidth& width, double value) {
  return Pad(width, value)(x);
}

}  // namespace functions
}  // namespace chainerxx
