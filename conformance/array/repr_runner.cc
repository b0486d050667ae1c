// SPDX-License-Identifier: MIT
// Cases of printing.
#include <fstream>
#include <nlohmann/json.hpp>

#include "conformance/array/runner.h"
#include "cupyxx/io.h"
#include "cupyxx/printing.h"

namespace conformance {
namespace cp = cupyxx;
namespace {

cp::PrintOptions print_options(const nlohmann::json& kw) {
  cp::PrintOptions options;
  if (kw.contains("max_line_width")) options.max_line_width = kw["max_line_width"].get<int>();
  if (kw.contains("precision")) options.precision = kw["precision"].get<int>();
  if (kw.contains("suppress_small")) options.suppress_small = kw["suppress_small"].get<bool>();
  if (kw.contains("threshold")) options.threshold = kw["threshold"].get<std::int64_t>();
  if (kw.contains("edgeitems")) options.edgeitems = kw["edgeitems"].get<std::int64_t>();
  return options;
}

cp::ArrayFrame frame(const nlohmann::json& kw) {
  return {kw.value("separator", " "), kw.value("prefix", ""), kw.value("suffix", "")};
}

/// The references hold arrays of C's long long too, which NumPy prints with a dtype; our int64 is
/// NumPy's default integer, which has none.
std::string without_long_long(std::string text, const cp::ndarray& a) {
  if (!(a.dtype() == cp::int64) || a.size() == 0) return text;
  for (const char* suffix : {", dtype=int64)", ",\n      dtype=int64)"}) {
    if (text.ends_with(suffix)) return text.substr(0, text.rfind(suffix)) + ")";
  }
  return text;
}

std::string compare(const std::string& what, const std::string& actual,
                    const std::string& expected) {
  return actual == expected ? "" : what + " is " + actual + " instead of " + expected;
}

}  // namespace

void run_repr(const std::string& stem, Report& report) {
  std::ifstream file(stem + ".json");
  const auto cases = nlohmann::json::parse(file);
  const cp::NpzFile arrays(stem + ".npz");
  const std::string group = stem.substr(stem.rfind('/') + 1);
  for (const auto& c : cases) {
    const std::string name = group + "/array_repr/" + c["a"].get<std::string>();
    if (!report.wants(name)) continue;
    std::string defect;
    try {
      const cp::ndarray a = arrays[c["a"].get<std::string>()];
      const cp::PrintOptions options = print_options(c["kw"]);
      defect = compare("repr", cp::array_repr(a, options), without_long_long(c["repr"], a));
      if (defect.empty()) defect = compare("str", cp::array_str(a, options), c["str"]);
      if (defect.empty() && c.contains("array2string")) {
        const std::string text = cp::array2string(a, options, frame(c["kw"]));
        defect = compare("array2string", text, c["array2string"]);
      }
    } catch (const std::exception& error) {
      defect = error.what();
    }
    report.add(name, defect);
  }
}

}  // namespace conformance
