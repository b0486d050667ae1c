// SPDX-License-Identifier: MIT
// Compiled kernels on disk, shared by processes: written to a temporary file, synced and renamed;
// verified when read; bounded, least recently used out. A folder that cannot be written costs one
// line on stderr and nothing else.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace cupyxx::internal::jit {

/// A folder of entries by name. Threads and processes may share it.
class DiskCache {
 public:
  /// An empty directory or a limit of 0 bytes means no cache.
  DiskCache(std::string directory, std::uint64_t limit);
  /// The folder of CUPYXX_CACHE_DIR, else CUPY_CACHE_DIR/cupyxx, else cupyxx in the user's cache
  /// folder; at most CUPYXX_CACHE_SIZE bytes ("512M", "2G"; the default is 512 MiB).
  static DiskCache& instance();

  const std::string& directory() const { return directory_; }

  /// What was stored under a name; nothing when it is absent or damaged.
  std::optional<std::string> find(const std::string& name);
  /// The same as the path of a verified file, which ends with a trailer of ours behind the data
  /// (harmless to dlopen); empty when there is none.
  std::string find_file(const std::string& name);
  /// Keeps data under a name. Never throws.
  void store(const std::string& name, std::string_view data) noexcept;

 private:
  std::string path_of(const std::string& name) const;
  bool write(const std::string& path, std::string_view data);
  void complain(int error);
  void evict();

  const std::string directory_;
  const std::uint64_t limit_;
  std::mutex mutex_;
  bool complained_ = false;
  bool scanned_ = false;
  std::uint64_t total_ = 0;  // bytes in the folder, as far as this process knows
};

}  // namespace cupyxx::internal::jit
