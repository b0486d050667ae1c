// SPDX-License-Identifier: MIT
// Asking and choosing dtypes. NumPy's chapter "Data type routines", its aliases, and numbers as
// text.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>

#include "cupyxx/dtype.h"
#include "cupyxx/ndarray.h"

namespace cupyxx {

// NumPy's other names (64-bit Linux).
inline constexpr dtype byte = int8;
inline constexpr dtype short_ = int16;
inline constexpr dtype intc = int32;
inline constexpr dtype int_ = int64;
inline constexpr dtype longlong = int64;
inline constexpr dtype ubyte = uint8;
inline constexpr dtype ushort = uint16;
inline constexpr dtype uintc = uint32;
inline constexpr dtype uint = uint64;
inline constexpr dtype ulonglong = uint64;
inline constexpr dtype half_ = float16;
inline constexpr dtype single = float32;
inline constexpr dtype double_ = float64;
inline constexpr dtype float_ = float64;
inline constexpr dtype longfloat = float64;
inline constexpr dtype csingle = complex64;
inline constexpr dtype singlecomplex = complex64;
inline constexpr dtype cdouble = complex128;
inline constexpr dtype cfloat = complex128;
inline constexpr dtype complex_ = complex128;

/// The abstract kinds of dtypes.
enum class DtypeKind : std::uint8_t {
  generic,
  number,
  integer,
  signedinteger,
  unsignedinteger,
  inexact,
  floating,
  complexfloating,
};

/// Whether a dtype is of a kind.
CUPYXX_API bool issubdtype(dtype type, DtypeKind kind);
inline bool issubdtype(dtype type, dtype other) { return type == other; }

/// The smallest dtype that holds a number, or the dtype of an array.
CUPYXX_API dtype min_scalar_type(const Operand& value);

namespace internal {
template <class T>
const T& type_operand(const T& x) {
  return x;
}
inline Scalar type_operand(dtype type) { return {0, type}; }
}  // namespace internal

/// The dtype of an operation on arrays, numbers (weak, NEP 50) and dtypes.
CUPYXX_API dtype result_type(std::span<const Operand* const> operands);
template <class... T>
dtype result_type(const T&... operands) {
  const Operand list[] = {internal::type_operand(operands)...};
  const Operand* pointers[sizeof...(T)];
  for (std::size_t i = 0; i < sizeof...(T); ++i) pointers[i] = &list[i];
  return result_type(std::span<const Operand* const>(pointers));
}

/// The floating dtype for all arrays: float64 where one holds integers.
CUPYXX_API dtype common_type(std::span<const ndarray> arrays);
CUPYXX_API dtype common_type(std::initializer_list<ndarray> arrays);
/// The dtype for arrays and numbers of given dtypes; those of numbers count by their kind.
CUPYXX_API dtype find_common_type(std::span<const dtype> array_types,
                                  std::span<const dtype> scalar_types);
CUPYXX_API dtype find_common_type(std::initializer_list<dtype> array_types,
                                  std::initializer_list<dtype> scalar_types);

/// Limits of a floating dtype, or of the parts of a complex one.
struct finfo {
  /// Throws ValueError for other dtypes than float16, bfloat16, float32, float64 and complex ones.
  CUPYXX_API explicit finfo(cupyxx::dtype type);

  cupyxx::dtype dtype;
  int bits, nmant, nexp, minexp, maxexp, precision;
  double eps, epsneg, max, min, tiny, smallest_normal, smallest_subnormal, resolution;
};

/// Limits of an integer dtype.
struct iinfo {
  /// Throws ValueError for other dtypes.
  CUPYXX_API explicit iinfo(cupyxx::dtype type);

  cupyxx::dtype dtype;
  int bits;
  char kind;
  std::int64_t min;
  std::uint64_t max;
};

/// Whether a type is that of a number (arrays of rank 0 are none).
template <class T>
constexpr bool isscalar(const T&) {
  return std::is_arithmetic_v<T> || std::is_same_v<T, half> || std::is_same_v<T, bfloat16> ||
         std::is_same_v<T, Scalar> || internal::ComplexLike<T>;
}

/// Binary digits: "-101", or of the two's complement where a width is given.
CUPYXX_API std::string binary_repr(internal::Int64 number, internal::Int width = 0);
/// Digits in a base from 2 to 36, with `padding` zeros in front. Throws ValueError for others.
CUPYXX_API std::string base_repr(internal::Int64 number, internal::Int base = 2,
                                 internal::Int padding = 0);
/// Options of binary_repr.
struct BinaryReprOptions {
  int width = 0;
};
template <std::same_as<BinaryReprOptions> O = BinaryReprOptions>
std::string binary_repr(internal::Int64 number, const O& options) {
  return binary_repr(number, options.width);
}
/// Options of base_repr.
struct BaseReprOptions {
  int base = 2;
  int padding = 0;
};
template <std::same_as<BaseReprOptions> O = BaseReprOptions>
std::string base_repr(internal::Int64 number, const O& options) {
  return base_repr(number, options.base, options.padding);
}

}  // namespace cupyxx
