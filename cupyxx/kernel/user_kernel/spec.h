// SPDX-License-Identifier: MIT
// The specification of a user's kernel: argument strings such as "T x, raw float32 y", parsed and
// checked.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cupyxx/dtype.h"

namespace cupyxx::internal::user_kernel {

/// One argument of a kernel.
struct Parameter {
  std::string name;
  std::string type;     ///< as written: "T", "float32"
  cupyxx::dtype fixed;  ///< unspecified for a placeholder
  bool raw = false;
  bool is_output = false;
};

/// Parses "type name, raw type name, ..." and appends to `parameters`, in which names must stay
/// unique. `kernel` and `list` ("in_params") are for messages. Throws ValueError; TypeError for an
/// unknown type.
void parse_parameters(const std::string& kernel, const char* list, std::string_view text,
                      bool is_output, std::vector<Parameter>& parameters);

/// Throws ValueError unless `name` can name a kernel.
void check_kernel_name(std::string_view name);

/// Whether `text` mentions an identifier.
bool mentions(std::string_view text, std::string_view identifier);
/// Whether a text mentions an identifier otherwise than on the left of == and !=, as `y == x` does,
/// which was to be `y = x`.
bool does_more_than_compare(std::string_view text, std::string_view identifier);

/// A user's statements as one that others may follow: `return`, and outside of loops `break` and
/// `continue`, end the element at hand, however many a thread goes through.
std::string as_statement(const std::string& text);

/// The texts of CuPy's names for how many elements there are, `_ind.size()`: a type for the
/// preamble, and a variable of it.
std::string indexer_type();
std::string indexer(std::string_view name, std::string_view size);

}  // namespace cupyxx::internal::user_kernel
