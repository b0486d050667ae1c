// SPDX-License-Identifier: MIT
// The names of types, for device text.
#pragma once

#include <string_view>

namespace cupyxx::extension {

/// The qualified name of a type, cut out of the compiler's own text.
template <class T>
constexpr std::string_view type_name() {
  std::string_view text = __PRETTY_FUNCTION__;
  text.remove_prefix(text.find("T = ") + 4);
  return text.substr(0, text.find_first_of(";]"));
}

}  // namespace cupyxx::extension
