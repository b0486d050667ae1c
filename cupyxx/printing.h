// SPDX-License-Identifier: MIT
// Arrays as text, as NumPy 1.24 prints them.
#pragma once

#include <optional>
#include <string>

#include "cupyxx/ndarray.h"

namespace cupyxx {

/// Options of array_repr and array_str; unset ones are NumPy's defaults (75, 8, false).
struct PrintOptions {
  std::optional<int> max_line_width = {};
  std::optional<int> precision = {};
  std::optional<bool> suppress_small = {};
};

/// "array([1., 2.])". Synchronises.
CUPYXX_API std::string array_repr(const ndarray& a, const PrintOptions& options = {});
/// "[1. 2.]". Synchronises.
CUPYXX_API std::string array_str(const ndarray& a, const PrintOptions& options = {});

/// For GoogleTest's messages.
CUPYXX_API void PrintTo(const ndarray& a, std::ostream* os);

}  // namespace cupyxx
