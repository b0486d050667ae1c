// SPDX-License-Identifier: MIT
// What reading a file costs: a test of a reader gives it files of two sizes.
#pragma once

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <exception>
#include <functional>

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

}  // namespace cupyxx::fuzz
