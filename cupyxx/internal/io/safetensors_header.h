// SPDX-License-Identifier: MIT
// The JSON header of a safetensors file.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cupyxx/shape.h"

namespace cupyxx::internal::io {

/// One array in a file.
struct SafetensorsEntry {
  std::string name;
  std::string type;
  Shape shape;
  std::uint64_t begin = 0, end = 0;  // behind the header
};

struct SafetensorsHeader {
  std::vector<SafetensorsEntry> entries;  // as they stand in the text
  std::map<std::string, std::string> metadata;
};

/// The name that holds the texts beside the arrays.
inline constexpr const char* kSafetensorsMetadata = "__metadata__";

/// Reads a header in one pass, without recursion and without a tree of what it holds: time and
/// memory are linear in the text, whatever its depth. Throws IOError, naming `path` and the entry.
SafetensorsHeader read_safetensors_header(const std::string& path, std::string_view text);

/// A text in JSON's quotes. Throws ValueError, which begins with `operation`, where it is no UTF-8.
std::string json_quoted(const char* operation, const std::string& text);

}  // namespace cupyxx::internal::io
