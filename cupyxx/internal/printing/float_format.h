// SPDX-License-Identifier: MIT
// Floating numbers as text by NumPy's rules: the fewest digits that name the value, one layout for
// all elements of an array.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cupyxx/dtype.h"

namespace cupyxx::internal::printing {

/// How the elements of an array are laid out.
struct FloatOptions {
  int precision = 8;  // most digits after the point
  bool suppress_small = false;
  bool plus_sign = false;  // also positive numbers show their sign
};

/// The texts of the elements, all of one width, points aligned. Values are those of elements of
/// dtype `type`, which decides how many digits are needed.
std::vector<std::string> format_floats(std::span<const double> values, cupyxx::dtype type,
                                       const FloatOptions& options);

/// One number as Python's str(): "0.1", "1e+20", "nan".
std::string format_float(double value, cupyxx::dtype type);

/// The same of a complex number: "(1+2j)", "2j".
std::string format_complex(double real, double imaginary, cupyxx::dtype part);

}  // namespace cupyxx::internal::printing
