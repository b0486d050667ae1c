// SPDX-License-Identifier: MIT
#include "cupyxx/internal/io/zip_member.h"

#include <zlib.h>

#include <algorithm>
#include <cstdio>
#include <new>

#include "cupyxx/internal/io/zip_format.h"
#include "cupyxx/message.h"

namespace cupyxx::internal::io {

struct ZipMember::Inflater {
  Inflater() {
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { inflateEnd(&stream); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  /// Unpacks exactly `size` bytes.
  void read(ByteSource& packed, unsigned char* out, std::size_t size) {
    while (size != 0) {
      constexpr std::size_t kLargest = std::size_t{1} << 30;  // zlib counts in 32 bits
      const auto wanted = static_cast<uInt>(std::min(size, kLargest));
      stream.next_out = out;
      stream.avail_out = wanted;
      while (stream.avail_out != 0) {
        if (stream.avail_in == 0) refill(packed);
        const int status = inflate(&stream, Z_NO_FLUSH);
        if (status != Z_OK && !(status == Z_STREAM_END && stream.avail_out == 0)) {
          packed.fail(status == Z_STREAM_END ? "damaged data; the packed data end too early"
                                             : "damaged data; they cannot be unpacked");
        }
      }
      out += wanted;
      size -= wanted;
    }
  }

  void refill(ByteSource& packed) {
    const auto n =
        static_cast<std::size_t>(std::min<std::uint64_t>(packed.remaining(), sizeof buffer));
    if (n == 0) packed.fail("truncated; the packed data end too early");
    packed.read(buffer, n);
    stream.next_in = buffer;
    stream.avail_in = static_cast<uInt>(n);
  }

  z_stream stream = {};
  unsigned char buffer[65536];
};

ZipMember::ZipMember(std::unique_ptr<ByteSource> packed, const ZipEntry& entry)
    : ByteSource(packed->name()),
      packed_(std::move(packed)),
      remaining_(entry.size),
      expected_crc_(entry.crc) {
  if (entry.method == zip::kDeflated) inflater_ = std::make_unique<Inflater>();
}

ZipMember::~ZipMember() = default;

void ZipMember::read(void* out, std::size_t size) {
  if (size == 0) return;
  if (size > remaining_) {
    fail(message("truncated; ", size, " bytes expected, ", remaining_, " found"));
  }
  auto* bytes = static_cast<unsigned char*>(out);
  if (inflater_ == nullptr) {
    packed_->read(bytes, size);
  } else {
    inflater_->read(*packed_, bytes, size);
  }
  crc_ = static_cast<std::uint32_t>(crc32_z(crc_, bytes, size));
  remaining_ -= size;
  if (remaining_ == 0) check();
}

void ZipMember::check() const {
  if (crc_ == expected_crc_) return;
  char text[64];
  std::snprintf(text, sizeof text, "damaged data; checksum %08x expected, %08x found",
                expected_crc_, crc_);
  fail(text);
}

}  // namespace cupyxx::internal::io
