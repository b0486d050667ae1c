// SPDX-License-Identifier: MIT
// The shared libraries that are opened on first use, without opening them.
#pragma once

#include <string>
#include <vector>

namespace cupyxx::internal {

struct LibraryInfo {
  std::string name;     // "cuBLAS"
  std::string version;  // asked of a loaded one, else read from the name of its file
  std::string path;     // empty when there is none
  bool loaded = false;  // in this process
};

/// All that these libraries may open, in the order of their names.
std::vector<LibraryInfo> describe_libraries();

}  // namespace cupyxx::internal
