// SPDX-License-Identifier: MIT
// Tables of dtypes: promotion, casting, and the dtypes of results.
#include <fstream>

#include "conformance/array/routine.h"
#include "conformance/array/runner.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"

namespace conformance {
namespace cp = cupyxx;
namespace {

using Json = nlohmann::json;

cp::dtype type_of(char letter) { return cp::dtype(std::string_view(&letter, 1)); }

Value array_value(char letter, const cp::Shape& shape) {
  Value value;
  value.kind = Value::Kind::array;
  value.array = cp::ones(shape, type_of(letter));
  return value;
}

Value scalar_value(const std::string& text) {
  const Json json = Json::parse(text == "True" ? "true" : text);
  Value value;
  value.kind = Value::Kind::scalar;
  value.scalar = json.is_boolean()        ? cp::Scalar(json.get<bool>())
                 : json.is_number_float() ? cp::Scalar(json.get<double>())
                                          : cp::Scalar(json.get<std::int64_t>());
  return value;
}

/// The dtypes of the results of a call as letters, or "!KIND" of its error.
std::string result_types(const std::string& routine, const std::vector<Value>& args,
                         const std::string& expected) {
  try {
    std::string letters;
    for (const cp::ndarray& a : call_routine(routine, args, {})) {
      const std::size_t i = letters.size();
      // q and l are both int64: NumPy has two C types for it.
      const bool same =
          i < expected.size() && expected[0] != '!' && a.dtype() == type_of(expected[i]);
      letters += same ? expected[i] : a.dtype().char_code();
    }
    return letters;
  } catch (const cp::TypeError&) {
    return "!TypeError";
  } catch (const cp::OverflowError&) {
    return "!OverflowError";
  } catch (const cp::ValueError&) {
    return "!ValueError";
  }
}

/// The entries of one table: `check` computes what stands in it.
template <class Check>
void each_entry(const std::string& table, const Json& entries, Report& report, const Check& check) {
  for (const auto& [key, expected] : entries.items()) {
    const std::string name = "types/" + table + "/" + key;
    if (!report.wants(name)) continue;
    std::string defect;
    try {
      const std::string actual = check(key, expected);
      const std::string wanted = expected.is_string()  ? expected.template get<std::string>()
                                 : expected.is_array() ? expected[1].template get<std::string>()
                                                       : expected.dump();
      if (actual != wanted) defect = actual + " instead of " + wanted;
    } catch (const std::exception& error) {
      defect = error.what();
    }
    report.add(name, defect);
  }
}

std::string letter_like(cp::dtype type, const Json& expected) {
  const auto wanted = expected.get<std::string>();
  return type == type_of(wanted[0]) ? wanted : std::string(1, type.char_code());
}

}  // namespace

void run_types(const std::string& stem, Report& report) {
  std::ifstream file(stem + ".json");
  const Json tables = Json::parse(file);
  const Json none = Json::object();
  const auto table = [&](const char* name) -> const Json& {
    return tables.contains(name) ? tables[name] : none;
  };

  each_entry("promote_types", table("promote_types"), report,
             [](const std::string& key, const Json& expected) {
               return letter_like(cp::promote_types(type_of(key[0]), type_of(key[1])), expected);
             });
  for (const auto& [name, rule] : {std::pair("can_cast_safe", cp::Casting::safe),
                                   std::pair("can_cast_same_kind", cp::Casting::same_kind)}) {
    each_entry(name, table(name), report,
               [rule = rule](const std::string& key, const Json&) -> std::string {
                 return cp::can_cast(type_of(key[0]), type_of(key[1]), rule) ? "true" : "false";
               });
  }
  for (const auto& [routine, entries] : table("ufunc_result").items()) {
    each_entry("ufunc_result/" + routine, entries, report,
               [routine = routine](const std::string& key, const Json& expected) {
                 std::vector<Value> args;
                 for (const char letter : key) args.push_back(array_value(letter, {1}));
                 return result_types(routine, args, expected);
               });
  }
  for (const auto& [routine, entries] : table("reduction_result").items()) {
    each_entry("reduction_result/" + routine, entries, report,
               [routine = routine](const std::string& key, const Json& expected) {
                 return result_types(routine, {array_value(key[0], {2, 2})}, expected);
               });
  }
  // Two results each: NumPy 1's, by value, and NumPy 2's, which is ours.
  for (const auto& [number, entries] : table("add_array_pyscalar").items()) {
    each_entry(
        "add_array_pyscalar/" + number, entries, report,
        [number = number](const std::string& key, const Json& expected) {
          return result_types("add", {array_value(key[0], {1}), scalar_value(number)}, expected[1]);
        });
  }
  for (const auto& [letter, entries] : table("add_array_0d").items()) {
    each_entry("add_array_0d/" + letter, entries, report,
               [letter = letter](const std::string& key, const Json& expected) {
                 return result_types("add", {array_value(key[0], {1}), array_value(letter[0], {})},
                                     expected[1]);
               });
  }
}

}  // namespace conformance
