// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "chainerxx/training/extension.h"

namespace chainerxx::training::extensions {

/// Options of PlotReport.
struct PlotReportOptions {
  std::string x_key = "iteration";    ///< "iteration" or "epoch"
  TriggerArg trigger = {1, "epoch"};  ///< when a point is made
  std::string filename = "plot.svg";  ///< in the trainer's folder
  std::string title = {};             ///< unless given the keys
};

/// Means of reported values as curves in an SVG, which is written anew with each point:
///
///   PlotReport({"main/loss", "validation/main/loss"}, {.x_key = "epoch", .filename = "loss.svg"})
class CUPYXX_API PlotReport final : public Extension {
 public:
  /// Throws ValueError without keys, for another x_key, and for the name of another kind of
  /// picture. With the first point standard error names keys under which nothing was reported.
  explicit PlotReport(std::vector<std::string> y_keys, PlotReportOptions options = {});

  void operator()(Trainer& trainer) override;
  std::string default_name() const override { return "PlotReport"; }
  void serialize(const Serializer& s) override;

 private:
  std::vector<std::string> keys_;
  PlotReportOptions options_;
  DictSummary summary_;
  std::vector<std::vector<std::pair<double, double>>> points_;  // of each key
  bool has_looked_ = false;  // for keys under which nothing is reported
};

}  // namespace chainerxx::training::extensions
