// SPDX-License-Identifier: MIT
#include "examples/program/learning_curve.h"

#include <algorithm>
#include <limits>

#include "chainerxx/training/chart.h"
#include "cupyxx/extension/whole_file.h"

namespace examples {
namespace {

using chainerxx::training::ChartPanel;
using chainerxx::training::ChartSeries;

ChartSeries series(const char* name, const char* colour, std::span<const EpochResult> epochs,
                   double EpochResult::*value) {
  ChartSeries curve = {name, colour, {}};
  for (std::size_t i = 0; i < epochs.size(); ++i) {
    curve.points.emplace_back(static_cast<double>(i + 1), epochs[i].*value);
  }
  return curve;
}

ChartPanel panel(const char* title, std::span<const EpochResult> epochs, double EpochResult::*train,
                 double EpochResult::*test) {
  ChartPanel both;
  both.title = title;
  both.series = {series("training", "#1f77b4", epochs, train),
                 series("test", "#d95f02", epochs, test)};
  both.low_limit = 0;
  return both;
}

}  // namespace

std::string learning_curve_svg(std::span<const EpochResult> epochs) {
  ChartPanel panels[] = {
      panel("loss", epochs, &EpochResult::train_loss, &EpochResult::test_loss),
      panel("accuracy", epochs, &EpochResult::train_accuracy, &EpochResult::test_accuracy)};
  panels[1].high_limit = 1;
  panels[1].legend_at_top = false;
  return chart_svg(panels, {.x_last = std::max(static_cast<double>(epochs.size()), 1.0)});
}

void save_learning_curve(const std::string& path, std::span<const EpochResult> epochs) {
  cupyxx::extension::write_whole_file("save_learning_curve", path, learning_curve_svg(epochs));
}

}  // namespace examples
