// SPDX-License-Identifier: MIT
#include "conformance/array/runner.h"

#include <algorithm>
#include <filesystem>
#include <iomanip>
#include <ostream>
#include <stdexcept>
#include <vector>

#include "cupyxx/creation.h"
#include "cupyxx/message.h"

namespace conformance {
namespace fs = std::filesystem;

bool Report::wants(const std::string& name) {
  // Neighbours run the same kernels, which a process compiles once.
  constexpr int kNeighbours = 8;
  if (std::regex_search(name, options_.only) &&
      seen_++ / kNeighbours % options_.shards == options_.shard) {
    return true;
  }
  ++count_.skipped;
  return false;
}

void Report::add(const std::string& name, const std::string& defect) {
  if (defect.empty()) {
    ++count_.passed;
    return;
  }
  ++count_.failed;
  std::string line = defect;
  std::replace(line.begin(), line.end(), '\n', ' ');
  out_ << name << ": " << line << "\n";
}

Count run_folder(const RunOptions& options, std::ostream& out) {
  std::vector<std::string> groups;
  if (fs::is_directory(options.folder)) {
    for (const auto& entry : fs::directory_iterator(options.folder)) {
      if (entry.path().extension() == ".json") groups.push_back(entry.path().stem());
    }
  }
  if (fs::exists(options.folder + "/files/files.json")) groups.emplace_back("files");
  if (groups.empty()) throw std::runtime_error(cupyxx::message(options.folder, " holds no cases"));
  std::sort(groups.begin(), groups.end());

  const cupyxx::DeviceScope scope(options.device);
  Report report(options, out);
  for (const std::string& group : groups) {
    const Count before = report.count();
    const std::string stem = options.folder + "/" + group;
    if (group.starts_with("repr")) {
      run_repr(stem, report);
    } else if (group == "types") {
      run_types(stem, report);
    } else if (group == "files") {
      run_files(stem, report);
    } else {
      run_cases(group, stem, report);
    }
    const int passed = report.count().passed - before.passed;
    const int failed = report.count().failed - before.failed;
    if (options.by_group && passed + failed != 0) {
      out << "  " << std::left << std::setw(24) << group << std::right << std::setw(6) << passed
          << " passed" << std::setw(6) << failed << " failed\n";
    }
  }
  return report.count();
}

}  // namespace conformance
