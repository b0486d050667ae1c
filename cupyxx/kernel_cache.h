// SPDX-License-Identifier: MIT
// Where this process found its kernels, and the folder in which compiled ones are kept:
// CUPYXX_CACHE_DIR, else CUPY_CACHE_DIR, else cupyxx in the user's cache folder. It grows to
// CUPYXX_CACHE_SIZE bytes at most ("2G"; the default is 512 MiB).
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>

#include "cupyxx/export.h"

namespace cupyxx {

/// What the caches of kernels hold, and what this process took from them.
struct KernelCacheInfo {
  // Of this process: where kernels came from.
  std::uint64_t bundle_hits = 0;     ///< built with the program
  std::uint64_t disk_hits = 0;       ///< found in the folder
  std::uint64_t compiled = 0;        ///< by NVRTC
  std::uint64_t host_disk_hits = 0;  ///< for arrays on the host, found in the folder
  std::uint64_t host_compiled = 0;   ///< by the C++ compiler

  // Of the folder.
  std::string directory;  ///< empty: nothing is kept
  std::uint64_t entries = 0;
  std::uint64_t bytes = 0;
  std::uint64_t limit = 0;
};

/// Counts since the start of the process; looks into the folder.
CUPYXX_API KernelCacheInfo kernel_cache_info();
/// Removes all kernels from the folder. Those in use stay in use.
CUPYXX_API void clear_kernel_cache();

/// Prints a few lines.
CUPYXX_API std::ostream& operator<<(std::ostream& os, const KernelCacheInfo& info);

}  // namespace cupyxx
