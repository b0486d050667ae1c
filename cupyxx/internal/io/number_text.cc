// SPDX-License-Identifier: MIT
#include "cupyxx/internal/io/number_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <type_traits>
#include <utility>

#include "cupyxx/error.h"
#include "cupyxx/internal/c_numbers.h"
#include "cupyxx/internal/element_types.h"

namespace cupyxx::internal::io {

namespace {

constexpr std::string_view kConversions = "diouxXeEfFgGsr";
constexpr std::string_view kTexts = "sr";  // both are Python's text of a number
constexpr std::string_view kFlags = "0123456789.+- #";
constexpr std::size_t kLongest = 511;
constexpr std::size_t kWidthDigits = 4;  // a number of 2 GB is nobody's wish

template <class T>
void store(void* element, T value) {
  std::memcpy(element, &value, sizeof value);
}

template <class T>
bool store_integer(void* element, __int128 value) {
  store(element, static_cast<T>(value));
  return static_cast<T>(value) == value;
}

bool store_as(dtype type, void* element, __int128 value) {
  bool fits = false;
  with_element_type(type, [&]<class T>() {
    if constexpr (std::is_integral_v<T>) fits = store_integer<T>(element, value);
  });
  return fits;
}

// Decimal digits; false where there are none, or more than any integer has.
bool read_integer(std::string_view& text, __int128& value) {
  std::size_t at = !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
  const bool negative = at == 1 && text[0] == '-';
  const std::size_t first = at;
  value = 0;
  for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at) {
    if (at - first > 25) return false;
    value = value * 10 + (text[at] - '0');
  }
  if (at == first) return false;
  if (negative) value = -value;
  text.remove_prefix(at);
  return true;
}

bool read_double(std::string_view& text, double& value) {
  std::string_view digits = text;
  if (!digits.empty() && digits[0] == '+') digits.remove_prefix(1);
  if (digits.starts_with('-') && text.starts_with('+')) return false;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc::invalid_argument) return false;
  if (error == std::errc::result_out_of_range) {
    // Too large or too small for a double: a wider type says which.
    long double wide = 0;
    if (std::from_chars(digits.data(), end, wide).ec != std::errc()) {
      const bool tiny = std::string_view(digits.data(), end).find("e-") != std::string_view::npos;
      wide = tiny ? 0 : digits[0] == '-' ? -__builtin_infl() : __builtin_infl();
    }
    value = static_cast<double>(wide);
  }
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

std::string digits_of(char conversion, std::uint64_t magnitude) {
  const char* const format = conversion == 'x'   ? "%llx"
                             : conversion == 'X' ? "%llX"
                             : conversion == 'o' ? "%llo"
                                                 : "%llu";
  char text[32];
  std::snprintf(text, sizeof text, format, static_cast<unsigned long long>(magnitude));
  return text;
}

// The whole part of a number as Python's %d, %i, %u, %o, %x and %X have it: integers of any size,
// and negative ones with a sign in every base. `how` is what stands before the conversion.
std::string whole_text(const char* operation, std::string_view how, char conversion,
                       const Scalar& number) {
  bool negative = false;
  std::string digits;
  if (number.is_inexact()) {
    const double value = std::trunc(number.as_double());
    if (std::string_view("oxX").find(conversion) != std::string_view::npos) {
      throw TypeError(message(operation, ": %", conversion, " is for integers; ", number));
    }
    if (std::isnan(value)) {
      throw ValueError(message(operation, ": %", conversion, " of NaN, which is no integer"));
    }
    if (std::isinf(value)) {
      throw OverflowError(message(operation, ": %", conversion, " of an infinity; ", number));
    }
    negative = value < 0;
    char text[320];
    std::snprintf(text, sizeof text, "%.0f", std::fabs(value));
    digits = text;
  } else {
    const std::int64_t value = number.as_int64();
    negative = number.kind() != Scalar::Kind::unsigned_integer && value < 0;
    const auto bits = static_cast<std::uint64_t>(value);
    digits = digits_of(conversion, negative ? 0 - bits : bits);
  }
  const std::size_t flags = std::min(how.find_first_not_of("0+- #"), how.size());
  const auto has = [&](char flag) { return how.substr(0, flags).find(flag) != how.npos; };
  const std::size_t point = std::min(how.find('.'), how.size());
  const auto number_at = [&](std::size_t at) {
    return at < how.size() ? std::strtoul(std::string(how.substr(at)).c_str(), nullptr, 10) : 0;
  };
  const std::size_t width = number_at(flags), precision = number_at(point + 1);
  digits.insert(0, std::max(precision, digits.size()) - digits.size(), '0');
  std::string sign = negative ? "-" : has('+') ? "+" : has(' ') ? " " : "";
  if (has('#') && conversion == 'o') sign += "0o";
  if (has('#') && (conversion == 'x' || conversion == 'X')) sign += {'0', conversion};
  const std::size_t length = sign.size() + digits.size();
  const std::size_t missing = std::max(width, length) - length;
  if (has('-')) return sign + digits + std::string(missing, ' ');
  if (has('0')) return sign + std::string(missing, '0') + digits;
  return std::string(missing, ' ') + sign + digits;
}

bool take(std::string_view& text, char sign) {
  if (!text.starts_with(sign)) return false;
  text.remove_prefix(1);
  return true;
}

bool take_unit(std::string_view& text) { return take(text, 'j') || take(text, 'J'); }

// "1", "2j", "1-2j", also in parentheses: what savetxt and tofile write.
bool read_complex(std::string_view& text, double (&parts)[2]) {
  std::string_view rest = text;
  const bool enclosed = take(rest, '(');
  double first = 0, second = 0;
  if (!read_double(rest, first)) return false;
  if (take_unit(rest)) {
    second = std::exchange(first, 0);
  } else if (rest.starts_with('+') || rest.starts_with('-')) {
    if (!read_double(rest, second) || !take_unit(rest)) return false;
  }
  if (enclosed && !take(rest, ')')) return false;
  parts[0] = first;
  parts[1] = second;
  text = rest;
  return true;
}

}  // namespace

