// SPDX-License-Identifier: MIT
#include "cupyxx/comm/machine.h"

#include <unistd.h>

#include <cstdlib>
#include <fstream>

namespace cupyxx::comm::internal {

std::string machine_name() {
  if (const char* name = std::getenv("CUPYXX_COMM_MACHINE"); name != nullptr && *name != '\0') {
    return name;
  }
  char host[256] = "";
  ::gethostname(host, sizeof host - 1);
  // Containers have names of their own, and different machines may have the same.
  std::string boot;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> boot;
  return std::string(host) + "/" + boot;
}

}  // namespace cupyxx::comm::internal
