// SPDX-License-Identifier: MIT
// Element types as values: `cupyxx::float32`, `a.dtype() == cupyxx::int64`, `dtype("<f4")`.
// One table holds the name, the letter, the size, the npy code and the DLPack code of each.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>

#include "cupyxx/complex.h"
#include "cupyxx/export.h"
#include "cupyxx/half.h"
#include "cupyxx/precision.h"  // before float32 of this file: g++ says that its own hides it
#include "cupyxx/values/choice.h"

namespace cupyxx {

class ArrayLike;
class ndarray;

/// The type of an array's elements. A default-constructed dtype is unspecified ("choose for me").
class dtype {
 public:
  enum class Code : std::uint8_t {
    bool_,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
    float16,
    float32,
    float64,
    bfloat16,
    complex64,
    complex128,
    float8_e4m3,
    float8_e5m2,
    unspecified,
  };
  static constexpr int kCount = 17;         // codes that stand for a type
  static constexpr int kComputeCount = 15;  // bool_ .. complex128: the types with loops

  constexpr dtype() = default;
  // Templates for the reason given at Shape; and 0, a null pointer, is no text.

  /// Throws TypeError for a number that was made a Code and is none.
  template <std::same_as<Code> C>
  constexpr dtype(C code)  // NOLINT(google-explicit-constructor)
      : code_(code <= Code::unspecified ? code : no_such_code(code)) {}

  /// The dtype of a NumPy name ("float32"), letter ("f"), npy code ("<f4") or alias ("single").
  /// Throws TypeError for any other text.
  template <class T>
  requires(std::convertible_to<const T&, std::string_view> && !std::same_as<T, std::nullptr_t>)
      dtype(const T& text)  // NOLINT(google-explicit-constructor)
      : dtype(parse(text)) {}

  constexpr Code code() const { return code_; }
  constexpr explicit operator bool() const { return code_ != Code::unspecified; }

  /// NumPy's name: "float32".
  CUPYXX_API std::string_view name() const;
  /// NumPy's kind: 'b', 'i', 'u', 'f', 'c', or 'V' for the types NumPy lacks.
  CUPYXX_API char kind() const;
  /// NumPy's one-letter code: 'f' for float32, 'l' for int64.
  CUPYXX_API char char_code() const;
  /// The code of the npy format: "<f4"; empty for types the format lacks.
  CUPYXX_API std::string_view npy_code() const;
  /// Bytes of one element.
  constexpr std::int64_t itemsize() const { return kSizes[static_cast<int>(code_)]; }

  constexpr bool is_bool() const { return code_ == Code::bool_; }
  constexpr bool is_signed_integer() const { return code_ >= Code::int8 && code_ <= Code::int64; }
  constexpr bool is_unsigned_integer() const {
    return code_ >= Code::uint8 && code_ <= Code::uint64;
  }
  constexpr bool is_integer() const { return code_ >= Code::int8 && code_ <= Code::uint64; }
  constexpr bool is_floating() const {
    return (code_ >= Code::float16 && code_ <= Code::bfloat16) ||
           (code_ >= Code::float8_e4m3 && code_ <= Code::float8_e5m2);
  }
  constexpr bool is_complex() const {
    return code_ == Code::complex64 || code_ == Code::complex128;
  }
  /// Floating or complex.
  constexpr bool is_inexact() const { return is_floating() || is_complex(); }
  /// The dtype of the parts of a complex one; any other dtype itself.
  constexpr dtype real_part() const {
    return code_ == Code::complex64    ? dtype(Code::float32)
           : code_ == Code::complex128 ? dtype(Code::float64)
                                       : *this;
  }

  /// A number as a 0-d array of this dtype, or the elements of a list, a container or an array in
  /// it: `float32(3.14)`, `uint8({1, 2})`. On the current device. Defined with creation.h.
  template <class T>
  auto operator()(const T& value) const;
  template <class T>
  auto operator()(std::initializer_list<T> list) const;
  /// Of numbers of several types: `float32({-1.5, 2})`.
  ndarray operator()(const ArrayLike& list) const;

  friend constexpr bool operator==(dtype a, dtype b) { return a.code_ == b.code_; }

