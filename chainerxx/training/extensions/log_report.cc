// SPDX-License-Identifier: MIT
#include "chainerxx/training/extensions/log_report.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "chainerxx/training/extensions/missing_keys.h"
#include "chainerxx/training/trainer.h"
#include "cupyxx/error.h"
#include "cupyxx/extension/whole_file.h"

namespace chainerxx::training::extensions {
namespace {

/// What Python's repr gives: the shortest digits that read back, with a point.
std::string number_text(const std::string& name, double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "-Infinity" : "Infinity";
  char text[32];
  if (name == "epoch" || name == "iteration") {
    std::snprintf(text, sizeof text, "%.0f", value);
    return text;
  }
  const double size = std::abs(value);
  const bool plain = size == 0 || (size >= 1e-4 && size < 1e16);
  const auto end = std::to_chars(text, text + sizeof text, value,
                                 plain ? std::chars_format::fixed : std::chars_format::scientific);
  std::string digits(text, end.ptr);
  if (plain && digits.find('.') == digits.npos) digits += ".0";
  return digits;
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", c);
      result += code;
    } else {
      result += c;
    }
  }
  return result + "\"";
}

}  // namespace

const double* find_number(const LogEntry& entry, std::string_view name) {
  for (const auto& [its_name, number] : entry) {
    if (its_name == name) return &number;
  }
  return nullptr;
}

bool has_entry(const std::vector<LogEntry>& log, std::string_view name) {
  return std::any_of(log.begin(), log.end(),
                     [&](const LogEntry& entry) { return find_number(entry, name) != nullptr; });
}

std::string log_json(const std::vector<LogEntry>& log) {
  if (log.empty()) return "[]";
  std::string text = "[";
  for (std::size_t i = 0; i < log.size(); ++i) {
    text += i == 0 ? "\n    {" : ",\n    {";
    for (std::size_t j = 0; j < log[i].size(); ++j) {
      const auto& [name, number] = log[i][j];
      text += j == 0 ? "\n        " : ",\n        ";
      text += quoted(name) + ": " + number_text(name, number);
    }
    text += log[i].empty() ? "}" : "\n    }";
  }
  return text + "\n]";
}

LogReport::LogReport(LogReportOptions options) : options_(std::move(options)) {}

void LogReport::operator()(Trainer& trainer) {
  if (options_.keys.empty()) {
    summary_.add(trainer.observation());
  } else {
    summary_.add(trainer.observation(), options_.keys);
  }
  if (!trainer.is_before_training() && !options_.trigger(trainer)) return;
  LogEntry entry = summary_.compute_mean();
  entry.emplace_back("epoch", static_cast<double>(trainer.updater().epoch()));
  entry.emplace_back("iteration", static_cast<double>(trainer.updater().iteration()));
  entry.emplace_back("elapsed_time", trainer.elapsed_time());
  if (options_.postprocess) options_.postprocess(entry);
  log_.push_back(std::move(entry));
  if (!has_looked_ && !trainer.is_before_training()) {
    has_looked_ = true;
    internal::warn_of_missing_keys(
        "LogReport", options_.keys,
        [&](const std::string& key) { return summary_.contains(key) || has_entry(log_, key); },
        trainer.observation().listed());
  }
  summary_.clear();
  if (options_.filename.empty()) return;
  cupyxx::extension::write_whole_file("LogReport", trainer.out() + "/" + options_.filename,
                                      log_json(log_));
}

void LogReport::serialize(const Serializer& s) {
  options_.trigger.serialize(s["_trigger"]);
  summary_.serialize(s["_summary"]);
  std::string names;
  std::vector<double> numbers;
  for (const LogEntry& entry : log_) {
    for (const auto& [name, number] : entry) {
      names += name + "\n";
      numbers.push_back(number);
    }
    names += "\n";  // ends an entry
  }
  s("_log_names", names);
  s("_log_numbers", numbers);
  if (s.is_saving()) return;
  std::vector<LogEntry> log;
  LogEntry entry;
  std::size_t used = 0;
  for (std::size_t begin = 0, end; (end = names.find('\n', begin)) != names.npos; begin = end + 1) {
    if (end == begin) {
      log.push_back(std::exchange(entry, {}));
    } else if (used < numbers.size()) {
      entry.emplace_back(names.substr(begin, end - begin), numbers[used++]);
    } else {
      s.refuse("_log_numbers", cupyxx::message("has only ", numbers.size(), " values"));
    }
  }
  if (used != numbers.size() || !entry.empty()) {
    s.refuse("_log_numbers",
             cupyxx::message("has ", numbers.size(), " values for ", used, " names"));
  }
  if (s.commits()) log_ = std::move(log);
}

}  // namespace chainerxx::training::extensions
