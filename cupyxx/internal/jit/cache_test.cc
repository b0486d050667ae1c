// SPDX-License-Identifier: MIT
#include "cupyxx/internal/jit/cache.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace cupyxx::internal::jit {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLarge = std::uint64_t{1} << 30;

class DiskCacheTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = ::testing::TempDir() + "/cupyxx_cache_XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    directory_ = name;
  }
  void TearDown() override { fs::remove_all(directory_); }

  fs::path file(const std::string& name) const { return directory_ / ("cupyxx-" + name); }
  void set_age(const std::string& name, std::chrono::seconds age) {
    fs::last_write_time(file(name), fs::file_time_type::clock::now() - age);
  }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(directory_), fs::directory_iterator()));
  }

  fs::path directory_;
};

TEST_F(DiskCacheTest, FindsWhatWasStored) {
  DiskCache cache(directory_ / "made" / "on demand", kLarge);
  EXPECT_FALSE(cache.find("a.cubin"));
  const std::string data("machine\0code", 12);
  cache.store("a.cubin", data);
  cache.store("empty", "");
  EXPECT_EQ(cache.find("a.cubin"), data);
  EXPECT_EQ(cache.find("empty"), "");
  EXPECT_FALSE(cache.find("b.cubin"));
  EXPECT_EQ(DiskCache(cache.directory(), kLarge).find("a.cubin"), data);
}

TEST_F(DiskCacheTest, LeavesNoTemporaryFiles) {
  DiskCache cache(directory_, kLarge);
  cache.store("a", "1");
  cache.store("a", "2");
  EXPECT_EQ(cache.find("a"), "2");
  EXPECT_EQ(files(), 1u);
}

TEST_F(DiskCacheTest, DropsDamagedEntries) {
  DiskCache cache(directory_, kLarge);
  for (const int damage : {0, 1, 2, 3}) {
    cache.store("a", std::string(1000, 'x'));
    std::fstream stream(file("a"), std::ios::in | std::ios::out | std::ios::binary);
    if (damage == 0) stream.seekp(500).put('y');   // the data
    if (damage == 1) stream.seekp(1012).put('y');  // the trailer
    stream.close();
    if (damage == 2) fs::resize_file(file("a"), 700);
    if (damage == 3) fs::resize_file(file("a"), 0);
    EXPECT_FALSE(cache.find("a")) << damage;
    EXPECT_FALSE(fs::exists(file("a"))) << damage;
    EXPECT_EQ(cache.find_file("a"), "");
  }
}

TEST_F(DiskCacheTest, GivesVerifiedFiles) {
  DiskCache cache(directory_, kLarge);
  cache.store("a.so", "abc");
  EXPECT_EQ(cache.find_file("a.so"), file("a.so"));
}

TEST_F(DiskCacheTest, RemovesWhatWasNotUsedForLongest) {
  DiskCache cache(directory_, 10000);
  for (int i = 0; i < 9; ++i) {
    const std::string name = "k" + std::to_string(i);
    cache.store(name, std::string(1000, 'x'));
    set_age(name, std::chrono::hours(100 - i));
  }
  EXPECT_TRUE(cache.find("k0"));  // used now, although written first
  std::ofstream(directory_ / "somebody's") << std::string(20000, 'x');
  cache.store("k9", std::string(1000, 'x'));
  EXPECT_TRUE(cache.find("k0"));
  EXPECT_FALSE(cache.find("k1"));
  EXPECT_FALSE(cache.find("k2"));
  EXPECT_TRUE(cache.find("k3"));
  EXPECT_TRUE(cache.find("k9"));
  EXPECT_TRUE(fs::exists(directory_ / "somebody's"));
}

TEST_F(DiskCacheTest, RemovesTemporaryFilesOfTheDead) {
  DiskCache cache(directory_, kLarge);
  for (const char* name : {".tmp.1.0.0", ".tmp.2.0.0"}) std::ofstream(file(name)) << "half";
  set_age(".tmp.1.0.0", std::chrono::hours(2));
  cache.store("a", "1");
  EXPECT_FALSE(fs::exists(file(".tmp.1.0.0")));
  EXPECT_TRUE(fs::exists(file(".tmp.2.0.0"))) << "its writer may be at work";
}

TEST_F(DiskCacheTest, WorksWhereItCannotWrite) {
  // A file stands where the folder should be: refused to root as well.
  std::ofstream(directory_ / "file") << "x";
  DiskCache cache((directory_ / "file" / "cache").string(), kLarge);
  ::testing::internal::CaptureStderr();
  cache.store("a", "1");
  cache.store("b", "2");
  const std::string notice = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(notice, "cupyxx: kernels are not kept on disk: " + cache.directory() +
                        " cannot be written: Not a directory\n");
  EXPECT_FALSE(cache.find("a"));
}

TEST_F(DiskCacheTest, ReadsAFolderThatIsReadOnly) {
  DiskCache(directory_, kLarge).store("a", "1");
  fs::permissions(directory_, fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_EQ(DiskCache(directory_, kLarge).find("a"), "1");
  fs::permissions(directory_, fs::perms::owner_all);
}

TEST_F(DiskCacheTest, IsOffWithoutFolderOrLimit) {
  DiskCache nowhere("", kLarge);
  nowhere.store("a", "1");
  EXPECT_FALSE(nowhere.find("a"));
  DiskCache zero(directory_, 0);
  zero.store("a", "1");
  EXPECT_FALSE(zero.find("a"));
  EXPECT_EQ(files(), 0u);
}

TEST_F(DiskCacheTest, ProcessesShareIt) {
  std::vector<pid_t> children;
  for (int child = 0; child < 4; ++child) {
    const pid_t pid = ::fork();
    ASSERT_GE(pid, 0);
    if (pid == 0) {
      DiskCache cache(directory_, 40000);
      bool good = true;
      for (int i = 0; i < 100; ++i) {
        const std::string name = "k" + std::to_string(i % 20);
        const std::string data(3000, static_cast<char>('a' + i % 20));
        if (const auto found = cache.find(name)) good &= *found == data;
        cache.store(name, data);
      }
      ::_exit(good ? 0 : 1);
    }
    children.push_back(pid);
  }
  for (const pid_t pid : children) {
    int status = -1;
    ASSERT_EQ(::waitpid(pid, &status, 0), pid);
    EXPECT_EQ(status, 0) << "an entry held something else";
  }
  for (const auto& entry : fs::directory_iterator(directory_)) {
    EXPECT_EQ(entry.path().filename().string().find(".tmp."), std::string::npos);
  }
}

}  // namespace
}  // namespace cupyxx::internal::jit
