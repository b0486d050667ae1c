// SPDX-License-Identifier: MIT
#include "cupyxx/type_functions.h"

#include <algorithm>
#include <cmath>
#include <new>

#include "cupyxx/core/resolve.h"
#include "cupyxx/error.h"

namespace cupyxx {

bool issubdtype(dtype type, DtypeKind kind) {
  switch (kind) {
    case DtypeKind::generic:
      return static_cast<bool>(type);
    case DtypeKind::number:
      return type && !type.is_bool();
    case DtypeKind::integer:
      return type.is_integer();
    case DtypeKind::signedinteger:
      return type.is_signed_integer();
    case DtypeKind::unsignedinteger:
      return type.is_unsigned_integer();
    case DtypeKind::inexact:
      return type.is_inexact();
    case DtypeKind::floating:
      return type.is_floating();
    default:
      return type.is_complex();
  }
}

dtype min_scalar_type(const Operand& value) {
  if (value.is_none()) throw TypeError("min_scalar_type: the array is None");
  if (value.is_array()) return value.array().dtype();
  const Scalar& x = value.scalar();
  if (x.kind() == Scalar::Kind::boolean) return bool_;
  if (x.kind() == Scalar::Kind::complex_floating) {
    const complex<double> z = x.as_complex();
    const auto is_small = [](double part) { return !(std::abs(part) >= 3.4e38); };
    const auto is_single = [&](double part) { return std::isinf(part) || is_small(part); };
    return is_single(z.re) && is_single(z.im) ? complex64 : complex128;
  }
  if (x.kind() == Scalar::Kind::floating) {
    const double size = std::abs(x.as_double());
    if (!std::isfinite(size) || size < 65000) return float16;
    return size < 3.4e38 ? float32 : float64;
  }
  for (const dtype type : {uint8, int8, uint16, int16, uint32, int32, uint64}) {
    if (x.fits(type)) return type;
  }
  return int64;
}

dtype result_type(std::span<const Operand* const> operands) {
  if (operands.empty()) throw ValueError("result_type: needs an array or a dtype");
  return internal::result_type(operands);
}

dtype common_type(std::span<const ndarray> arrays) {
  dtype common = float16;
  for (const ndarray& a : arrays) {
    if (a.is_none()) throw TypeError("common_type: the array is None");
    if (a.dtype().is_bool()) {
      throw TypeError("common_type: cannot get a common type for non-numeric arrays");
    }
    common = promote_types(common, a.dtype().is_integer() ? float64 : a.dtype());
  }
  return common;
}

dtype find_common_type(std::span<const dtype> array_types, std::span<const dtype> scalar_types) {
  const auto promoted = [](std::span<const dtype> types) {
    dtype common;
    for (const dtype type : types) common = common ? promote_types(common, type) : type;
    return common;
  };
  const auto rank = [](dtype type) {
    return type.is_bool()               ? 0
           : type.is_unsigned_integer() ? 1
           : type.is_integer()          ? 2
           : type.is_floating()         ? 3
                                        : 4;
  };
  const dtype arrays = promoted(array_types), scalars = promoted(scalar_types);
  if (!arrays || !scalars) return arrays ? arrays : scalars;
  return rank(scalars) > rank(arrays) ? promote_types(scalars, arrays) : arrays;
}

finfo::finfo(cupyxx::dtype given) : dtype(given.real_part()) {
  const cupyxx::dtype type = dtype;
  if (type != float16 && type != bfloat16_ && type != float32 && type != float64) {
    throw ValueError(message("finfo: not a floating dtype; ", type.name()));
  }
  bits = static_cast<int>(8 * type.itemsize());
  nmant = type == float16 ? 10 : type == bfloat16_ ? 7 : type == float32 ? 23 : 52;
  nexp = bits - nmant - 1;
  maxexp = 1 << (nexp - 1);
  minexp = 2 - maxexp;
  eps = std::ldexp(1.0, -nmant);
  epsneg = eps / 2;
  max = std::ldexp(2 - eps, maxexp - 1);
  min = -max;
  tiny = smallest_normal = std::ldexp(1.0, minexp);
  smallest_subnormal = std::ldexp(1.0, minexp - nmant);
  precision = static_cast<int>(nmant * std::log10(2.0));
  resolution = std::pow(10.0, -precision);
}

iinfo::iinfo(cupyxx::dtype type) : dtype(type) {
  if (!type.is_integer()) {
    throw ValueError(message("iinfo: not an integer dtype; ", type.name()));
  }
  bits = static_cast<int>(8 * type.itemsize());
  kind = type.kind();
  const std::uint64_t all = ~std::uint64_t{0} >> (64 - bits);
  max = type.is_signed_integer() ? all >> 1 : all;
  min = type.is_signed_integer() ? -static_cast<std::int64_t>(max) - 1 : 0;
}

namespace {

// `count` zeros before a text.
void pad(const char* operation, std::string& text, std::size_t at, std::int64_t count) {
  try {
    if (count <= 0) return;
    text.reserve(text.size() + static_cast<std::size_t>(count) + 1);  // and for a sign
    text.insert(at, static_cast<std::size_t>(count), '0');
  } catch (const std::bad_alloc&) {
    throw MemoryError(message(operation, ": no memory for ", count, " zeros"));
  }
}

}  // namespace

std::string binary_repr(internal::Int64 number, internal::Int width) {
  if (number >= 0 || width <= 0) {
    std::string text = base_repr(number, 2);
    pad("binary_repr", text, 0, width - static_cast<std::int64_t>(text.size()));
    return text;
  }
  if (width > 64 || (width < 64 && number < -(std::int64_t{1} << (width - 1)))) {
    throw ValueError(
        message("binary_repr: ", number, " does not fit ", width, " bits of a two's complement"));
  }
  std::string text;
  for (int bit = width - 1; bit >= 0; --bit) text += (number >> bit & 1) != 0 ? '1' : '0';
  return text;
}

std::string base_repr(internal::Int64 number, internal::Int base, internal::Int padding) {
  if (base < 2 || base > 36) {
    throw ValueError(message("base_repr: the base must be in [2, 36]; ", base));
  }
  auto rest = static_cast<std::uint64_t>(number);
  if (number < 0) rest = 0 - rest;
  std::string text;
  for (; rest != 0; rest /= static_cast<std::uint64_t>(base)) {
    text += "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[rest % static_cast<std::uint64_t>(base)];
  }
  // NumPy pads zero with the padding alone.
  pad("base_repr", text, text.size(), padding);
  if (text.empty()) text += '0';
  if (number < 0) text += '-';
  std::reverse(text.begin(), text.end());
  return text;
}

dtype common_type(std::initializer_list<ndarray> arrays) {
  return common_type(internal::as_span(arrays));
}

dtype find_common_type(std::initializer_list<dtype> array_types,
                       std::initializer_list<dtype> scalar_types) {
  return find_common_type(std::span<const dtype>(array_types.begin(), array_types.size()),
                          std::span<const dtype>(scalar_types.begin(), scalar_types.size()));
}

}  // namespace cupyxx
