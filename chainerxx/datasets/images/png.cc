// SPDX-License-Identifier: MIT
// PNG by libpng, whose errors leave by longjmp: nothing with a destructor lives in decode().
#include <png.h>

#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <new>

#include "chainerxx/datasets/images/decoded.h"

namespace chainerxx::internal {
namespace {

struct Reading {
  std::string_view bytes;
  std::size_t at = 0;
  char text[200] = "damaged data";
};

void fail(png_structp png, png_const_charp text) {
  auto* reading = static_cast<Reading*>(png_get_error_ptr(png));
  std::snprintf(reading->text, sizeof reading->text, "%s", text);
  png_longjmp(png, 1);
}

void ignore(png_structp /*png*/, png_const_charp /*text*/) {}

void give(png_structp png, png_bytep to, std::size_t size) {
  auto* reading = static_cast<Reading*>(png_get_io_ptr(png));
  if (reading->bytes.size() - reading->at < size) png_error(png, "the file ends too early");
  std::memcpy(to, reading->bytes.data() + reading->at, size);
  reading->at += size;
}

bool decode(png_structp png, png_infop info, Reading& reading, bool gray, Decoded& out) {
  if (setjmp(png_jmpbuf(png)) != 0) return false;
  png_set_read_fn(png, &reading, give);
  png_read_info(png, info);
  const png_uint_32 width = png_get_image_width(png, info);
  const png_uint_32 height = png_get_image_height(png, info);
  if (std::int64_t{width} * height > kMaxPixels) {
    std::snprintf(reading.text, sizeof reading.text, "%u x %u pixels are too many", width, height);
    return false;
  }
  png_set_expand(png);  // palettes, and fewer than 8 bits
  png_set_strip_16(png);
  png_set_strip_alpha(png);
  if (!gray && (png_get_color_type(png, info) & PNG_COLOR_MASK_COLOR) == 0)
    png_set_gray_to_rgb(png);
  const int passes = png_set_interlace_handling(png);
  png_read_update_info(png, info);
  out.height = height;
  out.width = width;
  out.channels = png_get_channels(png, info);
  const std::size_t row = png_get_rowbytes(png, info);
  try {
    out.pixels.resize(row * height);
  } catch (const std::bad_alloc&) {
    std::strcpy(reading.text, "there is no room for its pixels");
    return false;
  }
  for (int pass = 0; pass < passes; ++pass) {
    for (png_uint_32 y = 0; y < height; ++y) {
      png_read_row(png, out.pixels.data() + y * row, nullptr);
    }
  }
  png_read_end(png, nullptr);
  return true;
}

}  // namespace

std::string decode_png(std::string_view bytes, datasets::ImageMode mode, Decoded& out) {
  const bool gray = mode == datasets::ImageMode::gray;
  Reading reading;
  reading.bytes = bytes;
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &reading, fail, ignore);
  if (png == nullptr) return "libpng cannot be used";
  png_infop info = png_create_info_struct(png);
  const bool is_whole = info != nullptr && decode(png, info, reading, gray, out);
  png_destroy_read_struct(&png, &info, nullptr);
  if (!is_whole) return reading.text;
  if (gray && out.channels == 3) {
    const std::size_t count = out.pixels.size() / 3;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint8_t* from = out.pixels.data() + 3 * i;
      out.pixels[i] = luma(from[0], from[1], from[2]);
    }
    out.pixels.resize(count);
    out.channels = 1;
  }
  return "";
}

}  // namespace chainerxx::internal
