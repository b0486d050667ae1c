// SPDX-License-Identifier: MIT
// Arrays as text, as NumPy 1.24 prints them.
#pragma once

#include <concepts>
#include <cstddef>
#include <iosfwd>
#include <optional>
#include <string>
#include <type_traits>

#include "cupyxx/dtype.h"
#include "cupyxx/ndarray.h"

namespace cupyxx {

/// Options of array_repr, array_str and set_printoptions, which have two names of NumPy's for two
/// of them; unset ones are those of set_printoptions, at first NumPy's (75, 8, false, 1000, 3).
struct PrintOptions {
  std::optional<int> max_line_width = {};
  std::optional<int> precision = {};
  std::optional<bool> suppress_small = {};
  std::optional<std::int64_t> threshold = {};  ///< larger arrays are printed without their middle
  std::optional<std::int64_t> edgeitems = {};  ///< then so many elements at each end of an axis
  std::optional<int> linewidth = {};           ///< max_line_width
  std::optional<bool> suppress = {};           ///< suppress_small
};

/// Sets what all threads print with from now on, as far as it is given; `operator<<` uses it too.
/// Throws ValueError for edgeitems below 1 and negative precisions.
CUPYXX_API void set_printoptions(const PrintOptions& options);
/// What is set; all of it has a value.
CUPYXX_API PrintOptions get_printoptions();

/// "array([1., 2.])". Synchronises.
CUPYXX_API std::string array_repr(const ndarray& a, const PrintOptions& options = {});
/// "[1. 2.]". Synchronises.
CUPYXX_API std::string array_str(const ndarray& a, const PrintOptions& options = {});

/// What stands around the elements in array2string.
struct ArrayFrame {
  std::string separator = " ";
  std::string prefix = {};  ///< what the caller writes before the text: lines are indented by it
  std::string suffix = {};  ///< what stands behind it: lines are shorter by it
};
/// All of it by name: `array2string(a, {.precision = 2, .separator = ", "})`.
struct Array2stringOptions {
  std::optional<int> max_line_width = {};
  std::optional<int> precision = {};
  std::optional<bool> suppress_small = {};
  std::string separator = " ";
  std::string prefix = {};
  std::optional<std::int64_t> threshold = {};
  std::optional<std::int64_t> edgeitems = {};
  std::string suffix = {};
};
/// "[1., 2.]": array_str in a frame. Neither prefix nor suffix are part of the text. Synchronises.
CUPYXX_API std::string array2string(const ndarray& a, const PrintOptions& options = {},
                                    const ArrayFrame& frame = {});
template <std::same_as<Array2stringOptions> O = Array2stringOptions>
std::string array2string(const ndarray& a, const O& options) {
  return array2string(a,
                      PrintOptions{options.max_line_width, options.precision,
                                   options.suppress_small, options.threshold, options.edgeitems},
                      ArrayFrame{options.separator, options.prefix, options.suffix});
}

namespace internal {
/// Arrays one after the other: std::vector<ndarray>, what meshgrid returns.
template <class L>
concept ArrayList = requires(const L& list) {
  requires std::same_as<std::remove_cvref_t<decltype(*list.data())>, ndarray>;
  list.size();
};
CUPYXX_API void write_arrays(std::ostream& os, const ndarray* arrays, std::size_t count);
}  // namespace internal
/// As Python prints a list of arrays, "[array([0, 1]), array([2])]": `std::cout << split(a, 2)`.
/// Synchronises.
template <internal::ArrayList L>
std::ostream& operator<<(std::ostream& os, const L& arrays) {
  internal::write_arrays(os, arrays.data(), arrays.size());
  return os;
}

namespace internal {
/// Results whose arrays have names and places: those of unique, svd, histogram.
template <class R>
concept ArrayResult =
    std::is_aggregate_v<R> && !ArrayList<R> && requires(const R& result, Int part) {
  { result[part] } -> std::same_as<ndarray>;
};
CUPYXX_API void write_parts(std::ostream& os, const void* result,
                            ndarray (*part)(const void* result, int place));
}  // namespace internal
/// As a list of its arrays: `std::cout << unique(a, {.return_counts = true})`. Synchronises.
template <internal::ArrayResult R>
std::ostream& operator<<(std::ostream& os, const R& result) {
  internal::write_parts(
      os, &result, [](const void* of, int place) { return (*static_cast<const R*>(of))[place]; });
  return os;
}
namespace linalg {
using cupyxx::operator<<;
}  // namespace linalg
/// As NumPy prints them, a line each: `  C_CONTIGUOUS : True`.
CUPYXX_API std::ostream& operator<<(std::ostream& os, const Flags& flags);

/// For GoogleTest's messages.
CUPYXX_API void PrintTo(const ndarray& a, std::ostream* os);

// ---- Other printing options for a while.

/// Prints with other options until the end of the scope, as NumPy's context manager:
/// `cupyxx::printoptions scope({.precision = 3});`. It sets what all threads print with.
class printoptions {
 public:
  /// Throws as set_printoptions does.
  [[nodiscard("give it a name")]] explicit printoptions(const PrintOptions& options)
      : outside_(get_printoptions()) {
    set_printoptions(options);
    inside_ = get_printoptions();
  }
  ~printoptions() { set_printoptions(outside_); }
  printoptions(const printoptions&) = delete;
  printoptions& operator=(const printoptions&) = delete;
  /// What is set within the scope.
  const PrintOptions& options() const { return inside_; }

