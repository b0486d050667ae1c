// SPDX-License-Identifier: MIT
// Every expression that Chainer printed, as a run-time tree from JSON and as a compile-time tree.
#include "typecheck/golden.h"

#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <string>

#include "typecheck/expect.h"
#include "typecheck/testing/json_tree.h"

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

TEST(ChainerExpressions, VariablesMayBePlainNumbers) {
  const json entry = json::parse(R"({"in_types": [[2, 3, "float32"], 4, 2.5], "tree": {"op": "==",
      "args": [{"item": 1, "of": {"attr": "shape", "of": {"in": 0}}},
               {"op": "-", "args": [{"in": 1}, {"variable": 2, "name": "n"}]}]}})");
  const auto types = testing::types_from(entry);
  EXPECT_EQ(types[1].dtype(), cupyxx::int64);
  EXPECT_EQ(types[2].dtype(), cupyxx::float64);
  const Expr expr = testing::expr_from(entry["tree"], TypeInfos(types), entry["in_types"]);
  EXPECT_EQ(expr.str(), "in_types[0].shape[1] == in_types[1] - n");
  EXPECT_FALSE(expr.eval().is_true());
  EXPECT_NE(message_of([&] {
              expr.expect();
            }).find("Expect: in_types[0].shape[1] == in_types[1] - n\nActual: 3 != 2"),
            std::string::npos);
}

TEST(ChainerExpressions, PrintAndFailAsRunTimeTrees) {
  const json all = cases();
  ASSERT_EQ(all.size(), 19u);
  for (const json& entry : all) {
    const auto types = testing::types_from(entry);
    const Expr expr = testing::expr_from(entry["tree"], TypeInfos(types));
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
    const auto types = testing::types_from(entry);
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
