// SPDX-License-Identifier: MIT
// npy and npz files, good and damaged.
#include <fstream>
#include <nlohmann/json.hpp>

#include "conformance/array/judge.h"
#include "conformance/array/runner.h"
#include "cupyxx/error.h"
#include "cupyxx/io.h"

namespace conformance {
namespace cp = cupyxx;
namespace {

/// What is wrong with reading a file that must be rejected.
template <class Read>
std::string must_fail(const Read& read) {
  try {
    read();
  } catch (const cp::Error&) {
    return "";
  }
  return "it was read without an error";
}

std::string check_array(const cp::ndarray& actual, const cp::NpzFile& reference,
                        const nlohmann::json& sample) {
  return difference(actual, reference[sample["key"].get<std::string>()], {}, true);
}

std::string check_npy(const std::string& path, const cp::NpzFile& reference,
                      const nlohmann::json& sample) {
  if (sample.value("unsupported", false)) {
    const std::string type = sample["dtype"];
    if (type.substr(1, 1) != "c") return must_fail([&] { cp::load(path); });
    // Complex samples are marked too, and have no reference: not everyone reads them.
    const cp::ndarray a = cp::load(path);
    return a.dtype() == cp::dtype(type) ? "" : "its dtype is " + std::string(a.dtype().name());
  }
  return check_array(cp::load(path), reference, sample);
}

std::string check_npz(const std::string& path, const cp::NpzFile& reference,
                      const nlohmann::json& sample) {
  const cp::NpzFile archive(path);
  for (const auto& [name, member] : sample["members"].items()) {
    const std::string defect = check_array(archive[name], reference, member);
    if (!defect.empty()) return name + ": " + defect;
  }
  return "";
}

std::string check_bad(const std::string& path, const cp::NpzFile&, const nlohmann::json&) {
  return must_fail([&] {
    if (path.ends_with(".npy")) {
      cp::load(path);
    } else {
      const cp::NpzFile archive(path);
      for (const std::string& name : archive.files()) archive[name];
    }
  });
}

}  // namespace

void run_files(const std::string& folder, Report& report) {
  std::ifstream file(folder + "/files.json");
  const auto samples = nlohmann::json::parse(file);
  const cp::NpzFile reference(folder + "/reference.npz");
  using Check = std::string (*)(const std::string&, const cp::NpzFile&, const nlohmann::json&);
  const std::pair<const char*, Check> checks[] = {
      {"npy", check_npy}, {"npz", check_npz}, {"bad", check_bad}};
  for (const auto& [kind, check] : checks) {
    for (const auto& sample : samples[kind]) {
      const std::string path = sample["file"];
      const std::string name = std::string("files/load/") + path;
      if (!report.wants(name)) continue;
      std::string defect;
      try {
        defect = check(folder + "/" + path, reference, sample);
      } catch (const std::exception& error) {
        defect = error.what();
      }
      report.add(name, defect);
    }
  }
}

}  // namespace conformance
