// SPDX-License-Identifier: MIT
#include "conformance/network/chainer_runner.h"

#include <exception>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <stdexcept>
#include <string>

#include "conformance/network/functions.h"
#include "conformance/network/judge.h"
#include "cupyxx/creation.h"
#include "typecheck/testing/json_tree.h"

namespace conformance {
namespace {

template <class J>
J read_json(const std::string& path) {
  std::ifstream file(path);
  return J::parse(file);
}

/// Functions that are composed of others, whose last one is nobody's promise.
bool is_composed(const std::string& function) {
  static const std::set<std::string> names = {
      "average", "contrastive", "flatten", "gelu", "maxout", "mean", "selu", "square", "triplet"};
  return names.contains(function);
}

/// Whether a function of ours goes by the name of Chainer's. The classes of the manual, which have
/// their parameters with them, are "Linear" where Chainer 7's functions are "LinearFunction".
bool same_label(const std::string& ours, const std::string& theirs) {
  static const std::map<std::string, std::string> general = {
      {"MaxPooling2D", "MaxPoolingND"},
      {"BatchMatMul", "MatMul"},
      {"BatchNormalization", "FixedBatchNormalization"}};
  if (ours == theirs || ours + "Function" == theirs) return true;
  const auto found = general.find(ours);
  return found != general.end() && found->second == theirs;
}

std::string check_label(const NetworkCase& c, const NetworkResult& result) {
  const std::string theirs = c.creator_label();
  if (theirs.empty() || is_composed(c.function())) return {};
  const chainerxx::Function* creator = result.outputs.at(0).creator();
  const std::string ours = creator == nullptr ? "no function" : creator->label();
  if (same_label(ours, theirs)) return {};
  return "the label is '" + ours + "' instead of '" + theirs + "'";
}

/// Applies a function, goes backward from the given gradients, and compares everything that the
/// case holds.
std::string run_function(const NetworkCase& c, NetworkCall call) {
  const NetworkResult result = call(c);
  if (const std::string defect = check_label(c, result); !defect.empty()) return defect;
  const auto& y = result.outputs;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const std::string key = "out_" + std::to_string(i);
    if (!c.has(key)) continue;
    if (const std::string defect = judge(c, key, y[i].data()); !defect.empty()) return defect;
  }
  if (c.keys("out_").size() > y.size()) return "there are results missing";
  if (c.has("gy_0")) {
    for (std::size_t i = 0; i < y.size(); ++i) {
      y[i].set_grad(c.get("gy_" + std::to_string(i)));
    }
    // One function made all the results, or each has its own.
    for (std::size_t i = 0; i < y.size(); ++i) {
      bool is_done = false;
      for (std::size_t j = 0; j < i; ++j) is_done = is_done || y[j].creator() == y[i].creator();
      if (!is_done) y[i].backward();
    }
    for (const std::string& key : c.keys("gin_")) {
      const std::string defect = judge(c, key, c.in(key.substr(4)).grad());
      if (!defect.empty()) return defect;
    }
  }
  for (const auto& [key, array] : result.others) {
    if (!c.has(key)) continue;
    if (const std::string defect = judge(c, key, array); !defect.empty()) return defect;
  }
  for (const auto& [name, parameter] : result.parameters) {
    const std::string key = "gparam_" + name;
    if (!c.has(key)) continue;
    if (const std::string defect = judge(c, key, parameter.grad()); !defect.empty()) return defect;
  }
  return {};
}

/// The form with parameters as variables, where there is one; sequences of batches have none.
std::string run_functional(const Json& description, const std::string& folder) {
  const NetworkCase c(description, folder);
  const NetworkCall call = find_functional(c.function());
  if (call == nullptr || !c.has("in_x")) return {};
  const std::string defect = run_function(c, call);
  return defect.empty() ? defect : "with parameters as variables: " + defect;
}

std::string run_case(const Json& description, const std::string& folder) {
  const NetworkCase c(description, folder);
  const std::string function = c.function();
  if (function.starts_with("optimizer_")) return run_optimizer(c);
  if (function.starts_with("train_")) return run_training(c);
  if (function == "numerical_grad") return run_numerical_grad(c);
  NetworkCall call = find_function(function);
  if (call == nullptr) call = find_link(function);
  if (call == nullptr) return "unknown function " + function;
  const std::string defect = run_function(c, call);
  return defect.empty() ? run_functional(description, folder) : defect;
}

std::string message_of(const typecheck::Expr& expr) {
  try {
    expr.expect();
  } catch (const typecheck::InvalidType& error) {
    return error.what();
  }
  return {};
}

std::string run_expression(const nlohmann::json& entry) {
  const auto types = typecheck::testing::types_from(entry);
  const typecheck::Expr expr =
      typecheck::testing::expr_from(entry["tree"], typecheck::TypeInfos(types), entry["in_types"]);
  const std::string text = entry.value("expect", entry["str"].get<std::string>());
  const std::string message = entry.value("message", std::string());
  if (expr.str() != text) return "prints '" + expr.str() + "' instead of '" + text + "'";
  if (expr.eval().is_true() != entry["ok"].get<bool>()) return "has the wrong truth value";
  if (message_of(expr) == message) return {};
  return "says '" + message_of(expr) + "' instead of '" + message + "'";
}

template <class Call>
void run(Report& report, const std::string& name, Call&& call) {
  if (!report.wants(name)) return;
  try {
    report.add(name, call());
  } catch (const std::exception& error) {
    report.add(name, error.what());
  }
}

}  // namespace

Count run_chainer(const RunOptions& options, std::ostream& out) {
  namespace fs = std::filesystem;
  const std::string cases = options.folder + "/cases.json";
  const std::string expressions = options.folder + "/typecheck.json";
  if (!fs::exists(cases) && !fs::exists(expressions)) {
    throw std::runtime_error(cupyxx::message(options.folder, " holds no cases"));
  }
  const cupyxx::DeviceScope scope(options.device);
  Report report(options, out);
  if (fs::exists(cases)) {
    const Json file = read_json<Json>(cases);
    for (const Json& description : file.is_array() ? file : file["cases"]) {
      const std::string name = description["name"], function = description["function"];
      run(report, function + "/" + name, [&] { return run_case(description, options.folder); });
    }
  }
  if (fs::exists(expressions)) {
    int number = 0;
    for (const auto& entry : read_json<nlohmann::json>(expressions)) {
      run(report, "typecheck/" + std::to_string(number++), [&] { return run_expression(entry); });
    }
  }
  return report.count();
}

}  // namespace conformance
