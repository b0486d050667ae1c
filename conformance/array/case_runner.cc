// SPDX-License-Identifier: MIT
// Cases of calls: arguments, and a result or an error.
#include <algorithm>
#include <cmath>
#include <fstream>

#include "conformance/array/judge.h"
#include "conformance/array/routine.h"
#include "conformance/array/runner.h"
#include "cupyxx/core/nested_list.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"

namespace conformance {
namespace cp = cupyxx;
namespace {

using Json = nlohmann::json;

bool is_error_kind(const std::exception& error, const std::string& kind) {
  if (kind == "TypeError") return dynamic_cast<const cp::TypeError*>(&error) != nullptr;
  if (kind == "ValueError") return dynamic_cast<const cp::ValueError*>(&error) != nullptr;
  if (kind == "IndexError") return dynamic_cast<const cp::IndexError*>(&error) != nullptr;
  if (kind == "OverflowError") return dynamic_cast<const cp::OverflowError*>(&error) != nullptr;
  if (kind == "MemoryError") return dynamic_cast<const cp::MemoryError*>(&error) != nullptr;
  if (kind == "AxisError") {
    return dynamic_cast<const cp::IndexError*>(&error) != nullptr ||
           dynamic_cast<const cp::ValueError*>(&error) != nullptr;
  }
  return dynamic_cast<const cp::Error*>(&error) != nullptr;
}

/// Strides say where a step along an axis leads; on axes without a step any will do.
std::string stride_difference(const cp::ndarray& actual, const Json& strides) {
  const cp::Strides found = actual.strides();
  for (int axis = 0; axis < actual.ndim(); ++axis) {
    const auto expected = strides[static_cast<std::size_t>(axis)].get<std::int64_t>();
    if (actual.size() != 0 && actual.shape()[axis] > 1 && found[axis] != expected) {
      return "strides " + found.str() + " instead of " + strides.dump();
    }
  }
  return "";
}

/// Python's lists hold Python's numbers: the kind and the exact value count.
std::string list_difference(const cp::NestedList& actual, const Json& expected) {
  const auto differs = [&] { return "list " + actual.str() + " instead of " + expected.dump(); };
  if (actual.is_number() && actual.number().kind() == cp::Scalar::Kind::complex_floating) {
    const cp::complex<double> z = actual.number().as_complex();
    const bool same =
        expected.is_array() && expected.size() == 2 && expected[0] == z.re && expected[1] == z.im;
    return same ? "" : differs();
  }
  if (actual.is_number() == expected.is_array()) return differs();
  if (expected.is_array()) {
    if (actual.size() != expected.size()) return differs();
    for (std::size_t i = 0; i < actual.size(); ++i) {
      const std::string defect = list_difference(actual[i], expected[i]);
      if (!defect.empty()) return defect;
    }
    return "";
  }
  const cp::Scalar& number = actual.number();
  bool same = false;
  switch (number.kind()) {
    case cp::Scalar::Kind::boolean:
      same = expected.is_boolean() && expected.get<bool>() == number.is_true();
      break;
    case cp::Scalar::Kind::floating:
      // JSON has no word for infinities and NaN: they come as text, or as null.
      same = expected.is_number_float()
                 ? expected.get<double>() == number.as_double()
                 : !expected.is_number() && !std::isfinite(number.as_double()) &&
                       (expected.is_null() || expected.get<std::string>() == number.str());
      break;
    default:
      same = expected.is_number_integer() && expected.dump() == number.str();
  }
  return same ? "" : differs();
}

cp::ndarray on_host(const cp::NpzFile& arrays, const std::string& key) {
  const cp::DeviceScope scope(cp::Device::cpu());
  return arrays[key];
}

class Case {
 public:
  Case(const Json& json, const cp::NpzFile& arrays)
      : json_(json), arrays_(arrays), name_(json["fn"]) {
    const Reader reader(arrays);
    for (const auto& arg : json["args"]) args_.push_back(reader.value(arg));
    if (json.contains("kw")) {
      for (const auto& [key, arg] : json["kw"].items()) kw_[key] = reader.value(arg);
    }
    for (const Value& value : args_) collect_arrays(value, inputs_);
    for (const auto& [key, value] : kw_) collect_arrays(value, inputs_);
    for (const cp::ndarray& a : inputs_) before_.push_back(a.to_cpu().copy());
  }

