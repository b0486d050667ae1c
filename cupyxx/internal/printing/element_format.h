// SPDX-License-Identifier: MIT
// Elements of any dtype as words.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cupyxx/dtype.h"
#include "cupyxx/internal/printing/float_format.h"

namespace cupyxx::internal::printing {

/// The elements as words of one width. Throws TypeError for a dtype that has no text.
std::vector<std::string> format_elements(cupyxx::dtype type, const void* elements,
                                         std::size_t count, const FloatOptions& options,
                                         bool is_scalar);

/// One element as Python's str() of a NumPy scalar.
std::string format_element(cupyxx::dtype type, const void* element);

}  // namespace cupyxx::internal::printing
