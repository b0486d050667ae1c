// SPDX-License-Identifier: MIT
// Arguments of a reference case: what NumPy was given, as our own values.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "cupyxx/core/index.h"
#include "cupyxx/io.h"
#include "cupyxx/ndarray.h"

namespace conformance {

/// Our API lacks what a case asks for: the routine, a keyword, a kind of argument.
class Missing : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// One argument.
struct Value {
  enum class Kind { none, scalar, text, array, list, slice, newaxis, ellipsis, dtype };

  Kind kind = Kind::none;
  cupyxx::Scalar scalar;
  std::string text;
  mutable cupyxx::ndarray array;  // of a list: once it is an operand, which refers to it
  std::vector<Value> list;
  bool tuple = false;  // of a list: Python's tuple
  cupyxx::slice range;
  cupyxx::dtype type;

  bool is_none() const { return kind == Kind::none; }
  bool is_scalar() const { return kind == Kind::scalar; }
  bool is_list() const { return kind == Kind::list; }
};

/// Builds values from the JSON of a case; arrays come from the npz file beside it.
class Reader {
 public:
  explicit Reader(const cupyxx::NpzFile& arrays) : arrays_(arrays) {}

  /// Values that name one array share its memory.
  Value value(const nlohmann::json& arg) const;

 private:
  const cupyxx::ndarray& array(const std::string& key) const;

  const cupyxx::NpzFile& arrays_;
  mutable std::map<std::string, cupyxx::ndarray> read_;
};

/// A strided array with the elements of `a`: "transposed", "step2", "reversed", "broadcast0",
/// "fortran".
cupyxx::ndarray with_layout(const cupyxx::ndarray& a, const std::string& layout);

/// Every array in a value, in order.
void collect_arrays(const Value& value, std::vector<cupyxx::ndarray>& out);

/// The array that NumPy makes of nested lists of numbers: bool, int64, uint64 or float64.
cupyxx::ndarray array_of_list(const Value& list, cupyxx::dtype type);

}  // namespace conformance
