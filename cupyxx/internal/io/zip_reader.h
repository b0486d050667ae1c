// SPDX-License-Identifier: MIT
// ZIP archives: stored and deflated members, 64-bit sizes.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cupyxx/internal/io/byte_source.h"

namespace cupyxx::internal::io {

/// A member, as the archive's directory describes it.
struct ZipEntry {
  std::string name;
  std::uint16_t flags = 0;
  std::uint16_t method = 0;
  std::uint32_t crc = 0;
  std::uint64_t packed_size = 0;
  std::uint64_t size = 0;
  std::uint64_t header_offset = 0;
};

/// The members of an archive. Members may be read at the same time.
class ZipReader {
 public:
  /// Reads the directory. Throws IOError when the file is missing or its directory is damaged.
  explicit ZipReader(const std::string& path);
  explicit ZipReader(std::shared_ptr<const File> file);

  const std::string& path() const { return file_->path(); }
  const std::vector<ZipEntry>& entries() const { return entries_; }

  /// The unpacked bytes of a member. Throws IOError for a method other than stored and deflated,
  /// for encryption, and for sizes that cannot be true.
  std::unique_ptr<ByteSource> open(const ZipEntry& entry) const;

 private:
  [[noreturn]] void fail(const std::string& what) const;
  void read_directory(std::uint64_t offset, std::uint64_t size, std::uint64_t count,
                      std::uint64_t shift);

  std::shared_ptr<const File> file_;
  std::vector<ZipEntry> entries_;
};

/// Reads what is left of a member and throws IOError unless its checksum is right. Reading a member
/// to its last byte checks it as well.
void finish(ByteSource& source);

}  // namespace cupyxx::internal::io
