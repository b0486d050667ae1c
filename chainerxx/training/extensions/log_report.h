// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "chainerxx/training/callback.h"
#include "chainerxx/training/extension.h"

namespace chainerxx::training::extensions {

/// Numbers by name, in order: one entry of a log.
using LogEntry = std::vector<std::pair<std::string, double>>;

/// The number of a name in an entry; null when it has none.
CUPYXX_API const double* find_number(const LogEntry& entry, std::string_view name);

/// Whether an entry of a log has a number of this name.
CUPYXX_API bool has_entry(const std::vector<LogEntry>& log, std::string_view name);

/// Options of LogReport.
struct LogReportOptions {
  std::vector<std::string> keys = {};          ///< what is logged; all without
  TriggerArg trigger = {1, "epoch"};           ///< when an entry is made
  Callback<void(LogEntry&)> postprocess = {};  ///< may change an entry before it is kept
  std::string filename = "log";                ///< in the trainer's folder; empty for no file
};

/// Means of all that is reported, over an epoch or what the trigger says, with "epoch",
/// "iteration" and "elapsed_time", as a list of entries and a file of JSON that Chainer's tools
/// read. Values of a device are added up there: nothing waits before the end of the epoch.
class CUPYXX_API LogReport final : public Extension {
 public:
  explicit LogReport(LogReportOptions options = {});

  void operator()(Trainer& trainer) override;
  /// The entries so far.
  const std::vector<LogEntry>& log() const { return log_; }

  std::string default_name() const override { return "LogReport"; }
  void serialize(const Serializer& s) override;

 private:
  LogReportOptions options_;
  DictSummary summary_;
  std::vector<LogEntry> log_;
  bool has_looked_ = false;  // for keys under which nothing is reported
};

/// A log as Python's json.dump(log, file, indent=4) writes it.
CUPYXX_API std::string log_json(const std::vector<LogEntry>& log);

}  // namespace chainerxx::training::extensions
