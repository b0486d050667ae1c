// SPDX-License-Identifier: MIT
// Arrays that a routine returns, as many as its argument wants: nonzero(a). Included by ndarray.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "cupyxx/export.h"
#include "cupyxx/ndarray.h"

namespace cupyxx {
namespace internal {
/// Throws ValueError for other than `wanted` arrays.
CUPYXX_API void check_unpacked(std::size_t wanted, std::size_t given);
/// The place in a list that an index means, from the end where it is negative. Throws IndexError.
CUPYXX_API std::size_t place_in_list(std::int64_t index, std::size_t count);
}  // namespace internal

/// Arrays whose number follows from what they were made of: a std::vector of them. An element of a
/// temporary is an array of its own, so that `for (auto i : nonzero(a)[0])` walks over what is
/// there. Its number counts from the end where it is negative, and throws IndexError where there
/// are not so many. Two of them have names by themselves, `auto [gy, gx] = gradient(image)`, which
/// throws ValueError where there are more or fewer; another number by unpack: `auto [gz, gy, gx] =
/// unpack<3>(gradient(volume))`.
class Arrays : public std::vector<ndarray> {
 public:
  using Vector = std::vector<ndarray>;
  using Vector::Vector;
  Arrays() = default;
  Arrays(Vector arrays) : Vector(std::move(arrays)) {}  // NOLINT(google-explicit-constructor)
  ndarray& operator[](internal::Int64 i) & {
    return Vector::operator[](internal::place_in_list(i, size()));
  }
  const ndarray& operator[](internal::Int64 i) const& {
    return Vector::operator[](internal::place_in_list(i, size()));
  }
  ndarray operator[](internal::Int64 i) && {
    return Vector::operator[](internal::place_in_list(i, size()));
  }
  ndarray& at(std::size_t i) & { return Vector::at(i); }
  const ndarray& at(std::size_t i) const& { return Vector::at(i); }
  ndarray at(std::size_t i) && { return Vector::at(i); }
  ndarray& front() & { return Vector::front(); }
  const ndarray& front() const& { return Vector::front(); }
  ndarray front() && { return Vector::front(); }
  ndarray& back() & { return Vector::back(); }
  const ndarray& back() const& { return Vector::back(); }
  ndarray back() && { return Vector::back(); }
  /// The one of two at a place, for `auto [first, second] = ...`.
  template <std::size_t kPlace>
  ndarray& get() & {
    internal::check_unpacked(2, size());
    return Vector::operator[](kPlace);
  }
  template <std::size_t kPlace>
  const ndarray& get() const& {
    internal::check_unpacked(2, size());
    return Vector::operator[](kPlace);
  }
  template <std::size_t kPlace>
  ndarray get() && {
    internal::check_unpacked(2, size());
    return std::move(Vector::operator[](kPlace));
  }
};

}  // namespace cupyxx

template <>
struct std::tuple_size<cupyxx::Arrays> : std::integral_constant<std::size_t, 2> {};
template <std::size_t I>
struct std::tuple_element<I, cupyxx::Arrays> {
  /// Each of them is an array.
  using type = cupyxx::ndarray;
};
