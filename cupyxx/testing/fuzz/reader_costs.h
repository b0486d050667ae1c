// SPDX-License-Identifier: MIT
// What reading a file costs: a test of a reader gives it files of two sizes. Four times the file is
// at most eight times the time (what is quadratic takes sixteen), and four times its bytes (of the
// file or of what is in it, whichever are more) are enough memory. A busy machine makes a run
// slower, never faster, so the least time of a few runs counts.
#pragma once

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <functional>
#include <limits>
#include <ostream>
#include <string>
#include <utility>

namespace cupyxx::fuzz {

struct Cost {
  double bytes = 0;    // of memory, beyond what the process had
  double seconds = 0;  // of the processor
  bool is_sound = false;
};

/// Runs `call` in a process of its own.
inline Cost cost_of(const std::function<void()>& call) {
  const auto measure = [](const std::function<void()>& task) {
    ::rusage usage = {};
    int status = 0;
    const ::pid_t child = ::fork();
    if (child == 0) {
      try {
        task();
      } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        ::_exit(1);
      }
      ::_exit(0);
    }
    ::wait4(child, &status, 0, &usage);
    return std::pair(usage, status);
  };
  const ::rusage nothing = measure([] {}).first;
  const auto [usage, status] = measure(call);
  const auto seconds = [](const ::rusage& u) {
    return static_cast<double>(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           1e-6 * static_cast<double>(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
  };
  return {1024.0 * static_cast<double>(usage.ru_maxrss - nothing.ru_maxrss),
          seconds(usage) - seconds(nothing), status == 0};
}

/// A kind of file: writes one of about so many bytes, says what it holds, reads it.
struct Kind {
  const char* name;
  double (*write)(const std::string& path, std::int64_t bytes);
  void (*read)(const std::string& path);
  const char* extension = "";
  double buffers = 4e6;  ///< beside the file's: code that is touched for the first time, buffers
};
inline std::ostream& operator<<(std::ostream& os, const Kind& kind) { return os << kind.name; }

/// Fails where reading four times the bytes takes more than eight times as long. `read` writes a
/// file of about so many bytes and says what reading it cost.
inline void expect_linear_time(const std::function<Cost(std::int64_t bytes)>& read) {
  constexpr int kRounds = 8;
  constexpr double kNever = std::numeric_limits<double>::infinity();
  double seconds[2] = {kNever, kNever};
  const auto is_linear = [&] { return seconds[1] <= 8 * seconds[0] + 0.05; };
  for (int round = 0; round == 0 || (round < kRounds && !is_linear()); ++round) {
    for (const int size : {0, 1}) {
      const Cost cost = read(std::int64_t{1} << (22 + 2 * size));
      ASSERT_TRUE(cost.is_sound);
      seconds[size] = std::min(seconds[size], cost.seconds);
    }
  }
  EXPECT_TRUE(is_linear()) << seconds[1] << " s for four times what takes " << seconds[0] << " s";
}

class ReaderCostsTest : public ::testing::TestWithParam<Kind> {
 protected:
  void expect_linear() {
    const std::string path = ::testing::TempDir() + "/cupyxx_costs" + GetParam().extension;
    expect_linear_time([&](std::int64_t bytes) {
      const double inside = GetParam().write(path, bytes);
      const double held = std::max(inside, static_cast<double>(std::filesystem::file_size(path)));
      const Cost cost = cost_of([&] { GetParam().read(path); });
      EXPECT_LE(cost.bytes, 4 * held + GetParam().buffers)
          << "of a file that holds " << held << " bytes";
      std::filesystem::remove(path);
      return cost;
    });
  }
};

}  // namespace cupyxx::fuzz
