// SPDX-License-Identifier: MIT
#include "cupyxx/internal/printing/array_format.h"

#include <algorithm>

#include "cupyxx/internal/printing/element_format.h"
#include "cupyxx/shape.h"

namespace cupyxx::internal::printing {
namespace {

std::int64_t element_count(std::span<const std::int64_t> shape) {
  // Of a broadcast array this may exceed 64 bits; anything above the threshold is as good.
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) {
    if (extent == 0) return 0;
  }
  for (const std::int64_t extent : shape) {
    if (__builtin_mul_overflow(count, extent, &count)) return INT64_MAX;
  }
  return count;
}

/// Lays out the words of the elements in nested brackets.
class Layout {
 public:
  Layout(const Edges& array, const TextOptions& options, std::vector<std::string> words,
         std::string separator, int line_width)
      : shape_(array.shape),
        edges_(edge_shape(array.shape, options)),
        edge_items_(options.edge_items),
        words_(std::move(words)),
        separator_(std::move(separator)),
        bare_separator_(separator_.substr(0, separator_.find_last_not_of(' ') + 1)),
        line_width_(std::max(line_width, 0)) {}

  std::string run(const std::string& indent) { return nested(0, 0, indent, line_width_); }

 private:
  /// The text below `axis`, of which the first word is `first`.
  std::string nested(std::size_t axis, std::size_t first, const std::string& indent, int width) {
    if (axis == edges_.size()) return words_[first];
    std::string text =
        axis + 1 == edges_.size() ? row(first, indent, width) : rows(axis, first, indent, width);
    return "[" + text.substr(indent.size()) + "]";
  }

  std::string row(std::size_t first, const std::string& indent, int width) {
    const std::size_t axis = edges_.size() - 1;
    const auto limit = static_cast<std::size_t>(
        std::max<int>(0, width - std::max<int>(static_cast<int>(bare_separator_.size()), 1)));
    std::string done;
    std::string line = indent;
    const auto add = [&](const std::string& word) {
      if (line.size() + word.size() > limit && line.size() > indent.size()) {
        line.resize(line.find_last_not_of(' ') + 1);
        done += line + "\n";
        line = indent;
      }
      line += word;
    };
    const std::int64_t count = edges_[axis];
    for (std::int64_t i = 0; i < count; ++i) {
      if (i == edge_items_ && is_shortened(axis)) {
        add("...");
        line += separator_;
      }
      add(words_[first + static_cast<std::size_t>(i)]);
      if (i + 1 < count) line += separator_;
    }
    return done + line;
  }

  std::string rows(std::size_t axis, std::size_t first, const std::string& indent, int width) {
    const std::string between =
        bare_separator_ + std::string(edges_.size() - axis - 1, '\n') + indent;
    std::int64_t stride = 1;
    for (std::size_t i = axis + 1; i < edges_.size(); ++i) stride *= edges_[i];
    std::string text = indent;
    const std::int64_t count = edges_[axis];
    for (std::int64_t i = 0; i < count; ++i) {
      if (i == edge_items_ && is_shortened(axis)) text += "..." + between;
      text +=
          nested(axis + 1, first + static_cast<std::size_t>(i * stride), indent + " ", width - 1);
      if (i + 1 < count) text += between;
    }
    return text;
  }

  bool is_shortened(std::size_t axis) const { return edges_[axis] != shape_[axis]; }

  std::span<const std::int64_t> shape_;
  std::vector<std::int64_t> edges_;
  std::int64_t edge_items_;
  std::vector<std::string> words_;
  std::string separator_;
  std::string bare_separator_;
  int line_width_;
};

std::string array_text(const Edges& array, const TextOptions& options, const std::string& prefix,
                       const std::string& separator, int line_width) {
  std::int64_t count = 1;
  for (const std::int64_t extent : edge_shape(array.shape, options)) count *= extent;
  if (count == 0) return "[]";
  std::vector<std::string> words =
      format_elements(array.dtype, array.elements, static_cast<std::size_t>(count),
                      {options.precision, options.suppress_small}, array.shape.empty());
  return Layout(array, options, std::move(words), separator, line_width)
      .run(std::string(prefix.size() + 1, ' '));
}

}  // namespace

std::vector<std::int64_t> edge_shape(std::span<const std::int64_t> shape,
                                     const TextOptions& options) {
  std::vector<std::int64_t> edges(shape.begin(), shape.end());
  if (element_count(shape) > options.threshold) {
    for (std::int64_t& extent : edges) {
      if (extent / 2 >= options.edge_items) extent = 2 * options.edge_items;
    }
  }
  return edges;
}

std::string str_text(const Edges& array, const TextOptions& options) {
  // A 0-d array prints as its element does, with all digits.
  if (array.shape.empty()) return format_element(array.dtype, array.elements);
  return array_text(array, options, "", " ", options.line_width);
}

std::string framed_text(const Edges& array, const TextOptions& options, const Frame& frame) {
  return array_text(array, options, frame.prefix, frame.separator,
                    options.line_width - static_cast<int>(frame.suffix.size()));
}

std::string repr_text(const Edges& array, const TextOptions& options) {
  const std::string prefix = "array(";
  const bool is_empty = element_count(array.shape) == 0;
  const bool is_implied = array.dtype == bool_ || array.dtype == int64 || array.dtype == float64 ||
                          array.dtype == complex128;
  const bool shows_dtype = is_empty || !is_implied;
  const std::string suffix = shows_dtype ? "," : ")";
  std::string text = prefix;
  if (is_empty && array.shape.size() != 1) {
    text += "[], shape=" + Shape(array.shape.data(), array.shape.size()).str();
  } else {
    text += array_text(array, options, prefix, ", ", options.line_width - 1);
  }
  text += suffix;
  if (!shows_dtype) return text;
  const std::string dtype_text = "dtype=" + std::string(array.dtype.name()) + ")";
  const std::size_t last_line = text.size() - (text.rfind('\n') + 1);
  const bool fits = static_cast<int>(last_line + dtype_text.size()) + 1 <= options.line_width;
  return text + (fits ? " " : "\n" + std::string(prefix.size(), ' ')) + dtype_text;
}

}  // namespace cupyxx::internal::printing
