// SPDX-License-Identifier: MIT
#include "cupyxx/printing.h"

#include <algorithm>
#include <mutex>
#include <ostream>
#include <string>
#include <vector>

#include "cupyxx/core/body.h"
#include "cupyxx/error.h"
#include "cupyxx/internal/printing/array_format.h"

namespace cupyxx {
namespace {

using internal::printing::Edges;
using internal::printing::TextOptions;

/// The edges of an array on the host, in C order. Only they are copied: the two ends of a long axis
/// are one view, of which an additional axis of extent 2 steps over the middle.
ndarray edges_of(const ndarray& a, const TextOptions& options) {
  const Shape shape = a.shape();
  const Strides strides = a.strides();
  const std::vector<std::int64_t> edges =
      internal::printing::edge_shape({shape.data(), shape.size()}, options);
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
        view_strides.push_back((shape[axis] - options.edge_items) * strides[axis]);
      }
      view_shape.push_back(is_split ? options.edge_items : extent);
      view_strides.push_back(strides[axis]);
    }
    internal::Body* body = a.body();
    internal::retain(body->storage);
    source =
        ndarray::adopt(internal::new_body(body->storage, body->data, body->dtype, view_shape.ndim(),
                                          view_shape.data(), view_strides.data()));
  }
  source = source.to_cpu();
  return source.flags().c_contiguous ? source : source.copy(Order::C);
}

// What set_printoptions has set.
struct Defaults {
  std::mutex mutex;
  TextOptions options;
};
Defaults& defaults() {
  static Defaults all;
  return all;
}

TextOptions current() {
  const std::lock_guard lock(defaults().mutex);
  return defaults().options;
}

TextOptions with(TextOptions text, const PrintOptions& options) {
  if (options.edgeitems.value_or(1) < 1) {
    throw ValueError(message("printoptions: edgeitems must be positive; ", *options.edgeitems));
  }
  if (options.precision.value_or(0) < 0) {
    throw ValueError(
        message("printoptions: the precision must not be negative; ", *options.precision));
  }
  if (options.max_line_width && options.linewidth) {
    throw TypeError("printoptions: max_line_width and linewidth are one option; give one");
  }
  if (options.suppress_small && options.suppress) {
    throw TypeError("printoptions: suppress_small and suppress are one option; give one");
  }
  const auto width = options.linewidth ? options.linewidth : options.max_line_width;
  text.line_width = width.value_or(text.line_width);
  text.precision = options.precision.value_or(text.precision);
  const auto suppress = options.suppress ? options.suppress : options.suppress_small;
  text.suppress_small = suppress.value_or(text.suppress_small);
  text.threshold = options.threshold.value_or(text.threshold);
  text.edge_items = options.edgeitems.value_or(text.edge_items);
  return text;
}

template <class Text>
std::string text_of(const ndarray& a, const PrintOptions& given, const Text& text) {
  if (a.is_none()) return "None";
  TextOptions options = with(current(), given);
  options.line_width = std::max(options.line_width, 0);
  const Shape shape = a.shape();
  const ndarray edges = edges_of(a, options);
  return text({a.dtype(), {shape.data(), shape.size()}, edges.elements()}, options);
}

}  // namespace

void set_printoptions(const PrintOptions& options) {
  const std::lock_guard lock(defaults().mutex);
  defaults().options = with(defaults().options, options);
}

PrintOptions get_printoptions() {
  const TextOptions now = current();
  return {.max_line_width = now.line_width,
          .precision = now.precision,
          .suppress_small = now.suppress_small,
          .threshold = now.threshold,
          .edgeitems = now.edge_items};
}

void internal::write_arrays(std::ostream& os, const ndarray* arrays, std::size_t count) {
  os << '[';
  for (std::size_t i = 0; i < count; ++i) os << (i == 0 ? "" : ", ") << array_repr(arrays[i]);
  os << ']';
}

void internal::write_parts(std::ostream& os, const void* result,
                           ndarray (*part)(const void* result, int place)) {
  std::vector<ndarray> arrays;
  try {
    for (int place = 0;; ++place) arrays.push_back(part(result, place));
  } catch (const IndexError&) {  // behind the last
  }
  write_arrays(os, arrays.data(), arrays.size());
}

std::ostream& operator<<(std::ostream& os, const Flags& flags) {
  const auto word = [](bool flag) { return flag ? "True\n" : "False\n"; };
  return os << "  C_CONTIGUOUS : " << word(flags.c_contiguous)
            << "  F_CONTIGUOUS : " << word(flags.f_contiguous)
            << "  OWNDATA : " << word(flags.owndata) << "  WRITEABLE : " << word(flags.writeable);
}

std::string array_repr(const ndarray& a, const PrintOptions& options) {
  return text_of(a, options, internal::printing::repr_text);
}

std::string array_str(const ndarray& a, const PrintOptions& options) {
  return text_of(a, options, internal::printing::str_text);
}

std::string array2string(const ndarray& a, const PrintOptions& options, const ArrayFrame& frame) {
  return text_of(a, options, [&](const Edges& array, const TextOptions& text) {
    return internal::printing::framed_text(array, text,
                                           {frame.separator, frame.prefix, frame.suffix});
  });
}

std::ostream& operator<<(std::ostream& os, const ndarray& a) { return os << array_str(a); }

void PrintTo(const ndarray& a, std::ostream* os) { *os << array_repr(a); }

}  // namespace cupyxx
