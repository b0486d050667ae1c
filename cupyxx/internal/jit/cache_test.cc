// SPDX-License-Identifier: MIT
#include "cupyxx/internal/jit/cache.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
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
  // All but the lock.
  std::size_t files() const {
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(directory_)) {
      count += entry.path().filename() != "cupyxx-.lock";
    }
    return count;
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
  }
}

// What is found is run: nobody else may have written it.
TEST_F(DiskCacheTest, IsNotUsedWhereOthersMayWrite) {
  DiskCache cache(directory_, kLarge);
  cache.store("a.so", "abc");
  for (const mode_t mode : {0777, 0770, 01777}) {
    ASSERT_EQ(::chmod(directory_.c_str(), mode), 0);
    EXPECT_FALSE(cache.find("a.so")) << mode;
    cache.store("b.so", "abc");
    EXPECT_FALSE(fs::exists(file("b.so"))) << mode;
  }
  ASSERT_EQ(::chmod(directory_.c_str(), 0700), 0);
  EXPECT_EQ(cache.find("a.so"), "abc");
  ASSERT_EQ(::chmod(file("a.so").c_str(), 0666), 0);
  EXPECT_FALSE(cache.find("a.so"));
  EXPECT_FALSE(fs::exists(file("a.so")));
}

TEST_F(DiskCacheTest, TakesNoLinksPipesOrFilesOfOthers) {
  DiskCache cache(directory_, kLarge);
  cache.store("a.so", "abc");
  fs::rename(file("a.so"), directory_ / "elsewhere");
  fs::create_symlink(directory_ / "elsewhere", file("a.so"));
  EXPECT_FALSE(cache.find("a.so"));
  ASSERT_EQ(::mkfifo(file("b.so").c_str(), 0600), 0);
  EXPECT_FALSE(cache.find("b.so"));
  if (::geteuid() != 0) return;  // nobody else may give a file away
  fs::remove(file("a.so"));
  cache.store("a.so", "abc");
  ASSERT_EQ(::chown(file("a.so").c_str(), 65534, 65534), 0);
  EXPECT_FALSE(cache.find("a.so"));
  cache.store("a.so", "abc");
  ASSERT_EQ(::chown(directory_.c_str(), 65534, 65534), 0);
  EXPECT_FALSE(cache.find("a.so"));
}

TEST_F(DiskCacheTest, MakesItsFolderForItsUserAlone) {
  const mode_t before = ::umask(0);
  DiskCache cache(directory_ / "own", kLarge);
  cache.store("a.so", "abc");
  ::umask(before);
  EXPECT_EQ(fs::status(directory_ / "own").permissions(), fs::perms::owner_all);
  EXPECT_EQ(cache.find("a.so"), "abc");
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
  // A writer holds a lock on its file for as long as it lives.
  const int alive = ::open(file(".tmp.2.0.0").c_str(), O_WRONLY);
  ASSERT_EQ(::flock(alive, LOCK_EX), 0);
  cache.store("a", "1");
  EXPECT_FALSE(fs::exists(file(".tmp.1.0.0")));
  EXPECT_TRUE(fs::exists(file(".tmp.2.0.0"))) << "its writer is at work";
  ::close(alive);
  cache.store("b", "2");
  EXPECT_FALSE(fs::exists(file(".tmp.2.0.0")));
}

TEST_F(DiskCacheTest, CountsAndClears) {
  DiskCache cache(directory_, kLarge);
  EXPECT_EQ(cache.contents().entries, 0u);
  cache.store("a", std::string(1000, 'x'));
  cache.store("b", std::string(500, 'x'));
  std::ofstream(directory_ / "somebody's") << "x";
  EXPECT_EQ(cache.contents().entries, 2u);
  EXPECT_GE(cache.contents().bytes, 1500u);
  EXPECT_LT(cache.contents().bytes, 1600u);
  cache.clear();
  EXPECT_EQ(cache.contents().entries, 0u);
  EXPECT_FALSE(cache.find("a"));
  EXPECT_TRUE(fs::exists(directory_ / "somebody's"));
}

TEST_F(DiskCacheTest, TellsOnceOfDamage) {
  DiskCache cache(directory_, kLarge);
  ::testing::internal::CaptureStderr();
  for (const char* name : {"a", "b"}) {
    cache.store(name, "data");
    fs::resize_file(file(name), 2);
    EXPECT_FALSE(cache.find(name));
  }
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "cupyxx: a damaged kernel is compiled again: " + cache.directory() + "\n");
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

