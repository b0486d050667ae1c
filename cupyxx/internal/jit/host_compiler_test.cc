// SPDX-License-Identifier: MIT
// Kernels for the host, by the real compiler and the real cache.
#include "cupyxx/internal/jit/host_compiler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "cupyxx/error.h"
#include "cupyxx/internal/diagnostics/log.h"
#include "cupyxx/internal/jit/cache.h"
#include "cupyxx/internal/jit/kernel.h"
#include "cupyxx/testing/expect_error.h"

namespace cupyxx::internal::jit {
namespace {

namespace fs = std::filesystem;
using testing::expect_error;

// The cache's folder is chosen at its first use in a process.
const std::string& folder() {
  static const std::string& path = *new std::string([] {
    std::string name = ::testing::TempDir() + "/cupyxx_host_XXXXXX";
    EXPECT_NE(::mkdtemp(name.data()), nullptr);
    ::setenv("CUPYXX_CACHE_DIR", name.c_str(), 1);
    return name;
  }());
  return path;
}

HostProgram program(int value, const std::string& more = "") {
  return {"answer",
          R"(extern "C" __attribute__((visibility("default"))) int answer() { return )" +
              std::to_string(value) + "; }\n" + more,
          "answer"};
}

int run(const HostProgram& p) { return reinterpret_cast<int (*)()>(load_host(p))(); }

void clear_objects() { DiskCache::instance().clear(); }

class HostCompiler : public ::testing::Test {
 protected:
  HostCompiler() { folder(); }
};

TEST_F(HostCompiler, ManyProcessesStartOnAnEmptyCache) {
  std::vector<pid_t> children;
  for (int child = 0; child < 6; ++child) {
    const pid_t pid = ::fork();
    ASSERT_GE(pid, 0);
    if (pid == 0) ::_exit(run(program(child % 2 == 0 ? 40 : 41)) == 40 + child % 2 ? 0 : 1);
    children.push_back(pid);
  }
  for (const pid_t pid : children) {
    int status = -1;
    ASSERT_EQ(::waitpid(pid, &status, 0), pid);
    EXPECT_EQ(status, 0);
  }
  const CacheStats before = cache_stats();
  EXPECT_EQ(run(program(40)), 40);
  EXPECT_EQ(run(program(41)), 41);
  EXPECT_EQ(cache_stats().host_disk_hits, before.host_disk_hits + 2);
  EXPECT_EQ(cache_stats().host_compiled, before.host_compiled);
}

TEST_F(HostCompiler, DamagedObjectsAreCompiledAgain) {
  // Nobody has loaded this entry from the folder: what was just compiled is loaded from elsewhere.
  clear_objects();
  EXPECT_EQ(run(program(50)), 50);
  for (const auto& entry : fs::directory_iterator(folder())) {
    if (entry.path().extension() == ".so") fs::resize_file(entry.path(), 100);
  }
  const CacheStats before = cache_stats();
  EXPECT_EQ(run(program(50)), 50);
  EXPECT_EQ(cache_stats().host_compiled, before.host_compiled + 1);
}

TEST_F(HostCompiler, OptionsAndIncludedFilesCount) {
  const std::string path = folder() + "/value.h";
  HostProgram p = program(0);
  p.text =
      "#include <value.h>\nextern \"C\" __attribute__((visibility(\"default\"))) "
      "int answer() { return VALUE + MORE; }\n";
  p.options = {"-I" + folder(), "-DMORE=1"};
  std::ofstream(path) << "#define VALUE 7\n";
  EXPECT_EQ(run(p), 8);
  p.options.back() = "-DMORE=2";
  EXPECT_EQ(run(p), 9);
  std::ofstream(path) << "#define VALUE 17\n";
  EXPECT_EQ(run(p), 19);
}

TEST_F(HostCompiler, OlderStandardsAreOurs) {
  // CuPy's texts ask for C++11 to 17; what stands around them here needs C++20.
  for (const char* standard : {"-std=c++17", "--std=c++11", "-std=c++20"}) {
    HostProgram p = program(60, "template <class T> concept Any = true;\n");
    p.options = {standard};
    EXPECT_EQ(run(p), 60) << standard;
  }
}

TEST_F(HostCompiler, LongLogsAreCutBehindThreeErrors) {
  std::string more;
  for (int k = 0; k < 9; ++k) more += "int broken" + std::to_string(k) + " = nonsense;\n";
  try {
    load_host(program(4, more));
    ADD_FAILURE() << "compiled";
  } catch (const CompileError& error) {
    const std::string text = error.what();
    std::size_t errors = 0;
    for (std::size_t at = text.find(" error: "); at != std::string::npos;
         at = text.find(" error: ", at + 1)) {
      ++errors;
    }
    EXPECT_EQ(errors, 3u) << text;
    EXPECT_NE(text.find("... and 6 more errors\n"), std::string::npos) << text;
  }
}

TEST_F(HostCompiler, ErrorsStandBesideTheNumberedSource) {
  expect_error<CompileError>([] { load_host(program(1, "int broken = nonsense;\n")); },
                             "answer: the source does not compile for the host; ");
  expect_error<CompileError>([] { load_host(program(1, "int broken = nonsense;\n")); },
                             "    2 | int broken = nonsense;\n");
  HostProgram p = program(2);
  p.entry = "absent";
  expect_error<CompileError>([&] { load_host(p); },
                             "answer: the compiled kernel cannot be loaded; ");
}

TEST_F(HostCompiler, TellsWhatItCompiles) {
  const LogLevel before = set_log_level(LogLevel::info);
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(run(program(81)), 81);
  EXPECT_THAT(::testing::internal::GetCapturedStderr(),
              ::testing::MatchesRegex(
                  "cupyxx: kernel answer: compiled for the host in [0-9]+ ms, [0-9]+ bytes\n"));
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(run(program(81)), 81);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  set_log_level(LogLevel::debug);
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(run(program(81)), 81);
  EXPECT_THAT(::testing::internal::GetCapturedStderr(),
              ::testing::StartsWith("cupyxx: kernel answer: from " + folder() + "/"));
  set_log_level(before);
}

TEST_F(HostCompiler, SaysThatThereIsNone) {
  ::setenv("CUPYXX_CXX", "no-such-compiler", 1);
  expect_error<CompileError>([] { load_host(program(3)); },
                             "answer: kernels on host arrays need a C++ compiler; "
                             "'no-such-compiler' was not found (CUPYXX_CXX names another)");
  ::unsetenv("CUPYXX_CXX");
}

}  // namespace
}  // namespace cupyxx::internal::jit
