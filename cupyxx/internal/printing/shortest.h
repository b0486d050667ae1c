// SPDX-License-Identifier: MIT
// Decimal digits of binary floating numbers.
#pragma once

#include <string>

#include "cupyxx/dtype.h"

namespace cupyxx::internal::printing {

/// A finite number d.ddd x 10^exponent without its sign; zero is "0" with exponent 0. The first
/// digit of another number is not zero.
struct Decimal {
  std::string digits;
  int exponent = 0;
};

/// The fewest digits that still round to this value of `type`, and among those the nearest.
Decimal shortest_decimal(double value, cupyxx::dtype type);

/// A number as text in two parts around the point.
struct DecimalText {
  std::string whole;     // with '-' for a negative number
  std::string fraction;  // without zeros at its end
  int exponent = 0;      // of a scientific text
};

/// 123.45: the shortest digits, but at most `precision` after the point, correctly rounded.
DecimalText positional_text(double value, cupyxx::dtype type, int precision);

/// 1.2345 and exponent 2, likewise.
DecimalText scientific_text(double value, cupyxx::dtype type, int precision);

/// The same with exactly `precision` digits after the point, those of the exact value.
DecimalText exact_scientific_text(double value, int precision);
/// The whole part of a number, with all its digits.
std::string exact_whole(double value);

/// "e+02": a sign and at least `digits` digits.
std::string exponent_text(int exponent, int digits = 2);

}  // namespace cupyxx::internal::printing
