// SPDX-License-Identifier: MIT
#include "chainerxx/training/chart.h"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <limits>

namespace chainerxx::training {
namespace {

constexpr int kHeight = 380;

[[gnu::format(printf, 1, 2)]] std::string format(const char* text, ...) {
  char buffer[512];
  va_list arguments;
  va_start(arguments, text);
  std::vsnprintf(buffer, sizeof buffer, text, arguments);
  va_end(arguments);
  return buffer;
}

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '&':
        result += "&amp;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        // XML has no other control characters, not even escaped.
        if (static_cast<unsigned char>(c) >= 0x20 || c == '\t' || c == '\n') result += c;
    }
  }
  return result;
}

constexpr double kPlotWidth = 340;
constexpr double kTop = 56;
constexpr double kPlotHeight = 260;
constexpr double kLeft = 70;       // of the first panel's plotted area
constexpr double kDistance = 430;  // from panel to panel
constexpr double kInfinity = std::numeric_limits<double>::infinity();

class Axes {
 public:
  Axes(const ChartPanel& panel, double left, const ChartOptions& options)
      : panel_(panel), left_(left), options_(options) {
    double low = kInfinity;
    double high = -kInfinity;
    for (const ChartSeries& series : panel.series) {
      for (const auto& [x, value] : series.points) {
        if (!std::isfinite(value)) continue;
        low = std::min(low, value);
        high = std::max(high, value);
      }
    }
    if (low > high) low = 0, high = 1;
    // Room around the curves; a lone value must not fill the whole height.
    const double size = std::max(std::abs(low), std::abs(high));
    const double margin = std::max((high - low) * 0.08, size > 0 ? 0.01 * size : 1e-3);
    y_ = round_ticks(std::max(low - margin, panel.low_limit),
                     std::min(high + margin, panel.high_limit), 6);
  }

  double x(double at) const {
    // A single position stands in the middle.
    const double range = options_.x_last - options_.x_first;
    const double part = range > 0 ? (at - options_.x_first) / range : 0.5;
    return left_ + part * kPlotWidth;
  }
  double y(double value) const {
    return kTop + kPlotHeight * (y_.last() - value) / (y_.last() - y_.first);
  }

  std::string draw() const {
    const double right = left_ + kPlotWidth;
    const double bottom = kTop + kPlotHeight;
    std::string svg =
        format(R"(<text class="title" x="%.1f" y="%.1f">)", (left_ + right) / 2, kTop - 14);
    svg += escaped(panel_.title) + "</text>\n";
    // A loss that exploded must not push its digits out of the picture.
    const bool is_plain = y_.step >= 1e-4 && y_.last() < 1e5;
    const int decimals = std::max(static_cast<int>(-std::floor(std::log10(y_.step))), 0);
    for (int i = 0; i < y_.count; ++i) {
      const double at = y(y_.at(i));
      svg += format(R"(<path class="grid" d="M%.1f %.1fH%.1f"/>)", left_, at, right);
      svg += format(R"(<text class="y" x="%.1f" y="%.1f">)", left_ - 8, at + 4);
      svg += is_plain ? format("%.*f", decimals, y_.at(i)) : format("%.4g", y_.at(i));
      svg += "</text>\n";
    }
    const double step = std::max(round_ticks(0, options_.x_last, 8).step, 1.0);
    for (double at = std::ceil(options_.x_first); at <= options_.x_last; ++at) {
      const bool is_first = at == options_.x_first && step <= 2;
      if (std::fmod(at, step) != 0 && !is_first) {
        at = std::max(at, std::ceil((at + 1) / step) * step - 1);  // to just before the next one
        continue;
      }
      svg += format(R"(<path class="grid" d="M%.1f %.1fV%.1f"/>)", x(at), kTop, bottom);
      svg +=
          format("<text class=\"x\" x=\"%.1f\" y=\"%.1f\">%.0f</text>\n", x(at), bottom + 18, at);
    }
    svg +=
        format("<path class=\"axis\" d=\"M%.1f %.1fV%.1fH%.1f\"/>\n", left_, kTop, bottom, right);
    svg += format(R"(<text class="x" x="%.1f" y="%.1f">)", (left_ + right) / 2, bottom + 38);
    return svg + escaped(options_.x_label) + "</text>\n";
  }

  std::string curve(const ChartSeries& series) const {
    const std::string colour = escaped(series.colour);
    std::string path;
    std::string points;
    char command = 'M';
    for (const auto& [at, value] : series.points) {
      if (!std::isfinite(value)) {
        command = 'M';
        continue;
      }
      path += format("%c%.1f %.1f", command, x(at), y(value));
      command = 'L';
      // Many dots would hide the line.
      if (series.points.size() <= 40) {
        points += format(R"(<circle cx="%.1f" cy="%.1f" r="3.5" fill=")", x(at), y(value));
        points += colour + "\"/>\n";
      }
    }
    if (path.empty()) return "";
    return R"(<path class="curve" stroke=")" + colour + "\" d=\"" + path + "\"/>\n" + points;
  }

  std::string legend() const {
    double letters = 8;  // "training", whose box is the smallest
    for (const ChartSeries& series : panel_.series) {
      letters = std::max(letters, static_cast<double>(series.name.size()));
    }
    const auto rows = static_cast<double>(panel_.series.size());
    const double width = 112 + 7 * (letters - 8), height = 12 + 18 * rows;
    const double left = left_ + kPlotWidth - 10 - width;
    const double top = panel_.legend_at_top ? kTop + 10 : kTop + kPlotHeight - 10 - height;
    std::string svg = format(R"(<rect class="legend" x="%.1f" y="%.1f" width="%.0f" height="%.0f" )"
                             "rx=\"4\"/>\n",
                             left, top, width, height);
    double at = top + 16;
    for (const ChartSeries& series : panel_.series) {
      svg += R"(<path class="curve" stroke=")" + escaped(series.colour);
      svg += format(R"(" d="M%.1f %.1fh24"/>)", left + 10, at);
      svg += format(R"(<text x="%.1f" y="%.1f">)", left + 42, at + 4) + escaped(series.name);
      svg += "</text>\n";
      at += 18;
    }
    return svg;
  }

 private:
  const ChartPanel& panel_;
  double left_;
  const ChartOptions& options_;
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

std::string chart_svg(std::span<const ChartPanel> panels, const ChartOptions& options) {
  const int count = std::max(static_cast<int>(panels.size()), 1);
  const int width = count == 1 ? 450 : 450 + 430 * (count - 1);
  std::string svg = format(R"(<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" )"
                           "viewBox=\"0 0 %d %d\">\n",
                           width, kHeight, width, kHeight);
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
  double left = kLeft;
  for (const ChartPanel& panel : panels) {
    const Axes axes(panel, left, options);
    svg += axes.draw();
    for (const ChartSeries& series : panel.series) svg += axes.curve(series);
    if (!panel.series.empty()) svg += axes.legend();
    left += kDistance;
  }
  return svg + "</svg>\n";
}

}  // namespace chainerxx::training
