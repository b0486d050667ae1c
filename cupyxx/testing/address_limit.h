// SPDX-License-Identifier: MIT
// For tests: a system that gives no more memory, nor stacks of threads.
#pragma once

#include <sys/resource.h>
#include <unistd.h>

#include <cstddef>
#include <fstream>

namespace cupyxx::testing {

/// While it lives, the process may take no more than so many bytes of addresses beside its own.
class AddressLimit {
 public:
  explicit AddressLimit(std::size_t more) {
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    ::getrlimit(RLIMIT_AS, &before_);
    const rlimit tight{pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) + more,
                       before_.rlim_max};
    ::setrlimit(RLIMIT_AS, &tight);
  }
  ~AddressLimit() { ::setrlimit(RLIMIT_AS, &before_); }
  AddressLimit(const AddressLimit&) = delete;
  AddressLimit& operator=(const AddressLimit&) = delete;

 private:
  rlimit before_{};
};

}  // namespace cupyxx::testing
