// SPDX-License-Identifier: MIT
#include "cupyxx/testing/save_faults.h"

#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "cupyxx/error.h"

namespace cupyxx::testing {
namespace {

namespace fs = std::filesystem;
using Call = std::function<void()>;

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::ptrdiff_t file_count(const std::string& folder) {
  return std::distance(fs::directory_iterator(folder), {});
}

/// The text of the IOError; empty when there is none.
std::string error_of(const Call& call) {
  try {
    call();
  } catch (const IOError& error) {
    return error.what();
  }
  return "";
}

/// Calls in a child that is killed at its `stop`-th entry into the system or return from it.
/// False when it ended before.
bool killed_at(int stop, const Call& call) {
  const pid_t child = ::fork();
  if (child == 0) {
    if (::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) ::_exit(3);
    ::raise(SIGSTOP);
    try {
      call();
    } catch (...) {
      ::_exit(2);
    }
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  for (int i = 0; WIFSTOPPED(status) && i < stop; ++i) {
    ::ptrace(PTRACE_SYSCALL, child, nullptr, nullptr);
    ::waitpid(child, &status, 0);
  }
  if (!WIFSTOPPED(status)) {
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
    return false;
  }
  ::kill(child, SIGKILL);
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << status;
  return true;
}

/// A file system of so many bytes there, seen by this process alone. False where that is not
/// allowed.
bool mount_small_disk(const std::string& folder, int bytes) {
  if (::unshare(CLONE_NEWNS) != 0 && ::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return false;
  // What is mounted from here on stays here.
  ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr);
  return ::mount("tmpfs", folder.c_str(), "tmpfs", 0, ("size=" + std::to_string(bytes)).c_str()) ==
         0;
}

/// On a disk of that many bytes; what is wrong, or nothing.
std::string defect_on_small_disk(const Save& save, const std::string& path, int bytes) {
  // Everything at once would not fit: the disk is full in the second save.
  save.first(path);
  const std::string before = content(path);
  const std::string ballast = fs::path(path).parent_path() / "ballast";
  int failures = 0;
  for (int room = 0; room < 32; ++room) {
    fs::remove(ballast);
    {
      std::ofstream file(ballast, std::ios::binary);
      const std::string page(4096, 'x');
      while (file.write(page.data(), static_cast<std::streamsize>(page.size())) && file.flush()) {
      }
    }
    // The rest of the disk in whole pages, of which `room` are free again.
    const auto size = fs::file_size(ballast) / 4096 * 4096;
    fs::resize_file(ballast, size - static_cast<std::uintmax_t>(room) * 4096);
    const std::string error = error_of([&] { save.second(path); });
    if (error.empty()) break;
    ++failures;
    if (error != save.name + ": cannot write " + path + "; " + std::strerror(ENOSPC)) return error;
    if (content(path) != before) return "the old file has changed";
    if (file_count(fs::path(path).parent_path()) != 2) return "a file was left";
  }
  if (failures == 0) return "the disk was never full, of " + std::to_string(bytes) + " bytes";
  fs::remove(ballast);
  save.second(path);
  save.load(path);
  return "";
}

}  // namespace

SaveFaults::SaveFaults() : folder_(::testing::TempDir() + "/cupyxx_faults_XXXXXX") {
  EXPECT_NE(::mkdtemp(folder_.data()), nullptr);
}

SaveFaults::~SaveFaults() { fs::remove_all(folder_); }

void SaveFaults::expect_survives_kills(const Save& save) {
  save.second(path(save));
  const std::string new_file = content(path(save));
  save.first(path(save));
  const std::string old_file = content(path(save));
  ASSERT_NE(old_file, new_file);
  int old_files = 0, new_files = 0;
  for (int stop = 0; killed_at(stop, [&] { save.second(path(save)); }); ++stop) {
    const std::string found = content(path(save));
    ASSERT_TRUE(found == old_file || found == new_file)
        << save.name << " killed at " << stop << " left " << found.size() << " bytes";
    save.load(path(save));
    ++(found == old_file ? old_files : new_files);
    for (const auto& entry : fs::directory_iterator(folder_)) {
      const std::string name = entry.path().filename();
      EXPECT_TRUE(name == save.name + save.ending ||
                  (name.starts_with(".cupyxx-") && name.ends_with(".tmp")))
          << name;
    }
    if (found == new_file) save.first(path(save));
  }
  // At the open, the writes and the sync; and behind the rename.
  EXPECT_GT(old_files, 8) << save.name;
  EXPECT_GT(new_files, 1) << save.name;
  EXPECT_EQ(content(path(save)), new_file) << save.name;
  for (const auto& entry : fs::directory_iterator(folder_)) fs::remove(entry);
}

void SaveFaults::expect_survives_size_limits(const Save& save) {
  save.second(path(save));
  const std::size_t needed = content(path(save)).size();
  save.first(path(save));
  const std::string before = content(path(save));
  std::vector<std::size_t> limits{0};
  for (std::size_t limit = 1; limit < needed; limit *= 2) limits.push_back(limit);
  limits.push_back(needed - 1);
  for (const std::size_t limit : limits) {
    rlimit old;
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &old), 0);
    const rlimit small{limit, old.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
    const std::string error = error_of([&] { save.second(path(save)); });
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &old), 0);
    EXPECT_EQ(error, save.name + ": cannot write " + path(save) + "; File too large") << limit;
    EXPECT_EQ(content(path(save)), before) << save.name << limit;
    EXPECT_EQ(file_count(folder_), 1) << save.name << limit;
  }
  save.second(path(save));
  save.load(path(save));
  fs::remove(path(save));
}

void SaveFaults::expect_survives_full_disk(const Save& save) {
  constexpr int kBytes = 256 << 10, kNoMount = 77;
  const pid_t child = ::fork();
  if (child == 0) {
    if (!mount_small_disk(folder_, kBytes)) ::_exit(kNoMount);
    std::string defect;
    try {
      defect = defect_on_small_disk(save, path(save), kBytes);
    } catch (const std::exception& error) {
      defect = error.what();
    }
    if (!defect.empty()) std::fprintf(stderr, "%s: %s\n", save.name.c_str(), defect.c_str());
    ::_exit(defect.empty() ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status)) << status;
  if (WEXITSTATUS(status) == kNoMount) GTEST_SKIP() << "no file system may be mounted here";
  EXPECT_EQ(WEXITSTATUS(status), 0) << save.name;
}

TEST_P(SaveFaults, KillsLeaveTheOldFileOrTheNewOne) { expect_survives_kills(GetParam()); }

TEST_P(SaveFaults, LimitsOfFileSizesAreErrors) { expect_survives_size_limits(GetParam()); }

TEST_P(SaveFaults, FullDisksAreErrors) { expect_survives_full_disk(GetParam()); }

}  // namespace cupyxx::testing
