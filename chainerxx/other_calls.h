// SPDX-License-Identifier: MIT
// What Python and PyTorch call with variables: loops over rows, len(), grad() with its options.
//
//   for (const Variable& row : x) loss += F::sum(F::square(row));
#pragma once

#include <concepts>
#include <cstdint>
#include <vector>

#include "chainerxx/other_names.h"
#include "chainerxx/variable.h"
#include "cupyxx/export.h"

namespace chainerxx {

namespace internal {
/// Throws TypeError for None and for a variable without axes.
CUPYXX_API std::int64_t extent_of_rows(const Variable& x);
/// What PyTorch's grad takes.
struct GradOfPyTorch {
  std::vector<Variable> grad_outputs = {};
  bool retain_graph = false;
  bool create_graph = false;
  bool allow_unused = false;
};
}  // namespace internal

/// Goes over the parts of a variable along its first axis, which have gradients:
/// `for (auto& row : x)`.
class RowIterator {
 public:
  RowIterator(const Variable& x, std::int64_t row) : x_(x), row_(row) {}
  Variable& operator*() {
    here_ = x_(row_);
    return here_;
  }
  RowIterator& operator++() {
    ++row_;
    return *this;
  }
  bool operator==(const RowIterator& other) const { return row_ == other.row_; }

 private:
  Variable x_, here_;
  std::int64_t row_;
};
/// Throw TypeError for None and for a variable without axes.
inline RowIterator begin(const Variable& x) { return {x, 0}; }
inline RowIterator end(const Variable& x) { return {x, internal::extent_of_rows(x)}; }
/// Of the first axis in later Chainer, of all elements in the first.
template <std::same_as<Variable> V>
int len(const V&) {
  static_assert(internal::kNever<V>,
                "write x.shape()[0] for the extent of the first axis, x.size() for the number of "
                "elements");
  return 0;
}

/// Not by PyTorch's names: see grad.h.
template <std::same_as<internal::GradOfPyTorch> O = internal::GradOfPyTorch>
std::vector<Variable> grad(const std::vector<Variable>&, const std::vector<Variable>&, O) {
  static_assert(internal::kNever<O>,
                "graphs are kept, and inputs may be unused: write grad({y}, {x}); for gradients of "
                "gradients grad({y}, {x}, {.enable_double_backprop = true});");
  return {};
}

/// PyTorch's takes single variables, too.
template <std::same_as<Variable> Y, class X>
std::vector<Variable> grad(const Y&, const X&) {
  static_assert(internal::kNever<Y, X>, "write grad({y}, {x})[0]: outputs and inputs are lists");
  return {};
}

}  // namespace chainerxx
