// SPDX-License-Identifier: MIT
// What a run-time expression evaluates to: the few kinds of Python object that type checks meet.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cupyxx/dtype.h"
#include "cupyxx/export.h"
#include "cupyxx/shape.h"
#include "typecheck/internal/operation.h"
#include "typecheck/type_info.h"

namespace typecheck {

/// None, a bool, an integer, a float, a text, a dtype, a tuple, or type information.
class CUPYXX_API Value {
 public:
  enum class Kind : std::uint8_t {
    nothing,
    boolean,
    integer,
    floating,
    text,
    dtype,
    tuple,
    type_info,
    type_infos
  };

  Value() = default;
  Value(None) {}                                                // NOLINT
  Value(bool value) : kind_(Kind::boolean), integer_(value) {}  // NOLINT
  template <std::integral T>
  Value(T value)  // NOLINT
      : kind_(Kind::integer), integer_(internal::int64_of(value)) {}
  Value(char letter) : kind_(Kind::text), text_(1, letter) {}        // NOLINT
  Value(double value) : kind_(Kind::floating), floating_(value) {}   // NOLINT
  Value(std::string_view text) : kind_(Kind::text), text_(text) {}   // NOLINT
  Value(const char* text) : Value(std::string_view(text)) {}         // NOLINT
  Value(const std::string& text) : Value(std::string_view(text)) {}  // NOLINT
  Value(cupyxx::dtype type) : kind_(Kind::dtype), dtype_(type) {}    // NOLINT
  Value(const cupyxx::Shape& shape);                                 // NOLINT
  Value(const TypeInfo& info);                                       // NOLINT
  Value(std::vector<Value> items)                                    // NOLINT
      : kind_(Kind::tuple), items_(std::move(items)) {}
  /// All inputs of a function; its attribute `size` is their number.
  explicit Value(std::span<const TypeInfo> infos);

  Kind kind() const { return kind_; }
  /// Truth as in Python.
  bool is_true() const;
  /// The value of a bool or an integer; throws TypeError for other kinds.
  std::int64_t as_int() const;
  /// The value of a number; throws TypeError for other kinds.
  double as_double() const;
  /// Throws TypeError for other kinds than dtype.
  cupyxx::dtype as_dtype() const;
  /// A tuple of integers; throws TypeError for other values.
  cupyxx::Shape as_shape() const;
  const std::vector<Value>& items() const { return items_; }

  /// The attributes that NumPy's objects have: shape, dtype, ndim, size, kind, char, itemsize,
  /// name. Throws TypeError for others.
  Value attr(std::string_view name) const;
  /// Python's `value[key]`; throws IndexError, and TypeError where there is nothing to index.
  Value item(const Value& key) const;
  Value item(const slice& key) const;

  /// Python's str().
  std::string str() const;
  /// Python's repr(): texts are quoted.
  std::string repr() const;

 private:
  Kind kind_ = Kind::nothing;
  cupyxx::dtype dtype_;
  std::int64_t integer_ = 0;
  double floating_ = 0;
  std::string text_;
  std::vector<Value> items_;  // of a tuple; the extents of a TypeInfo
};

namespace internal {

/// The operators on run-time values. Throw TypeError for operands that Python refuses.
CUPYXX_API Value apply(UnaryOp op, const Value& x);
CUPYXX_API Value apply(BinaryOp op, const Value& a, const Value& b);
CUPYXX_API bool compare(CompareOp op, const Value& a, const Value& b);
/// One of sum, prod, len, min, max, abs; throws ValueError for another name.
CUPYXX_API Value call(std::string_view function, const std::vector<Value>& args);

}  // namespace internal
}  // namespace typecheck
