// SPDX-License-Identifier: MIT
// What a type check knows of an array.
#pragma once

#include <cstdint>

#include "cupyxx/dtype.h"
#include "cupyxx/shape.h"

namespace typecheck {

/// What a condition sees as the kind of a dtype: NumPy's letter, but 'f' for bfloat16 too, whose
/// own is 'V', so that `x.dtype().kind() == 'f'` holds for all dtypes that functions compute with.
inline char kind_of(cupyxx::dtype dtype) { return dtype == cupyxx::bfloat16_ ? 'f' : dtype.kind(); }

/// Shape and dtype of an array, wherever it lives.
class TypeInfo {
 public:
  TypeInfo() = default;
  TypeInfo(const cupyxx::Shape& shape, cupyxx::dtype dtype) : shape_(shape), dtype_(dtype) {}

  const cupyxx::Shape& shape() const { return shape_; }
  cupyxx::dtype dtype() const { return dtype_; }
  std::int64_t ndim() const { return shape_.ndim(); }
  /// Number of elements.
  std::int64_t size() const { return shape_.element_count(); }

 private:
  cupyxx::Shape shape_;
  cupyxx::dtype dtype_;
};

}  // namespace typecheck
