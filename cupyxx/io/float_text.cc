// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "cupyxx/error.h"
#include "cupyxx/internal/c_numbers.h"
#include "cupyxx/internal/printing/shortest.h"
#include "cupyxx/printing.h"

namespace cupyxx {

namespace {

using internal::printing::Decimal;

// NumPy cuts off what exceeds its buffer of this size.
constexpr int kMostDigits = 16384;

void check(const char* operation, const FloatTextOptions& o, bool counts_all) {
  const std::string name = std::string(operation) + ": ";
  if (!o.unique && o.precision < 0)
    throw ValueError(message(name, "without unique a precision is needed"));
  if (counts_all && o.precision == 0) {
    throw ValueError(message(name, "without fractional the precision must be positive; 0"));
  }
  if (o.min_digits > 0 && o.precision >= 0 && o.min_digits > o.precision) {
    throw ValueError(message(name, "min_digits must not exceed the precision; ", o.min_digits,
                             " and ", o.precision));
  }
  for (const int count : {o.precision, o.min_digits, o.pad_left, o.pad_right, o.exp_digits}) {
    if (count <= kMostDigits) continue;
    throw ValueError(message(name, "a text has at most ", kMostDigits, " digits; ", count));
  }
  if (std::string_view("k.0-").find(o.trim) == std::string_view::npos) {
    throw ValueError(message(name, "trim must be 'k', '.', '0' or '-'; '", o.trim, "'"));
  }
}

// printf's digits: those of the exact value.
std::string printed(const char* format, int precision, double x) {
  std::vector<char> text(400 + static_cast<std::size_t>(precision));
  const internal::CNumbers point;
  const int size = std::snprintf(text.data(), text.size(), format, precision, x);
  return {text.data(), static_cast<std::size_t>(size)};
}

// The number rounded to some digits after its first one. Zeros at the end stay, but not those that
// a carry has made.
Decimal rounded(double x, int digits) {
  const std::string text = printed("%.*e", digits, x);
  const std::size_t e = text.find('e');
  Decimal decimal{text.substr(0, 1), std::atoi(text.c_str() + e + 1)};
  if (digits > 0) decimal.digits += text.substr(2, e - 2);
  return decimal;
}
void drop_carried_zeros(Decimal& decimal, double x) {
  std::string text = decimal.digits.substr(0, 1) + "." + decimal.digits.substr(1) + "e" +
                     std::to_string(decimal.exponent);
  const internal::CNumbers point;
  if (std::strtod(text.c_str(), nullptr) <= x) return;
  while (decimal.digits.size() > 1 && decimal.digits.back() == '0') decimal.digits.pop_back();
}

struct Parts {
  std::string whole, fraction;
};

// All digits around the point.
Parts laid_out(const Decimal& decimal) {
  const auto& digits = decimal.digits;
  if (decimal.exponent < 0) {
    return {"0", std::string(static_cast<std::size_t>(-decimal.exponent - 1), '0') + digits};
  }
  const auto whole = static_cast<std::size_t>(decimal.exponent) + 1;
  if (digits.size() <= whole) return {digits + std::string(whole - digits.size(), '0'), ""};
  return {digits.substr(0, whole), digits.substr(whole)};
}

std::string finished(Parts parts, bool negative, const std::string& exponent,
                     const FloatTextOptions& o) {
  if (static_cast<int>(parts.fraction.size()) < o.min_digits) {
    parts.fraction.resize(static_cast<std::size_t>(o.min_digits), '0');
  }
  if (o.trim != 'k') {
    while (!parts.fraction.empty() && parts.fraction.back() == '0') parts.fraction.pop_back();
  }
  if (o.trim == '0' && parts.fraction.empty()) parts.fraction = "0";
  const bool has_point = o.trim != '-' || !parts.fraction.empty();
  std::string left = (negative ? "-" : o.sign ? "+" : "") + parts.whole;
  if (static_cast<int>(left.size()) < o.pad_left) {
    left.insert(0, static_cast<std::size_t>(o.pad_left) - left.size(), ' ');
  }
  std::string right = parts.fraction + exponent;
  if (exponent.empty() && static_cast<int>(right.size()) < o.pad_right) {
    right.resize(static_cast<std::size_t>(o.pad_right), ' ');
    if (!has_point) right += ' ';
  }
  return left + (has_point ? "." : "") + right;
}

bool special_text(double x, const FloatTextOptions& o, std::string& text) {
  if (std::isfinite(x)) return false;
  text = std::isnan(x) ? "nan" : x < 0 ? "-inf" : o.sign ? "+inf" : "inf";
  return true;
}

}  // namespace

std::string internal::positional(double x, dtype type, const FloatTextOptions& o) {
  check("format_float_positional", o, !o.fractional);
  std::string text;
  if (special_text(x, o, text)) return text;
  const double size = std::fabs(x);
  Parts parts;
  const Decimal shortest = printing::shortest_decimal(size, type);
  const int count = static_cast<int>(shortest.digits.size());
  if (!o.fractional && o.precision > 0) {
    Decimal decimal = shortest;
    if (!o.unique || count > o.precision) {
      decimal = rounded(size, o.precision - 1);
      if (o.unique) drop_carried_zeros(decimal, size);
    }
    parts = laid_out(decimal);
  } else if (o.precision >= 0 && (!o.unique || count - 1 - shortest.exponent > o.precision)) {
    const std::string all = printed("%.*f", o.precision, size);
    const std::size_t point = all.find('.');
    parts = {all.substr(0, point), point == all.npos ? "" : all.substr(point + 1)};
    const internal::CNumbers with_a_point;
    if (o.unique && std::strtod(all.c_str(), nullptr) > size) {
      while (!parts.fraction.empty() && parts.fraction.back() == '0') parts.fraction.pop_back();
    }
  } else {
    parts = laid_out(shortest);
    if (size == 0) parts.fraction.clear();
  }
  return finished(parts, std::signbit(x), "", o);
}

std::string internal::scientific(double x, dtype type, const FloatTextOptions& o) {
  check("format_float_scientific", o, false);
  std::string text;
  if (special_text(x, o, text)) return text;
  const double size = std::fabs(x);
  Decimal decimal = printing::shortest_decimal(size, type);
  if (o.precision >= 0 &&
      (!o.unique || static_cast<int>(decimal.digits.size()) - 1 > o.precision)) {
    decimal = rounded(size, o.precision);
    if (o.unique) drop_carried_zeros(decimal, size);
  }
  const int digits = o.exp_digits < 0 ? 2 : std::max(1, o.exp_digits);
  return finished({decimal.digits.substr(0, 1), decimal.digits.substr(1)}, std::signbit(x),
                  printing::exponent_text(decimal.exponent, digits), o);
}

std::string format_float_positional(const ndarray& x, const FloatTextOptions& options) {
  return internal::positional(x.item<double>(), x.dtype().is_floating() ? x.dtype() : float64,
                              options);
}
std::string format_float_scientific(const ndarray& x, const FloatTextOptions& options) {
  return internal::scientific(x.item<double>(), x.dtype().is_floating() ? x.dtype() : float64,
                              options);
}

}  // namespace cupyxx
