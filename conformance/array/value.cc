// SPDX-License-Identifier: MIT
#include "conformance/array/value.h"

#include <limits>

#include "cupyxx/creation.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/message.h"

namespace conformance {
namespace cp = cupyxx;
namespace {

using Kind = Value::Kind;

Value of_kind(Kind kind) {
  Value value;
  value.kind = kind;
  return value;
}

Value of_scalar(const cp::Scalar& scalar) {
  Value value = of_kind(Kind::scalar);
  value.scalar = scalar;
  return value;
}

cp::SliceBound bound(const nlohmann::json& json) {
  return json.is_null() ? cp::SliceBound() : cp::SliceBound(json.get<std::int64_t>());
}

Value python_value(const nlohmann::json& json, bool is_float) {
  if (json.is_null()) return of_kind(Kind::none);
  if (json.is_boolean()) return of_scalar(json.get<bool>());
  if (json.is_string() && is_float) {
    const double inf = std::numeric_limits<double>::infinity();
    const auto text = json.get<std::string>();
    return of_scalar(text == "nan"    ? std::numeric_limits<double>::quiet_NaN()
                     : text == "-inf" ? -inf
                                      : inf);
  }
  if (json.is_string()) {
    Value value = of_kind(Kind::text);
    value.text = json.get<std::string>();
    return value;
  }
  if (json.is_number_float() || is_float) return of_scalar(json.get<double>());
  if (json.is_number_unsigned()) return of_scalar(json.get<std::uint64_t>());
  return of_scalar(json.get<std::int64_t>());
}

/// Shape, flat elements and common kind of nested lists.
struct Flat {
  cp::Shape shape;
  std::vector<cp::Scalar> elements;

  void measure(const Value& value) {
    if (!value.is_list()) return;
    shape.push_back(static_cast<std::int64_t>(value.list.size()));
    if (!value.list.empty()) measure(value.list.front());
  }
  void append(const Value& value) {
    if (value.is_list()) {
      for (const Value& item : value.list) append(item);
    } else if (value.is_scalar()) {
      elements.push_back(value.scalar);
    } else {
      throw Missing("a list of something else than numbers");
    }
  }
  cp::dtype kind() const {
    cp::dtype kind;
    for (const cp::Scalar& element : elements) {
      const cp::dtype own = element.own_dtype();
      kind = kind ? cp::promote_types(kind, own) : own;
    }
    return kind ? kind : cp::float64;
  }
};

cp::slice slice_of(const nlohmann::json& s) { return {bound(s[0]), bound(s[1]), bound(s[2])}; }

/// A slice, or every n-th element, along each axis; then the axes in another order.
cp::ndarray strided_view(const cp::ndarray& base, const nlohmann::json& layout) {
  std::vector<cp::internal::IndexItem> steps;
  for (const auto& step : layout["steps"]) {
    steps.emplace_back(step.is_array() ? slice_of(step)
                                       : cp::slice(cp::none, cp::none, step.get<std::int64_t>()));
  }
  return cp::transpose(base.getitem(steps), layout["perm"].get<std::vector<std::int64_t>>());
}

}  // namespace

const cp::ndarray& Reader::array(const std::string& key) const {
  auto found = read_.find(key);
  if (found == read_.end()) found = read_.emplace(key, arrays_[key]).first;
  return found->second;
}

Value Reader::value(const nlohmann::json& arg) const {
  if (arg.contains("a")) {
    Value value = of_kind(Kind::array);
    value.array = array(arg["a"].get<std::string>());
    if (!arg.contains("layout")) return value;
    value.array = arg["layout"].is_string() ? with_layout(value.array, arg["layout"])
                                            : strided_view(value.array, arg["layout"]);
    return value;
  }
  if (arg.contains("complex")) {
    return of_scalar(cp::complex<double>(arg["py"][0].get<double>(), arg["py"][1].get<double>()));
  }
  if (arg.contains("py")) return python_value(arg["py"], arg.value("float", false));
  if (arg.contains("list")) {
    Value value = of_kind(Kind::list);
    for (const auto& item : arg["list"]) value.list.push_back(this->value(item));
    value.tuple = arg.value("tuple", false);
    return value;
  }
  if (arg.contains("slice")) {
    Value value = of_kind(Kind::slice);
    value.range = slice_of(arg["slice"]);
    return value;
  }
  if (arg.contains("newaxis")) return of_kind(Kind::newaxis);
  if (arg.contains("ellipsis")) return of_kind(Kind::ellipsis);
  if (arg.contains("dtype")) {
    Value value = of_kind(Kind::dtype);
    value.type = cp::dtype(arg["dtype"].get<std::string>());
    return value;
  }
  throw Missing(cupyxx::message("an argument of another form: ", arg.dump()));
}

cp::ndarray with_layout(const cp::ndarray& a, const std::string& layout) {
  if (a.ndim() == 0) return a;
  if (layout == "transposed" || layout == "fortran") return cp::asfortranarray(a);
  if (layout == "step2") {
    cp::Shape shape = a.shape();
    shape[a.ndim() - 1] *= 2;
    const cp::ndarray wide = cp::zeros(shape, a.dtype());
    const cp::ndarray view = wide(cp::ellipsis, cp::slice(cp::none, cp::none, 2));
    cp::copyto(view, a);
    return view;
  }
  if (layout == "reversed") {
    const std::vector<cp::internal::IndexItem> backwards(static_cast<std::size_t>(a.ndim()),
                                                         cp::slice(cp::none, cp::none, -1));
    const cp::ndarray turned = a.getitem(backwards).copy();
    return turned.getitem(backwards);
  }
  if (layout == "broadcast0") {
    return cp::broadcast_to(a(cp::slice(0, 1)).copy(), a.shape());
  }
  throw Missing(cupyxx::message("a layout '", layout, "'"));
}

void collect_arrays(const Value& value, std::vector<cp::ndarray>& out) {
  if (value.kind == Kind::array) out.push_back(value.array);
  for (const Value& item : value.list) collect_arrays(item, out);
}

cp::ndarray array_of_list(const Value& list, cp::dtype type) {
  Flat flat;
  flat.measure(list);
  flat.append(list);
  const cp::dtype kind = flat.kind();
  const auto itemsize = static_cast<std::size_t>(kind.itemsize());
  std::vector<char> bytes(flat.elements.size() * itemsize);
  for (std::size_t i = 0; i < flat.elements.size(); ++i) {
    flat.elements[i].store("array", kind, bytes.data() + i * itemsize);
  }
  return cp::internal::from_host(bytes.data(), kind, flat.shape, type);
}

}  // namespace conformance
