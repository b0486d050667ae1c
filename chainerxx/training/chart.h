// SPDX-License-Identifier: MIT
// Curves as a picture.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cupyxx/export.h"

namespace chainerxx::training {

/// One curve: its points from left to right. Values that are not finite leave gaps.
struct ChartSeries {
  std::string name;
  std::string colour;
  std::vector<std::pair<double, double>> points;
};

/// One diagram.
struct ChartPanel {
  std::string title;
  std::vector<ChartSeries> series;
  double low_limit = -std::numeric_limits<double>::infinity();  ///< no value is below
  double high_limit = std::numeric_limits<double>::infinity();  ///< no value is above
  bool legend_at_top = true;  ///< else at the bottom; always on the right
};

/// Options of chart_svg.
struct ChartOptions {
  std::string x_label = "epoch";
  double x_first = 1;  ///< where the axis begins
  double x_last = 1;   ///< and where it ends
};

/// An SVG of panels side by side, with axes, round numbers and legends.
CUPYXX_API std::string chart_svg(std::span<const ChartPanel> panels, const ChartOptions& options);

/// Positions of about `count` round numbers (1, 2 or 5 times a power of ten apart) that cover
/// [low, high].
struct Ticks {
  double first = 0;
  double step = 1;
  int count = 2;
  double at(int i) const { return first + i * step; }
  double last() const { return at(count - 1); }
};
/// Those of a range.
CUPYXX_API Ticks round_ticks(double low, double high, int count);

}  // namespace chainerxx::training
