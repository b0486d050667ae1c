// SPDX-License-Identifier: MIT
#include "examples/program/learning_curve.h"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <fstream>
#include <limits>

#include "examples/program/errors.h"

namespace examples {
namespace {

constexpr int kWidth = 880;
constexpr int kHeight = 380;
constexpr const char* kTrainColour = "#1f77b4";
constexpr const char* kTestColour = "#d95f02";

[[gnu::format(printf, 1, 2)]] std::string format(const char* text, ...) {
  char buffer[512];
  va_list arguments;
  va_start(arguments, text);
  std::vsnprintf(buffer, sizeof buffer, text, arguments);
  va_end(arguments);
  return buffer;
}

/// One diagram: where it stands and what it shows.
struct Panel {
  const char* title;
  double EpochResult::*train;
  double EpochResult::*test;
  double left;  // of the plotted area
  double low_limit;
  double high_limit;
  bool legend_at_top;

  static constexpr double kPlotWidth = 340;
  static constexpr double kTop = 56;
  static constexpr double kPlotHeight = 260;
};

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr Panel kLoss = {
    "loss", &EpochResult::train_loss, &EpochResult::test_loss, 70, 0, kInfinity, true};
constexpr Panel kAccuracy = {
    "accuracy", &EpochResult::train_accuracy, &EpochResult::test_accuracy, 500, 0, 1, false};

class Axes {
 public:
  Axes(const Panel& panel, std::span<const EpochResult> epochs)
      : panel_(panel), last_epoch_(std::max<int>(static_cast<int>(epochs.size()), 1)) {
    double low = kInfinity;
    double high = -kInfinity;
    for (const EpochResult& epoch : epochs) {
      for (const double value : {epoch.*panel.train, epoch.*panel.test}) {
        if (!std::isfinite(value)) continue;
        low = std::min(low, value);
        high = std::max(high, value);
      }
    }
    if (low > high) low = 0, high = 1;
    // Room around the curves; a lone value must not fill the whole height.
    const double margin = std::max((high - low) * 0.08, 0.01 * std::max(std::abs(high), 0.1));
    y_ = round_ticks(std::max(low - margin, panel.low_limit),
                     std::min(high + margin, panel.high_limit), 6);
  }

  double x(double epoch) const {
    // A single epoch stands in the middle.
    const double part = last_epoch_ == 1 ? 0.5 : (epoch - 1) / (last_epoch_ - 1);
    return panel_.left + part * Panel::kPlotWidth;
  }
  double y(double value) const {
    return Panel::kTop + Panel::kPlotHeight * (y_.last() - value) / (y_.last() - y_.first);
  }

  std::string draw() const {
    const double right = panel_.left + Panel::kPlotWidth;
    const double bottom = Panel::kTop + Panel::kPlotHeight;
    std::string svg = format("<text class=\"title\" x=\"%.1f\" y=\"%.1f\">%s</text>\n",
                             (panel_.left + right) / 2, Panel::kTop - 14, panel_.title);
    // A loss that exploded must not push its digits out of the picture.
    const bool is_plain = y_.step >= 1e-4 && y_.last() < 1e5;
    const int decimals = std::max(static_cast<int>(-std::floor(std::log10(y_.step))), 0);
    for (int i = 0; i < y_.count; ++i) {
      const double at = y(y_.at(i));
      svg += format("<path class=\"grid\" d=\"M%.1f %.1fH%.1f\"/>", panel_.left, at, right);
      svg += format("<text class=\"y\" x=\"%.1f\" y=\"%.1f\">", panel_.left - 8, at + 4);
      svg += is_plain ? format("%.*f", decimals, y_.at(i)) : format("%.4g", y_.at(i));
      svg += "</text>\n";
    }
    const int step = std::max(static_cast<int>(round_ticks(0, last_epoch_, 8).step), 1);
    for (int epoch = 1; epoch <= last_epoch_; ++epoch) {
      if (epoch % step != 0 && !(epoch == 1 && step <= 2)) continue;
      svg += format("<path class=\"grid\" d=\"M%.1f %.1fV%.1f\"/>", x(epoch), Panel::kTop, bottom);
      svg += format("<text class=\"x\" x=\"%.1f\" y=\"%.1f\">%d</text>\n", x(epoch), bottom + 18,
                    epoch);
    }
    svg += format("<path class=\"axis\" d=\"M%.1f %.1fV%.1fH%.1f\"/>\n", panel_.left, Panel::kTop,
                  bottom, right);
    svg += format("<text class=\"x\" x=\"%.1f\" y=\"%.1f\">epoch</text>\n",
                  (panel_.left + right) / 2, bottom + 38);
    return svg;
  }

