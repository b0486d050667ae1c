// SPDX-License-Identifier: MIT
#include "cupyxx/internal/io/file_size_signal.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <string>

namespace cupyxx::internal::io {
namespace {

int g_signals = 0;

/// A file of ten bytes at most, and a handler that counts.
class WithoutFileSizeSignalTest : public ::testing::Test {
 public:
  WithoutFileSizeSignalTest() : name_(::testing::TempDir() + "/file_size_signal_XXXXXX") {
    g_signals = 0;
    file_ = ::mkstemp(name_.data());
    struct sigaction action = {};
    action.sa_handler = [](int) { ++g_signals; };
    ::sigaction(SIGXFSZ, &action, &action_before_);
    ::getrlimit(RLIMIT_FSIZE, &limit_before_);
    const rlimit small{10, limit_before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &small);
  }
  ~WithoutFileSizeSignalTest() override {
    ::setrlimit(RLIMIT_FSIZE, &limit_before_);
    ::sigaction(SIGXFSZ, &action_before_, nullptr);
    ::close(file_);
    ::unlink(name_.c_str());
  }

  /// The error of a write that does not fit.
  int write_error() const {
    errno = 0;
    return ::pwrite(file_, "x", 1, 10) == 1 ? 0 : errno;
  }

 private:
  std::string name_;
  int file_ = -1;
  struct sigaction action_before_ = {};
  rlimit limit_before_ = {};
};

TEST_F(WithoutFileSizeSignalTest, AWriteBeyondTheLimitIsAnErrorOnly) {
  {
    const WithoutFileSizeSignal quiet;
    EXPECT_EQ(write_error(), EFBIG);
    EXPECT_EQ(write_error(), EFBIG);
  }
  EXPECT_EQ(g_signals, 0);
  EXPECT_EQ(write_error(), EFBIG);
  EXPECT_EQ(g_signals, 1);  // the program's own writes are as before
}

TEST_F(WithoutFileSizeSignalTest, WhatTheProgramHasBlockedStaysSo) {
  sigset_t set, before;
  sigemptyset(&set);
  sigaddset(&set, SIGXFSZ);
  ASSERT_EQ(::pthread_sigmask(SIG_BLOCK, &set, &before), 0);
  EXPECT_EQ(write_error(), EFBIG);
  {
    const WithoutFileSizeSignal quiet;
    EXPECT_EQ(write_error(), EFBIG);
  }
  EXPECT_EQ(g_signals, 0);
  ASSERT_EQ(::pthread_sigmask(SIG_SETMASK, &before, nullptr), 0);
  EXPECT_EQ(g_signals, 1);  // of the program's own write, which waited
}

TEST_F(WithoutFileSizeSignalTest, ErrorsPassThrough) {
  errno = 0;
  {
    const WithoutFileSizeSignal quiet;
    errno = ENOSPC;
  }
  EXPECT_EQ(errno, ENOSPC);
}

}  // namespace
}  // namespace cupyxx::internal::io