// What a process would compile under a name: the name decides every byte.
std::string product(int k) {
  std::string data;
  for (unsigned word = 2654435761u * static_cast<unsigned>(k + 1);
       data.size() < static_cast<std::size_t>(2000 + 700 * k);
       word = word * 1664525u + 1013904223u) {
    data.append(reinterpret_cast<const char*>(&word), sizeof word);
  }
  return data;
}

TEST_F(DiskCacheTest, ManyProcessesStartAtOnceAndSomeAreKilled) {
  constexpr int kProcesses = 64;
  constexpr int kNames = 24;
  constexpr std::uint64_t kLimit = 150000;  // about two thirds of all products
  std::mt19937 random(17);
  std::vector<pid_t> children;
  for (int child = 0; child < kProcesses; ++child) {
    const pid_t pid = ::fork();
    ASSERT_GE(pid, 0);
    if (pid == 0) {
      std::mt19937 own(static_cast<unsigned>(child));
      DiskCache cache(directory_, kLimit);
      bool good = true;
      for (int step = 0; step < 40; ++step) {
        const int k = static_cast<int>(own() % kNames);
        const std::string name = "k" + std::to_string(k);
        if (const auto found = cache.find(name)) {
          good &= *found == product(k);
        } else {
          ::usleep(own() % 3000);  // compiling
          cache.store(name, product(k));
        }
      }
      ::_exit(good ? 0 : 1);
    }
    children.push_back(pid);
  }
  // A third of them dies at any moment.
  std::vector<bool> killed(kProcesses);
  for (int k = 0; k < kProcesses / 3; ++k) {
    ::usleep(random() % 20000);
    const auto victim = random() % kProcesses;
    if (::kill(children[victim], SIGKILL) == 0) killed[victim] = true;
  }
  int dead = 0;
  for (int child = 0; child < kProcesses; ++child) {
    int status = -1;
    ASSERT_EQ(::waitpid(children[static_cast<std::size_t>(child)], &status, 0),
              children[static_cast<std::size_t>(child)]);
    dead += WIFSIGNALED(status);
    if (WIFEXITED(status)) {
      EXPECT_EQ(WEXITSTATUS(status), 0) << "an entry held something else";
    } else {
      EXPECT_TRUE(killed[static_cast<std::size_t>(child)]);
    }
  }
  EXPECT_GT(dead, 0);
  DiskCache cache(directory_, kLimit);
  EXPECT_LE(cache.contents().bytes, kLimit);
  EXPECT_GT(cache.contents().entries, 0u);
  cache.store("k0", product(0));  // cleans up behind the dead
  EXPECT_LE(cache.contents().bytes, kLimit);
  EXPECT_EQ(files(), cache.contents().entries) << "a temporary file was left";
  for (int k = 0; k < kNames; ++k) {
    const std::string name = "k" + std::to_string(k);
    const auto found = cache.find(name);
    EXPECT_TRUE(!found || *found == product(k)) << name;
  }
}

// The cache of a process is chosen at its first use, so each case is a process.
TEST(DefaultCache, IsWhereTheVariablesSay) {
  const auto chosen = [](const char* ours, const char* cupys, const std::string& expected) {
    const pid_t pid = ::fork();
    if (pid == 0) {
      ::unsetenv("CUPYXX_CACHE_DIR");
      ::unsetenv("CUPY_CACHE_DIR");
      if (ours != nullptr) ::setenv("CUPYXX_CACHE_DIR", ours, 1);
      if (cupys != nullptr) ::setenv("CUPY_CACHE_DIR", cupys, 1);
      ::setenv("XDG_CACHE_HOME", "/absent/cache", 1);
      ::_exit(DiskCache::instance().directory() == expected ? 0 : 1);
    }
    int status = -1;
    EXPECT_EQ(::waitpid(pid, &status, 0), pid);
    return status == 0;
  };
  EXPECT_TRUE(chosen("/absent/ours", "/absent/cupys", "/absent/ours"));
  EXPECT_TRUE(chosen(nullptr, "/absent/cupys", "/absent/cupys"));  // itself, as the manual says
  EXPECT_TRUE(chosen(nullptr, nullptr, "/absent/cache/cupyxx"));
}

}  // namespace
}  // namespace cupyxx::internal::jit
