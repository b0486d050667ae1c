// SPDX-License-Identifier: MIT
// Arrays as text, from raw elements on the host.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cupyxx/dtype.h"

namespace cupyxx::internal::printing {

/// NumPy's defaults.
struct TextOptions {
  int line_width = 75;
  int precision = 8;
  bool suppress_small = false;
  std::int64_t threshold = 1000;  // of arrays with more elements only the edges are printed:
  std::int64_t edge_items = 3;    // so many at each end of an axis
};

/// What stands around the elements in array2string.
struct Frame {
  std::string separator = " ";
  std::string prefix;  // the width of what the caller writes before the text
  std::string suffix;  // and of what behind it
};

/// The extents of the part of an array that is printed: the whole array, or of a large one the
/// edges.
std::vector<std::int64_t> edge_shape(std::span<const std::int64_t> shape,
                                     const TextOptions& options);

/// What is printed of an array.
struct Edges {
  cupyxx::dtype dtype;
  std::span<const std::int64_t> shape;  // of the whole array
  const void* elements;                 // of its edge_shape, in C order
};

/// "array([1., 2.], dtype=float32)".
std::string repr_text(const Edges& array, const TextOptions& options);
/// "[1. 2.]".
std::string str_text(const Edges& array, const TextOptions& options);
/// The same in a frame; a 0-d array has the text of an element of an array.
std::string framed_text(const Edges& array, const TextOptions& options, const Frame& frame);

}  // namespace cupyxx::internal::printing
