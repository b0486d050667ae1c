// SPDX-License-Identifier: MIT
// What the decoders fill.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "chainerxx/datasets/images/image_file.h"

namespace chainerxx::internal {

/// Pixels row by row, the channels of a pixel together.
struct Decoded {
  std::int64_t height = 0, width = 0;
  int channels = 0;  // 1, 3, or 4 for inverted CMYK
  std::vector<std::uint8_t> pixels;
};

inline constexpr std::int64_t kMaxPixels = std::int64_t{1} << 27;

/// Both return an empty text, or what is wrong.
std::string decode_jpeg(std::string_view bytes, datasets::ImageMode mode, Decoded& out);
std::string decode_png(std::string_view bytes, datasets::ImageMode mode, Decoded& out);

/// Brightness of a colour, as the Python Imaging Library computes it (ITU-R 601-2).
inline std::uint8_t luma(std::uint8_t r, std::uint8_t g, std::uint8_t b) {
  return static_cast<std::uint8_t>((r * 19595 + g * 38470 + b * 7471 + 0x8000) >> 16);
}

}  // namespace chainerxx::internal
