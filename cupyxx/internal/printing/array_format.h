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
};

/// Of arrays with more elements than this, only the edges are printed ...
inline constexpr std::int64_t kThreshold = 1000;
/// ... three items at each end of an axis.
inline constexpr std::int64_t kEdgeItems = 3;

/// The extents of what is printed of an array: its own, or those of its edges when it has more than
/// kThreshold elements.
std::vector<std::int64_t> edge_shape(std::span<const std::int64_t> shape);

/// What is printed of an array.
struct Edges {
  cupyxx::dtype dtype;
  std::span<const std::int64_t> shape;  // of the whole array
  const void* elements;                 // of edge_shape(shape), in C order
};

/// "array([1., 2.], dtype=float32)".
std::string repr_text(const Edges& array, const TextOptions& options);
/// "[1. 2.]".
std::string str_text(const Edges& array, const TextOptions& options);

}  // namespace cupyxx::internal::printing
