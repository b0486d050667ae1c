// SPDX-License-Identifier: MIT
// What `ndarray::tolist()` gives: nested lists of numbers, as in Python.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <vector>

#include "cupyxx/export.h"
#include "cupyxx/scalar.h"

namespace cupyxx {

/// A number, or a list of numbers or lists. Numbers are weak, as Python's are: bool, integer,
/// floating or complex, without the dtype of the array.
class CUPYXX_API NestedList {
 public:
  explicit NestedList(const Scalar& number);
  explicit NestedList(std::vector<NestedList> items);
  NestedList(const NestedList& other);
  NestedList(NestedList&& other) noexcept;
  NestedList& operator=(const NestedList& other);
  NestedList& operator=(NestedList&& other) noexcept;
  ~NestedList();

  bool is_number() const { return is_number_; }
  /// Throws TypeError for a list.
  const Scalar& number() const;
  /// The items; throws TypeError for a number.
  const std::vector<NestedList>& items() const;
  std::size_t size() const;
  /// Throws IndexError beyond the end.
  const NestedList& operator[](std::size_t i) const;
  std::vector<NestedList>::const_iterator begin() const;
  std::vector<NestedList>::const_iterator end() const;
  /// The text that Python prints: "[[1, 2], [3, 4]]".
  std::string str() const;

 private:
  std::vector<NestedList> items_;
  Scalar number_;
  bool is_number_ = false;
};

CUPYXX_API std::ostream& operator<<(std::ostream& os, const NestedList& list);

}  // namespace cupyxx
