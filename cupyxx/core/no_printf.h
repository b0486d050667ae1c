// SPDX-License-Identifier: MIT
// C's printf takes any object, g++ without a word: `printf("%f", a.sum())` printed 0.000000. Here
// it does not compile. `std::cout << a`, or `printf("%f", double(a.sum()))`, or a.str().c_str().
// Included by ndarray.h.
#pragma once

#include <concepts>
#include <cstddef>

#include "cupyxx/ndarray.h"

namespace cupyxx {
namespace internal {
/// Types whose objects are no numbers for C. Other libraries add theirs.
template <class T>
inline constexpr bool kNotForPrintf = std::derived_from<T, ndarray> || ComplexLike<T>;
template <>
inline constexpr bool kNotForPrintf<Scalar> = true;
template <>
inline constexpr bool kNotForPrintf<half> = true;
template <>
inline constexpr bool kNotForPrintf<bfloat16> = true;
template <>
inline constexpr bool kNotForPrintf<dtype> = true;
template <>
inline constexpr bool kNotForPrintf<Shape> = true;
}  // namespace internal

// NOLINTBEGIN(readability-identifier-naming)
/// C's functions with an array, or another of these, behind the dots: they do not compile.
template <class... write_double_or_str_of_it>
requires(internal::kNotForPrintf<write_double_or_str_of_it> ||
         ...) int printf(const char* format, const write_double_or_str_of_it&...) = delete;
template <class File, class... write_double_or_str_of_it>
requires(internal::kNotForPrintf<write_double_or_str_of_it> ||
         ...) int fprintf(File* file, const char* format,
                          const write_double_or_str_of_it&...) = delete;
template <class... write_double_or_str_of_it>
requires(internal::kNotForPrintf<write_double_or_str_of_it> ||
         ...) int sprintf(char* text, const char* format,
                          const write_double_or_str_of_it&...) = delete;
template <class... write_double_or_str_of_it>
requires(internal::kNotForPrintf<write_double_or_str_of_it> ||
         ...) int snprintf(char* text, std::size_t size, const char* format,
                           const write_double_or_str_of_it&...) = delete;
// NOLINTEND(readability-identifier-naming)

}  // namespace cupyxx

namespace std {
using cupyxx::fprintf;
using cupyxx::printf;
using cupyxx::snprintf;
using cupyxx::sprintf;
}  // namespace std
