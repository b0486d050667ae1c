// SPDX-License-Identifier: MIT
// Arrays as pictures: PNG files of images, SVG files of points.
#pragma once

#include <cstdint>
#include <string>

#include "cupyxx/ndarray.h"

namespace examples {

/// Writes an array as a PNG file: (h, w) as greys, (h, w, 3) as red, green and blue. Elements from
/// 0 to 1 are dark to bright; what lies beyond is cut off. Each becomes a square of `scale` pixels.
/// The file appears as a whole or not at all. Throws cupyxx::IOError when it cannot be written,
/// ValueError for another shape.
void save_png(const std::string& path, const cupyxx::ndarray& picture, int scale = 1);

/// Images (n, h, w) laid side by side, `columns` in a row, with a bright line of one pixel between
/// them: one picture of shape (rows (h + 1) - 1, columns (w + 1) - 1), float32.
cupyxx::ndarray sheet(const cupyxx::ndarray& images, std::int64_t columns);

/// Writes points of the plane, (n, 2), as an SVG file: a dot for each, coloured by its group, an
/// integer of `groups` (n,), and crosses at `marks`, (m, 2). The file appears as a whole
/// or not at all; throws cupyxx::IOError when it cannot be written.
void save_scatter(const std::string& path, const cupyxx::ndarray& points,
                  const cupyxx::ndarray& groups, const cupyxx::ndarray& marks);

}  // namespace examples
