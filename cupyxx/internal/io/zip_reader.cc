// SPDX-License-Identifier: MIT
#include "cupyxx/internal/io/zip_reader.h"

#include <algorithm>
#include <utility>

#include "cupyxx/error.h"
#include "cupyxx/internal/io/zip_format.h"
#include "cupyxx/internal/io/zip_member.h"

namespace cupyxx::internal::io {
namespace {

using zip::get;

/// Puts the 64-bit values of an extra field where the 32-bit ones say so; false when they are
/// missing.
bool read_extra64(const char* extra, std::size_t size, ZipEntry& entry) {
  const bool wants_size = entry.size == zip::kIn64;
  const bool wants_packed = entry.packed_size == zip::kIn64;
  const bool wants_offset = entry.header_offset == zip::kIn64;
  if (!wants_size && !wants_packed && !wants_offset) return true;
  while (size >= 4) {
    const std::size_t length = get<2>(extra + 2);
    if (length > size - 4) return false;
    if (get<2>(extra) == zip::kExtra64) {
      const char* at = extra + 4;
      const std::size_t wanted = 8u * (wants_size + wants_packed + wants_offset);
      if (length < wanted) return false;
      const auto take = [&at](bool wanted_value, std::uint64_t& value) {
        if (!wanted_value) return;
        value = get<8>(at);
        at += 8;
      };
      take(wants_size, entry.size);
      take(wants_packed, entry.packed_size);
      take(wants_offset, entry.header_offset);
      return true;
    }
    extra += 4 + length;
    size -= 4 + length;
  }
  return false;
}

}  // namespace

void ZipReader::fail(const std::string& what) const {
  throw IOError(message("load_npz: ", path(), ": ", what));
}

ZipReader::ZipReader(const std::string& path) : ZipReader(std::make_shared<const File>(path)) {}

ZipReader::ZipReader(std::shared_ptr<const File> file) : file_(std::move(file)) {
  // The end record is last, but for a comment of at most 65535 bytes.
  const std::uint64_t file_size = file_->size();
  const auto tail_size =
      static_cast<std::size_t>(std::min<std::uint64_t>(file_size, zip::kEndSize + 0xffff));
  std::string tail(tail_size, '\0');
  file_->read_at(file_size - tail_size, tail.data(), tail_size);
  std::string mark;
  zip::put<4>(mark, zip::kEnd);
  std::size_t at =
      tail_size < zip::kEndSize ? tail.npos : tail.rfind(mark, tail_size - zip::kEndSize);
  while (at != tail.npos && at + zip::kEndSize + get<2>(&tail[at + 20]) != tail_size) {
    at = at == 0 ? tail.npos : tail.rfind(mark, at - 1);
  }
  if (at == tail.npos) fail("not an npz archive; it has no directory at its end");

  const std::uint64_t end_offset = file_size - tail_size + at;
  std::uint64_t count = get<2>(&tail[at + 10]);
  std::uint64_t size = get<4>(&tail[at + 12]);
  std::uint64_t offset = get<4>(&tail[at + 16]);
  std::uint64_t directory_end = end_offset;
  if (end_offset >= zip::kEnd64LocatorSize + zip::kEnd64Size) {
    char locator[zip::kEnd64LocatorSize];
    file_->read_at(end_offset - sizeof locator, locator, sizeof locator);
    if (get<4>(locator) == zip::kEnd64Locator) {
      // The record stands before its locator; its stated offset lacks what precedes the archive.
      directory_end = end_offset - sizeof locator - zip::kEnd64Size;
      char end64[zip::kEnd64Size];
      file_->read_at(directory_end, end64, sizeof end64);
      if (get<4>(end64) != zip::kEnd64) fail("damaged archive; its 64-bit end record is missing");
      count = get<8>(end64 + 32);
      size = get<8>(end64 + 40);
      offset = get<8>(end64 + 48);
    }
  }
  if (size > directory_end || offset > directory_end - size) {
    fail(message("truncated or damaged archive; its directory of ", size, " bytes at offset ",
                 offset, " lies outside"));
  }
  read_directory(directory_end - size, size, count, directory_end - size - offset);
}

void ZipReader::read_directory(std::uint64_t offset, std::uint64_t size, std::uint64_t count,
                               std::uint64_t shift) {
  std::string directory(size, '\0');
  file_->read_at(offset, directory.data(), directory.size());
  std::size_t at = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    const char* record = directory.data() + at;
    const std::size_t left = directory.size() - at;
    if (left < zip::kCentralHeaderSize || get<4>(record) != zip::kCentralHeader) {
      fail(message("damaged archive; entry ", i, " of its directory is no entry"));
    }
    const std::size_t name_size = get<2>(record + 28);
    const std::size_t extra_size = get<2>(record + 30);
    const std::size_t record_size =
        zip::kCentralHeaderSize + name_size + extra_size + get<2>(record + 32);
    ZipEntry entry;
    entry.flags = static_cast<std::uint16_t>(get<2>(record + 8));
    entry.method = static_cast<std::uint16_t>(get<2>(record + 10));
    entry.crc = static_cast<std::uint32_t>(get<4>(record + 16));
    entry.packed_size = get<4>(record + 20);
    entry.size = get<4>(record + 24);
    entry.header_offset = get<4>(record + 42);
    if (record_size > left ||
        !read_extra64(record + zip::kCentralHeaderSize + name_size, extra_size, entry)) {
      fail(message("damaged archive; entry ", i, " of its directory is incomplete"));
    }
    entry.name.assign(record + zip::kCentralHeaderSize, name_size);
    entry.header_offset += shift;
    entries_.push_back(std::move(entry));
    at += record_size;
  }
}

std::unique_ptr<ByteSource> ZipReader::open(const ZipEntry& entry) const {
  const std::string name = path() + "[" + entry.name + "]";
  const auto fail_member = [&name](const std::string& what) {
    throw IOError(message("load: ", name, ": ", what));
  };
  if ((entry.flags & zip::kEncrypted) != 0) fail_member("the member is encrypted");
  if (entry.method != zip::kStored && entry.method != zip::kDeflated) {
    fail_member(message("the compression method is not supported; ", entry.method));
  }
  char header[zip::kLocalHeaderSize];
  if (file_->size() < sizeof header || entry.header_offset > file_->size() - sizeof header) {
    fail_member("damaged archive; the member lies outside of the file");
  }
  file_->read_at(entry.header_offset, header, sizeof header);
  if (get<4>(header) != zip::kLocalHeader) {
    fail_member("damaged archive; the member has no header");
  }
  // Sizes and checksum of the header may be zero (they follow the data then); the directory's
  // count.
  const std::uint64_t start =
      entry.header_offset + sizeof header + get<2>(header + 26) + get<2>(header + 28);
  if (start > file_->size() || entry.packed_size > file_->size() - start) {
    fail_member("truncated or damaged archive; the member lies outside of the file");
  }
  // Deflate packs 258 bytes into no less than two bits.
  const bool is_possible = entry.method == zip::kStored ? entry.size == entry.packed_size
                                                        : entry.size / 1032 <= entry.packed_size;
  if (!is_possible) {
    fail_member(
        message("damaged archive; ", entry.packed_size, " bytes cannot unpack to ", entry.size));
  }
  auto packed = std::make_unique<FileSource>(file_, name, start, entry.packed_size);
  return std::make_unique<ZipMember>(std::move(packed), entry);
}

void finish(ByteSource& source) {
  char skipped[4096];
  while (source.remaining() != 0) {
    source.read(skipped, std::min<std::uint64_t>(source.remaining(), sizeof skipped));
  }
}

}  // namespace cupyxx::internal::io
