// SPDX-License-Identifier: MIT
// Pictures of files as arrays.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "cupyxx/export.h"
#include "cupyxx/ndarray.h"

namespace chainerxx::datasets {

using cupyxx::ndarray;

/// What a picture is turned into.
enum class ImageMode : std::uint8_t {
  rgb,  ///< three channels; gray ones are repeated
  gray  ///< one channel: brightness
};

/// The pixels of a JPEG or PNG file, (channels, height, width) uint8 on the host. Transparency is
/// dropped and 16 bits become 8, as the Python Imaging Library does it. Throws cupyxx::IOError
/// that begins with the path for a file that is missing, cut off, damaged, of another format or
/// larger than 2^27 pixels.
CUPYXX_API ndarray read_image(const std::string& path, ImageMode mode = ImageMode::rgb);
/// The same of the bytes of a file, whose name stands in errors.
CUPYXX_API ndarray decode_image(std::string_view bytes, const std::string& name,
                                ImageMode mode = ImageMode::rgb);

}  // namespace chainerxx::datasets