 private:
  CUPYXX_API static dtype parse(std::string_view text);
  [[noreturn]] CUPYXX_API static Code no_such_code(Code code);

  // Not in itemsize(): compilers write a table of a function to the stack in each call.
  static constexpr std::int8_t kSizes[] = {1, 1, 2, 4, 8, 1, 2, 4, 8, 2, 4, 8, 2, 8, 16, 1, 1, 0};
  static_assert(sizeof(kSizes) == kCount + 1);

  Code code_ = Code::unspecified;
};

/// Prints NumPy's name.
CUPYXX_API std::ostream& operator<<(std::ostream& os, dtype t);

inline constexpr dtype bool_{dtype::Code::bool_};
inline constexpr dtype int8{dtype::Code::int8};
inline constexpr dtype int16{dtype::Code::int16};
inline constexpr dtype int32{dtype::Code::int32};
inline constexpr dtype int64{dtype::Code::int64};
inline constexpr dtype uint8{dtype::Code::uint8};
inline constexpr dtype uint16{dtype::Code::uint16};
inline constexpr dtype uint32{dtype::Code::uint32};
inline constexpr dtype uint64{dtype::Code::uint64};
inline constexpr dtype float16{dtype::Code::float16};
inline constexpr dtype float32{dtype::Code::float32};
inline constexpr dtype float64{dtype::Code::float64};
inline constexpr dtype bfloat16_{dtype::Code::bfloat16};
inline constexpr dtype complex64{dtype::Code::complex64};
inline constexpr dtype complex128{dtype::Code::complex128};

/// When a cast is allowed, as NumPy's `casting=`.
enum class Casting : std::uint8_t { no, equiv, safe, same_kind, unsafe };
namespace internal {
template <>
struct Choices<Casting> {
  static constexpr std::string_view kWhat = "casting";
  static constexpr NamedValue<Casting> kAll[] = {{"no", Casting::no},
                                                 {"equiv", Casting::equiv},
                                                 {"safe", Casting::safe},
                                                 {"same_kind", Casting::same_kind},
                                                 {"unsafe", Casting::unsafe}};
};
}  // namespace internal

/// NumPy's name of a casting rule: "same_kind".
CUPYXX_API std::string_view name(Casting casting);

/// Whether values of `from` may be cast to `to` under a rule.
CUPYXX_API bool can_cast(dtype from, dtype to, Choice<Casting> casting = Casting::safe);

/// The smallest dtype to which both may be cast safely (NumPy's table).
CUPYXX_API dtype promote_types(dtype a, dtype b);

namespace internal {
/// complex<T> and types like it: std::complex<T>.
template <class T>
concept ComplexLike = requires(const T& z) {
  z.real();
  z.imag();
}
&&sizeof(T) == 2 * sizeof(typename T::value_type);
}  // namespace internal

/// The dtype of a C++ element type: `dtype_of<float>() == float32`. std::complex<T> counts as
/// complex<T>.
template <class T>
constexpr dtype dtype_of() {
  using C = dtype::Code;
  if constexpr (__is_same(T, bool)) {
    return C::bool_;
  } else if constexpr (__is_same(T, half)) {
    return C::float16;
  } else if constexpr (__is_same(T, bfloat16)) {
    return C::bfloat16;
  } else if constexpr (__is_same(T, float)) {
    return C::float32;
  } else if constexpr (__is_same(T, double)) {
    return C::float64;
  } else if constexpr (internal::ComplexLike<T>) {
    return sizeof(T) == 8 ? C::complex64 : C::complex128;
  } else {
    constexpr bool kIsSigned = static_cast<T>(-1) < static_cast<T>(0);
    static_assert(static_cast<T>(1.5) == static_cast<T>(1), "dtype_of: not an element type");
    if constexpr (sizeof(T) == 1) {
      return kIsSigned ? C::int8 : C::uint8;
    } else if constexpr (sizeof(T) == 2) {
      return kIsSigned ? C::int16 : C::uint16;
    } else if constexpr (sizeof(T) == 4) {
      return kIsSigned ? C::int32 : C::uint32;
    } else {
      return kIsSigned ? C::int64 : C::uint64;
    }
  }
}

}  // namespace cupyxx
