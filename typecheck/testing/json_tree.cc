// SPDX-License-Identifier: MIT
#include "typecheck/testing/json_tree.h"

#include <cstdint>
#include <string>

namespace typecheck::testing {

using nlohmann::json;

std::vector<TypeInfo> types_from(const json& entry) {
  std::vector<TypeInfo> types;
  for (const json& type : entry["in_types"]) {
    if (type.is_number()) {
      types.emplace_back(cupyxx::Shape(),
                         type.is_number_integer() ? cupyxx::int64 : cupyxx::float64);
      continue;
    }
    cupyxx::Shape shape;
    for (const json& item : type) {
      if (item.is_number()) shape.push_back(item.get<std::int64_t>());
    }
    types.emplace_back(shape, cupyxx::dtype(type.back().get<std::string>()));
  }
  return types;
}

namespace {

Value value_of(const json& j) {
  if (j.is_boolean()) return j.get<bool>();
  if (j.is_number_integer()) return j.get<std::int64_t>();
  if (j.is_number()) return j.get<double>();
  if (j.is_string()) return j.get<std::string>();
  std::vector<Value> items;
  for (const json& item : j) items.push_back(value_of(item));
  return items;
}

}  // namespace

Expr expr_from(const json& tree, const TypeInfos& in, const json& plain) {
  const auto child = [&](const char* key) { return expr_from(tree[key], in, plain); };
  if (tree.contains("in")) {
    const auto i = tree["in"].get<std::int64_t>();
    const bool is_known = plain.is_array() && i >= 0 && i < static_cast<std::int64_t>(plain.size());
    if (is_known && plain[static_cast<std::size_t>(i)].is_number()) {
      return Expr::variable(value_of(plain[static_cast<std::size_t>(i)]),
                            "in_types[" + std::to_string(i) + "]");
    }
    return in[i];
  }
  if (tree.contains("variable")) {
    return Expr::variable(value_of(tree["variable"]), tree["name"].get<std::string>());
  }
  if (tree.contains("in_types")) return Expr::variable(Value(in.types()), "in_types");
  if (tree.contains("const")) return Expr::constant(value_of(tree["const"]));
  if (tree.contains("dtype")) {
    return Expr::constant(cupyxx::dtype(tree["dtype"].get<std::string>()));
  }
  if (tree.contains("attr")) return child("of").attr(tree["attr"].get<std::string>());
  if (tree.contains("item")) return child("of").item(tree["item"].get<std::int64_t>());
  if (tree.contains("slice")) {
    const auto bound = [&](int i) {
      const json& b = tree["slice"][static_cast<std::size_t>(i)];
      return b.is_null() ? SliceBound() : SliceBound(b.get<std::int64_t>());
    };
    return child("of").item(slice(bound(0), bound(1), bound(2)));
  }
  std::vector<Expr> args;
  for (const json& arg : tree["args"]) args.push_back(expr_from(arg, in, plain));
  if (tree.contains("call")) return Expr::call(tree["call"].get<std::string>(), args);
  const auto op = tree["op"].get<std::string>();
  if (args.size() == 2) return Expr::binary(op, args[0], args[1]);
  return Expr::unary(op == "neg" ? "-" : op == "pos" ? "+" : "~", args.at(0));
}

}  // namespace typecheck::testing
