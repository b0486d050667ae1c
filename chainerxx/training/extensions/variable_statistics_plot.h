// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "chainerxx/training/extension.h"

namespace chainerxx {
class FunctionSet;
}

namespace chainerxx::training::extensions {

/// Options of VariableStatisticsPlot.
struct VariableStatisticsPlotOptions {
  std::int64_t max_sample_size = 1000;  ///< elements that percentiles are of, evenly spaced
  bool report_data = true;              ///< the parameters
  bool report_grad = true;              ///< their gradients
  bool plot_mean = true;
  bool plot_std = true;
  std::vector<double> percentiles = {0, 15.87, 50, 84.13, 100};  ///< none: no percentiles
  TriggerArg trigger = {1, "epoch"};                             ///< when a point is made
  std::string filename = "statistics.svg";                       ///< in the trainer's folder
};

/// How the elements of all parameters of a model, and of their gradients, are distributed in the
/// course of a training: mean, percentiles and standard deviation as curves in an SVG, which is
/// written anew with each point. A gradient that shrinks to nothing or a weight that runs away
/// stands there before the loss shows it. Waits for a device.
class CUPYXX_API VariableStatisticsPlot final : public Extension {
 public:
  /// The model must live as long. Throws ValueError where nothing is to be drawn, for a sample
  /// below 1, for percentiles out of [0, 100], and for the name of another kind of picture.
  explicit VariableStatisticsPlot(FunctionSet& model, VariableStatisticsPlotOptions options = {});

  void operator()(Trainer& trainer) override;
  std::string default_name() const override { return "VariableStatisticsPlot"; }
  void serialize(const Serializer& s) override;

 private:
  struct Curve {
    std::string name;
    std::vector<std::pair<double, double>> points;
  };
  void add(std::int64_t iteration, std::vector<Curve>& curves, bool gradients);

  FunctionSet* model_;
  VariableStatisticsPlotOptions options_;
  std::vector<Curve> data_, grad_;
};

}  // namespace chainerxx::training::extensions
