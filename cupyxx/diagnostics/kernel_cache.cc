// SPDX-License-Identifier: MIT
#include <ostream>

#include "cupyxx/diagnostics.h"
#include "cupyxx/internal/jit/cache.h"
#include "cupyxx/internal/jit/kernel.h"

namespace cupyxx {

KernelCacheInfo kernel_cache_info() {
  const internal::jit::CacheStats stats = internal::jit::cache_stats();
  const internal::jit::DiskCache& cache = internal::jit::DiskCache::instance();
  const auto contents = cache.contents();
  return {.bundle_hits = stats.bundle_hits,
          .disk_hits = stats.disk_hits,
          .compiled = stats.compiled,
          .host_disk_hits = stats.host_disk_hits,
          .host_compiled = stats.host_compiled,
          .directory = cache.directory(),
          .entries = contents.entries,
          .bytes = contents.bytes,
          .limit = cache.limit()};
}

void clear_kernel_cache() { internal::jit::DiskCache::instance().clear(); }

std::ostream& operator<<(std::ostream& os, const KernelCacheInfo& info) {
  return os << "kernels on devices: " << info.bundle_hits << " from the bundle, " << info.disk_hits
            << " from disk, " << info.compiled << " compiled\n"
            << "kernels on the host: " << info.host_disk_hits << " from disk, "
            << info.host_compiled << " compiled\n"
            << "folder: " << (info.directory.empty() ? "none" : info.directory) << ", "
            << info.entries << " entries, " << info.bytes << " of " << info.limit << " bytes\n";
}

}  // namespace cupyxx
