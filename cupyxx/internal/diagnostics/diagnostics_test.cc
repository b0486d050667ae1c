// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <thread>

#include "cupyxx/internal/diagnostics/bytes.h"
#include "cupyxx/internal/diagnostics/call_site.h"
#include "cupyxx/internal/diagnostics/launch_note.h"
#include "cupyxx/internal/diagnostics/libraries.h"
#include "cupyxx/internal/diagnostics/log.h"

namespace cupyxx::internal {
namespace {

class LogTest : public ::testing::Test {
 public:
  ~LogTest() override { set_log_level(before_); }

 private:
  LogLevel before_ = set_log_level(LogLevel::off);
};

TEST_F(LogTest, LevelsHoldTheOnesBelow) {
  EXPECT_FALSE(logs(LogLevel::info));
  EXPECT_EQ(set_log_level(LogLevel::info), LogLevel::off);
  EXPECT_TRUE(logs(LogLevel::info));
  EXPECT_FALSE(logs(LogLevel::debug));
  EXPECT_EQ(set_log_level(LogLevel::debug), LogLevel::info);
  EXPECT_TRUE(logs(LogLevel::info));
  EXPECT_TRUE(logs(LogLevel::debug));
  EXPECT_EQ(set_log_level(LogLevel::off), LogLevel::debug);
}

TEST_F(LogTest, LinesGoToStderr) {
  ::testing::internal::CaptureStderr();
  log_line("pool of %s: %d MiB", "cuda:0", 20);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "cupyxx: pool of cuda:0: 20 MiB\n");
}

TEST_F(LogTest, LongLinesAreCut) {
  ::testing::internal::CaptureStderr();
  log_line("%s", std::string(5000, 'x').c_str());
  const std::string line = ::testing::internal::GetCapturedStderr();
  EXPECT_LE(line.size(), 1024u);
  EXPECT_EQ(line.find("cupyxx: xxxx"), 0u);
  EXPECT_EQ(line.back(), '\n');
  EXPECT_EQ(std::count(line.begin(), line.end(), '\n'), 1);
}

[[gnu::noinline]] CallSite inner_function() {
  CallSite site = CallSite::here();
  return site;
}

[[gnu::noinline]] CallSite outer_function() {
  CallSite site = inner_function();
  site.count += 0;
  return site;
}

TEST(CallSiteTest, TellsPlacesApart) {
  CallSite sites[2];
  for (CallSite& site : sites) site = inner_function();
  EXPECT_EQ(sites[0], sites[1]);
  EXPECT_EQ(sites[0].hash(), sites[1].hash());
  const CallSite other = outer_function();
  EXPECT_FALSE(other == sites[0]);
  EXPECT_NE(other.hash(), sites[0].hash());
  EXPECT_GT(other.count, 1);
}

TEST(CallSiteTest, HasALineForEachCaller) {
  const CallSite site = outer_function();
  const std::vector<Caller> all = callers(site);
  ASSERT_EQ(all.size(), static_cast<std::size_t>(site.count));
  for (const Caller& caller : all) EXPECT_FALSE(caller.function.empty());
  EXPECT_FALSE(user_line(site).empty());
  EXPECT_FALSE(describe(site).empty());
  EXPECT_TRUE(user_line(CallSite()).empty());
  EXPECT_TRUE(describe(CallSite()).empty());
}

TEST(CallSiteTest, PrintsFunctionAndPlace) {
  EXPECT_EQ((Caller{.function = "train", .place = "train.cc:41"}.str()), "train (train.cc:41)");
  EXPECT_EQ((Caller{.function = "train", .place = ""}.str()), "train");
}

TEST(CallSiteTest, OursInlinedIntoAUsersFunctionIsTheUsers) {
  const std::vector<Caller> all = read_addr2line(
      "0x00000000000012aa\n"
      "cupyxx::ones(cupyxx::Shape const&)\n"
      "creation.h:55\n"
      "train(int)\n"
      "train.cc:8 (discriminator 4)\n"
      "main\n"
      "train.cc:20\n"
      "0x00000000000034bb\n"
      "??\n"
      "??:0\n"
      "0x00000000000056cc\n"
      "cupyxx::exp(cupyxx::ndarray const&)\n"
      "??:?\n");
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].str(), "train(int) (train.cc:8)");
  EXPECT_EQ(all[1].str(), "");
  EXPECT_EQ(all[2].str(), "cupyxx::exp(cupyxx::ndarray const&)");
  EXPECT_TRUE(read_addr2line("").empty());
  EXPECT_EQ(read_addr2line("0x1\nmain").size(), 1u);
}

class LaunchNotes : public ::testing::Test {
 public:
  ~LaunchNotes() override { await_launches(before_); }

 private:
  bool before_ = await_launches(true);
};

TEST_F(LaunchNotes, NestWithTheUsersCallFirst) {
  EXPECT_EQ(launch_notes(), "");
  {
    const LaunchNote outer([] { return "std((3, 4) float32)"; });
    {
      const LaunchNote inner([] { return "sum((3, 4) float32)"; });
      EXPECT_EQ(launch_notes(), "std((3, 4) float32), sum((3, 4) float32)");
      std::thread([] { EXPECT_EQ(launch_notes(), ""); }).join();
    }
    EXPECT_EQ(launch_notes(), "std((3, 4) float32)");
  }
  EXPECT_EQ(launch_notes(), "");
}

TEST_F(LaunchNotes, AreNotMadeWhenNobodyAsks) {
  await_launches(false);
  const LaunchNote note([]() -> std::string { throw 1; });
  await_launches(true);
  EXPECT_EQ(launch_notes(), "");
}

TEST(Libraries, AreDescribedWithoutOpeningThem) {
  const std::vector<LibraryInfo> all = describe_libraries();
  EXPECT_TRUE(std::is_sorted(all.begin(), all.end(),
                             [](const auto& a, const auto& b) { return a.name < b.name; }));
  for (const LibraryInfo& library : all) {
    EXPECT_FALSE(library.name.empty());
    EXPECT_FALSE(library.loaded && library.path.empty()) << library.name;
    EXPECT_FALSE(!library.version.empty() && library.path.empty()) << library.name;
  }
  for (const LibraryInfo& again : describe_libraries()) {
    EXPECT_FALSE(again.name == "NVRTC" && again.loaded) << "describing opened it";
  }
}

}  // namespace
}  // namespace cupyxx::internal
