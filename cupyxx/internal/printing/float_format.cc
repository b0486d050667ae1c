// SPDX-License-Identifier: MIT
#include "cupyxx/internal/printing/float_format.h"

#include <algorithm>
#include <cmath>

#include "cupyxx/internal/printing/shortest.h"

namespace cupyxx::internal::printing {
namespace {

/// `x` rounded to the element type.
double in_type(double x, cupyxx::dtype type) {
  if (type == float16) return static_cast<float>(half(x));
  if (type == bfloat16_) return static_cast<float>(bfloat16(x));
  if (type == float32) return static_cast<float>(x);
  return x;
}

bool wants_exponents(std::span<const double> values, cupyxx::dtype type, bool suppress_small) {
  double largest = 0;
  double smallest = INFINITY;
  for (const double value : values) {
    if (!std::isfinite(value) || value == 0) continue;
    largest = std::max(largest, std::fabs(value));
    smallest = std::min(smallest, std::fabs(value));
  }
  if (largest == 0) return false;
  if (largest >= in_type(1e8, type)) return true;
  // NumPy 1.24 compares in float64: float32's 1e-4, which is a little less, has an exponent.
  return !suppress_small && (smallest < 1e-4 || in_type(largest / smallest, type) > 1000);
}

std::string non_finite_text(double value, bool plus_sign = false) {
  const std::string plus = plus_sign ? "+" : "";
  return std::isnan(value) ? plus + "nan" : value < 0 ? "-inf" : plus + "inf";
}

/// Only elements that are whole numbers with zeros at their end may lack digits.
std::string filled_whole(const std::string& whole, double value) {
  return whole.ends_with("0") && value == std::trunc(value) ? exact_whole(value) : whole;
}

std::string padded_left(std::string text, std::size_t width) {
  if (text.size() < width) text.insert(0, width - text.size(), ' ');
  return text;
}

}  // namespace

std::vector<std::string> format_floats(std::span<const double> values, cupyxx::dtype type,
                                       const FloatOptions& options) {
  const bool exponents = wants_exponents(values, type, options.suppress_small);
  std::vector<DecimalText> texts(values.size());
  std::size_t whole_width = 0;
  std::size_t fraction_width = 0;
  int exponent_digits = 2;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) continue;
    texts[i] = exponents ? scientific_text(values[i], type, options.precision)
                         : positional_text(values[i], type, options.precision);
    if (options.plus_sign && !std::signbit(values[i])) texts[i].whole.insert(0, "+");
    whole_width = std::max(whole_width, texts[i].whole.size());
    fraction_width = std::max(fraction_width, texts[i].fraction.size());
    if (std::abs(texts[i].exponent) > 99) exponent_digits = 3;
  }
  // What follows the whole part: the point, the fraction, the exponent with its 'e' and sign.
  const std::size_t tail =
      1 + fraction_width + (exponents ? static_cast<std::size_t>(exponent_digits) + 2 : 0);
  for (const double value : values) {
    const std::size_t size =
        std::isfinite(value) ? 0 : non_finite_text(value, options.plus_sign).size();
    if (size > whole_width + tail) whole_width = size - tail;
  }

  std::vector<std::string> words(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) {
      words[i] = padded_left(non_finite_text(values[i], options.plus_sign), whole_width + tail);
      continue;
    }
    DecimalText& text = texts[i];
    // The fewest digits decide the widths only: NumPy fills them with digits of the exact value.
    if (exponents && text.fraction.size() < fraction_width) {
      text = exact_scientific_text(values[i], static_cast<int>(fraction_width));
    } else if (!exponents && text.fraction.empty()) {
      text.whole = filled_whole(text.whole, values[i]);
    }
    if (options.plus_sign && !std::signbit(values[i]) && !text.whole.starts_with("+")) {
      text.whole.insert(0, "+");
    }
    text.fraction.resize(fraction_width, exponents ? '0' : ' ');
    words[i] = padded_left(std::move(text.whole), whole_width) + "." + text.fraction;
    if (exponents) words[i] += exponent_text(text.exponent, exponent_digits);
  }
  return words;
}

std::string format_float(double value, cupyxx::dtype type) {
  if (!std::isfinite(value)) return non_finite_text(value);
  constexpr int kAllDigits = 1000;
  const double magnitude = std::fabs(value);
  if (magnitude == 0 || (magnitude >= 1e-4 && magnitude < 1e16)) {
    const DecimalText text = positional_text(value, type, kAllDigits);
    return text.whole + "." + (text.fraction.empty() ? "0" : text.fraction);
  }
  const DecimalText text = scientific_text(value, type, kAllDigits);
  return text.whole + (text.fraction.empty() ? "" : "." + text.fraction) +
         exponent_text(text.exponent);
}

std::string format_complex(double real, double imaginary, cupyxx::dtype part) {
  const auto text = [part](double x) {
    std::string digits = format_float(x, part);
    if (digits.ends_with(".0")) digits.resize(digits.size() - 2);
    return digits;
  };
  const std::string second = text(imaginary) + "j";
  if (real == 0 && !std::signbit(real)) return second;
  return "(" + text(real) + (second.front() == '-' ? "" : "+") + second + ")";
}

}  // namespace cupyxx::internal::printing
