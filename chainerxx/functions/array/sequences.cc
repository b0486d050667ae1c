// SPDX-License-Identifier: MIT
#include "chainerxx/functions/array/sequences.h"

#include <algorithm>
#include <exception>

#include "chainerxx/functions/array/copying.h"
#include "chainerxx/functions/array/parts.h"
#include "chainerxx/internal/same_shape.h"
#include "cupyxx/error.h"

namespace chainerxx::functions {
namespace {

void check_sequences(const char* name, const std::vector<Variable>& xs) {
  if (xs.empty()) throw cupyxx::ValueError(cupyxx::message(name, ": there are no sequences"));
  for (std::size_t i = 0; i < xs.size(); ++i) {
    if (xs[i].is_none()) {
      throw cupyxx::TypeError(cupyxx::message(name, ": input ", i, " is None"));
    }
    cupyxx::Shape shape = xs[i].shape(), first = xs[0].shape();
    if (shape.ndim() >= 1 && first.ndim() >= 1) shape[0] = first[0] = 0;
    if (shape.ndim() >= 1 && shape == first) continue;
    throw cupyxx::ShapeError(cupyxx::message(name, ": sequences differ behind their first axis; ",
                                             xs[0].shape(), " and ", xs[i].shape()));
  }
}

}  // namespace

Variable pad_sequence(const std::vector<Variable>& xs, std::optional<std::int64_t> length,
                      double padding) {
  check_sequences("pad_sequence", xs);
  std::int64_t longest = 0;
  for (const Variable& x : xs) longest = std::max(longest, x.shape()[0]);
  const std::int64_t all = length.value_or(longest);
  if (all < longest) {
    throw cupyxx::ValueError(
        cupyxx::message("pad_sequence: the length is below the longest; ", all, " and ", longest));
  }
  std::vector<Variable> rows;
  for (const Variable& x : xs) {
    std::vector<std::array<std::int64_t, 2>> width(static_cast<std::size_t>(x.ndim()), {0, 0});
    width[0][1] = all - x.shape()[0];
    rows.push_back(width[0][1] == 0 ? x : pad(x, width, padding));
  }
  return stack(rows);
}

std::vector<Variable> transpose_sequence(const std::vector<Variable>& xs) {
  check_sequences("transpose_sequence", xs);
  for (std::size_t i = 1; i < xs.size(); ++i) {
    if (xs[i].shape()[0] <= xs[i - 1].shape()[0]) continue;
    throw cupyxx::ValueError(cupyxx::message("transpose_sequence: sequence ", i,
                                             " is longer than the one before it; ", xs[i].shape(),
                                             " and ", xs[i - 1].shape()));
  }
  std::vector<Variable> steps;
  for (std::int64_t t = 0; t < xs[0].shape()[0]; ++t) {
    std::vector<Variable> present;
    for (const Variable& x : xs) {
      if (x.shape()[0] > t) present.push_back(get_item(x, {t}));
    }
    steps.push_back(stack(present));
  }
  return steps;
}

std::vector<Variable> separate(const Variable& x, int axis) {
  internal::refuse_none("separate", {&x});
  if (axis < -x.ndim() || axis >= x.ndim()) {
    throw cupyxx::AxisError(cupyxx::message("separate: axis ", axis,
                                            " is out of bounds for array of dimension ", x.ndim()));
  }
  const int at = axis < 0 ? axis + x.ndim() : axis;
  std::vector<cupyxx::Index> index(static_cast<std::size_t>(at), cupyxx::slice());
  index.emplace_back(0);
  const std::int64_t count = x.shape()[at];
  std::vector<Variable> parts;
  try {
    parts.reserve(static_cast<std::size_t>(count));
  } catch (const std::exception&) {  // bad_alloc or length_error: an array without elements
    throw cupyxx::OutOfMemoryError(
        cupyxx::message("separate: there is no room for ", count, " parts"));
  }
  for (std::int64_t i = 0; i < count; ++i) {
    index.back() = cupyxx::Index(i);
    parts.push_back(get_item(x, index));
  }
  return parts;
}

}  // namespace chainerxx::functions
