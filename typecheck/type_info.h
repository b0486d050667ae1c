// SPDX-License-Identifier: MIT
// What a type check knows of an array.
#pragma once

#include <cstdint>

#include "cupyxx/dtype.h"
#include "cupyxx/shape.h"

namespace typecheck {

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
