// SPDX-License-Identifier: MIT
#include "cupyxx/internal/io/zip_writer.h"

#include <zlib.h>

#include <algorithm>
#include <new>

#include "cupyxx/error.h"
#include "cupyxx/internal/io/zip_format.h"

namespace cupyxx::internal::io {
namespace {

using zip::put;

constexpr std::uint64_t kLimit32 = 0x7fffffff;  // Python's; the format allows twice as much
constexpr std::uint64_t kLimitCount = 0xffff;
constexpr int kVersion = 20;
constexpr int kVersion64 = 45;
constexpr int kUnix = 3;
constexpr std::uint64_t kDate1980 = 0x21;  // 1 January 1980: archives do not depend on the clock
constexpr std::uint64_t kOwnerReadWrite = std::uint64_t{0600} << 16;

/// The fields that local header and directory share, from flags to sizes.
void put_common(std::string& out, const ZipEntry& entry, bool in_extra) {
  put<2>(out, entry.flags);
  put<2>(out, entry.method);
  put<2>(out, 0);  // time
  put<2>(out, kDate1980);
  put<4>(out, entry.crc);
  put<4>(out, in_extra ? zip::kIn64 : entry.packed_size);
  put<4>(out, in_extra ? zip::kIn64 : entry.size);
  put<2>(out, entry.name.size());
}

bool is_large(const ZipEntry& entry) {
  return entry.size > kLimit32 || entry.packed_size > kLimit32;
}

}  // namespace

struct ZipWriter::Deflater {
  Deflater() {
    constexpr int kMemory = 8;
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, kMemory,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
      throw std::bad_alloc();
    }
  }
  ~Deflater() { deflateEnd(&stream); }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  void run(AtomicFile& file, const unsigned char* bytes, std::size_t size, int flush) {
    do {
      constexpr std::size_t kLargest = std::size_t{1} << 30;  // zlib counts in 32 bits
      const std::size_t n = std::min(size, kLargest);
      stream.next_in = const_cast<unsigned char*>(bytes);
      stream.avail_in = static_cast<uInt>(n);
      do {
        stream.next_out = buffer;
        stream.avail_out = sizeof buffer;
        deflate(&stream, flush);
        file.write(buffer, sizeof buffer - stream.avail_out);
      } while (stream.avail_out == 0);
      bytes += n;
      size -= n;
    } while (size != 0);
  }

  z_stream stream = {};
  unsigned char buffer[65536];
};

std::string ZipWriter::local_header(const ZipEntry& entry) const {
  std::string out;
  put<4>(out, zip::kLocalHeader);
  put<2>(out, is_large(entry) ? kVersion64 : kVersion);
  put_common(out, entry, is_large(entry));
  put<2>(out, 20);  // the 64-bit sizes are always there, since they are not known before
  out += entry.name;
  put<2>(out, zip::kExtra64);
  put<2>(out, 16);
  put<8>(out, entry.size);
  put<8>(out, entry.packed_size);
  return out;
}

void ZipWriter::begin(const std::string& name) {
  // Directory and local header count its bytes in 16 bits.
  if (name.size() > 0xffff) {
    throw ValueError(message(file_.operation(), ": a name of ", name.size(),
                             " bytes is too long for an archive, which has room for 65535"));
  }
  ZipEntry entry;
  entry.name = name;
  const bool is_ascii = std::all_of(name.begin(), name.end(), [](char c) { return c >= 0; });
  entry.flags = is_ascii ? 0 : zip::kUtf8;
  entry.method = deflate_ ? zip::kDeflated : zip::kStored;
  entry.header_offset = file_.offset();
  const std::string header = local_header(entry);
  file_.write(header.data(), header.size());
  entries_.push_back(std::move(entry));
  if (deflate_) deflater_ = std::make_shared<Deflater>();
}

void ZipWriter::write(const void* bytes, std::size_t size) {
  if (size == 0) return;
  ZipEntry& entry = entries_.back();
  const auto* from = static_cast<const unsigned char*>(bytes);
  entry.crc = static_cast<std::uint32_t>(crc32_z(entry.crc, from, size));
  entry.size += size;
  if (deflate_) {
    deflater_->run(file_, from, size, Z_NO_FLUSH);
  } else {
    file_.write(bytes, size);
  }
}

void ZipWriter::end() {
  ZipEntry& entry = entries_.back();
  if (deflate_) deflater_->run(file_, nullptr, 0, Z_FINISH);
  deflater_.reset();
  const std::uint64_t start = entry.header_offset + local_header(entry).size();
  entry.packed_size = file_.offset() - start;
  const std::string header = local_header(entry);
  file_.overwrite(entry.header_offset, header.data(), header.size());
}

void ZipWriter::finish() {
  const std::uint64_t start = file_.offset();
  std::string out;
  for (const ZipEntry& entry : entries_) {
    std::string extra;
    if (is_large(entry)) {
      put<8>(extra, entry.size);
      put<8>(extra, entry.packed_size);
    }
    const bool is_far = entry.header_offset > kLimit32;
    if (is_far) put<8>(extra, entry.header_offset);
    const int version = extra.empty() ? kVersion : kVersion64;

    put<4>(out, zip::kCentralHeader);
    put<1>(out, static_cast<std::uint64_t>(version));
    put<1>(out, kUnix);
    put<2>(out, static_cast<std::uint64_t>(version));
    put_common(out, entry, is_large(entry));
    put<2>(out, extra.empty() ? 0 : extra.size() + 4);
    put<2>(out, 0);  // comment
    put<2>(out, 0);  // disk
    put<2>(out, 0);  // internal attributes
    put<4>(out, kOwnerReadWrite);
    put<4>(out, is_far ? zip::kIn64 : entry.header_offset);
    out += entry.name;
    if (!extra.empty()) {
      put<2>(out, zip::kExtra64);
      put<2>(out, extra.size());
      out += extra;
    }
  }
  const std::uint64_t size = out.size();
  const std::uint64_t count = entries_.size();
  if (count > kLimitCount || start > kLimit32 || size > kLimit32) {
    const std::uint64_t end64 = start + size;
    put<4>(out, zip::kEnd64);
    put<8>(out, zip::kEnd64Size - 12);
    put<2>(out, kVersion64);
    put<2>(out, kVersion64);
    put<4>(out, 0);
    put<4>(out, 0);
    put<8>(out, count);
    put<8>(out, count);
    put<8>(out, size);
    put<8>(out, start);
    put<4>(out, zip::kEnd64Locator);
    put<4>(out, 0);
    put<8>(out, end64);
    put<4>(out, 1);
  }
  put<4>(out, zip::kEnd);
  put<2>(out, 0);
  put<2>(out, 0);
  put<2>(out, std::min<std::uint64_t>(count, zip::kIn64Short));
  put<2>(out, std::min<std::uint64_t>(count, zip::kIn64Short));
  put<4>(out, std::min<std::uint64_t>(size, zip::kIn64));
  put<4>(out, std::min<std::uint64_t>(start, zip::kIn64));
  put<2>(out, 0);  // comment
  file_.write(out.data(), out.size());
}

}  // namespace cupyxx::internal::io