 private:
  PrintOptions outside_;
  PrintOptions inside_;
};

// ---- One floating number as text: NumPy's format_float_positional and format_float_scientific.

/// Options of format_float_positional and format_float_scientific. Numbers of digits of -1 are not
/// given.
struct FloatTextOptions {
  int precision = -1;      ///< digits after the point at most; without `unique` exactly so many
  bool unique = true;      ///< the fewest digits that name the value among those of its dtype
  bool fractional = true;  ///< false: `precision` counts all digits from the first one not zero
  /// What becomes of zeros at the end: 'k' keeps them, '.' drops them, '0' drops all but one behind
  /// the point, '-' drops the point as well.
  char trim = 'k';
  bool sign = false;    ///< '+' in front of positive numbers
  int pad_left = -1;    ///< characters in front of the point at least
  int pad_right = -1;   ///< characters behind it at least
  int exp_digits = -1;  ///< of the exponent at least; 2 unless given
  int min_digits = -1;  ///< digits behind the point at least
};

namespace internal {
CUPYXX_API std::string positional(double x, dtype type, const FloatTextOptions& options);
CUPYXX_API std::string scientific(double x, dtype type, const FloatTextOptions& options);
template <class T>
inline constexpr bool kIsNumber =
    std::is_arithmetic_v<T> || std::is_same_v<T, half> || std::is_same_v<T, bfloat16>;
template <class T>
constexpr dtype float_of() {
  if constexpr (std::is_integral_v<T> || std::is_same_v<T, long double>) {
    return float64;
  } else {
    return dtype_of<T>();
  }
}
}  // namespace internal

/// 123.45. Throws ValueError for options that exclude each other.
template <class T>
requires internal::kIsNumber<T> std::string format_float_positional(
    T x, const FloatTextOptions& options = {}) {
  return internal::positional(static_cast<double>(x), internal::float_of<T>(), options);
}
/// 1.2345e+02.
template <class T>
requires internal::kIsNumber<T> std::string format_float_scientific(
    T x, const FloatTextOptions& options = {}) {
  return internal::scientific(static_cast<double>(x), internal::float_of<T>(), options);
}
/// The same of the only element of an array. Synchronises.
CUPYXX_API std::string format_float_positional(const ndarray& x,
                                               const FloatTextOptions& options = {});
CUPYXX_API std::string format_float_scientific(const ndarray& x,
                                               const FloatTextOptions& options = {});

}  // namespace cupyxx
