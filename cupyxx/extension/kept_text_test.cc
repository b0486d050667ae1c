// SPDX-License-Identifier: MIT
#include "cupyxx/extension/kept_text.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace cupyxx::extension {
namespace {

/// A folder of our own, before the first use of the cache.
const std::filesystem::path& folder() {
  static const std::filesystem::path& path = *new std::filesystem::path([] {
    const std::filesystem::path made =
        std::filesystem::path(::testing::TempDir()) / "cupyxx_kept_text";
    std::filesystem::remove_all(made);
    std::filesystem::create_directories(made);
    std::filesystem::permissions(made, std::filesystem::perms::owner_all);
    ::setenv("CUPYXX_CACHE_DIR", made.c_str(), 1);
    return made;
  }());
  return path;
}

class KeptTextTest : public ::testing::Test {
 protected:
  KeptTextTest() { folder(); }
};

TEST_F(KeptTextTest, IsFoundAgainUnderItsKey) {
  EXPECT_FALSE(find_kept_text("a key; 1 2 3"));
  keep_text("a key; 1 2 3", "7 1012");
  EXPECT_EQ(find_kept_text("a key; 1 2 3"), "7 1012");
  EXPECT_FALSE(find_kept_text("a key; 1 2 4"));
  keep_text("a key; 1 2 3", "8 40");
  EXPECT_EQ(find_kept_text("a key; 1 2 3"), "8 40");
  keep_text("empty", "");
  EXPECT_EQ(find_kept_text("empty"), "");
}

TEST_F(KeptTextTest, ADamagedEntryIsNotThere) {
  keep_text("damaged", "a choice");
  for (const auto& file : std::filesystem::directory_iterator(folder())) {
    if (!file.is_regular_file()) continue;
    std::ofstream(file.path(), std::ios::binary | std::ios::app) << "more";
  }
  ::testing::internal::CaptureStderr();
  EXPECT_FALSE(find_kept_text("damaged"));
  EXPECT_NE(::testing::internal::GetCapturedStderr(), "");
  keep_text("damaged", "another");
  EXPECT_EQ(find_kept_text("damaged"), "another");
}

}  // namespace
}  // namespace cupyxx::extension
