// SPDX-License-Identifier: MIT
#include "cupyxx/internal/io/atomic_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "cupyxx/error.h"
#include "cupyxx/testing/failing_new.h"

namespace cupyxx::internal::io {
namespace {

namespace fs = std::filesystem;

/// Runs each test in an empty folder.
class AtomicFileTest : public ::testing::Test {
 public:
  AtomicFileTest() : folder_(fs::path(::testing::TempDir()) / "atomic_file_test") {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~AtomicFileTest() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ / name; }
  void put(const std::string& name, const std::string& text) const {
    std::ofstream(path(name)) << text;
  }
  std::string get(const std::string& name) const {
    std::ifstream file(path(name));
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::size_t file_count() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), {}));
  }
  static std::string defect_of(const std::string& path, std::size_t size = 4) {
    try {
      AtomicFile file("save", path);
      const std::string bytes(size, 'x');
      file.write(bytes.data(), bytes.size());
      file.commit();
    } catch (const IOError& error) {
      return error.what();
    }
    return "";
  }

  fs::path folder_;
};

TEST_F(AtomicFileTest, AppearsWithTheCommit) {
  put("a", "old");
  {
    AtomicFile file("save", path("a"));
    file.write("newer", 5);
    file.overwrite(1, "EW", 2);
    EXPECT_EQ(file.offset(), 5u);
    EXPECT_EQ(get("a"), "old");
    file.commit();
  }
  EXPECT_EQ(get("a"), "nEWer");
  EXPECT_EQ(file_count(), 1u);
}

// Two objects were held of each folder.
// Few bytes wait for more, and are overwritten where they are: in the file, in wait, or in both.
TEST_F(AtomicFileTest, PiecesOfAnySizeComeInOrder) {
  std::string expected;
  AtomicFile file("save", path("a"));
  const std::size_t sizes[] = {1, 0, 100, 16383, 16384, 16385, 7, 50000, 9, 16000, 384, 1, 20000};
  for (std::size_t k = 0; k < std::size(sizes); ++k) {
    const std::string piece(sizes[k], static_cast<char>('a' + k));
    file.write(piece.data(), piece.size());
    expected += piece;
    EXPECT_EQ(file.offset(), expected.size());
    for (const std::size_t back : {std::size_t{3}, sizes[k] / 2, sizes[k] + 2, expected.size()}) {
      if (back > expected.size()) continue;
      const std::string other(std::min(back, sizes[k] / 3 + 2), static_cast<char>('A' + k));
      file.overwrite(expected.size() - back, other.data(), other.size());
      expected.replace(expected.size() - back, other.size(), other);
    }
  }
  file.commit();
  EXPECT_EQ(get("a"), expected);
}

TEST_F(AtomicFileTest, FoldersAreForgotten) {
  const std::int64_t before = testing::live_news();
  for (int i = 0; i < 100; ++i) {
    fs::create_directories(path("folder" + std::to_string(i)));
    AtomicFile("save", path("folder" + std::to_string(i) + "/a")).commit();
  }
  EXPECT_LT(testing::live_news() - before, 100);
}

TEST_F(AtomicFileTest, LeavesNothingWithoutACommit) {
  put("a", "old");
  { AtomicFile("save", path("a")).write("new", 3); }
  { AtomicFile("save", path("b")).write("new", 3); }
  EXPECT_EQ(get("a"), "old");
  EXPECT_EQ(file_count(), 1u);
}

TEST_F(AtomicFileTest, KeepsTheEarlierFileWhenTheDiskIsFull) {
  put("a", "old");
  rlimit before;
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = ::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{1000, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string defect = defect_of(path("a"), 5000);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  ::signal(SIGXFSZ, handler);
  EXPECT_EQ(defect, "save: cannot write " + path("a") + "; File too large");
  EXPECT_EQ(get("a"), "old");
  EXPECT_EQ(file_count(), 1u);
}

TEST_F(AtomicFileTest, ReportsAFullDevice) {
  EXPECT_EQ(defect_of("/dev/full"), "save: cannot write /dev/full; No space left on device");
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

/// What is no regular file is written where it lies: a rename would put a file in its place.
TEST_F(AtomicFileTest, WritesIntoAPipeWithoutReplacingIt) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  const int reader = ::open(path("pipe").c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  EXPECT_EQ(defect_of(path("pipe")), "");
  char bytes[8];
  EXPECT_EQ(::read(reader, bytes, sizeof bytes), 4);
  ::close(reader);
  EXPECT_TRUE(fs::is_fifo(path("pipe")));
  EXPECT_EQ(file_count(), 1u);
}

TEST_F(AtomicFileTest, ReportsFoldersThatCannotTakeIt) {
  EXPECT_EQ(defect_of(path("absent/a")),
            "save: cannot write " + path("absent/a") + "; No such file or directory");
  put("file", "");
  EXPECT_EQ(defect_of(path("file/a")),
            "save: cannot write " + path("file/a") + "; Not a directory");
  EXPECT_EQ(defect_of(folder_), "save: cannot write " + folder_.string() + "; Is a directory");
  // Nobody may create files there, not even the superuser.
  EXPECT_NE(defect_of("/proc/a").find("save: cannot write /proc/a; "), std::string::npos);
}

TEST_F(AtomicFileTest, WritesThroughALinkAndKeepsThePermissions) {
  put("a", "old");
  ASSERT_EQ(::chmod(path("a").c_str(), 0640), 0);
  fs::create_symlink(path("a"), path("link"));
  EXPECT_EQ(defect_of(path("link")), "");
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(get("a"), "xxxx");
  struct stat status;
  ASSERT_EQ(::stat(path("a").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0640u);
}

}  // namespace
}  // namespace cupyxx::internal::io
