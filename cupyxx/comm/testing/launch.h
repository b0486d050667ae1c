// SPDX-License-Identifier: MIT
// Starts this test program again, as the processes of one world. They run the tests that a filter
// names, under mpirun or by an address.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace cupyxx::comm::testing {

struct Launched {
  std::string output;         // of all processes, errors too
  std::vector<int> statuses;  // as of waitpid; of mpirun alone under mpirun
  double seconds = 0;

  bool is_success() const;
};

struct LaunchOptions {
  int count = 2;
  std::string filter;                       // --gtest_filter
  std::vector<std::string> variables = {};  // "NAME=value" in the environment
  /// Called while they run, with their process numbers (of mpirun alone under mpirun).
  std::function<void(const std::vector<int>&)> meanwhile = {};
};

/// `mpirun -n COUNT`; ends them after a minute.
Launched launch_by_mpirun(const LaunchOptions& options);
/// CUPYXX_COMM_ADDRESS on this machine.
Launched launch_by_address(const LaunchOptions& options);

/// A port of this machine that nobody listens on.
int free_port();

}  // namespace cupyxx::comm::testing
