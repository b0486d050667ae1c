// SPDX-License-Identifier: MIT
#include "typecheck/value.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>

#include "cupyxx/error.h"

namespace typecheck {

namespace {

using Kind = Value::Kind;

std::string float_text(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  char digits[400];
  char* const limit = digits + sizeof(digits);
  const bool plain = value == 0 || (std::abs(value) >= 1e-4 && std::abs(value) < 1e16);
  const auto format = plain ? std::chars_format::fixed : std::chars_format::scientific;
  const std::string text(digits, std::to_chars(digits, limit, value, format).ptr);
  return plain && text.find('.') == std::string::npos ? text + ".0" : text;
}

bool is_integer(const Value& v) { return v.kind() == Kind::boolean || v.kind() == Kind::integer; }
bool is_number(const Value& v) { return is_integer(v) || v.kind() == Kind::floating; }
bool is_tuple(const Value& v) { return v.kind() == Kind::tuple || v.kind() == Kind::type_infos; }

[[noreturn]] void throw_type_error(const std::string& what, const Value& value) {
  throw cupyxx::TypeError(cupyxx::message("typecheck: ", what, "; ", value.repr()));
}

}  // namespace

Value::Value(const cupyxx::Shape& shape) : kind_(Kind::tuple), items_(shape.begin(), shape.end()) {}

Value::Value(const TypeInfo& info)
    : kind_(Kind::type_info),
      dtype_(info.dtype()),
      items_(info.shape().begin(), info.shape().end()) {}

Value::Value(std::span<const TypeInfo> infos)
    : kind_(Kind::type_infos), items_(infos.begin(), infos.end()) {}

bool Value::is_true() const {
  switch (kind_) {
    case Kind::nothing:
      return false;
    case Kind::boolean:
    case Kind::integer:
      return integer_ != 0;
    case Kind::floating:
      return floating_ != 0;
    case Kind::text:
      return !text_.empty();
    case Kind::tuple:
    case Kind::type_infos:
      return !items_.empty();
    case Kind::dtype:
    case Kind::type_info:
      break;
  }
  return true;
}

std::int64_t Value::as_int() const {
  if (!is_integer(*this)) throw_type_error("not an integer", *this);
  return integer_;
}

double Value::as_double() const {
  if (kind_ == Kind::floating) return floating_;
  if (!is_integer(*this)) throw_type_error("not a number", *this);
  return static_cast<double>(integer_);
}

cupyxx::dtype Value::as_dtype() const {
  if (kind_ != Kind::dtype) throw_type_error("not a dtype", *this);
  return dtype_;
}

cupyxx::Shape Value::as_shape() const {
  if (kind_ != Kind::tuple) throw_type_error("not a tuple of integers", *this);
  cupyxx::Shape shape;
  for (const Value& item : items_) shape.push_back(item.as_int());
  return shape;
}

Value Value::attr(std::string_view name) const {
  if (kind_ == Kind::type_info) {
    if (name == "shape") return Value(items_);
    if (name == "dtype") return dtype_;
    if (name == "ndim") return items_.size();
    if (name == "size") return internal::call("prod", {Value(items_)});
  } else if (kind_ == Kind::dtype) {
    if (name == "kind") return kind_of(dtype_);
    if (name == "char") return dtype_.char_code();
    if (name == "itemsize") return dtype_.itemsize();
    if (name == "name") return dtype_.name();
  } else if (kind_ == Kind::type_infos && name == "size") {
    return items_.size();
  }
  throw_type_error(cupyxx::message("no attribute '", name, "'"), *this);
}

Value Value::item(const Value& key) const {
  const auto size = static_cast<std::int64_t>(is_tuple(*this) ? items_.size() : text_.size());
  if (is_tuple(*this)) {
    return items_[static_cast<std::size_t>(internal::check_index(key.as_int(), "tuple", size))];
  }
  if (kind_ != Kind::text) throw_type_error("cannot be indexed", *this);
  return text_[static_cast<std::size_t>(internal::check_index(key.as_int(), "text", size))];
}

Value Value::item(const slice& key) const {
  if (!is_tuple(*this) && kind_ != Kind::text) throw_type_error("cannot be sliced", *this);
  const std::size_t size = is_tuple(*this) ? items_.size() : text_.size();
  const internal::SliceRange range = internal::resolve(key, static_cast<std::int64_t>(size));
  Value part;
  part.kind_ = kind_;
  for (std::int64_t i = 0; i < range.count; ++i) {
    const auto at = static_cast<std::size_t>(range.start + i * range.step);
    if (kind_ == Kind::text) {
      part.text_ += text_[at];
    } else {
      part.items_.push_back(items_[at]);
    }
  }
  return part;
}

std::string Value::str() const { return kind_ == Kind::text ? text_ : repr(); }

std::string Value::repr() const {
  const auto tuple = [this] {
    std::string list = "(";
    for (std::size_t i = 0; i < items_.size(); ++i) {
      list += (i > 0 ? ", " : "") + items_[i].repr();
    }
    return list + (items_.size() == 1 ? ",)" : ")");
  };
  switch (kind_) {
    case Kind::nothing:
      break;
    case Kind::boolean:
      return integer_ != 0 ? "True" : "False";
    case Kind::integer:
      return std::to_string(integer_);
    case Kind::floating:
      return float_text(floating_);
    case Kind::text:
      return "'" + text_ + "'";
    case Kind::dtype:
      return std::string(dtype_.name());
    case Kind::tuple:
    case Kind::type_infos:
      return tuple();
    case Kind::type_info:
      return "TypeInfo(" + tuple() + ", " + std::string(dtype_.name()) + ")";
  }
  return "None";
}

namespace internal {

namespace {

[[noreturn]] void throw_unsupported(const char* op, const Value& a, const Value& b) {
  throw cupyxx::TypeError(
      cupyxx::message("typecheck: unsupported operands; ", a.repr(), " ", op, " ", b.repr()));
}

/// A negative, zero or positive number as `a` is less than, equal to or greater than `b`.
int order(const Value& a, const Value& b) {
  for (std::size_t i = 0; i < a.items().size() && i < b.items().size(); ++i) {
    if (compare(CompareOp::eq, a.items()[i], b.items()[i])) continue;
    return compare(CompareOp::lt, a.items()[i], b.items()[i]) ? -1 : 1;
  }
  return a.items().size() < b.items().size() ? -1 : a.items().size() > b.items().size();
}

bool equal(const Value& a, const Value& b) {
  if (is_integer(a) && is_integer(b)) return a.as_int() == b.as_int();
  if (is_number(a) && is_number(b)) return a.as_double() == b.as_double();
  // NumPy reads the text beside a dtype as a dtype.
  if (a.kind() == Kind::dtype && b.kind() == Kind::text) return names(b.str(), a.as_dtype());
  if (a.kind() == Kind::text && b.kind() == Kind::dtype) return names(a.str(), b.as_dtype());
  if (a.kind() != b.kind()) return false;
  if (a.items().size() != b.items().size()) return false;
  for (std::size_t i = 0; i < a.items().size(); ++i) {
    if (!equal(a.items()[i], b.items()[i])) return false;
  }
  return is_tuple(a) || a.repr() == b.repr();
}

}  // namespace

Value apply(UnaryOp op, const Value& x) {
  if (is_integer(x)) return apply(op, x.as_int());
  if (x.kind() == Kind::floating) return apply(op, x.as_double());
  throw_type_error(cupyxx::message("unsupported operand of ", kUnary[static_cast<int>(op)].text),
                   x);
}

Value apply(BinaryOp op, const Value& a, const Value& b) {
  if (is_number(a) && is_number(b)) {
    if (is_integer(a) && is_integer(b) && op != BinaryOp::truediv) {
      return apply(op, a.as_int(), b.as_int());
    }
    return apply(op, a.as_double(), b.as_double());
  }
  if (op == BinaryOp::add && a.kind() == Kind::tuple && b.kind() == Kind::tuple) {
    std::vector<Value> items = a.items();
    items.insert(items.end(), b.items().begin(), b.items().end());
    return items;
  }
  if (op == BinaryOp::add && a.kind() == Kind::text && b.kind() == Kind::text) {
    return a.str() + b.str();
  }
  if (op == BinaryOp::mul && (a.kind() == Kind::tuple || b.kind() == Kind::tuple)) {
    const Value& tuple = a.kind() == Kind::tuple ? a : b;
    const Value& times = a.kind() == Kind::tuple ? b : a;
    if (is_integer(times)) {
      std::vector<Value> items;
      for (std::int64_t i = 0; i < times.as_int(); ++i) {
        items.insert(items.end(), tuple.items().begin(), tuple.items().end());
      }
      return items;
    }
  }
  throw_unsupported(row(op).text, a, b);
}

bool compare(CompareOp op, const Value& a, const Value& b) {
  if (op == CompareOp::eq) return equal(a, b);
  if (op == CompareOp::ne) return !equal(a, b);
  if (is_integer(a) && is_integer(b)) return compare(op, a.as_int(), b.as_int());
  if (is_number(a) && is_number(b)) return compare(op, a.as_double(), b.as_double());
  if (a.kind() == Kind::text && b.kind() == Kind::text) return compare(op, a.str(), b.str());
  if (a.kind() == Kind::tuple && b.kind() == Kind::tuple) return compare(op, order(a, b), 0);
  throw_unsupported(row(op).text, a, b);
}

Value call(std::string_view function, const std::vector<Value>& args) {
  if (args.size() != 1) {
    throw cupyxx::TypeError(
        cupyxx::message("typecheck: ", function, " takes one argument; ", args.size()));
  }
  constexpr std::string_view kFunctions[] = {"sum", "prod", "len", "min", "max", "abs"};
  if (std::find(std::begin(kFunctions), std::end(kFunctions), function) == std::end(kFunctions)) {
    throw cupyxx::ValueError(cupyxx::message("typecheck: not a known function; '", function, "'"));
  }
  const Value& x = args[0];
  if (function == "abs") {
    if (!is_number(x)) throw_type_error("abs needs a number", x);
    return compare(CompareOp::lt, x, 0) ? apply(UnaryOp::neg, x) : apply(UnaryOp::pos, x);
  }
  if (function == "len" && x.kind() == Kind::text) return x.str().size();
  if (!is_tuple(x)) throw_type_error(cupyxx::message(function, " needs a tuple"), x);
  if (function == "len") return x.items().size();
  if (function == "sum" || function == "prod") {
    Value total(function == "sum" ? 0 : 1);
    for (const Value& item : x.items()) {
      total = apply(function == "sum" ? BinaryOp::add : BinaryOp::mul, total, item);
    }
    return total;
  }
  if (x.items().empty()) throw cupyxx::ValueError("typecheck: min or max of an empty tuple; ()");
  Value best = x.items()[0];
  for (const Value& item : x.items()) {
    if (compare(function == "min" ? CompareOp::lt : CompareOp::gt, item, best)) best = item;
  }
  return best;
}

}  // namespace internal
}  // namespace typecheck