  /// Runs it and returns what is wrong, or an empty text.
  std::string run() {
    if (json_.contains("error")) return run_to_error(json_["error"]);
    if (name_ == "tolist") return list_difference(to_array(args_.at(0)).tolist(), json_["json"]);
    const Arrays results = call_routine(name_, args_, kw_);
    const Json& expected = json_["out"];
    if (results.size() != expected.size()) {
      return std::to_string(results.size()) + " results instead of " +
             std::to_string(expected.size());
    }
    for (std::size_t i = 0; i < results.size(); ++i) {
      const std::string defect = compare(results[i], expected[i]);
      if (!defect.empty()) {
        return (results.size() > 1 ? "result " + std::to_string(i) + ": " : "") + defect;
      }
    }
    return "";
  }

 private:
  bool has_tag(const std::string& tag) const {
    if (!json_.contains("tags")) return false;
    return std::find(json_["tags"].begin(), json_["tags"].end(), tag) != json_["tags"].end();
  }

  /// On a device an error in the elements is met by the kernel, which has written `out` then.
  bool is_overwritten(const cp::ndarray& input) const {
    if (cp::current_device().is_cpu() || !kw_.contains("out")) return false;
    std::vector<cp::ndarray> out;
    collect_arrays(kw_.at("out"), out);
    return std::any_of(out.begin(), out.end(),
                       [&](const cp::ndarray& a) { return a.shares_memory(input); });
  }

  std::string run_to_error(const std::string& kind) {
    try {
      // Errors in device data arrive with the next synchronising call.
      for (const cp::ndarray& a : call_routine(name_, args_, kw_)) a.to_cpu();
    } catch (const Missing&) {
      throw;
    } catch (const std::exception& error) {
      if (!is_error_kind(error, kind)) return std::string("another error: ") + error.what();
      for (std::size_t i = 0; i < inputs_.size(); ++i) {
        if (!is_overwritten(inputs_[i]) && !same_bytes(inputs_[i], before_[i])) {
          return kind + " as expected, but array argument " + std::to_string(i) + " has changed";
        }
      }
      return "";
    }
    return "no error instead of " + kind + ": " + json_.value("text", "");
  }

  std::string compare(const cp::ndarray& actual, const Json& expected) const {
    const cp::ndarray reference = on_host(arrays_, expected["a"]);
    if (!actual.is_none() && !(actual.device() == cp::current_device())) {
      return "the result is on another device";
    }
    std::string defect =
        difference(actual, reference, tolerance_of(name_, before_, reference), has_tag("special"));
    if (!defect.empty() || !expected.contains("strides")) return defect;
    defect = stride_difference(actual, expected["strides"]);
    if (defect.empty() && !inputs_.empty() && !actual.shares_memory(inputs_[0])) {
      defect = "a copy instead of a view";
    }
    return defect;
  }

  const Json& json_;
  const cp::NpzFile& arrays_;
  std::string name_;
  std::vector<Value> args_;
  std::map<std::string, Value> kw_;
  Arrays inputs_;
  Arrays before_;  // copies on the host
};

}  // namespace

void run_cases(const std::string& group, const std::string& stem, Report& report) {
  std::ifstream file(stem + ".json");
  const Json cases = Json::parse(file);
  const cp::NpzFile arrays(stem + ".npz");
  for (const Json& json : cases) {
    const std::string name = group + "/" + json["fn"].get<std::string>() + "/" +
                             std::to_string(json["id"].get<std::int64_t>());
    if (!report.wants(name)) continue;
    std::string defect;
    try {
      defect = Case(json, arrays).run();
    } catch (const std::exception& error) {
      defect = error.what();
    }
    report.add(name, defect);
  }
}

}  // namespace conformance
