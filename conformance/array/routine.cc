// SPDX-License-Identifier: MIT
#include "conformance/array/routine.h"

#include <algorithm>
#include <memory>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/ufunc.h"

namespace conformance {
namespace cp = cupyxx;
namespace {

using Kind = Value::Kind;

int to_int(const Value& value) {
  if (!value.is_scalar()) throw Missing("something else than an integer");
  return static_cast<int>(value.scalar.as_int64());
}

std::vector<std::int64_t> to_integers(const Value& value) {
  std::vector<std::int64_t> result;
  for (const Value& item : value.list) result.push_back(to_int(item));
  return result;
}

const Routines& routines() {
  static const Routines all = [] {
    Routines merged;
    for (Routines (*chapter)() :
         {creation_routines, manipulation_routines, indexing_routines, reduction_routines,
          linalg_routines, sorting_routines, statistics_routines, composed_routines,
          picking_routines, editing_routines, numeric_routines, position_routines, fft_routines,
          method_routines, polynomial_routines}) {
      merged.merge(chapter());
    }
    return merged;
  }();
  return all;
}

const cp::ufunc* ufunc_named(const std::string& name) {
  try {
    return &cp::find_ufunc(name);
  } catch (const cp::ValueError&) {
    return nullptr;
  }
}

/// Operands cannot be copied; this holds some.
struct Operands {
  explicit Operands(const Value& value) : operand(to_operand(value)) {}
  cp::Operand operand;
};

Arrays call_ufunc(const cp::ufunc& f, const std::vector<Value>& args,
                  const std::map<std::string, Value>& kw) {
  const auto inputs = static_cast<std::size_t>(f.nin());
  if (args.size() < inputs) throw Missing(cupyxx::message(f.name(), " with fewer operands"));
  std::vector<std::unique_ptr<Operands>> held;
  std::vector<const cp::Operand*> operands;
  for (std::size_t i = 0; i < inputs; ++i) {
    held.push_back(std::make_unique<Operands>(args[i]));
    operands.push_back(&held.back()->operand);
  }
  cp::UfuncOptions options;
  Arrays out;
  for (std::size_t i = inputs; i < args.size(); ++i) out.push_back(to_array(args[i]));
  for (const auto& [name, value] : kw) {
    if (name == "out" && value.is_list()) {
      for (const Value& item : value.list) out.push_back(item.array);
    } else if (name == "out") {
      // NumPy takes one array for several outputs as a mistake; so does our signature.
      if (f.nout() != 1)
        throw cp::TypeError(cupyxx::message(f.name(), ": one `out` for two outputs"));
      out.push_back(value.array);
    } else if (name == "dtype") {
      options.dtype = value.type;
    } else if (name == "where") {
      options.where = value.array;
    } else if (name == "casting") {
      options.casting = cp::Casting::unsafe;
      for (const cp::Casting rule :
           {cp::Casting::no, cp::Casting::equiv, cp::Casting::safe, cp::Casting::same_kind}) {
        if (cp::name(rule) == value.text) options.casting = rule;
      }
    } else if (name != "subok" && name != "order") {  // of no effect on values
      throw Missing(cupyxx::message(f.name(), " has no keyword '", name, "'"));
    }
  }
  return f.call(operands, out, options);
}

}  // namespace

cp::Operand to_operand(const Value& value) {
  switch (value.kind) {
    case Kind::array:
      return cp::Operand(value.array);
    case Kind::scalar:
      return cp::Operand(value.scalar);
    case Kind::none:
      return cp::Operand();
    case Kind::list:
      value.array = array_of_list(value, {});
      return cp::Operand(value.array);
    default:
      throw Missing("an operand that is neither an array nor a number");
  }
}

cp::ndarray to_array(const Value& value) {
  if (value.kind == Kind::array) return value.array;
  if (value.is_scalar() || value.is_list()) return array_of_list(value, {});
  throw Missing("an array argument that is no array");
}

cp::Scalar to_scalar(const Value& value) {
  if (value.is_scalar()) return value.scalar;
  const cp::ndarray a = to_array(value);
  const cp::Scalar item = a.item();
  return a.dtype().is_floating() ? cp::Scalar(item.as_double(), a.dtype())
                                 : cp::Scalar(item.as_int64(), a.dtype());
}

cp::Shape to_shape(const Value& value) {
  if (value.is_list()) return to_integers(value);
  return {to_int(value)};
}

Bound::Bound(std::string_view routine, std::span<const std::string_view> parameters,
             const std::vector<Value>& args, const std::map<std::string, Value>& kw) {
  const std::string name(routine);
  // What follows "*" is given by keyword only.
  const auto star = static_cast<std::size_t>(std::find(parameters.begin(), parameters.end(), "*") -
                                             parameters.begin());
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (star < parameters.size() && i >= star) {
      rest_.push_back(&args[i]);
    } else if (i < parameters.size()) {
      values_[parameters[i]] = &args[i];
    } else {
      throw Missing(cupyxx::message(name, " takes ", parameters.size(), " arguments"));
    }
  }
  for (const auto& [key, value] : kw) {
    if (std::find(parameters.begin(), parameters.end(), key) == parameters.end()) {
      throw Missing(cupyxx::message(name, " has no keyword '", key, "'"));
    }
    values_[key] = &value;
  }
}

