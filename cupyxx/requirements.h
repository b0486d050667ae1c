// SPDX-License-Identifier: MIT
// Arrays from ranges, and arrays that fulfil requirements: NumPy's fromiter and require. Included
// by creation.h.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <string_view>
#include <type_traits>
#include <vector>

#include "cupyxx/core/host_lists.h"
#include "cupyxx/creation.h"
#include "cupyxx/ndarray.h"

namespace cupyxx {

namespace internal {
[[noreturn]] CUPYXX_API void throw_short_range(std::int64_t found, std::int64_t count);
}  // namespace internal

/// The elements of a range of numbers, all of them or the first `count`, as a 1-D array on the
/// current device; of the numbers' own dtype unless one is given. Throws ValueError for a range
/// with fewer elements.
template <class Range>
ndarray fromiter(Range&& range, cupyxx::dtype dtype = {}, internal::Int64 count = -1) {
  using Value = std::iter_value_t<decltype(std::begin(range))>;
  using Stored = internal::Element<Value>;
  // vector<bool> has no array of bool inside.
  using Kept = std::conditional_t<std::is_same_v<Stored, bool>, std::uint8_t, Stored>;
  std::vector<Kept> values;
  auto at = std::begin(range);
  const auto end = std::end(range);
  for (std::int64_t i = 0; i != count && at != end; ++i, ++at) {
    values.push_back(static_cast<Kept>(static_cast<Value>(*at)));
  }
  const auto found = static_cast<std::int64_t>(values.size());
  if (found < count) internal::throw_short_range(found, count);
  return internal::from_host(values.data(), dtype_of<Stored>(), {found}, dtype);
}

/// `a` itself where it fulfils all requirements, else a copy that does: "C" or "F" (contiguous in
/// that order), "W" (writeable), "O" (owns its memory); "A" (aligned) and "E" always hold. NumPy's
/// long names, "C_CONTIGUOUS", do as well. Throws ValueError for other names and for both orders.
CUPYXX_API ndarray require(const ndarray& a, cupyxx::dtype dtype = {},
                           std::initializer_list<std::string_view> requirements = {});
inline ndarray require(const ndarray& a, cupyxx::dtype dtype, std::string_view requirement) {
  return require(a, dtype, {requirement});
}
/// Options of require.
struct RequireOptions {
  cupyxx::dtype dtype = {};
  std::initializer_list<std::string_view> requirements = {};
};
template <std::same_as<RequireOptions> O = RequireOptions>
ndarray require(const ndarray& a, const O& options) {
  return require(a, options.dtype, options.requirements);
}

}  // namespace cupyxx
