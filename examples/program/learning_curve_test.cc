// SPDX-License-Identifier: MIT
#include "examples/program/learning_curve.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "cupyxx/error.h"
#include "examples/program/learning_curve_golden.h"

namespace examples {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

int count(const std::string& text, const std::string& part) {
  int found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

TEST(LearningCurve, MatchesGoldenPicture) {
  const std::vector<EpochResult> epochs = {{0.9312, 0.6684, 0.5421, 0.8031},
                                           {0.6157, 0.7823, 0.4786, 0.8279},
                                           {0.5512, 0.8051, 0.4468, 0.8442}};
  EXPECT_EQ(learning_curve_svg(epochs), golden::kFiles[0].text);
}

TEST(LearningCurve, IsWellFormedForAnyNumberOfEpochs) {
  for (const std::size_t n : {0U, 1U, 2U, 7U, 41U, 1000U}) {
    const std::string svg = learning_curve_svg(std::vector<EpochResult>(n, {1, 0.5, 1, 0.5}));
    EXPECT_EQ(svg.find("nan"), std::string::npos) << n;
    EXPECT_EQ(svg.find("inf"), std::string::npos) << n;
    EXPECT_EQ(count(svg, "<text"), count(svg, "</text>")) << n;
    EXPECT_EQ(count(svg, "<circle"), n <= 40 ? static_cast<int>(4 * n) : 0);
    EXPECT_LE(count(svg, "<text"), 60) << n;
    EXPECT_EQ(svg.substr(svg.size() - 7), "</svg>\n");
  }
}

TEST(LearningCurve, LeavesGapsForValuesThatAreNotFinite) {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<EpochResult> epochs = {
      {1, 0.5, 1, 0.5}, {kNan, 0.5, infinity, 0.5}, {2, 0.5, 2, 0.5}};
  const std::string svg = learning_curve_svg(epochs);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
  EXPECT_EQ(count(svg, "<circle"), 10);
}

TEST(LearningCurve, KeepsLabelsOfHugeLossesShort) {
  const std::vector<EpochResult> epochs = {{1e30, 0.1, 2e30, 0.1}, {3e30, 0.1, 4e30, 0.1}};
  EXPECT_NE(learning_curve_svg(epochs).find(">2e+30</text>"), std::string::npos);
}

TEST(LearningCurve, NamesFileThatCannotBeWritten) {
  try {
    save_learning_curve("/dev/full", {});
    ADD_FAILURE() << "nothing was thrown";
  } catch (const cupyxx::IOError& error) {
    EXPECT_STREQ(error.what(),
                 "save_learning_curve: cannot write /dev/full; No space left on device");
  }
}

}  // namespace
}  // namespace examples
