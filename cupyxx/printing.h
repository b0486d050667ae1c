// SPDX-License-Identifier: MIT
// Arrays as text, as NumPy 1.24 prints them.
#pragma once

#include <optional>
#include <string>

#include "cupyxx/ndarray.h"

namespace cupyxx {

/// Options of array_repr and array_str; unset ones are those of set_printoptions, at first NumPy's
/// (75, 8, false, 1000, 3).
struct PrintOptions {
  std::optional<int> max_line_width = {};
  std::optional<int> precision = {};
  std::optional<bool> suppress_small = {};
  std::optional<std::int64_t> threshold = {};  ///< larger arrays are printed without their middle
  std::optional<std::int64_t> edgeitems = {};  ///< then so many elements at each end of an axis
};

/// Sets what all threads print with from now on, as far as it is given; `operator<<` uses it too.
/// Throws ValueError for edgeitems below 1 and negative precisions.
CUPYXX_API void set_printoptions(const PrintOptions& options);
/// What is set; all of it has a value.
CUPYXX_API PrintOptions get_printoptions();

/// "array([1., 2.])". Synchronises.
CUPYXX_API std::string array_repr(const ndarray& a, const PrintOptions& options = {});
/// "[1. 2.]". Synchronises.
CUPYXX_API std::string array_str(const ndarray& a, const PrintOptions& options = {});

/// What stands around the elements in array2string.
struct ArrayFrame {
  std::string separator = " ";
  std::string prefix = {};  ///< what the caller writes before the text: lines are indented by it
  std::string suffix = {};  ///< what stands behind it: lines are shorter by it
};
/// "[1., 2.]": array_str in a frame. Neither prefix nor suffix are part of the text. Synchronises.
CUPYXX_API std::string array2string(const ndarray& a, const PrintOptions& options = {},
                                    const ArrayFrame& frame = {});

/// For GoogleTest's messages.
CUPYXX_API void PrintTo(const ndarray& a, std::ostream* os);

}  // namespace cupyxx
