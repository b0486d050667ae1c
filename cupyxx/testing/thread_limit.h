// SPDX-License-Identifier: MIT
// For tests: a system that gives a few more threads and then none.
#pragma once

#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstddef>
#include <fstream>

namespace cupyxx::testing {

/// While it lives, the system has addresses for at most three more threads: a stack takes 300 MiB
/// of the GiB that is left. What remains is enough for everything else that the threads do.
class ThreadLimit {
 public:
  ThreadLimit() {
    ::pthread_attr_init(&before_);
    ::pthread_getattr_default_np(&before_);
    pthread_attr_t large;
    ::pthread_attr_init(&large);
    ::pthread_attr_setstacksize(&large, std::size_t{300} << 20);
    ::pthread_setattr_default_np(&large);
    ::pthread_attr_destroy(&large);
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    ::getrlimit(RLIMIT_AS, &addresses_);
    const rlimit tight{
        pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) + (std::size_t{1} << 30),
        addresses_.rlim_max};
    ::setrlimit(RLIMIT_AS, &tight);
  }
  ~ThreadLimit() {
    ::setrlimit(RLIMIT_AS, &addresses_);
    ::pthread_setattr_default_np(&before_);
    ::pthread_attr_destroy(&before_);
  }
  ThreadLimit(const ThreadLimit&) = delete;
  ThreadLimit& operator=(const ThreadLimit&) = delete;

 private:
  pthread_attr_t before_;
  rlimit addresses_{};
};

}  // namespace cupyxx::testing
