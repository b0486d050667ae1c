// SPDX-License-Identifier: MIT
// Compiled kernels on disk, shared by processes: written to a temporary file, synced and renamed
// under a lock of the folder; verified when read; bounded, least recently used out. A folder that
// cannot be written, or an entry that is damaged, costs one line on stderr and nothing else. What
// is read is run, so folder and entries must be this user's, and nobody else may write them:
// another folder is not used, another entry is damaged.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cupyxx::internal::jit {

/// A folder of entries by name. Threads and processes may share it, and may be killed at any time.
class DiskCache {
 public:
  /// An empty directory or a limit of 0 bytes means no cache.
  DiskCache(std::string directory, std::uint64_t limit);
  /// The folder of CUPYXX_CACHE_DIR, else of CUPY_CACHE_DIR (CuPy's own files there are left
  /// alone), else cupyxx in the user's cache folder; at most CUPYXX_CACHE_SIZE bytes ("512M", "2G";
  /// the default is 512 MiB).
  static DiskCache& instance();

  const std::string& directory() const { return directory_; }
  std::uint64_t limit() const { return limit_; }

  /// What was stored under a name; nothing when it is absent or damaged.
  std::optional<std::string> find(const std::string& name);
  /// Keeps data under a name; what was not used for longest goes where room is needed. Never
  /// throws.
  void store(const std::string& name, std::string_view data) noexcept;
  /// Removes all entries.
  void clear() noexcept;

  /// Entries in the folder and their bytes.
  struct Contents {
    std::uint64_t entries = 0, bytes = 0;
  };
  Contents contents() const;

 private:
  std::string path_of(const std::string& name) const;
  bool is_ours();
  std::string write_temporary(std::string_view data, int* file);
  void make_room(std::uint64_t size);
  void complain(const char* what, int error, std::atomic<bool>& told);

  const std::string directory_;
  const std::uint64_t limit_;
  std::atomic<bool> told_unwritable_{false};
  std::atomic<bool> told_damaged_{false};
  std::atomic<bool> told_foreign_{false};
};

}  // namespace cupyxx::internal::jit
