// SPDX-License-Identifier: MIT
// Calls every public routine many times with drawn arguments and looks at what came out.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cupyxx/device.h"

namespace cupyxx::testing::wild {

struct DriverOptions {
  std::uint64_t seed = 1;
  std::int64_t first = 0;  ///< number of the first call
  std::int64_t calls = 10000;
  Device device = {};     ///< beside the host's results where it is not the host
  std::string only = {};  ///< a part of the routine's name
  bool verbose = false;   ///< prints each call before it is made
  int seconds_a_call = 30;
  std::int64_t gibibytes = 6;  ///< of host memory that calls get; 0: as much as there is  ///< a
                               ///< call that takes longer ends the process, with its name
};

struct Report {
  std::int64_t calls = 0;
  std::int64_t returned = 0;  ///< without an exception
  std::int64_t compared = 0;  ///< whose values were compared with the host's
  std::size_t routines = 0;
  /// "CALL ROUTINE: WHAT", the first of each routine and kind.
  std::vector<std::string> findings;
  std::int64_t finding_count = 0;
};

Report run(const DriverOptions& options);

}  // namespace cupyxx::testing::wild
