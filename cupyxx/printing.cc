// SPDX-License-Identifier: MIT
#include "cupyxx/printing.h"

#include <algorithm>
#include <ostream>
#include <vector>

#include "cupyxx/internal/body.h"
#include "cupyxx/internal/printing/array_format.h"

namespace cupyxx {
namespace {

/// The edges of an array on the host, in C order. Only they are copied: the two ends of a long axis
/// are one view, of which an additional axis of extent 2 steps over the middle.
ndarray edges_of(const ndarray& a) {
  using internal::printing::kEdgeItems;
  const Shape shape = a.shape();
  const Strides strides = a.strides();
  const std::vector<std::int64_t> edges =
      internal::printing::edge_shape({shape.data(), shape.size()});
  ndarray source = a;
  if (!std::equal(edges.begin(), edges.end(), shape.begin())) {
    Shape view_shape;
    Strides view_strides;
    for (int axis = 0; axis < shape.ndim(); ++axis) {
      const std::int64_t extent = edges[static_cast<std::size_t>(axis)];
      if (extent == 1) continue;  // makes room for the additional axes
      const bool is_split = extent != shape[axis] && strides[axis] != 0;
      if (is_split) {
        view_shape.push_back(2);
        view_strides.push_back((shape[axis] - kEdgeItems) * strides[axis]);
      }
      view_shape.push_back(is_split ? kEdgeItems : extent);
      view_strides.push_back(strides[axis]);
    }
    internal::Body* body = a.body();
    internal::retain(body->storage);
    source =
        ndarray::adopt(internal::new_body(body->storage, body->data, body->dtype, view_shape.ndim(),
                                          view_shape.data(), view_strides.data()));
  }
  source = source.to_cpu();
  return source.flags().c_contiguous ? source : source.copy();
}

using Text = std::string (*)(const internal::printing::Edges&,
                             const internal::printing::TextOptions&);

std::string text_of(const ndarray& a, const PrintOptions& options, Text text) {
  if (a.is_none()) return "None";
  const internal::printing::TextOptions defaults;
  const Shape shape = a.shape();
  const ndarray edges = edges_of(a);
  return text({a.dtype(), {shape.data(), shape.size()}, edges.data()},
              {options.max_line_width.value_or(defaults.line_width),
               options.precision.value_or(defaults.precision),
               options.suppress_small.value_or(defaults.suppress_small)});
}

}  // namespace

std::string array_repr(const ndarray& a, const PrintOptions& options) {
  return text_of(a, options, internal::printing::repr_text);
}

std::string array_str(const ndarray& a, const PrintOptions& options) {
  return text_of(a, options, internal::printing::str_text);
}

std::ostream& operator<<(std::ostream& os, const ndarray& a) { return os << array_str(a); }

void PrintTo(const ndarray& a, std::ostream* os) { *os << array_repr(a); }

}  // namespace cupyxx
