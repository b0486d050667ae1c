// SPDX-License-Identifier: MIT
// What a training tells about itself: numbers by name, from wherever they are computed to whoever
// wants them.
//
//   struct Model : FunctionSet {
//     Variable operator()(const Variable& x, const Variable& t) {
//       Variable loss = F::mean_squared_error(net(x), t);
//       chainerxx::report({{"loss", loss}}, *this);   // the trainer sees "main/loss"
//       return loss;
//     }
//   };
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "chainerxx/function_set.h"
#include "chainerxx/variable.h"
#include "cupyxx/export.h"

namespace chainerxx {

namespace training {
class Serializer;
}

/// A number that is told: one of C++, or an array or variable of one element, which stays on its
/// device until somebody reads it.
class CUPYXX_API ReportedValue {
 public:
  ReportedValue() = default;
  template <class T>
  requires std::is_arithmetic_v<T> ReportedValue(T number)  // NOLINT(google-explicit-constructor)
      : number_(static_cast<double>(number)) {}
  ReportedValue(const ndarray& array)  // NOLINT(google-explicit-constructor)
      : array_(array), is_none_(array.is_none()) {}
  ReportedValue(const Variable& variable)  // NOLINT(google-explicit-constructor)
      : ReportedValue(variable.data()) {
    variable_ = variable;
  }

  /// The number. Synchronises for arrays of devices; ValueError for more than one element,
  /// TypeError for None.
  double value() const;
  /// Whether it is an array or a variable that is None: a gradient that never came.
  bool is_none() const { return is_none_; }
  /// The array; None for a number of C++.
  const ndarray& array() const { return array_; }
  /// The variable with its graph, while somebody wants graphs; else None.
  const Variable& variable() const { return variable_; }
  /// Gives the graph up.
  void drop_graph() { variable_ = Variable(); }

 private:
  ndarray array_;
  Variable variable_;
  double number_ = 0;
  bool is_none_ = false;
};

/// Numbers by name, in the order they were told.
class CUPYXX_API Observation {
 public:
  struct Entry {
    std::string name;
    ReportedValue value;
  };
  bool contains(std::string_view name) const { return find(name) != nullptr; }
  /// The value of a name; null for an unknown one.
  const ReportedValue* find(std::string_view name) const;
  /// The number of a name; throws IndexError, which lists the names that there are.
  double operator[](std::string_view name) const;
  double at(std::string_view name) const { return (*this)[name]; }
  /// The names, "main/loss, main/accuracy", or "nothing".
  std::string listed() const;
  /// Adds a value, in the place of an earlier one of this name.
  void set(std::string_view name, ReportedValue value);
  const std::vector<Entry>& entries() const& { return entries_; }
  /// By value of a temporary: `for (auto& [name, value] : evaluator.evaluate().entries())`.
  std::vector<Entry> entries() && { return std::move(entries_); }
  bool empty() const { return entries_.empty(); }
  void clear() { entries_.clear(); }

 private:
  std::vector<Entry> entries_;
};

/// Knows the observed objects by name, and where values go while a scope is open.
class CUPYXX_API Reporter {
 public:
  /// Names a set of functions, and everything in it: "main", "main/predictor/l1". Throws ValueError
  /// for a name that another object has.
  void add_observer(const std::string& name, FunctionSet& observer);
  /// The name of an object; empty when it has none.
  std::string_view name_of(const void* observer) const;
  /// Whether variables that are told keep their graphs.
  bool keeps_graphs() const { return keeps_graphs_; }
  void set_keeps_graphs(bool keep) { keeps_graphs_ = keep; }

 private:
  void add(const std::string& name, const void* observer);

  std::vector<std::pair<const void*, std::string>> names_;
  bool keeps_graphs_ = false;
};

/// While it lives, what this thread reports goes to an observation, by the names of a reporter with
/// a prefix before them.
class CUPYXX_API ReportScope {
 public:
  ReportScope(const Reporter& reporter, Observation& observation, std::string_view prefix = {});
  ~ReportScope();
  ReportScope(const ReportScope&) = delete;
  ReportScope& operator=(const ReportScope&) = delete;

 private:
  friend class ReportTarget;
  const ReportScope* previous_;
  const Reporter* reporter_;
  Observation* observation_;
  std::string prefix_;
};

/// A name and a value.
struct Report {
  std::string_view name;
  ReportedValue value;
};

/// Tells values under their names alone; nothing happens where no scope is open. Throws TypeError
/// for an array or a variable that is None, ValueError for one of more or fewer elements than one.
CUPYXX_API void report(std::initializer_list<Report> values);
/// The same for an observed object, whose name stands before: "main/loss". Throws ValueError for an
/// object that the reporter does not know.
CUPYXX_API void report(std::initializer_list<Report> values, const FunctionSet& observer);
CUPYXX_API void report(std::initializer_list<Report> values, const Function& observer);
/// Tells everything of an observation; nothing happens where no scope is open.
CUPYXX_API void report(const Observation& values);

/// Means of numbers by name. Sums of arrays stay on their device: adding does not wait.
class CUPYXX_API DictSummary {
 public:
  /// Adds all values, or those with one of these names.
  void add(const Observation& observation);
  void add(const Observation& observation, const std::vector<std::string>& keys);
  void add(std::string_view name, const ReportedValue& value);
  /// Mean of each name, in the order of their first values. Synchronises.
  std::vector<std::pair<std::string, double>> compute_mean() const;
  /// Whether something was added under a name.
  bool contains(std::string_view name) const;
  /// The mean of one name; NaN when nothing was added. Synchronises.
  double mean(std::string_view name) const;
  void clear() { sums_.clear(); }
  /// Writes the sums, or takes them over.
  void serialize(const training::Serializer& s);

 private:
  struct Sum {
    std::string name;
    double number = 0;  // of numbers and of arrays on the host
    ndarray array;      // of arrays elsewhere; float64, None without
    std::int64_t count = 0;
    double value() const;
  };
  Sum& at(std::string_view name);

  std::vector<Sum> sums_;
};

}  // namespace chainerxx
