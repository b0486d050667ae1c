// SPDX-License-Identifier: MIT
// Files that appear as a whole or not at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace cupyxx::internal::io {

/// A file in the making. The bytes go to a file beside the target; commit() syncs it and renames it
/// over the target. Without a commit, and on any failure, it is removed and the target is as it
/// was. A target that is no regular file (a device, a pipe) is written directly. What a killed
/// process left beside the target is removed once it is an hour old.
class AtomicFile {
 public:
  /// Throws IOError "operation: cannot write PATH; REASON", as the other members do.
  AtomicFile(std::string operation, const std::string& path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  const std::string& operation() const { return operation_; }
  /// Appends bytes. Few are kept until there are more, or until commit().
  void write(const void* bytes, std::size_t size);
  /// Overwrites bytes that were written before.
  void overwrite(std::uint64_t offset, const void* bytes, std::size_t size);
  /// Number of bytes appended so far.
  std::uint64_t offset() const { return offset_; }
  void commit();

 private:
  [[noreturn]] void fail(int error) const;
  void write_out(const char* from, std::size_t size);
  void flush();

  std::string operation_;
  std::string path_;       // as the caller wrote it
  std::string target_;     // links resolved
  std::string temporary_;  // empty when the target is written directly
  int fd_ = -1;
  std::uint64_t offset_ = 0;
  std::size_t kept_ = 0;  // bytes in kept_bytes_, the last ones before offset_
  char kept_bytes_[16384];
};

}  // namespace cupyxx::internal::io
