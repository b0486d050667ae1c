// SPDX-License-Identifier: MIT
// Bytes of files as bool elements: C++ knows no other values than 0 and 1.
#pragma once

#include <algorithm>
#include <cstddef>

namespace cupyxx::internal::io {

/// Makes 1 of every byte that is not 0.
inline void to_truth_values(void* bytes, std::size_t size) {
  std::for_each_n(static_cast<unsigned char*>(bytes), size,
                  [](unsigned char& byte) { byte = byte != 0; });
}

/// The place of the first byte that is neither 0 nor 1; `size` where there is none.
inline std::size_t find_no_truth_value(const void* bytes, std::size_t size) {
  const auto* begin = static_cast<const unsigned char*>(bytes);
  return static_cast<std::size_t>(
      std::find_if(begin, begin + size, [](unsigned char byte) { return byte > 1; }) - begin);
}

}  // namespace cupyxx::internal::io
