// SPDX-License-Identifier: MIT
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "chainerxx/training/extension.h"

namespace chainerxx::training::extensions {

class LogReport;

/// Prints entries of a log as a table:
///
///   epoch       main/loss   validation/main/accuracy
///   1           0.19286     0.9651
class CUPYXX_API PrintReport final : public Extension {
 public:
  /// The columns, from the LogReport of a name, to standard output or another stream. Behind the
  /// first line standard error names those that the log does not have.
  explicit PrintReport(std::vector<std::string> entries, std::string log_report = "LogReport");
  PrintReport(std::vector<std::string> entries, std::string log_report, std::ostream& out);

  /// Prints the entries that are new. Throws IndexError where there is no such LogReport.
  void operator()(Trainer& trainer) override;
  std::string default_name() const override { return "PrintReport"; }
  /// Throws IndexError where there is no such LogReport.
  void initialize(Trainer& trainer) override;
  /// Prints what the log had before anew when a training goes on.
  void serialize(const Serializer& s) override;

 private:
  std::vector<std::string> entries_;
  std::string log_report_;
  std::ostream* out_;
  bool is_terminal_ = false;
  const LogReport* log_ = nullptr;
  std::size_t printed_ = 0;
  bool has_header_ = false;
  bool has_looked_ = false;  // for entries that the log does not have
};

}  // namespace chainerxx::training::extensions
