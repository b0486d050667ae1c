// SPDX-License-Identifier: MIT
#include "cupyxx/internal/printing/shortest.h"

#include <charconv>
#include <cmath>

namespace cupyxx::internal::printing {
namespace {

// A double has up to 309 digits before its point, and here as many after it as are asked for.
constexpr std::size_t kMaxPrecision = 1100;

/// Splits "d.ddde+XX".
Decimal parse_scientific(const char* begin, const char* end) {
  Decimal result;
  const char* at = begin;
  for (; at != end && *at != 'e'; ++at) {
    if (*at != '.') result.digits += *at;
  }
  if (at != end) ++at;
  if (at != end && *at == '+') ++at;
  std::from_chars(at, end, result.exponent);
  return result;
}

Decimal rounded_decimal(double magnitude, int precision) {
  char text[kMaxPrecision + 400];
  const auto end =
      std::to_chars(text, text + sizeof text, magnitude, std::chars_format::scientific, precision);
  return parse_scientific(text, end.ptr);
}

template <class T>
Decimal shortest_of(T magnitude) {
  char text[64];
  const auto end =
      std::to_chars(text, text + sizeof text, magnitude, std::chars_format::scientific);
  return parse_scientific(text, end.ptr);
}

double parse(const Decimal& decimal) {
  const std::string text = decimal.digits.substr(0, 1) + "." + decimal.digits.substr(1) + "0e" +
                           std::to_string(decimal.exponent);
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

/// One more in the last digit.
Decimal increased(Decimal decimal) {
  std::size_t i = decimal.digits.size();
  while (i > 0 && decimal.digits[i - 1] == '9') decimal.digits[--i] = '0';
  if (i > 0) {
    ++decimal.digits[i - 1];
  } else {
    decimal.digits[0] = '1';
    ++decimal.exponent;
  }
  return decimal;
}

/// For types of few bits, of which every value is exact as a double: tries one digit, two, ...
template <class T>
Decimal shortest_by_trial(double magnitude) {
  const auto names_the_value = [magnitude](const Decimal& decimal) {
    return static_cast<double>(static_cast<float>(T(parse(decimal)))) == magnitude;
  };
  for (int precision = 0;; ++precision) {
    Decimal decimal = rounded_decimal(magnitude, precision);
    if (names_the_value(decimal)) return decimal;
    // At a power of two the neighbour above is farther than the one below: the next number up may
    // still round to the value when the nearest, below it, does not.
    decimal = increased(std::move(decimal));
    if (names_the_value(decimal)) return decimal;
  }
}

void trim_zeros(std::string& digits) {
  while (!digits.empty() && digits.back() == '0') digits.pop_back();
}

std::string sign_of(double value) { return std::signbit(value) ? "-" : ""; }

}  // namespace

Decimal shortest_decimal(double value, cupyxx::dtype type) {
  const double magnitude = std::fabs(value);
  if (magnitude == 0) return {"0", 0};
  Decimal result = type == float16     ? shortest_by_trial<half>(magnitude)
                   : type == bfloat16_ ? shortest_by_trial<bfloat16>(magnitude)
                   : type == float32   ? shortest_of(static_cast<float>(magnitude))
                                       : shortest_of(magnitude);
  while (result.digits.size() > 1 && result.digits.back() == '0') result.digits.pop_back();
  return result;
}

DecimalText positional_text(double value, cupyxx::dtype type, int precision) {
  const Decimal decimal = shortest_decimal(value, type);
  const int size = static_cast<int>(decimal.digits.size());
  DecimalText text;
  text.whole = sign_of(value);
  if (size - 1 - decimal.exponent > precision) {
    char digits[kMaxPrecision + 400];
    const auto end = std::to_chars(digits, digits + sizeof digits, std::fabs(value),
                                   std::chars_format::fixed, precision);
    const std::string all(digits, end.ptr);
    const std::size_t point = all.find('.');
    text.whole += all.substr(0, point);
    if (point != all.npos) text.fraction = all.substr(point + 1);
    trim_zeros(text.fraction);
  } else if (decimal.exponent < 0) {
    text.whole += '0';
    text.fraction = std::string(static_cast<std::size_t>(-decimal.exponent - 1), '0');
    text.fraction += decimal.digits;
    trim_zeros(text.fraction);
  } else {
    const int whole = std::min(size, decimal.exponent + 1);
    text.whole += decimal.digits.substr(0, static_cast<std::size_t>(whole));
    text.whole.append(static_cast<std::size_t>(decimal.exponent + 1 - whole), '0');
    text.fraction = decimal.digits.substr(static_cast<std::size_t>(whole));
  }
  return text;
}

DecimalText scientific_text(double value, cupyxx::dtype type, int precision) {
  Decimal decimal = shortest_decimal(value, type);
  if (static_cast<int>(decimal.digits.size()) - 1 > precision) {
    decimal = rounded_decimal(std::fabs(value), precision);
  }
  DecimalText text;
  text.whole = sign_of(value) + decimal.digits.substr(0, 1);
  text.fraction = decimal.digits.substr(1);
  trim_zeros(text.fraction);
  text.exponent = decimal.exponent;
  return text;
}

DecimalText exact_scientific_text(double value, int precision) {
  const Decimal decimal = rounded_decimal(std::fabs(value), precision);
  return {sign_of(value) + decimal.digits.substr(0, 1), decimal.digits.substr(1), decimal.exponent};
}

std::string exact_whole(double value) {
  char text[400];
  const auto end = std::to_chars(text, text + sizeof text, std::trunc(std::fabs(value)),
                                 std::chars_format::fixed, 0);
  return sign_of(value) + std::string(text, end.ptr);
}

std::string exponent_text(int exponent, int digits) {
  std::string number = std::to_string(std::abs(exponent));
  if (static_cast<int>(number.size()) < digits) {
    number.insert(0, static_cast<std::size_t>(digits) - number.size(), '0');
  }
  return (exponent < 0 ? "e-" : "e+") + number;
}

}  // namespace cupyxx::internal::printing
