// SPDX-License-Identifier: MIT
#include "cupyxx/testing/fuzz/zip_checksums.h"

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <vector>

namespace cupyxx::fuzz {
namespace {

std::size_t number(const std::uint8_t* at, int bytes) {
  std::size_t value = 0;
  for (int i = bytes; i-- > 0;) value = value << 8 | at[i];
  return value;
}

/// The checksum of deflated bytes, of the first of them where there are many.
std::uint32_t unpacked_checksum(std::uint8_t* data, std::size_t size) {
  std::vector<std::uint8_t> out(1 << 16);
  z_stream stream = {};
  stream.next_in = data;
  stream.avail_in = static_cast<unsigned>(size);
  stream.next_out = out.data();
  stream.avail_out = static_cast<unsigned>(out.size());
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return 0;
  inflate(&stream, Z_FINISH);
  const auto count = static_cast<unsigned>(stream.total_out);
  inflateEnd(&stream);
  return static_cast<std::uint32_t>(crc32(0, out.data(), count));
}

}  // namespace

std::size_t repair_checksums(std::uint8_t* data, std::size_t size, std::size_t) {
  constexpr std::size_t kEntry = 46, kHeader = 30;
  for (std::size_t at = 0; at + kEntry <= size; ++at) {
    if (std::memcmp(data + at, "PK\1\2", 4) != 0) continue;
    std::uint8_t* entry = data + at;
    const std::size_t method = number(entry + 10, 2), packed = number(entry + 20, 4);
    const std::size_t header = number(entry + 42, 4);
    if (header > size || size - header < kHeader) continue;
    const std::size_t start =
        header + kHeader + number(data + header + 26, 2) + number(data + header + 28, 2);
    if (start > size) continue;
    const std::size_t count = std::min(packed, size - start);
    const auto sum =
        method == 8
            ? unpacked_checksum(data + start, count)
            : static_cast<std::uint32_t>(crc32(0, data + start, static_cast<unsigned>(count)));
    for (int i = 0; i < 4; ++i) {
      const auto byte = static_cast<std::uint8_t>(sum >> 8 * i);
      entry[16 + i] = data[header + 14 + static_cast<std::size_t>(i)] = byte;
    }
    at += kEntry - 1;
  }
  return size;
}

}  // namespace cupyxx::fuzz
