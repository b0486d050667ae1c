// SPDX-License-Identifier: MIT
#include "examples/program/picture.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <vector>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/extension/whole_file.h"
#include "cupyxx/indexing.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"

namespace examples {
namespace {

namespace cp = cupyxx;
using cp::slice;

std::string big_endian(std::uint32_t value) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift & 255);
  return bytes;
}

/// A part of a PNG file: its length, its name, its bytes and their sum.
std::string chunk(const std::string& name, const std::string& bytes) {
  const std::string all = name + bytes;
  const auto* first = reinterpret_cast<const Bytef*>(all.data());
  const uLong sum = crc32(0, first, static_cast<uInt>(all.size()));
  return big_endian(static_cast<std::uint32_t>(bytes.size())) + all +
         big_endian(static_cast<std::uint32_t>(sum));
}

std::string deflated(const std::string& bytes) {
  uLongf size = compressBound(bytes.size());
  std::string out(size, '\0');
  compress2(reinterpret_cast<Bytef*>(out.data()), &size,
            reinterpret_cast<const Bytef*>(bytes.data()), bytes.size(), 9);
  out.resize(size);
  return out;
}

}  // namespace

void save_png(const std::string& path, const cp::ndarray& picture, int scale) {
  const bool is_grey = picture.ndim() == 2;
  if (!is_grey && !(picture.ndim() == 3 && picture.shape(2) == 3)) {
    throw cp::ValueError(
        cp::message("save_png: shape ", picture.shape(), " is neither (h, w) nor (h, w, 3)"));
  }
  const cp::ndarray large = cp::repeat(cp::repeat(picture.to_cpu(), scale, 0), scale, 1);
  const cp::ndarray levels = cp::rint(cp::clip(large, 0, 1) * 255).astype(cp::uint8);
  const std::vector<std::uint8_t> pixels = levels.to_vector<std::uint8_t>();
  const std::int64_t rows = levels.shape(0);
  const auto row_bytes = static_cast<std::size_t>(levels.shape(1) * (is_grey ? 1 : 3));
  std::string lines;  // each behind the number of its filter: 0, none
  for (std::size_t at = 0; at < pixels.size(); at += row_bytes) {
    lines += '\0';
    lines.append(reinterpret_cast<const char*>(&pixels[at]), row_bytes);
  }
  const std::string head = big_endian(static_cast<std::uint32_t>(levels.shape(1))) +
                           big_endian(static_cast<std::uint32_t>(rows)) +
                           std::string{8, is_grey ? '\0' : '\2', 0, 0, 0};
  cp::extension::write_whole_file("save_png", path,
                                  "\x89PNG\r\n\x1a\n" + chunk("IHDR", head) +
                                      chunk("IDAT", deflated(lines)) + chunk("IEND", ""));
}

cp::ndarray sheet(const cp::ndarray& images, std::int64_t columns) {
  const auto [n, h, w] = images.shape<3>();
  const std::int64_t rows = (n + columns - 1) / columns;
  cp::ndarray all = cp::ones({rows * (h + 1) - 1, columns * (w + 1) - 1}, cp::float32);
  const cp::ndarray host = images.to_cpu();
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t y = i / columns * (h + 1), x = i % columns * (w + 1);
    all(slice(y, y + h), slice(x, x + w)) = host(i);
  }
  return all;
}

void save_scatter(const std::string& path, const cp::ndarray& points, const cp::ndarray& groups,
                  const cp::ndarray& marks) {
  constexpr std::array<const char*, 8> kColours = {"#2f6fb0", "#d1663b", "#3c9a66", "#8a5bb5",
                                                   "#b8902a", "#2aa1a8", "#c2517f", "#6b6b6b"};
  constexpr double kSize = 400;
  const cp::ndarray all = cp::concatenate({points.to_cpu(), marks.to_cpu()}, 0);
  const auto low = all.min().item<double>();
  const double span = std::max(all.max().item<double>() - low, 1e-300);
  const std::vector<double> at =
      ((all - low) * (kSize / span)).astype(cp::float64).to_vector<double>();
  const auto group = groups.astype(cp::int64).to_vector<std::int64_t>();
  std::string text =
      R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="-10 -10 420 420" width="420" )"
      "height=\"420\">\n<rect x=\"-10\" y=\"-10\" width=\"420\" height=\"420\" fill=\"white\"/>\n";
  char line[160];
  for (std::size_t i = 0; 2 * i < at.size(); ++i) {
    const double x = at[2 * i], y = kSize - at[2 * i + 1];
    if (i < group.size()) {
      const char* colour = kColours[static_cast<std::size_t>(group[i]) % kColours.size()];
      std::snprintf(line, sizeof line, "<circle cx=\"%.0f\" cy=\"%.0f\" r=\"2\" fill=\"%s\"/>\n", x,
                    y, colour);
    } else {
      std::snprintf(line, sizeof line,
                    R"(<path d="M%.0f %.0fm-6-6l12 12m0-12l-12 12" stroke="black" )"
                    "stroke-width=\"3\"/>\n",
                    x, y);
    }
    text += line;
  }
  cp::extension::write_whole_file("save_scatter", path, text + "</svg>\n");
}

}  // namespace examples