  std::string curve(std::span<const EpochResult> epochs, double EpochResult::*value,
                    const char* colour) const {
    std::string path;
    std::string points;
    char command = 'M';
    for (std::size_t i = 0; i < epochs.size(); ++i) {
      const double found = epochs[i].*value;
      if (!std::isfinite(found)) {
        command = 'M';
        continue;
      }
      const double px = x(static_cast<double>(i + 1));
      path += format("%c%.1f %.1f", command, px, y(found));
      command = 'L';
      // Many dots would hide the line.
      if (epochs.size() <= 40) {
        points += format("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"%s\"/>\n", px, y(found),
                         colour);
      }
    }
    if (path.empty()) return "";
    return "<path class=\"curve\" stroke=\"" + std::string(colour) + "\" d=\"" + path + "\"/>\n" +
           points;
  }

  std::string legend() const {
    const double left = panel_.left + Panel::kPlotWidth - 122;
    const double top =
        panel_.legend_at_top ? Panel::kTop + 10 : Panel::kTop + Panel::kPlotHeight - 58;
    std::string svg = format(
        "<rect class=\"legend\" x=\"%.1f\" y=\"%.1f\" width=\"112\" height=\"48\" rx=\"4\"/>\n",
        left, top);
    const struct {
      const char* name;
      const char* colour;
      double y;
    } rows[] = {{"training", kTrainColour, top + 16}, {"test", kTestColour, top + 34}};
    for (const auto& row : rows) {
      svg += format("<path class=\"curve\" stroke=\"%s\" d=\"M%.1f %.1fh24\"/>", row.colour,
                    left + 10, row.y);
      svg += format("<text x=\"%.1f\" y=\"%.1f\">%s</text>\n", left + 42, row.y + 4, row.name);
    }
    return svg;
  }

 private:
  const Panel& panel_;
  int last_epoch_;
  Ticks y_;
};

}  // namespace

Ticks round_ticks(double low, double high, int count) {
  if (!(high > low)) high = low + 1;
  const double rough = (high - low) / count;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (rough <= factor * power * (1 + 1e-9)) {
      step = factor * power;
      break;
    }
  }
  // Rounding errors must not add a step beyond an end that is a tick itself.
  const double first = std::floor(low / step + 1e-9);
  const double last = std::ceil(high / step - 1e-9);
  return {first * step, step, static_cast<int>(last - first) + 1};
}

std::string learning_curve_svg(std::span<const EpochResult> epochs) {
  std::string svg = format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
      "viewBox=\"0 0 %d %d\">\n",
      kWidth, kHeight, kWidth, kHeight);
  svg +=
      "<style>\n"
      "text { font: 13px sans-serif; fill: #333 }\n"
      ".title { font-size: 15px; font-weight: bold; text-anchor: middle }\n"
      ".x { text-anchor: middle }\n"
      ".y { text-anchor: end }\n"
      ".grid { stroke: #ddd; fill: none }\n"
      ".axis { stroke: #333; fill: none }\n"
      ".curve { stroke-width: 2; fill: none; stroke-linejoin: round }\n"
      ".legend { fill: #fff; fill-opacity: 0.9; stroke: #ccc }\n"
      "</style>\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n";
  for (const Panel* panel : {&kLoss, &kAccuracy}) {
    const Axes axes(*panel, epochs);
    svg += axes.draw();
    svg += axes.curve(epochs, panel->train, kTrainColour);
    svg += axes.curve(epochs, panel->test, kTestColour);
    svg += axes.legend();
  }
  return svg + "</svg>\n";
}

void save_learning_curve(const std::string& path, std::span<const EpochResult> epochs) {
  std::ofstream out(path, std::ios::binary);
  out << learning_curve_svg(epochs);
  out.close();
  if (!out) throw UserError(cupyxx::message(path, ": cannot be written"));
}

}  // namespace examples
