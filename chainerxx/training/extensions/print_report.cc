// SPDX-License-Identifier: MIT
#include "chainerxx/training/extensions/print_report.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <utility>

#include "chainerxx/training/extensions/log_report.h"
#include "chainerxx/training/extensions/missing_keys.h"
#include "chainerxx/training/progress.h"
#include "chainerxx/training/trainer.h"
#include "cupyxx/error.h"

namespace chainerxx::training::extensions {
namespace {

std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) text.resize(width, ' ');
  return text;
}

}  // namespace

PrintReport::PrintReport(std::vector<std::string> entries, std::string log_report)
    : PrintReport(std::move(entries), std::move(log_report), std::cout) {
  is_terminal_ = standard_output().is_terminal;
}

PrintReport::PrintReport(std::vector<std::string> entries, std::string log_report,
                         std::ostream& out)
    : entries_(std::move(entries)), log_report_(std::move(log_report)), out_(&out) {}

void PrintReport::initialize(Trainer& trainer) {
  log_ = dynamic_cast<const LogReport*>(&trainer.get_extension(log_report_));
  if (log_ == nullptr) {
    throw cupyxx::ValueError(
        cupyxx::message("PrintReport: the extension ", log_report_, " is no LogReport"));
  }
}

void PrintReport::operator()(Trainer& trainer) {
  if (log_ == nullptr) initialize(trainer);
  const auto width = [](const std::string& entry) {
    return std::max<std::size_t>(entry.size(), 10) + 2;
  };
  const char* const clear = is_terminal_ ? "\r\x1b[J" : "";  // a bar that stands there
  if (!has_header_) {
    std::string header;
    for (const std::string& entry : entries_) header += padded(entry, width(entry));
    if (header.size() > 2) header.resize(header.size() - 2);
    *out_ << clear << header << "\n";
    has_header_ = true;
  }
  const std::vector<LogEntry>& log = log_->log();
  for (; printed_ < log.size(); ++printed_) {
    std::string line = clear;
    for (const std::string& entry : entries_) {
      char text[40] = "";
      if (const double* number = find_number(log[printed_], entry)) {
        // The sign of a NaN says nothing.
        std::snprintf(text, sizeof text, "%g", std::isnan(*number) ? std::abs(*number) : *number);
      }
      line += padded(text, width(entry));
    }
    *out_ << line << "\n";
  }
  out_->flush();
  if (has_looked_ || log.empty() || trainer.is_before_training()) return;
  has_looked_ = true;
  std::string there_is;
  for (const auto& [name, number] : log.back()) there_is += (there_is.empty() ? "" : ", ") + name;
  internal::warn_of_missing_keys(
      "PrintReport", entries_, [&](const std::string& entry) { return has_entry(log, entry); },
      there_is);
}

void PrintReport::serialize(const Serializer& s) {
  if (s.commits()) printed_ = 0;
}

}  // namespace chainerxx::training::extensions
