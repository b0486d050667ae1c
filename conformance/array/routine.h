// SPDX-License-Identifier: MIT
// From NumPy's names to our functions: each routine lists its parameters in NumPy's order and calls
// ours with what a case gives.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/array/value.h"
#include "cupyxx/ndarray.h"
#include "cupyxx/ufunc.h"

namespace conformance {

using Arrays = std::vector<cupyxx::ndarray>;

/// The arguments of one call, by NumPy's parameter names. The parameter "*" takes all remaining
/// positional arguments; those after it are keywords.
class Bound {
 public:
  /// Throws Missing for a keyword, or an argument, that is not among the parameters.
  Bound(std::string_view routine, std::span<const std::string_view> parameters,
        const std::vector<Value>& args, const std::map<std::string, Value>& kw);

  bool has(std::string_view name) const;
  /// Whether it is given, be it None.
  bool given(std::string_view name) const { return values_.contains(name); }
  /// The argument; throws Missing when it is not given.
  const Value& at(std::string_view name) const;
  /// An array; lists and numbers become one.
  cupyxx::ndarray array(std::string_view name) const;
  /// An array, or the null array for None and when it is not given.
  cupyxx::ndarray optional_array(std::string_view name) const;
  cupyxx::Operand operand(std::string_view name) const;
  int integer(std::string_view name, std::optional<int> otherwise = {}) const;
  bool boolean(std::string_view name, bool otherwise) const;
  cupyxx::dtype dtype(std::string_view name) const;
  cupyxx::Shape shape(std::string_view name) const;
  /// None and "not given" mean all axes.
  cupyxx::Axes axes(std::string_view name) const;
  /// None means all axes, "not given" the default.
  cupyxx::Axes axes(std::string_view name, int otherwise) const;
  /// The arrays of a list.
  Arrays arrays(std::string_view name) const;
  /// The arrays among the arguments of "*".
  Arrays rest() const;
  cupyxx::Casting casting(std::string_view name) const;
  /// NumPy's letter of an order, or `otherwise`.
  cupyxx::Order order(std::string_view name, cupyxx::Order otherwise = cupyxx::Order::C) const;
  /// The text of an argument, or `otherwise`.
  std::string text(std::string_view name, const std::string& otherwise) const;
  double number(std::string_view name, double otherwise) const;
  std::optional<double> optional_number(std::string_view name) const;

 private:
  std::map<std::string_view, const Value*> values_;
  std::vector<const Value*> rest_;
};

/// A value as an operand of an elementwise operation.
cupyxx::Operand to_operand(const Value& value);
/// A value as an array.
cupyxx::ndarray to_array(const Value& value);
/// A Python index as a list of its entries.
std::vector<cupyxx::Index> index_list(const Value& index);
/// A number; that of an array with one element has the array's dtype.
cupyxx::Scalar to_scalar(const Value& value);
/// A number or a tuple as a shape.
cupyxx::Shape to_shape(const Value& value);

struct Routine {
  std::vector<std::string_view> parameters;
  Arrays (*call)(const Bound&);
};

using Routines = std::map<std::string_view, Routine>;

Routines creation_routines();
Routines manipulation_routines();
Routines indexing_routines();
Routines reduction_routines();
Routines linalg_routines();
Routines sorting_routines();
Routines statistics_routines();
Routines composed_routines();
Routines picking_routines();
Routines editing_routines();
Routines numeric_routines();
Routines position_routines();
Routines fft_routines();
Routines method_routines();
Routines polynomial_routines();

/// Calls a method of a ufunc: "add.reduce". Throws Missing for another method.
Arrays call_method(const cupyxx::ufunc& f, std::string_view method, const std::vector<Value>& args,
                   const std::map<std::string, Value>& kw);

/// Calls the routine, or the ufunc, of a name. Throws Missing when there is none.
Arrays call_routine(const std::string& name, const std::vector<Value>& args,
                    const std::map<std::string, Value>& kw);

}  // namespace conformance
