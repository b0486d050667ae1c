// SPDX-License-Identifier: MIT
// What the process around us may do: fork, ignore or take signals, speak another language, and hand
// us pipes in the place of files.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <clocale>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include "cupyxx/cupyxx.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx {
namespace {

using testing::expect_error;

// On the host alone; CUDA does not survive a fork.
class ProcessTest : public ::testing::Test {
 public:
  ProcessTest() : host_(Device::cpu()), folder_(::testing::TempDir() + "/cupyxx_process_XXXXXX") {
    EXPECT_NE(::mkdtemp(folder_.data()), nullptr);
  }
  ~ProcessTest() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  static std::string content(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

 private:
  DeviceScope host_;
  std::string folder_;
};

// Every library that makes teams: our loops, oneDNN and OpenBLAS.
double work() {
  const ndarray a = ones({400, 400}, float32), b = ones({400, 400});
  return sum(matmul(a, a)).item<double>() + sum(matmul(b, b)).item<double>() +
         sum(exp(zeros({1 << 22}))).item<double>();
}

// A child has no threads but its own; a team of the parent's would be waited for without an end.
TEST_F(ProcessTest, ChildrenWorkAfterAParallelOperation) {
  const double expected = work();
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(60);
    ::_exit(work() == expected ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  EXPECT_EQ(work(), expected);
}

TEST_F(ProcessTest, KernelsCompileWhereChildrenAreIgnored) {
  struct sigaction ignore = {}, before;
  ignore.sa_handler = SIG_IGN;
  ASSERT_EQ(::sigaction(SIGCHLD, &ignore, &before), 0);
  const std::string unique = std::to_string(::getpid());
  const ElementwiseKernel kernel("float64 x", "float64 y", "y = x + " + unique + ";", "ignoring");
  const auto sum = kernel(array({1.0})).item<double>();
  const ElementwiseKernel wrong("float64 x", "float64 y", "y = nothing" + unique + ";", "wrong");
  EXPECT_THROW(wrong(array({1.0})), CompileError);
  ::sigaction(SIGCHLD, &before, nullptr);
  EXPECT_EQ(sum, 1.0 + ::getpid());
}

std::atomic<int> g_signals{0};  // either thread may get what the process is sent
static_assert(std::atomic<int>::is_always_lock_free);

// With a frame on the stack of the thread that is interrupted, as most handlers have.
TEST_F(ProcessTest, HandlersMayInterruptProducts) {
  struct sigaction action = {}, before;
  action.sa_handler = [](int) {
    volatile char frame[512];
    for (std::size_t i = 0; i < sizeof frame; ++i) frame[i] = 1;
    ++g_signals;
  };
  ASSERT_EQ(::sigaction(SIGUSR1, &action, &before), 0);
  const ::pthread_t target = ::pthread_self();
  std::atomic<bool> done{false};
  std::thread sender([&] {
    while (!done) {
      ::pthread_kill(target, SIGUSR1);
      ::kill(::getpid(), SIGUSR1);
      ::usleep(50);
    }
  });
  const ndarray a = ones({200, 300}, float32), b = ones({300, 250}, float32);
  for (int i = 0; i < 300; ++i) ASSERT_EQ(amin(matmul(a, b)).item<float>(), 300);
  done = true;
  sender.join();
  ::sigaction(SIGUSR1, &before, nullptr);
  EXPECT_GT(g_signals, 0);
}

TEST_F(ProcessTest, PipesAreNoFiles) {
  const std::string pipe = path("pipe.npy");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  expect_error<IOError>([&] { load(pipe); },
                        "load: " + pipe + ": cannot read; it is not a regular file");
  EXPECT_THROW(load_npz(pipe), IOError);
  EXPECT_THROW(SafetensorsFile{pipe}, IOError);
}

TEST_F(ProcessTest, NumbersHaveAPointInEveryLocale) {
  // No locale but C's need be there, so one is made.
  const std::string command = "localedef -i de_DE -f UTF-8 " + path("de_DE.UTF-8");
  ASSERT_EQ(std::system((command + " >/dev/null 2>&1").c_str()), 0) << command;
  ::setenv("LOCPATH", path("").c_str(), 1);
  ASSERT_NE(std::setlocale(LC_ALL, "de_DE.UTF-8"), nullptr);
  const ndarray a = array({1.5, 2.25});
  savetxt(path("numbers.txt"), a, {.fmt = "%.3f"});
  tofile(a, path("numbers"), " ");
  const std::string printed = a.str() + " " + array_repr(a) + " " + format_float_positional(0.1) +
                              " " + format_float_scientific(1.5e10);
  const ndarray back = loadtxt(path("numbers.txt"));
  std::setlocale(LC_ALL, "C");
  ::unsetenv("LOCPATH");
  EXPECT_EQ(content(path("numbers.txt")), "1.500\n2.250\n");
  EXPECT_EQ(content(path("numbers")), "1.5 2.25");
  EXPECT_EQ(printed, "[1.5  2.25] array([1.5 , 2.25]) 0.1 1.5e+10");
  EXPECT_EQ(back(1).item<double>(), 2.25);
}

// What a save that was killed has left.
TEST_F(ProcessTest, SavesRemoveWhatKilledOnesLeft) {
  namespace fs = std::filesystem;
  const auto make = [&](const char* name, int hours) {
    std::ofstream(path(name)) << "half";
    fs::last_write_time(path(name), fs::file_time_type::clock::now() - std::chrono::hours(hours));
  };
  make(".cupyxx-1-0.tmp", 2);
  make(".cupyxx-2-0.tmp", 0);
  make(".cupyxx-3-0.txt", 2);
  make("other.tmp", 2);
  save(path("a.npy"), arange(3));
  EXPECT_FALSE(fs::exists(path(".cupyxx-1-0.tmp")));
  EXPECT_TRUE(fs::exists(path(".cupyxx-2-0.tmp")));
  EXPECT_TRUE(fs::exists(path(".cupyxx-3-0.txt")));
  EXPECT_TRUE(fs::exists(path("other.tmp")));
}

TEST_F(ProcessTest, NamesInArchivesHaveABound) {
  savez(path("long.npz"), {{std::string(65531, 'a'), arange(3)}});
  EXPECT_EQ(load_npz(path("long.npz"))[std::string(65531, 'a')].size(), 3);
  expect_error<ValueError>(
      [&] {
        savez(path("long.npz"), {{std::string(65532, 'a'), arange(3)}});
      },
      "savez: a name of 65536 bytes is too long for an archive, which has room for 65535");
  EXPECT_EQ(load_npz(path("long.npz")).files().size(), 1u);  // the file before
}

}  // namespace
}  // namespace cupyxx
