// SPDX-License-Identifier: MIT
// The small part of Python's literals that stands in an npy header.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cupyxx::internal::io {

/// The entries of a header's dictionary that were found.
struct NpyLiteral {
  std::optional<std::string> descr;
  bool structured = false;  // descr is a list of fields
  std::optional<bool> fortran_order;
  std::optional<std::vector<std::int64_t>> shape;
};

/// Parses "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }" with keys in any order and
/// any spacing. Returns what is wrong, or an empty text.
std::string parse_npy_literal(std::string_view text, NpyLiteral& out);

}  // namespace cupyxx::internal::io
