// SPDX-License-Identifier: MIT
// NumPy's numbers and casts by the name of a dtype: `float32(3.14)`, `uint8({1, 2})`. Included by
// creation.h.
#pragma once

#include <initializer_list>

#include "cupyxx/core/array_like.h"
#include "cupyxx/creation.h"
#include "cupyxx/dtype.h"

namespace cupyxx {

template <class T>
auto dtype::operator()(const T& value) const {
  return asarray(value, *this);
}
template <class T>
auto dtype::operator()(std::initializer_list<T> list) const {
  return array(list, *this);
}
inline ndarray dtype::operator()(const ArrayLike& list) const { return list.array().astype(*this); }

}  // namespace cupyxx
