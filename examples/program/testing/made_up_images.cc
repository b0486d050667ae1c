// SPDX-License-Identifier: MIT
#include "examples/program/testing/made_up_images.h"

#include <fstream>

namespace examples {
namespace {

void append_extent(std::string& bytes, std::uint32_t extent) {
  for (const int shift : {24, 16, 8, 0}) bytes += static_cast<char>(extent >> shift);
}

}  // namespace

void write_made_up_images(const std::string& folder, const std::string& part, std::uint32_t count) {
  std::string images("\0\0\x08\x03", 4);
  std::string labels("\0\0\x08\x01", 4);
  append_extent(images, count);
  append_extent(images, 28);
  append_extent(images, 28);
  append_extent(labels, count);
  std::uint32_t random = count;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t label = i * 7 % 10;
    labels += static_cast<char>(label);
    for (std::uint32_t pixel = 0; pixel < 784; ++pixel) {
      random = random * 1664525 + 1013904223;
      const bool bright = pixel / 56 == label;
      images += static_cast<char>((random >> 26) + (bright ? 150 : 0));
    }
  }
  std::ofstream(folder + "/" + part + "-images-idx3-ubyte", std::ios::binary) << images;
  std::ofstream(folder + "/" + part + "-labels-idx1-ubyte", std::ios::binary) << labels;
}

}  // namespace examples
