// SPDX-License-Identifier: MIT
// The reference page of a library, from its headers: every public name, its signature, one line.
#pragma once

#include <string>
#include <vector>

namespace cupyxx::tools {

/// A public name.
struct Entry {
  std::string name;       ///< with the classes around it: `DeviceScope::DeviceScope`
  std::string signature;  ///< on one line, without a body
  std::string line;       ///< the first sentence of its comment; empty when there is none
  int depth = 0;          ///< classes around it
};

/// The public names of a header, in their order. A comment counts for the declarations that follow
/// it without an empty line; constructors, fields, operators and enumerators need none of their
/// own.
std::vector<Entry> parse_header(const std::string& text);

/// Gives names without a line the one of another declaration of the name (a function of a class and
/// the same for the default object), a constant or an alias that of its type.
void complete(std::vector<std::vector<Entry>>& headers);

/// A page's part of one header: what its first comment says, then its names.
std::string header_section(const std::string& path, const std::string& text,
                           const std::vector<Entry>& entries);

}  // namespace cupyxx::tools
