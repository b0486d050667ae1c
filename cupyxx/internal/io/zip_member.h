// SPDX-License-Identifier: MIT
// The bytes of one member of a ZIP archive, unpacked and checked as they are read.
#pragma once

#include <memory>

#include "cupyxx/internal/io/byte_source.h"
#include "cupyxx/internal/io/zip_reader.h"

namespace cupyxx::internal::io {

class ZipMember : public ByteSource {
 public:
  ZipMember(std::unique_ptr<ByteSource> packed, const ZipEntry& entry);
  ~ZipMember() override;

  /// Throws IOError when the packed data are damaged, and with the last byte when the checksum is
  /// wrong.
  void read(void* out, std::size_t size) override;
  std::uint64_t remaining() const override { return remaining_; }

 private:
  struct Inflater;

  void check() const;

  std::unique_ptr<ByteSource> packed_;
  std::unique_ptr<Inflater> inflater_;  // null for a stored member
  std::uint64_t remaining_;
  std::uint32_t expected_crc_;
  std::uint32_t crc_ = 0;
};

}  // namespace cupyxx::internal::io