bool Bound::has(std::string_view name) const {
  const auto found = values_.find(name);
  return found != values_.end() && !found->second->is_none();
}

const Value& Bound::at(std::string_view name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) throw Missing(cupyxx::message("the argument '", name, "'"));
  return *found->second;
}

cp::ndarray Bound::array(std::string_view name) const { return to_array(at(name)); }

cp::ndarray Bound::optional_array(std::string_view name) const {
  return has(name) ? array(name) : cp::ndarray();
}

cp::Operand Bound::operand(std::string_view name) const { return to_operand(at(name)); }

int Bound::integer(std::string_view name, std::optional<int> otherwise) const {
  if (otherwise && !has(name)) return *otherwise;
  return to_int(at(name));
}

bool Bound::boolean(std::string_view name, bool otherwise) const {
  return has(name) ? at(name).scalar.is_true() : otherwise;
}

cp::dtype Bound::dtype(std::string_view name) const {
  return has(name) ? at(name).type : cp::dtype();
}

cp::Shape Bound::shape(std::string_view name) const { return to_shape(at(name)); }

cp::Axes Bound::axes(std::string_view name) const {
  if (!has(name)) return {};
  const Value& value = at(name);
  if (!value.is_list()) return to_int(value);
  return value.list.empty() ? cp::Axes::none() : cp::Axes(to_integers(value));
}

cp::Axes Bound::axes(std::string_view name, int otherwise) const {
  return values_.contains(name) ? axes(name) : cp::Axes(otherwise);
}

Arrays Bound::arrays(std::string_view name) const {
  Arrays result;
  for (const Value& item : at(name).list) result.push_back(to_array(item));
  return result;
}

Arrays Bound::rest() const {
  Arrays result;
  for (const Value* value : rest_) result.push_back(to_array(*value));
  return result;
}

cp::Casting Bound::casting(std::string_view name) const {
  if (!has(name)) return cp::Casting::same_kind;
  const std::string& text = at(name).text;
  for (const cp::Casting rule : {cp::Casting::no, cp::Casting::equiv, cp::Casting::safe,
                                 cp::Casting::same_kind, cp::Casting::unsafe}) {
    if (cp::name(rule) == text) return rule;
  }
  throw Missing(cupyxx::message("the casting rule '", text, "'"));
}

cp::Order Bound::order(std::string_view name, cp::Order otherwise) const {
  return has(name) ? static_cast<cp::Order>(at(name).text.at(0)) : otherwise;
}

std::string Bound::text(std::string_view name, const std::string& otherwise) const {
  return has(name) ? at(name).text : otherwise;
}

double Bound::number(std::string_view name, double otherwise) const {
  return optional_number(name).value_or(otherwise);
}

std::optional<double> Bound::optional_number(std::string_view name) const {
  if (!has(name)) return {};
  const Value& value = at(name);
  return value.is_scalar() ? value.scalar.as_double() : to_array(value).item<double>();
}

Arrays call_routine(const std::string& name, const std::vector<Value>& args,
                    const std::map<std::string, Value>& kw) {
  if (const auto found = routines().find(name); found != routines().end()) {
    return found->second.call(Bound(name, found->second.parameters, args, kw));
  }
  if (const cp::ufunc* f = ufunc_named(name)) return call_ufunc(*f, args, kw);
  if (const std::size_t dot = name.find('.'); dot != std::string::npos) {
    if (const cp::ufunc* f = ufunc_named(name.substr(0, dot))) {
      return call_method(*f, std::string_view(name).substr(dot + 1), args, kw);
    }
  }
  throw Missing(cupyxx::message("no routine ", name));
}

}  // namespace conformance
