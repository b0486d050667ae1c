// SPDX-License-Identifier: MIT
// Every expression that Chainer printed, as a run-time tree from JSON and as a compile-time tree.
#include "typecheck/golden.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "typecheck/expect.h"

namespace typecheck {
namespace {

using nlohmann::json;

json cases() {
  for (unsigned long i = 0; i < golden::kFilesCount; ++i) {
    if (std::strstr(golden::kFiles[i].name, ".json") != nullptr) {
      return json::parse(golden::kFiles[i].text);
    }
  }
  return {};
}

/// [3, 2, "f"]: the extents, then the dtype.
std::vector<TypeInfo> types_of(const json& entry) {
  std::vector<TypeInfo> types;
  for (const json& type : entry["in_types"]) {
    cupyxx::Shape shape;
    for (const json& item : type) {
      if (item.is_number()) shape.push_back(item.get<std::int64_t>());
    }
    types.emplace_back(shape, cupyxx::dtype(type.back().get<std::string>()));
  }
  return types;
}

Value value_of(const json& j) {
  if (j.is_boolean()) return j.get<bool>();
  if (j.is_number_integer()) return j.get<std::int64_t>();
  if (j.is_number()) return j.get<double>();
  if (j.is_string()) return j.get<std::string>();
  std::vector<Value> items;
  for (const json& item : j) items.push_back(value_of(item));
  return items;
}

Expr expr_of(const json& tree, const TypeInfos& in) {
  const auto child = [&](const char* key) { return expr_of(tree[key], in); };
  if (tree.contains("in")) return in[tree["in"].get<std::int64_t>()];
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
  for (const json& arg : tree["args"]) args.push_back(expr_of(arg, in));
  if (tree.contains("call")) return Expr::call(tree["call"].get<std::string>(), args);
  const std::string op = tree["op"].get<std::string>();
  if (args.size() == 2) return Expr::binary(op, args[0], args[1]);
  return Expr::unary(op == "neg" ? "-" : op == "pos" ? "+" : "~", args.at(0));
}

template <class Call>
std::string message_of(Call&& call) {
  try {
    call();
  } catch (const InvalidType& error) {
    return error.what();
  }
  return "";
}

std::string message_in(const json& entry) {
  return entry["ok"].get<bool>() ? "" : entry["message"].get<std::string>();
}

/// The printed condition; the texts beside the trees quote strings, the messages do not.
std::string condition_in(const json& entry) {
  return entry.contains("expect") ? entry["expect"].get<std::string>()
                                  : entry["str"].get<std::string>();
}

TEST(ChainerExpressions, PrintAndFailAsRunTimeTrees) {
  const json all = cases();
  ASSERT_EQ(all.size(), 19u);
  for (const json& entry : all) {
    const auto types = types_of(entry);
    const Expr expr = expr_of(entry["tree"], TypeInfos(types));
    EXPECT_EQ(expr.str(), condition_in(entry));
    EXPECT_EQ(expr.eval().is_true(), entry["ok"].get<bool>()) << expr;
    EXPECT_EQ(message_of([&] { expr.expect(); }), message_in(entry)) << expr;
    EXPECT_EQ(message_of([&] { expect(expr); }), message_in(entry)) << expr;
  }
}

TEST(ChainerExpressions, PrintAndFailAsCompileTimeTrees) {
  using cupyxx::float32;
  std::size_t next = 0;
  const json all = cases();
  const auto check = [&](auto make) {
    const json& entry = all[next++];
    const auto types = types_of(entry);
    const TypeInfos in(types);
    const auto condition = make(in);
    EXPECT_EQ(condition.str(), condition_in(entry));
    EXPECT_EQ(condition.eval(), entry["ok"].get<bool>()) << condition;
    EXPECT_EQ(message_of([&] { expect(condition); }), message_in(entry)) << condition;
  };
  check([](TypeInfos in) { return in[0].ndim() == 2; });
  check([](TypeInfos in) { return in[0].shape()[0] == 4; });
  check([](TypeInfos in) { return in[0].shape()[0] == in[1].shape()[0] * 4; });
  check(
      [](TypeInfos in) { return in[0].shape()[slice(1, none)] == in[1].shape()[slice(1, none)]; });
  check([](TypeInfos in) { return sum(in[0].shape()) == 10; });
  check([](TypeInfos in) { return in[0].dtype() == float32; });
  check([](TypeInfos in) { return in[0].dtype().kind() == 'i'; });
  check([](TypeInfos in) { return in.size() == 1; });
  check([](TypeInfos in) { return in[0].ndim() < 2; });
  check([](TypeInfos in) { return in[0].ndim() > 2; });
  check([](TypeInfos in) { return (in[0].shape()[0] + in[0].shape()[1]) * 2 == 11; });
  check([](TypeInfos in) { return in[0].shape()[0] - (in[0].shape()[1] - 1) == 11; });
  check([](TypeInfos in) { return -in[0].shape()[0] == 3; });
  check([](TypeInfos in) { return -pow(in[0].shape()[0], 2) == 3; });
  check([](TypeInfos in) { return in[0].shape()[0] % 2 == 0; });
  check([](TypeInfos in) { return 10 - in[0].shape()[0] == 0; });
  check([](TypeInfos in) { return pow(pow(in[0].shape()[0], 2), 2) == 0; });
  check([](TypeInfos in) { return in[0].shape()[slice(1)] == cupyxx::Shape{4}; });
  check([](TypeInfos in) { return in[0].ndim() == in[1].ndim(); });
  EXPECT_EQ(next, all.size());
}

}  // namespace
}  // namespace typecheck
