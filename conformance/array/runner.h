// SPDX-License-Identifier: MIT
// Runs folders of reference cases.
#pragma once

#include <iosfwd>
#include <regex>
#include <string>

#include "cupyxx/device.h"

namespace conformance {

struct Count {
  int passed = 0;
  int failed = 0;
  int skipped = 0;
};

struct RunOptions {
  std::string folder;
  cupyxx::Device device;
  std::regex only{""};    ///< searched in "GROUP/ROUTINE/ID"
  bool by_group = false;  ///< prints the count of each group
  int shard = 0;          ///< this one of `shards` parts, from 0; neighbours stay together
  int shards = 1;
};

/// Runs every case of the folder of which the name matches (of one shard), and prints one line per
/// failing case. Throws std::runtime_error when the folder holds no cases.
Count run_folder(const RunOptions& options, std::ostream& out);

/// What one case or table entry came to; an empty defect means that it passed.
class Report {
 public:
  Report(const RunOptions& options, std::ostream& out) : options_(options), out_(out) {}

  /// Whether the case of this name is to be run; others count as skipped.
  bool wants(const std::string& name);
  void add(const std::string& name, const std::string& defect);
  const Count& count() const { return count_; }

 private:
  const RunOptions& options_;
  std::ostream& out_;
  Count count_;
  int seen_ = 0;  // cases that the regular expression wants
};

/// The groups of each form; `stem` is the path of a group's files without their extension.
void run_cases(const std::string& group, const std::string& stem, Report& report);
void run_repr(const std::string& stem, Report& report);
void run_types(const std::string& stem, Report& report);
void run_files(const std::string& folder, Report& report);

}  // namespace conformance
