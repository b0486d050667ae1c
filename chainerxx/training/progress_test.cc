// SPDX-License-Identifier: MIT
#include "chainerxx/training/progress.h"

#include <gtest/gtest.h>

#include <array>
#include <sstream>

namespace chainerxx::training {
namespace {

double now = 0;

double test_clock() { return now; }

std::array<NamedValue, 2> values(double loss, double accuracy) {
  return {{{"loss", loss}, {"accuracy", accuracy}}};
}

class ProgressTest : public ::testing::Test {
 protected:
  ProgressTest() { now = 1000; }

  /// What was written since the last call.
  std::string written() {
    std::string text = out_.str();
    out_.str("");
    return text;
  }

  std::ostringstream out_;
};

constexpr Terminal kFile = {.is_terminal = false};
constexpr Terminal kWide = {.is_terminal = true, .columns = 120};

TEST_F(ProgressTest, WritesOneLineAnEpochToFiles) {
  Progress progress(out_, kFile, 2, 1000, "images", test_clock);
  progress.start_epoch(0);
  for (int i = 0; i < 10; ++i) {
    now += 1;
    EXPECT_FALSE(progress.step(100));
  }
  EXPECT_EQ(written(), "");
  progress.finish_epoch(std::array<NamedValue, 4>{
      {{"loss", 0.75}, {"accuracy", 0.5}, {"test loss", 0.625}, {"test accuracy", 0.8442}}});
  EXPECT_EQ(written(),
            "epoch 1/2  loss 0.7500  accuracy 0.5000  test loss 0.6250  test accuracy 0.8442  "
            "100 images/s\n");
}

TEST_F(ProgressTest, AsksToDrawTenTimesASecond) {
  Progress progress(out_, kWide, 1, 1000, "images", test_clock);
  progress.start_epoch(0);
  now += 0.05;
  EXPECT_FALSE(progress.step(10));
  now += 0.06;
  EXPECT_TRUE(progress.step(10));
  progress.draw(values(1, 0));
  EXPECT_FALSE(progress.step(10));
}

TEST_F(ProgressTest, DrawsBarOnTerminals) {
  Progress progress(out_, kWide, 3, 1000, "images", test_clock);
  progress.start_epoch(0);
  now += 2;
  progress.step(500);
  progress.draw(values(0.5, 0.25));
  EXPECT_EQ(written(),
            "\r\x1b[Kepoch 1/3 [====================>                   ]  50%  loss 0.5000  "
            "accuracy 0.2500  250 images/s  0:10 left");
  now += 2;
  progress.step(500);
  progress.draw(values(0.5, 0.25));
  EXPECT_EQ(written(),
            "\r\x1b[Kepoch 1/3 [========================================] 100%  loss 0.5000  "
            "accuracy 0.2500  250 images/s  0:08 left");
  progress.finish_epoch(values(0, 0));
  EXPECT_EQ(written().substr(0, 16), "\r\x1b[Kepoch 1/3  l");
}

TEST_F(ProgressTest, CountsOnlyImagesOfThisRunForSpeed) {
  Progress progress(out_, kWide, 2, 1000, "images", test_clock);
  progress.start_epoch(1, 400);
  now += 1;
  progress.step(100);
  progress.draw(values(0, 0));
  const std::string text = written();
  EXPECT_NE(text.find(" 50%"), std::string::npos) << text;
  EXPECT_NE(text.find("100 images/s  0:05 left"), std::string::npos) << text;
}

TEST_F(ProgressTest, KeepsWithinTheTerminal) {
  for (const int columns : {20, 60, 79, 80, 100}) {
    Progress progress(out_, {.is_terminal = true, .columns = columns}, 3, 1000, "images",
                      test_clock);
    progress.start_epoch(0);
    now += 1;
    progress.step(100);
    progress.draw(values(2.3, 0.1));
    const std::string text = written();
    EXPECT_LT(text.size() - 4, static_cast<std::size_t>(columns)) << text;
  }
}

TEST_F(ProgressTest, ClearsBarOnce) {
  Progress progress(out_, kWide, 1, 10, "images", test_clock);
  progress.start_epoch(0);
  progress.clear();
  EXPECT_EQ(written(), "");
  progress.draw(values(0, 0));
  EXPECT_NE(written().find("-:-- left"), std::string::npos);
  progress.clear();
  progress.clear();
  EXPECT_EQ(written(), "\r\x1b[K");
}

TEST(FormatDuration, UsesHoursOnlyWhenNeeded) {
  EXPECT_EQ(format_duration(0), "0:00");
  EXPECT_EQ(format_duration(6.2), "0:07");
  EXPECT_EQ(format_duration(754), "12:34");
  EXPECT_EQ(format_duration(3723), "1:02:03");
  EXPECT_EQ(format_duration(-1), "0:00");
}

}  // namespace
}  // namespace chainerxx::training
