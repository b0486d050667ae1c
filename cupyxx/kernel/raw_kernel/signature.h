// SPDX-License-Identifier: MIT
// What is known of a raw kernel's parameters without asking a device: their names and types, from
// the text of the source or from a mangled name.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cupyxx/dtype.h"

namespace cupyxx::internal::raw_kernel {

/// One parameter of a kernel.
struct Parameter {
  std::string text;       ///< as it is shown: "const float* x"
  std::string name;       ///< may be empty
  int pointers = 0;       ///< the number of stars
  bool is_const = false;  ///< what a pointer points to
  bool is_void = false;
  bool is_char = false;  ///< plain `char` stands for any one-byte type
  cupyxx::dtype type;    ///< of the value or of what is pointed to; unspecified for other types
};

/// The parameters of `__global__ ... function(...)` in a source; nothing where it is not found.
std::optional<std::vector<Parameter>> parse_source(std::string_view source,
                                                   std::string_view function);

/// The same from a mangled name such as "_Z4axpyIfEvPKT_iS0_"; nothing for an extern "C" name.
std::optional<std::vector<Parameter>> parse_mangled(const std::string& name);

/// The best of both: types of the mangled name, names of the source.
std::optional<std::vector<Parameter>> find_signature(std::string_view source,
                                                     std::string_view function,
                                                     const std::string& lowered);

/// "(const float* x, int n)".
std::string describe(const std::vector<Parameter>& parameters);

}  // namespace cupyxx::internal::raw_kernel
