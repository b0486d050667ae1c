// SPDX-License-Identifier: MIT
#include "cupyxx/scalar.h"

#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <ostream>

#include "cupyxx/error.h"

namespace cupyxx {

namespace {

/// C's conversion where C defines it; saturates elsewhere and makes 0 of NaN, as the devices do.
template <class T>
T integer_from(double value) {
  using Limits = std::numeric_limits<T>;
  if (value != value) return 0;
  // max + 1 is a power of two and so exact, which max itself need not be.
  const double end = std::ldexp(1.0, Limits::digits);
  if (value >= end) return Limits::max();
  if (value <= static_cast<double>(Limits::min())) return Limits::min();
  return static_cast<T>(value);
}

/// Python's text of a float: the shortest digits that read back to the same number.
template <class T>
std::string float_text(T value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  char digits[64];
  char* end =
      std::to_chars(digits, digits + sizeof(digits), value, std::chars_format::scientific).ptr;
  const std::string text(digits, end);
  const int exponent = std::stoi(text.substr(text.find('e') + 1));
  if (exponent < -4 || exponent >= 16) return text;
  end = std::to_chars(digits, digits + sizeof(digits), value, std::chars_format::fixed).ptr;
  const std::string fixed(digits, end);
  return fixed.find('.') == std::string::npos ? fixed + ".0" : fixed;
}

/// Python's text of a complex number: "(1+2j)", "2j".
std::string complex_text(const complex<double>& z, bool single) {
  const auto part = [single](double x) {
    std::string text = single ? float_text(static_cast<float>(x)) : float_text(x);
    if (text.ends_with(".0")) text.resize(text.size() - 2);
    return text;
  };
  const std::string imaginary = part(z.im) + "j";
  if (z.re == 0 && !std::signbit(z.re)) return imaginary;
  const bool is_signed = imaginary.front() == '-';
  return "(" + part(z.re) + (is_signed ? "" : "+") + imaginary + ")";
}

template <class T>
void write(void* element, T value) {
  std::memcpy(element, &value, sizeof(value));
}

}  // namespace

dtype Scalar::own_dtype() const {
  if (dtype_) return dtype_;
  switch (kind_) {
    case Kind::boolean:
      return bool_;
    case Kind::integer:
      return int64;
    case Kind::unsigned_integer:
      return uint64;
    case Kind::floating:
      return float64;
    case Kind::complex_floating:
      return complex128;
  }
  return float64;
}

bool Scalar::fits(cupyxx::dtype type) const {
  if (is_inexact() || kind_ == Kind::boolean || !type.is_integer()) return true;
  const int bits = static_cast<int>(8 * type.itemsize());
  if (kind_ == Kind::unsigned_integer) return type == uint64;
  if (type.is_signed_integer()) {
    const auto max = static_cast<std::int64_t>(~std::uint64_t{0} >> (65 - bits));
    return integer_ >= -max - 1 && integer_ <= max;
  }
  return integer_ >= 0 && static_cast<std::uint64_t>(integer_) <= ~std::uint64_t{0} >> (64 - bits);
}

void Scalar::store(const char* operation, cupyxx::dtype type, void* element) const {
  if (!fits(type)) {
    throw OverflowError(message(operation, ": ", str(), " does not fit ", type.name()));
  }
  if (kind_ == Kind::complex_floating && !type.is_complex() && !type.is_bool()) {
    throw TypeError(
        message(operation, ": a complex number cannot become ", type.name(), "; ", str()));
  }
  const auto write_integer = [&]<class T>(T) {
    write(element, is_inexact() ? integer_from<T>(floating_) : static_cast<T>(integer_));
  };
  using Code = cupyxx::dtype::Code;
  switch (type.code()) {
    case Code::bool_:
      return write(element, is_true());
    case Code::int8:
      return write_integer(std::int8_t{});
    case Code::int16:
      return write_integer(std::int16_t{});
    case Code::int32:
      return write_integer(std::int32_t{});
    case Code::int64:
      return write_integer(std::int64_t{});
    case Code::uint8:
      return write_integer(std::uint8_t{});
    case Code::uint16:
      return write_integer(std::uint16_t{});
    case Code::uint32:
      return write_integer(std::uint32_t{});
    case Code::uint64:
      return write_integer(std::uint64_t{});
    case Code::float16:
      return write(element, half(as_double()));
    case Code::bfloat16:
      return write(element, bfloat16(as_double()));
    case Code::float32:
      // Integers go straight: through double they would round twice.
      if (kind_ == Kind::integer) return write(element, static_cast<float>(integer_));
      if (kind_ == Kind::unsigned_integer) {
        return write(element, static_cast<float>(static_cast<std::uint64_t>(integer_)));
      }
      return write(element, static_cast<float>(as_double()));
    case Code::float64:
      return write(element, as_double());
    case Code::complex64:
      return write(element, complex<float>(as_complex()));
    case Code::complex128:
      return write(element, as_complex());
    case Code::float8_e4m3:
    case Code::float8_e5m2:
    case Code::unspecified:
      break;
  }
  throw DtypeError(message(operation, ": no number can be stored as this dtype; ", type.name()));
}

std::string Scalar::str() const {
  switch (kind_) {
    case Kind::boolean:
      return integer_ != 0 ? "True" : "False";
    case Kind::integer:
      return std::to_string(integer_);
    case Kind::unsigned_integer:
      return std::to_string(static_cast<std::uint64_t>(integer_));
    case Kind::complex_floating:
      return complex_text(as_complex(), dtype_ == complex64);
    case Kind::floating:
      break;
  }
  return dtype_ == float32 ? float_text(static_cast<float>(floating_)) : float_text(floating_);
}

void Scalar::check_real() const {
  if (kind_ != Kind::complex_floating) return;
  throw TypeError(message("item: a complex number cannot become a real one; ", str()));
}

std::int64_t Scalar::checked_integer(cupyxx::dtype type, bool truncate) const {
  check_real();
  const auto beyond = [&] {
    return OverflowError(message("item: ", str(), " does not fit ", type.name()));
  };
  if (kind_ != Kind::floating) {
    if (!fits(type)) throw beyond();
    return integer_;
  }
  if (std::isnan(floating_)) throw ValueError("item: cannot convert float NaN to integer");
  const double whole = std::trunc(floating_);
  if (!truncate && whole != floating_) {
    throw ValueError(message("item: ", str(), " is no integer; write item<std::", type.name(),
                             "_t>() to cut its fraction off"));
  }
  if (!(whole >= -0x1p63 && whole < (type == uint64 ? 0x1p64 : 0x1p63))) throw beyond();
  if (type == uint64) {
    if (whole < 0) throw beyond();
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(whole));
  }
  const auto integer = static_cast<std::int64_t>(whole);
  if (!Scalar(integer).fits(type)) throw beyond();
  return integer;
}

std::ostream& operator<<(std::ostream& os, const Scalar& value) { return os << value.str(); }

}  // namespace cupyxx
