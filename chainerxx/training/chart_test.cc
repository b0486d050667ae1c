// SPDX-License-Identifier: MIT
#include "chainerxx/training/chart.h"

#include <gtest/gtest.h>

#include <vector>

namespace chainerxx::training {
namespace {

struct TickCase {
  double low, high;
  double first, step, last;
};

TEST(RoundTicks, CoverTheRange) {
  for (const TickCase& c :
       {TickCase{0, 1, 0, 0.2, 1}, TickCase{0.37, 1.04, 0.2, 0.2, 1.2}, TickCase{-3, 7, -4, 2, 8},
        TickCase{0, 600, 0, 100, 600}, TickCase{5, 5, 5, 0.2, 6}}) {
    const Ticks ticks = round_ticks(c.low, c.high, 6);
    EXPECT_DOUBLE_EQ(ticks.first, c.first);
    EXPECT_DOUBLE_EQ(ticks.step, c.step);
    EXPECT_DOUBLE_EQ(ticks.last(), c.last);
  }
}

TEST(Chart, WritesNamesAsText) {
  const std::vector<ChartPanel> panels = {
      {.title = "a < b &\x1b\x01 c", .series = {{"\"x\"", "red", {{1, 2}, {2, 3}}}}}};
  const std::string svg = chart_svg(panels, {.x_label = "<step>", .x_last = 2});
  EXPECT_NE(svg.find(">a &lt; b &amp; c</text>"), std::string::npos);
  EXPECT_NE(svg.find(">&quot;x&quot;</text>"), std::string::npos);
  EXPECT_NE(svg.find(">&lt;step&gt;</text>"), std::string::npos);
  EXPECT_NE(svg.find("width=\"450\""), std::string::npos);
}

TEST(Chart, ShowsSmallValues) {
  const std::vector<ChartPanel> panels = {
      {.title = "loss", .series = {{"a", "red", {{1, 4e-6}, {2, 1e-6}}}}}};
  const std::string svg = chart_svg(panels, {.x_last = 2});
  // From the upper part of the picture to the lower one.
  EXPECT_NE(svg.find("d=\"M70.0 108.0L410.0 264.0\""), std::string::npos) << svg;
}

TEST(Chart, HasFewLabelsForManySteps) {
  const std::vector<ChartPanel> panels = {{.title = "loss", .series = {{"a", "red", {{1, 1}}}}}};
  const std::string svg = chart_svg(panels, {.x_last = 1e6});
  EXPECT_LT(svg.size(), 6000u);
  EXPECT_NE(svg.find(">200000</text>"), std::string::npos);
}

}  // namespace
}  // namespace chainerxx::training
