// SPDX-License-Identifier: MIT
// Writes ZIP archives as Python's zipfile does for NumPy, byte for byte where nothing is deflated.
#pragma once

#include <string>
#include <vector>

#include "cupyxx/internal/io/atomic_file.h"
#include "cupyxx/internal/io/zip_reader.h"

namespace cupyxx::internal::io {

/// Appends members to a file; finish() writes the directory (and does not commit the file).
class ZipWriter {
 public:
  ZipWriter(AtomicFile& file, bool deflate) : file_(file), deflate_(deflate) {}

  /// Begins a member; its bytes follow by write(), and end() completes it.
  void begin(const std::string& name);
  void write(const void* bytes, std::size_t size);
  void end();
  void finish();

 private:
  struct Deflater;

  std::string local_header(const ZipEntry& entry) const;

  AtomicFile& file_;
  bool deflate_;
  std::vector<ZipEntry> entries_;
  std::shared_ptr<Deflater> deflater_;  // of the member in the making
};

}  // namespace cupyxx::internal::io
