// SPDX-License-Identifier: MIT
// What methods of variables call; defined and described in chainerxx/functions.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <utility>
#include <vector>

#include "chainerxx/axes_arg.h"
#include "cupyxx/core/index.h"
#include "cupyxx/dtype.h"
#include "cupyxx/export.h"
#include "cupyxx/ndarray.h"
#include "cupyxx/shape.h"

namespace chainerxx {

class Variable;

namespace functions {
CUPYXX_API Variable get_item(const Variable& x, const IndexArg& index);
CUPYXX_API Variable transpose(const Variable& x);
CUPYXX_API Variable transpose(const Variable& x, const cupyxx::Shape& axes);
CUPYXX_API Variable reshape(const Variable& x, const cupyxx::Shape& shape);
CUPYXX_API Variable sum(const Variable& x, const AxesArg& axis, bool keepdims);
CUPYXX_API Variable mean(const Variable& x, const AxesArg& axis, bool keepdims);
CUPYXX_API Variable max(const Variable& x, const AxesArg& axis, bool keepdims);
CUPYXX_API Variable min(const Variable& x, const AxesArg& axis, bool keepdims);
CUPYXX_API Variable var(const Variable& x, const AxesArg& axis, bool keepdims);
CUPYXX_API Variable std(const Variable& x, const AxesArg& axis, bool keepdims);
CUPYXX_API Variable argmax(const Variable& x, std::optional<int> axis);
CUPYXX_API Variable argmin(const Variable& x, std::optional<int> axis);
CUPYXX_API Variable flatten(const Variable& x);
CUPYXX_API Variable squeeze(const Variable& x, const AxesArg& axis);
CUPYXX_API Variable swapaxes(const Variable& x, int axis1, int axis2);
CUPYXX_API Variable cast(const Variable& x, cupyxx::dtype to);
CUPYXX_API Variable clip(const Variable& x, double x_min, double x_max);
CUPYXX_API Variable prod(const Variable& x, const AxesArg& axis, bool keepdims);
CUPYXX_API Variable cumsum(const Variable& x, std::optional<int> axis);
CUPYXX_API Variable cumprod(const Variable& x, std::optional<int> axis);
CUPYXX_API Variable sqrt(const Variable& x);
CUPYXX_API Variable square(const Variable& x);
CUPYXX_API Variable log1p(const Variable& x);
CUPYXX_API Variable expm1(const Variable& x);
CUPYXX_API Variable tanh(const Variable& x, bool use_cudnn);
CUPYXX_API Variable sigmoid(const Variable& x, bool use_cudnn);
CUPYXX_API Variable relu(const Variable& x, bool use_cudnn);
}  // namespace functions

namespace internal {
CUPYXX_API Variable softmax_over(const Variable& x, int axis);
CUPYXX_API Variable log_softmax_over(const Variable& x, int axis);
CUPYXX_API Variable spread(const Variable& x, const VarianceOptions& options, bool is_root);

/// Indices of variables that are lists, as arrays take them: `x({0, 2})`, `x({true, false})`, and a
/// list an axis, `x({0, 1}, {1, 0})`, `x(slice(), {2, 0})`. `V` is Variable.
template <class V>
class ListIndex {
 public:
  V operator()(std::initializer_list<cupyxx::internal::ListedIndex> index) const {
    return part({cupyxx::Index(index)});
  }
  template <std::same_as<bool> B>
  V operator()(std::initializer_list<B> mask) const {
    return part({cupyxx::Index(std::vector<bool>(mask))});
  }
  V operator()(const cupyxx::internal::Entry& first, const cupyxx::internal::Entry& second) const {
    return part({first, second});
  }
  V operator()(const cupyxx::internal::Entry& first, const cupyxx::internal::Entry& second,
               const cupyxx::internal::Entry& third) const {
    return part({first, second, third});
  }
  V operator()(const cupyxx::internal::Entry& first, const cupyxx::internal::Entry& second,
               const cupyxx::internal::Entry& third, const cupyxx::internal::Entry& fourth) const {
    return part({first, second, third, fourth});
  }

 private:
  V part(std::vector<cupyxx::Index> list) const {
    return functions::get_item(static_cast<const V&>(*this), IndexArg(std::move(list)));
  }
};

}  // namespace internal

}  // namespace chainerxx
