// SPDX-License-Identifier: MIT
// Files as memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace cupyxx::internal::io {

enum class MapMode : std::uint8_t {
  read,           // not to be written; what is written by mistake stays in memory
  write,          // what is written reaches the file
  copy_on_write,  // what is written stays in memory
};

/// A range of a file in memory, until unmap() is called.
struct MappedBytes {
  void* data = nullptr;     // the range's first byte
  void* address = nullptr;  // of the first page
  std::size_t length = 0;   // of all pages
};

/// Maps `size` bytes from `offset`; size is not 0. The file must not shrink while it is mapped.
/// Throws IOError "load: PATH: ...".
MappedBytes map_file(const std::string& path, std::uint64_t offset, std::size_t size, MapMode mode);
void unmap(const MappedBytes& bytes) noexcept;

}  // namespace cupyxx::internal::io