std::vector<std::string> split_format(const char* operation, const std::string& format) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t percent = format.find('%'); percent != std::string::npos;
       percent = format.find('%', begin)) {
    const std::size_t end = format.find_first_not_of(kFlags, percent + 1);
    if (end == std::string::npos || kConversions.find(format[end]) == std::string_view::npos ||
        end - percent > 20) {
      break;
    }
    std::size_t digits = 0;
    for (std::size_t at = percent + 1; at < end; ++at) {
      digits = format[at] >= '0' && format[at] <= '9' ? digits + 1 : 0;
      if (digits <= kWidthDigits) continue;
      throw ValueError(message(operation, ": widths and precisions of a format have up to ",
                               kWidthDigits, " digits; '", format, "'"));
    }
    parts.push_back(format.substr(begin, end + 1 - begin));
    begin = end + 1;
  }
  if (parts.empty() || format.find('%', begin) != std::string::npos) {
    throw ValueError(
        message(operation, ": a format has conversions of numbers only; '", format, "'"));
  }
  parts.back() += format.substr(begin);
  return parts;
}

bool takes_text(const std::string& part) {
  return kTexts.find(part[part.find_first_of(kConversions, part.find('%'))]) != kTexts.npos;
}

std::string format_text(const std::string& part, const std::string& text) {
  const std::size_t percent = part.find('%');
  const std::size_t end = part.find_first_of(kTexts, percent);
  const std::string how = part.substr(percent + 1, end - percent - 1);
  const std::size_t point = std::min(how.find('.'), how.size());
  std::string shown = text;
  if (point < how.size())
    shown.resize(std::min(shown.size(), std::strtoul(&how[point + 1], nullptr, 10)));
  const std::size_t digits = std::min(how.find_first_of("123456789"), point);
  const std::size_t width = std::strtoul(how.substr(digits, point - digits).c_str(), nullptr, 10);
  const std::string blanks(std::max(width, shown.size()) - shown.size(), ' ');
  const bool left = how.substr(0, digits).find('-') != std::string::npos;
  return part.substr(0, percent) + (left ? shown + blanks : blanks + shown) + part.substr(end + 1);
}

std::string format_number(const char* operation, const std::string& part, const Scalar& number) {
  if (takes_text(part)) return format_text(part, number.str());
  const std::size_t percent = part.find('%');
  const std::size_t end = part.find_first_of(kConversions, percent);
  if (std::string_view("diouxX").find(part[end]) != std::string_view::npos) {
    const std::string_view how = std::string_view(part).substr(percent + 1, end - percent - 1);
    return part.substr(0, percent) + whole_text(operation, how, part[end], number) +
           part.substr(end + 1);
  }
  std::string text(kLongest + 1, '\0');
  const CNumbers point;
  const double value = number.as_double();
  const int length = std::snprintf(text.data(), text.size(), part.c_str(), value);
  if (length < 0) return text;
  if (static_cast<std::size_t>(length) < text.size()) {
    text.resize(static_cast<std::size_t>(length));
    return text;
  }
  text.resize(static_cast<std::size_t>(length) + 1);
  std::snprintf(text.data(), text.size(), part.c_str(), value);
  text.pop_back();
  return text;
}

std::string_view take_line(std::string_view& rest) {
  const std::size_t end = std::min(rest.find_first_of("\r\n"), rest.size());
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end);
  rest.remove_prefix(rest.starts_with("\r\n") ? 2 : rest.empty() ? 0 : 1);
  return line;
}

bool read_number(const char* operation, std::string_view& text, dtype type, void* element) {
  const std::string_view whole = text;
  const auto overflow = [&] {
    throw OverflowError(message(operation, ": ", whole.substr(0, whole.size() - text.size()),
                                " does not fit ", type.name()));
  };
  if (type.is_integer()) {
    __int128 integer = 0;
    const bool is_fraction = text.find('.') == (text.find_first_of("+-") == 0 ? 1 : 0);
    if (!is_fraction && !read_integer(text, integer)) return false;
    // "1e2", ".5" and "2.7" are numbers, too; NumPy takes their integer part.
    if (!is_fraction &&
        (text.empty() || std::string_view(".eE").find(text[0]) == std::string_view::npos)) {
      if (!store_as(type, element, integer)) overflow();
      return true;
    }
    text = whole;
  }
  if (type.kind() == 'c') {
    double parts[2];
    if (!read_complex(text, parts)) return false;
    if (type == complex128) {
      std::memcpy(element, parts, sizeof parts);
    } else {
      const float narrow[2] = {static_cast<float>(parts[0]), static_cast<float>(parts[1])};
      std::memcpy(element, narrow, sizeof narrow);
    }
    return true;
  }
  double value = 0;
  if (!read_double(text, value)) return false;
  if (type.is_integer()) {
    if (!(value > -1e20 && value < 1e20) ||
        !store_as(type, element, static_cast<__int128>(value))) {
      overflow();
    }
    return true;
  }
  const bool stored = with_element_type(type, [&]<class T>() {
    if constexpr (!is_complex<T>) store(element, static_cast<T>(value));
  });
  if (!stored) {
    throw DtypeError(
        message(operation, ": no numbers of this dtype are read from text; ", type.name()));
  }
  return true;
}

}  // namespace cupyxx::internal::io
