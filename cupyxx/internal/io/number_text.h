// SPDX-License-Identifier: MIT
// Numbers as text: formats of printf's kind, and elements read from text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cupyxx/dtype.h"
#include "cupyxx/scalar.h"

namespace cupyxx::internal::io {

/// The parts of a format that hold one conversion of a number each ("%d-%.1f" has "%d" and
/// "-%.1f"), or of its text ("%s", "%r"). Throws ValueError, naming `operation`, for a format
/// without conversions or with others.
std::vector<std::string> split_format(const char* operation, const std::string& format);
/// A number by one such part, as Python's; "%s" is its text in Python. Throws ValueError and
/// OverflowError for NaN and infinities as integers, TypeError for floating numbers by %x and %o.
std::string format_number(const char* operation, const std::string& part, const Scalar& number);
/// Whether a part takes a text, and a text by it.
bool takes_text(const std::string& part);
std::string format_text(const std::string& part, const std::string& text);

/// The next line of a text, which is removed with its end: "\n", "\r\n" or, as Python's text files
/// know it, "\r" alone.
std::string_view take_line(std::string_view& rest);

/// Reads a number at the front of `text` and removes it; false where there is none. Integers take
/// decimal digits, bool any number, floating dtypes what "nan", "inf" and exponents say, complex
/// ones Python's "(1-2j)" with or without parentheses.
/// Throws OverflowError, naming `operation`, for an integer that does not fit, and DtypeError for
/// dtypes without text.
bool read_number(const char* operation, std::string_view& text, dtype type, void* element);

}  // namespace cupyxx::internal::io
