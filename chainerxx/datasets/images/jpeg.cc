// SPDX-License-Identifier: MIT
// JPEG by libjpeg, whose errors leave by longjmp: nothing with a destructor lives in decode().
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <new>

#include "chainerxx/datasets/images/decoded.h"
#include "jpeglib.h"  // takes <cstdio> for granted

namespace chainerxx::internal {
namespace {

struct Errors {
  jpeg_error_mgr base;  // first, so that both have one address
  std::jmp_buf leave;
  char text[JMSG_LENGTH_MAX];
};

void fail(j_common_ptr info) {
  auto* errors = reinterpret_cast<Errors*>(info->err);
  info->err->format_message(info, errors->text);
  std::longjmp(errors->leave, 1);
}

/// A warning of libjpeg means damaged data.
void warn(j_common_ptr info, int level) {
  if (level < 0) fail(info);
}

void quiet(j_common_ptr /*info*/) {}

bool decode(jpeg_decompress_struct& info, Errors& errors, std::string_view bytes, bool gray,
            Decoded& out) {
  if (setjmp(errors.leave) != 0) return false;
  jpeg_create_decompress(&info);
  jpeg_mem_src(&info, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  jpeg_read_header(&info, TRUE);
  if (std::int64_t{info.image_width} * info.image_height > kMaxPixels) {
    std::snprintf(errors.text, sizeof errors.text, "%u x %u pixels are too many", info.image_width,
                  info.image_height);
    return false;
  }
  // Huffman's codes spend a bit on 64 pixels at least, so that a byte has at most 512; arithmetic
  // ones may spend nothing on millions.
  constexpr std::size_t kPixelsPerByte = 1024;
  const std::size_t pixels = std::size_t{info.image_width} * info.image_height;
  if (pixels / kPixelsPerByte > bytes.size()) {
    std::snprintf(errors.text, sizeof errors.text, "%zu bytes are too few for %u x %u pixels",
                  bytes.size(), info.image_width, info.image_height);
    return false;
  }
  const bool is_cmyk = info.jpeg_color_space == JCS_CMYK || info.jpeg_color_space == JCS_YCCK;
  info.out_color_space = is_cmyk ? JCS_CMYK : gray ? JCS_GRAYSCALE : JCS_RGB;
  jpeg_start_decompress(&info);
  out.height = info.output_height;
  out.width = info.output_width;
  out.channels = info.output_components;
  const std::size_t row = info.output_width * static_cast<std::size_t>(info.output_components);
  try {
    out.pixels.resize(row * info.output_height);
  } catch (const std::bad_alloc&) {
    std::strcpy(errors.text, "there is no room for its pixels");
    return false;
  }
  while (info.output_scanline < info.output_height) {
    JSAMPROW rows[4];
    unsigned count = 0;
    for (; count < 4 && info.output_scanline + count < info.output_height; ++count) {
      rows[count] = out.pixels.data() + (info.output_scanline + count) * row;
    }
    jpeg_read_scanlines(&info, rows, count);
  }
  jpeg_finish_decompress(&info);
  return true;
}

/// Adobe's files hold inverted inks: a product of two of them is what is left of white.
void cmyk_to(bool gray, Decoded& image) {
  const std::size_t count = image.pixels.size() / 4;
  const int channels = gray ? 1 : 3;
  std::uint8_t* to = image.pixels.data();
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint8_t* from = image.pixels.data() + 4 * i;
    std::uint8_t colour[3];
    for (int c = 0; c < 3; ++c) {
      colour[c] = static_cast<std::uint8_t>((from[c] * from[3] + 127) / 255);
    }
    if (gray) {
      *to++ = luma(colour[0], colour[1], colour[2]);
    } else {
      for (const std::uint8_t one : colour) *to++ = one;
    }
  }
  image.channels = channels;
  image.pixels.resize(count * static_cast<std::size_t>(channels));
}

}  // namespace

std::string decode_jpeg(std::string_view bytes, datasets::ImageMode mode, Decoded& out) {
  const bool gray = mode == datasets::ImageMode::gray;
  jpeg_decompress_struct info = {};
  Errors errors = {};
  info.err = jpeg_std_error(&errors.base);
  errors.base.error_exit = fail;
  errors.base.emit_message = warn;
  errors.base.output_message = quiet;
  const bool is_whole = decode(info, errors, bytes, gray, out);
  jpeg_destroy_decompress(&info);
  if (!is_whole) return errors.text;
  if (out.channels == 4) cmyk_to(gray, out);
  return "";
}

}  // namespace chainerxx::internal
